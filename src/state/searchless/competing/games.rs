//! Playing: every game that is not over is, one after the other; each is kept as soon as it is done.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{super::super::model_run::Going, Competing, MOST_GAMES_HERE, SAVED};
use crate::{
    browser::{clock, document::program, slices::Slices},
    long_run::count::time_left,
    pace::Pace,
    services::contestants::{ContestantError, Contestants},
    tournament::{
        contestant::Contestant,
        fixture_game::{Adjudication, Ending, FixtureGame, Next},
        run_file::{GameRow, SCHEMA, Tournament, TournamentHeader},
        schedule::Fixture,
        turn::Moved,
    },
    uci::Limit,
};

/// Games in a row that may fail: what fails at more fails at all.
const FAILURES: usize = 5;

/// How often the page says how far it is, in milliseconds.
const TOLD: f64 = 1_000.0;

/// How far the run under way is.
struct Sofar {
    /// Games that are to be played.
    all: usize,
    /// Games that are done, failed ones included.
    done: usize,
    /// When it began, in milliseconds.
    begun: f64,
    /// When it was last told, in milliseconds.
    told: f64,
}

/// What stays the same from game to game.
struct Rules {
    contestants: Vec<Contestant>,
    seed: u64,
    adjudication: Option<Adjudication>,
}

impl Competing {
    /// Plays every game that is not over; until it is stopped.
    pub fn start(&self) {
        let Some(going) = self.run.begin() else { return };
        self.problem.set(None);
        self.notice.set(None);
        going.tell(0, 1, Some("The players get ready.".to_owned()));
        let this = *self;
        spawn_local(async move {
            // Who stops it waits for no move: what works for one ends with the work.
            match going.unless_stopped(this.play_all(going)).await {
                Some(Ok(())) => going.end(),
                Some(Err(problem)) => going.fail(problem),
                None => return,
            }
            this.tell_progress();
            this.make_standings();
        });
    }

    async fn play_all(&self, going: Going) -> Result<(), String> {
        let mut table = self.players.contestants();
        table.connection = self.players.connection();
        let Some((rules, left)) = self.begin_tournament(&mut table).await? else {
            return Ok(());
        };
        if left.is_empty() {
            self.notice.set(Some("All games are over.".to_owned()));
            return Ok(());
        }
        let pace = Slices::new();
        let mut failures = 0;
        let mut sofar = Sofar {
            all: left.len(),
            done: 0,
            begun: clock::now(),
            told: 0.0,
        };
        for fixture in left {
            self.tell(&mut sofar, &rules, fixture, going);
            let begun = clock::now();
            table.new_game();
            let played = play(&mut table, &rules, fixture, &pace).await;
            let millis = (clock::now() - begun).max(0.0) as u64;
            let tokens = table.take_tokens();
            let row = match played {
                Ok(game) => {
                    failures = 0;
                    GameRow::of(&game, millis, tokens)
                }
                Err(error) if error.is_of_the_engine() => return Err(format!("{error}")),
                Err(error) => {
                    failures += 1;
                    if failures >= FAILURES {
                        return Err(format!("{failures} games in a row failed, the last: {error}."));
                    }
                    Some(GameRow {
                        tokens,
                        ..GameRow::failed(fixture, error.to_string(), millis)
                    })
                }
            };
            if let Some(row) = row {
                self.keep(row);
            }
            sofar.done += 1;
            pace.turn().await;
        }
        self.tell_progress();
        let failed = self.progress.get_untracked().failed;
        if failed > 0 {
            return Err(format!("{failed} games failed and are played anew when you go on."));
        }
        Ok(())
    }

    /// Makes the tournament where there is none; what its games are played by, and which are to be played.
    async fn begin_tournament(&self, table: &mut Contestants) -> Result<Option<(Rules, Vec<Fixture>)>, String> {
        if self.tournament.with_untracked(Option::is_none) {
            self.begin_anew(table).await?;
        } else {
            self.check_players(table).await?;
        }
        let of = |tournament: &Tournament| {
            let header = &tournament.header;
            let rules = Rules {
                contestants: header.contestants.clone(),
                seed: header.seed,
                adjudication: header.adjudication,
            };
            (rules, tournament.left().collect())
        };
        Ok(self.tournament.with_untracked(|tournament| tournament.as_ref().map(of)))
    }

    async fn begin_anew(&self, table: &mut Contestants) -> Result<(), String> {
        let games = untrack(|| self.games_to_come());
        if games > MOST_GAMES_HERE {
            return Err(format!(
                "{games} games are more than a page plays ({MOST_GAMES_HERE} at most): take fewer openings or players, or lab \
                 chessbench tournament."
            ));
        }
        let contestants = self.entered().await?;
        let adjudication = self.adjudicates.get_untracked().then(|| Adjudication {
            limit: Limit::Nodes(self.look_nodes.get_untracked()),
            beyond: i32::try_from(self.beyond.get_untracked()).unwrap_or(i32::MAX),
        });
        let engine = match needs_engine(&contestants, adjudication) {
            true => Some(table.engine_name().await.map_err(|error| error.to_string())?),
            false => None,
        };
        let tournament = Tournament::new(TournamentHeader {
            schema: SCHEMA,
            program: program(),
            contestants,
            openings: usize::try_from(self.openings.get_untracked()).unwrap_or(usize::MAX),
            seed: self.seed.get_untracked(),
            adjudication,
            engine,
        });
        let tournament = tournament.map_err(|error| format!("The tournament cannot begin: {error}."))?;
        let head = tournament.head();
        self.rows.begin_after(0);
        self.show(Some(tournament));
        let this = *self;
        // Not part of what is stopped: without its head the games would be nothing.
        spawn_local(async move {
            if SAVED.keep_head(&head).await.is_err() {
                this.not_kept();
            }
        });
        Ok(())
    }

    /// Whether the players of the tournament and its engine are here.
    async fn check_players(&self, table: &mut Contestants) -> Result<(), String> {
        let header = self
            .tournament
            .with_untracked(|tournament| tournament.as_ref().map(|tournament| tournament.header.clone()));
        let Some(header) = header else { return Ok(()) };
        self.all_here(&header.contestants).await?;
        if needs_engine(&header.contestants, header.adjudication) {
            let own = table.engine_name().await.map_err(|error| error.to_string())?;
            if header.engine.as_ref() != Some(&own) {
                return Err(format!(
                    "This tournament was begun with {}, and the page’s engine is {own}: two engines would make a tournament that is \
                     neither’s. Go on with lab chessbench tournament, or begin another.",
                    header.engine.as_deref().unwrap_or("no engine")
                ));
            }
        }
        Ok(())
    }

    /// Says which game is played, and how long the others will take; not too often.
    fn tell(&self, sofar: &mut Sofar, rules: &Rules, fixture: Fixture, going: Going) {
        let now = clock::now();
        if now - sofar.told < TOLD {
            return;
        }
        sofar.told = now;
        let name = |place: usize| rules.contestants.get(place).map_or("", |player| player.name.as_str());
        let mut note = format!("{} – {}", name(fixture.white), name(fixture.black));
        let seconds = (now - sofar.begun) / 1000.0;
        if sofar.done > 0 && seconds > 0.0 {
            let left = (sofar.all - sofar.done) as f64;
            note = format!("{note}. {}", time_left(seconds / sofar.done as f64 * left));
        }
        going.tell(sofar.done, sofar.all, Some(note + "."));
    }
}

fn needs_engine(contestants: &[Contestant], adjudication: Option<Adjudication>) -> bool {
    adjudication.is_some() || contestants.iter().any(|player| player.way.engine().is_some())
}

/// Plays a game to its end.
async fn play(
    table: &mut Contestants,
    rules: &Rules,
    fixture: Fixture,
    pace: &Slices,
) -> Result<FixtureGame, ContestantError> {
    let mut game = FixtureGame::begin(fixture, &fixture.opening_moves(rules.seed), rules.adjudication);
    let mut lots = fixture.lots(rules.seed);
    loop {
        // Lots and claims take no wait: a page that had nothing else would not be painted.
        pace.turn().await;
        match game.next() {
            Next::Over(..) => return Ok(game),
            Next::Look => {
                let score = table.look(&game).await?;
                game.look(score);
            }
            Next::Move(_) => {
                let Some(player) = rules.contestants.get(game.to_move()) else {
                    return Ok(game);
                };
                match table.find_move(&player.way, &game, &mut lots).await? {
                    Moved::Move(mv, _) => {
                        game.play(mv);
                    }
                    Moved::None(_) => game.lose(Ending::NoMove),
                }
            }
        }
    }
}
