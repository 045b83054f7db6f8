//! A tournament in the page: who plays, how far it is, how players stand. It is the same file as the command line's; it is kept in
//! the browser game by game, and goes on after a reload.
//!
//! | file | what is there |
//! |---|---|
//! | [`entering`] | who is entered, and whether the players of a tournament are here |
//! | [`games`] | every game that is not over is played |
//! | [`saving`] | files: a tournament that is given, and what is saved of one |

mod entering;
mod games;
mod saving;

use std::cell::OnceCell;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    super::{model_run::ModelRun, on_demand::on_demand, row_queue::RowQueue},
    players::Players,
    predicting::Predicting,
};
use crate::{
    browser::{clock, slices::Slices},
    chessbench::policy::PolicyRules,
    long_run::count::{Progress, several},
    searchless::header::Target,
    services::saved_lines::SavedLines,
    survey::analysis::table::Table,
    tournament::{
        contestant::Contestant,
        entrant::{Entrant, EntrantKind},
        fixture_game::Adjudication,
        report::{LEVEL, tables},
        run_file::{GameRow, Tournament},
        standings::Standings,
    },
    uci::Limit,
    view::{rating_charts::MeansChart, tournament::ratings_chart},
};

/// The most bytes of a file that are read.
pub const FILE_LIMIT: usize = 64_000_000;

/// The most games of a tournament that is begun in the page: more belong to the command line.
pub const MOST_GAMES_HERE: usize = 5_000;

/// The most nodes of a search.
pub const MOST_NODES: u64 = 1_000_000;

/// Where this browser keeps the tournament; a row of it is a game, or several that came while one was written.
const SAVED: SavedLines = SavedLines::new("tournament");

/// Openings to begin with.
const OPENINGS: u64 = 2;

/// Nodes of each of Stockfish's searches to begin with.
const NODES: u64 = 100;

/// How often standings are made anew and told while games end, in milliseconds.
const STANDINGS: f64 = 1_000.0;

/// How players stand, to be shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shown {
    /// Players, crosstable, endings.
    pub tables: Vec<Table>,
    /// Ratings; none as long as games do not say any.
    pub chart: Option<MeansChart>,
}

/// The tournament.
#[derive(Clone, Copy)]
pub struct Competing {
    players: Players,
    rows: RowQueue,
    /// When the standings were made last, in milliseconds.
    made: StoredValue<f64>,
    former: RwSignal<Option<Tournament>>,

    /// Who is entered, where no tournament has begun.
    pub entrants: RwSignal<Vec<Entrant>>,
    /// What the policies of models do besides.
    pub rules: RwSignal<PolicyRules>,
    /// Openings; each pair plays each of them twice.
    pub openings: RwSignal<u64>,
    /// Of openings and lots.
    pub seed: RwSignal<u64>,
    /// Whether games are ended when they are decided.
    pub adjudicates: RwSignal<bool>,
    /// Nodes of each look.
    pub look_nodes: RwSignal<u64>,
    /// Centipawns that have to be exceeded.
    pub beyond: RwSignal<u64>,

    /// The tournament. Games that end are added without a word: [`Self::progress`] tells of them.
    pub tournament: RwSignal<Option<Tournament>>,
    /// How far it is.
    pub progress: RwSignal<Progress>,
    /// How far its games are.
    pub run: ModelRun,
    /// A file that is being read.
    pub reading: ModelRun,
    /// How players stand.
    pub shown: RwSignal<Shown>,
    /// What was done.
    pub notice: RwSignal<Option<String>>,
    /// What failed, and what to do.
    pub problem: RwSignal<Option<String>>,
}

impl Competing {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static COMPETING: OnceCell<Competing> = const { OnceCell::new() };
        }
        let predicting = Predicting::get();
        on_demand(&COMPETING, |app| {
            Self::new(Players {
                predicting,
                network: app.network,
                endpoint: app.endpoint,
            })
        })
    }

    fn new(players: Players) -> Self {
        let Adjudication { limit, beyond } = Adjudication::default();
        let look_nodes = match limit {
            Limit::Nodes(nodes) => nodes,
            Limit::Time(_) | Limit::Depth(_) | Limit::DepthTime { .. } => NODES,
        };
        let first = [
            EntrantKind::Random,
            EntrantKind::Shipped(Target::ActionValue),
            EntrantKind::Shipped(Target::StateValue),
            EntrantKind::Shipped(Target::BehavioralCloning),
            EntrantKind::Skill,
        ];
        Self {
            players,
            rows: RowQueue::new(SAVED),
            made: StoredValue::new(0.0),
            former: RwSignal::new(None),
            entrants: RwSignal::new(first.map(|kind| Entrant::new(kind, 0, NODES)).to_vec()),
            rules: RwSignal::new(PolicyRules::default()),
            openings: RwSignal::new(OPENINGS),
            seed: RwSignal::new(1),
            adjudicates: RwSignal::new(true),
            look_nodes: RwSignal::new(look_nodes),
            beyond: RwSignal::new(u64::from(beyond.unsigned_abs())),
            tournament: RwSignal::new(None),
            progress: RwSignal::new(Progress::default()),
            run: ModelRun::default(),
            reading: ModelRun::default(),
            shown: RwSignal::new(Shown::default()),
            notice: RwSignal::new(None),
            problem: RwSignal::new(None),
        }
    }

    /// Brings back the tournament that this browser keeps, once.
    pub fn restore(&self) {
        let this = *self;
        spawn_local(async move {
            let Some((text, rows)) = SAVED.find_counted_once().await else {
                return;
            };
            let Ok(tournament) = Tournament::read_at(&text, &Slices::new()).await else {
                return;
            };
            // The user was quicker.
            if this.tournament.with_untracked(Option::is_some) {
                this.former.set(Some(tournament));
                return;
            }
            this.rows.begin_after(rows);
            this.show(Some(tournament));
        });
    }

    /// Whether players, openings and rules can still be chosen. Tracked.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.tournament.with(Option::is_none)
    }

    /// The players of the tournament that has begun. Tracked.
    #[must_use]
    pub fn contestants(&self) -> Option<Vec<Contestant>> {
        self.tournament
            .with(|tournament| tournament.as_ref().map(|known| known.header.contestants.clone()))
    }

    /// How many games those who are entered would play. Tracked.
    #[must_use]
    pub fn games_to_come(&self) -> usize {
        let players = self.entrants.with(Vec::len);
        let openings = usize::try_from(self.openings.get()).unwrap_or(usize::MAX);
        (players * players.saturating_sub(1)).saturating_mul(openings)
    }

    /// How far it is, in words. Tracked.
    #[must_use]
    pub fn told(&self) -> String {
        if self.is_open() {
            let players = self.entrants.with(Vec::len);
            return format!(
                "{}: {} to be played.",
                several(players, "player"),
                several(self.games_to_come(), "game")
            );
        }
        let Progress { all, answered, failed } = self.progress.get();
        format!("{answered} of {all} games are over, {failed} failed.")
    }

    /// Shows a tournament in place of the one that is there.
    fn show(&self, tournament: Option<Tournament>) {
        if let Some(header) = tournament.as_ref().map(|tournament| &tournament.header) {
            self.openings.set(header.openings as u64);
            self.seed.set(header.seed);
            self.adjudicates.set(header.adjudication.is_some());
            if let Some(Adjudication { limit, beyond }) = header.adjudication {
                if let Limit::Nodes(nodes) = limit {
                    self.look_nodes.set(nodes);
                }
                self.beyond.set(u64::from(beyond.unsigned_abs()));
            }
        }
        self.tournament.set(tournament);
        self.tell_progress();
        self.make_standings();
    }

    /// Shows how far it is.
    fn tell_progress(&self) {
        let progress = self.tournament.try_with_untracked(|tournament| {
            let count = tournament.as_ref().map(|tournament| tournament.count().progress());
            count.unwrap_or_default()
        });
        if let Some(progress) = progress
            && self.progress.try_get_untracked() != Some(progress)
        {
            self.progress.try_set(progress);
        }
    }

    /// Makes the standings anew, in turns of their own: first what is drawn, then the tables.
    fn make_standings(&self) {
        self.made.try_set_value(clock::now());
        let this = *self;
        spawn_local(async move {
            let pace = Slices::new();
            pace.rest().await;
            let standings = this.of_begun(|tournament| Standings::of(tournament, LEVEL));
            let Some(standings) = standings else {
                this.shown.try_set(Shown::default());
                return;
            };
            let chart = this
                .of_begun(|tournament| ratings_chart(tournament, &standings))
                .flatten();
            this.shown.try_update(|shown| shown.chart = chart);
            pace.rest().await;
            // Another tournament may have taken its place, whose own standings are on their way.
            let tables = this.of_begun(|tournament| {
                let is_same = tournament.header.contestants.len() == standings.order.len();
                is_same.then(|| tables(tournament, &standings, None))
            });
            if let Some(tables) = tables.flatten() {
                this.shown.try_update(|shown| shown.tables = tables);
            }
        });
    }

    /// What is to be said of the tournament; `None` as long as no game is over.
    fn of_begun<T>(&self, say: impl FnOnce(&Tournament) -> T) -> Option<T> {
        self.tournament
            .try_with_untracked(|tournament| {
                let begun = tournament.as_ref().filter(|known| !known.rows().is_empty());
                begun.map(say)
            })
            .flatten()
    }

    /// Adds a game, and has it kept in the browser.
    fn keep(&self, row: GameRow) {
        let line = row.line() + "\n";
        self.tournament.try_update_untracked(|tournament| {
            if let Some(tournament) = tournament {
                tournament.add(row);
            }
        });
        let this = *self;
        self.rows.keep(line, move || this.not_kept());
        let made = self.made.try_get_value().unwrap_or_default();
        if clock::now() - made > STANDINGS {
            self.tell_progress();
            self.make_standings();
        }
    }

    /// Ends what is under way; games that are over stay.
    pub fn stop(&self) {
        self.run.stop();
        self.tell_progress();
        self.make_standings();
        self.notice.set(Some(
            "Stopped: games that are over are kept, the one under way is played anew when you go on.".to_owned(),
        ));
    }

    /// Forgets the tournament, so that another can be begun; it can be had back until the page is closed.
    pub fn forget(&self) {
        self.put_aside();
        self.notice.set(None);
        self.problem.set(None);
        spawn_local(SAVED.forget());
    }

    fn put_aside(&self) {
        self.run.stop();
        self.rows.begin_after(0);
        if let Some(tournament) = self.tournament.try_update(Option::take).flatten() {
            self.former.set(Some(tournament));
        }
        self.show(None);
    }

    /// Whether a tournament was replaced that can be had back. Tracked.
    #[must_use]
    pub fn has_former(&self) -> bool {
        self.former.with(Option::is_some)
    }

    /// Brings the tournament back that was replaced; the present one takes its place.
    pub fn bring_back(&self) {
        if let Some(tournament) = self.former.try_update(Option::take).flatten() {
            self.take_tournament(tournament, "The former tournament is back.".to_owned());
        }
    }

    fn not_kept(&self) {
        self.problem.set(Some(
            "This browser keeps nothing: save the tournament before you close the page.".to_owned(),
        ));
    }
}
