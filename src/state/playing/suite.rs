//! Where positions are from: files, the game on the board, games; and the engine's hints on them.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    super::{App, model_run::Going},
    Playing,
    choice::Choice,
};
use crate::{
    browser::{clock, files, slices::Slices},
    grading::{
        level::PLAN,
        level_game::PLAN_GAMES,
        suite::{
            file::Suite,
            games::Take,
            hints::{concept, search, told},
            source::{Source, Wanted, read_source, suite_of},
        },
    },
    long_run::count::several,
    services::engine::{Engine, Kind},
    uci::Limit,
};

impl Playing {
    /// Takes the positions of a file.
    pub(super) async fn take_source(&self, name: &str, text: &str) {
        let pace = Slices::new();
        match read_source(text, &pace).await {
            Ok(source) => {
                let bad = match &source {
                    Source::Positions { bad, .. } => *bad,
                    Source::Suite(_) | Source::Games(_) => 0,
                };
                self.source.try_set_value(Some((name.to_owned(), source)));
                self.take_positions(bad).await;
            }
            Err(error) => {
                self.problem
                    .try_set(Some(format!("{name} cannot be used: {error}.").replace("..", ".")));
            }
        }
    }

    /// Takes the game on the board.
    pub fn take_board(&self) {
        self.problem.set(None);
        let store = App::get().game_store;
        let game = untrack(|| store.with_game(Clone::clone));
        self.source
            .set_value(Some(("The game on the board".to_owned(), Source::Games(vec![game]))));
        let this = *self;
        spawn_local(async move { this.take_positions(0).await });
    }

    /// Changes what is taken, and takes it anew of what was given last, unless a run has begun.
    pub fn choose(&self, change: impl FnOnce(&mut Choice)) {
        self.choice.update(change);
        let open = self.played.with_untracked(Option::is_none);
        if open && self.source.with_value(Option::is_some) {
            self.problem.set(None);
            let this = *self;
            spawn_local(async move { this.take_positions(0).await });
        }
    }

    pub(super) async fn take_positions(&self, bad: usize) {
        let Some((name, source)) = self.source.try_get_value().flatten() else {
            return;
        };
        let choice = self.choice.get_untracked();
        let short = name.split('.').next().unwrap_or_default();
        let suite = suite_of(short, source, choice.wanted, choice.most, choice.seed, &Slices::new()).await;
        // The user went on meanwhile.
        if self.choice.try_get_untracked() != Some(choice) {
            return;
        }
        match suite {
            Some(suite) => {
                let mut said = format!("{name}: {}.", several(suite.positions.len(), "position"));
                if bad > 0 {
                    said += &format!(" {} cannot be used.", several(bad, "line"));
                }
                self.take_suite(suite, said);
            }
            None => {
                self.problem.set(Some(format!(
                    "{name} has no position to take: games must be long enough for the parts that are wanted, or have a mate in one."
                )));
            }
        }
    }

    /// Sets the games to the plan's preset: five levels, two games each.
    pub fn plan_preset(&self) {
        let levels: Vec<String> = PLAN.iter().map(ToString::to_string).collect();
        self.levels.set(levels.join(", "));
        self.games_each.set(PLAN_GAMES);
        self.choose(|choice| choice.wanted = Wanted::Positions(Take::PLAN));
    }

    /// Saves the positions as a suite.
    pub fn save_suite(&self) {
        let waiting = self.waiting.get_untracked();
        let of_run = || {
            let run = self.played.get_untracked()?;
            Some(Suite {
                header: run.header.suite,
                positions: run.positions,
            })
        };
        if let Some(suite) = waiting.or_else(of_run) {
            self.saved(files::save("suite.jsonl", "application/jsonl", suite.text().as_bytes()));
        }
    }

    /// Has the engine look at every position that waits, for the "expert" prompt's sentence and the motifs of the best move.
    pub fn hint(&self) {
        let Some(suite) = self.waiting.get_untracked() else {
            return;
        };
        let Some(going) = self.preparing.begin() else { return };
        self.problem.set(None);
        let this = *self;
        spawn_local(async move {
            match this.hinted(suite, going).await {
                Ok(suite) if going.is_current() => {
                    let said = format!("Hints on {}.", several(suite.positions.len(), "position"));
                    this.notice.try_set(Some(said));
                    this.waiting.try_set(Some(suite));
                    going.end();
                }
                Ok(_) => {}
                Err(problem) => going.fail(problem),
            }
        });
    }

    async fn hinted(&self, mut suite: Suite, going: Going) -> Result<Suite, String> {
        let engine = Engine::new(Kind::stockfish(), |_| ());
        let limit = Limit::Nodes(self.grade_nodes.get_untracked().max(1));
        let all = suite.positions.len();
        for (done, at) in suite.positions.iter_mut().enumerate() {
            going.tell(done, all, Some(format!("The engine looks at {}.", at.id)));
            let reached = at.read().map_err(|error| format!("{error}."))?;
            let looked = engine.search(search(engine.id(), &reached, limit), |_| ());
            let Some(result) = going.unless_stopped(looked).await else {
                return Ok(suite);
            };
            told(at, &reached, &result.map_err(|error| error.to_string())?);
            at.concept = at.concept.take().or_else(|| concept(at));
            clock::yield_to_browser().await;
        }
        suite.header.made += &format!("; hints by {}, {}", engine.name(), limit.words());
        Ok(suite)
    }
}
