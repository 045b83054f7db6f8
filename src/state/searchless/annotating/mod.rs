//! Annotating boards in the page: which boards, by what limit, how far it is. The run is the same file as the command line's; it is
//! kept in the browser board by board, and goes on after a reload.
//!
//! | file | what is there |
//! |---|---|
//! | [`boards`] | boards from files, what is pasted and the game on the board |
//! | [`searching`] | every board that is not annotated is, by several engines at the same time |
//! | [`saving`] | the run's file, and its boards as JSON lines, CSV and the dataset's own files |

mod boards;
mod saving;
mod searching;

use std::cell::OnceCell;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

pub use saving::SetForm;

pub use crate::services::engines::most_engines;

use super::super::{model_run::ModelRun, on_demand::on_demand, row_queue::RowQueue};
use crate::{
    browser::slices::Slices,
    chessbench::{
        board_source::GivenBoards,
        record::{ActionSearch, Oracle},
        run_file::{AnnotationRow, AnnotationRun},
    },
    long_run::count::{Count, Progress, several},
    pace::Pace,
    services::{engines::usual_engines, saved_lines::SavedLines},
    uci::Limit,
};

/// The most bytes of a file that are read.
pub const FILE_LIMIT: usize = 64_000_000;

/// The most boards of a run in the page: what reading it again can be waited for. More belong to the command line.
pub const MOST_BOARDS: usize = 20_000;

/// The most nodes of a search.
pub const MOST_NODES: u64 = 1_000_000;

/// The most milliseconds of a search.
pub const MOST_MILLIS: u64 = 60_000;

/// Boards that are annotated unless told otherwise.
const FIRST: usize = 1_000;

/// Where this browser keeps the run; a row of it is a board, or several that came while one was written.
const SAVED: SavedLines = SavedLines::new("searchless");

/// Rows that are copied in one step.
const COPIED: usize = 256;

/// What each search is limited by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitedBy {
    /// Nodes: the same records everywhere.
    Nodes,
    /// Milliseconds, as the paper's.
    Millis,
}

/// The annotation.
#[derive(Clone, Copy)]
pub struct Annotating {
    count: StoredValue<Count<String>>,
    /// Which run it is, for whoever has looked at one and waited.
    number: StoredValue<u64>,
    rows: RowQueue,
    former: RwSignal<Option<AnnotationRun>>,

    /// The boards, where no run has begun.
    pub waiting: RwSignal<Option<GivenBoards>>,
    /// How far reading them is.
    pub preparing: ModelRun,
    /// What limits each search.
    pub limited_by: RwSignal<LimitedBy>,
    /// Nodes of each search.
    pub nodes: RwSignal<u64>,
    /// Milliseconds of each search.
    pub millis: RwSignal<u64>,
    /// How action values are found.
    pub actions: RwSignal<ActionSearch>,
    /// How many boards the user wants annotated, the first of all; until one says, as many as [`Self::first`] has it.
    chosen_first: RwSignal<Option<usize>>,
    /// Engines at the same time.
    pub engines: RwSignal<usize>,

    /// The run. Rows that come are added without a word: [`Self::progress`] tells of them.
    pub annotated: RwSignal<Option<AnnotationRun>>,
    /// How far it is.
    pub progress: RwSignal<Progress>,
    /// How far the searches are.
    pub run: ModelRun,
    /// Changes whenever the run has come to rest, or is another one.
    pub at_rest: RwSignal<u64>,

    /// What was done.
    pub notice: RwSignal<Option<String>>,
    /// What failed, and what to do.
    pub problem: RwSignal<Option<String>>,
}

impl Annotating {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static ANNOTATING: OnceCell<Annotating> = const { OnceCell::new() };
        }
        on_demand(&ANNOTATING, |_| Self::new())
    }

    fn new() -> Self {
        Self {
            count: StoredValue::new(Count::default()),
            number: StoredValue::new(0),
            rows: RowQueue::new(SAVED),
            former: RwSignal::new(None),
            waiting: RwSignal::new(None),
            preparing: ModelRun::default(),
            limited_by: RwSignal::new(LimitedBy::Nodes),
            nodes: RwSignal::new(1_000),
            millis: RwSignal::new(50),
            actions: RwSignal::new(ActionSearch::EachMove),
            chosen_first: RwSignal::new(None),
            engines: RwSignal::new(usual_engines()),
            annotated: RwSignal::new(None),
            progress: RwSignal::new(Progress::default()),
            run: ModelRun::default(),
            at_rest: RwSignal::new(0),
            notice: RwSignal::new(None),
            problem: RwSignal::new(None),
        }
    }

    /// Brings back the run that this browser keeps, once.
    pub fn restore(&self) {
        let this = *self;
        spawn_local(async move {
            let Some((text, rows)) = SAVED.find_counted_once().await else {
                return;
            };
            let Ok(run) = AnnotationRun::read_at(&text, &Slices::new()).await else {
                return;
            };
            // The user was quicker.
            if this.annotated.with_untracked(Option::is_some) || this.waiting.with_untracked(Option::is_some) {
                this.former.set(Some(run));
                return;
            }
            this.rows.begin_after(rows);
            this.show(run).await;
        });
    }

    /// Shows a run that comes from elsewhere.
    async fn show(&self, run: AnnotationRun) {
        let count = run.count_at(&Slices::new()).await;
        self.recount(count);
        let Oracle { limit, actions, .. } = run.header.oracle;
        match limit {
            Limit::Time(ms) => {
                self.limited_by.set(LimitedBy::Millis);
                self.millis.set(ms.into());
            }
            Limit::Nodes(nodes) => {
                self.limited_by.set(LimitedBy::Nodes);
                self.nodes.set(nodes);
            }
            Limit::Depth(_) | Limit::DepthTime { .. } => {}
        }
        self.actions.set(actions);
        self.put(Some(run));
        self.tell_at_rest();
    }

    /// Puts a run in the place of what is there.
    fn put(&self, run: Option<AnnotationRun>) {
        self.number.update_value(|number| *number += 1);
        self.annotated.set(run);
    }

    /// Tells those who wait for a run at rest.
    fn tell_at_rest(&self) {
        self.at_rest.try_update(|at_rest| *at_rest += 1);
    }

    fn recount(&self, count: Count<String>) {
        self.progress.set(count.progress());
        self.count.set_value(count);
    }

    /// A copy of the run, made in turns; `None` where there is none, or another has taken its place meanwhile.
    pub async fn copy(&self, pace: &impl Pace) -> Option<AnnotationRun> {
        let number = self.number.try_get_value()?;
        let bare = |run: &AnnotationRun| AnnotationRun {
            header: run.header.clone(),
            boards: run.boards.clone(),
            rows: Vec::new(),
        };
        let mut copy = self.annotated.try_with_untracked(|run| run.as_ref().map(bare))??;
        loop {
            pace.turn().await;
            if self.number.try_get_value() != Some(number) {
                return None;
            }
            let from = copy.rows.len();
            let more = |run: &AnnotationRun| -> Vec<AnnotationRow> {
                run.rows.iter().skip(from).take(COPIED).cloned().collect()
            };
            let rows = self.annotated.try_with_untracked(|run| run.as_ref().map(more))??;
            if rows.is_empty() {
                return Some(copy);
            }
            copy.rows.extend(rows);
        }
    }

    fn take_run(&self, run: AnnotationRun, said: String) {
        self.put_aside();
        self.waiting.set(None);
        self.notice.set(Some(said));
        let this = *self;
        spawn_local(async move {
            let pace = Slices::new();
            let mut rows = Vec::new();
            for chunk in run.rows.chunks(COPIED) {
                rows.push(lines(chunk));
                pace.turn().await;
            }
            let head = run.head_at(&pace).await;
            this.rows.begin_after(rows.len());
            this.show(run).await;
            if SAVED.keep_all(&head, rows.into_iter()).await.is_err() {
                this.not_kept();
            }
        });
    }

    /// Takes boards, and puts aside what was annotated of others.
    fn take_boards(&self, given: GivenBoards, said: String) {
        self.forget();
        self.notice.set(Some(said));
        self.waiting.set(Some(given));
    }

    /// Forgets the run; it can be had back until the page is closed.
    pub fn forget(&self) {
        self.put_aside();
        self.waiting.set(None);
        self.notice.set(None);
        spawn_local(SAVED.forget());
    }

    fn put_aside(&self) {
        self.run.stop();
        if let Some(run) = self.annotated.try_update(Option::take).flatten() {
            self.former.set(Some(run));
        }
        self.put(None);
        self.recount(Count::default());
        self.rows.begin_after(0);
        self.tell_at_rest();
    }

    /// Whether a run was replaced that can be had back. Tracked.
    #[must_use]
    pub fn has_former(&self) -> bool {
        self.former.with(Option::is_some)
    }

    /// Brings the run back that was replaced; the present one takes its place.
    pub fn bring_back(&self) {
        if let Some(run) = self.former.try_update(Option::take).flatten() {
            let said = format!("The former run: {}.", several(run.rows.len(), "board"));
            self.take_run(run, said);
        }
    }

    fn not_kept(&self) {
        self.problem.set(Some(
            "This browser keeps nothing: save the run before you close the page.".to_owned(),
        ));
    }

    /// Whether boards, limit and ways of searching can still be chosen: one run has one of each. Tracked.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.annotated.with(Option::is_none)
    }

    /// How many boards there are, of the run or waiting for one. Tracked.
    #[must_use]
    pub fn boards(&self) -> Option<usize> {
        let of_run = self.annotated.with(|run| run.as_ref().map(|run| run.boards.len()));
        of_run.or_else(|| {
            self.waiting
                .with(|given| given.as_ref().map(|given| given.boards.len()))
        })
    }

    /// Boards that are annotated at most, the first of all; of a run all. Tracked.
    #[must_use]
    pub fn first(&self) -> usize {
        let there = self.boards().unwrap_or(MOST_BOARDS);
        let chosen = || self.chosen_first.get().unwrap_or(FIRST.min(there));
        if self.is_open() { chosen() } else { there }
    }

    /// Has so many boards annotated. That stays so whatever boards come, for they may be on their way while this is said.
    pub fn choose_first(&self, boards: usize) {
        self.chosen_first.set(Some(boards));
    }

    /// The limit that is chosen. Tracked.
    #[must_use]
    pub fn limit(&self) -> Limit {
        match self.limited_by.get() {
            LimitedBy::Nodes => Limit::Nodes(self.nodes.get()),
            LimitedBy::Millis => Limit::Time(self.millis.get() as u32),
        }
    }
}

/// Rows as a file has them.
fn lines(rows: &[AnnotationRow]) -> String {
    rows.iter().map(|row| row.line() + "\n").collect()
}
