//! Annotating: every board that has no record is searched, by several engines at the same time; each is kept as soon as it is done.

use std::{cell::RefCell, collections::VecDeque};

use futures_util::future::try_join_all;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{super::super::model_run::Going, Annotating, SAVED};
use crate::{
    browser::{clock, document::program, slices::Slices},
    chessbench::{
        annotation::searches,
        board::Board,
        record::Oracle,
        run_file::{AnnotationRow, AnnotationRun},
    },
    long_run::count::time_left,
    pace::Pace,
    services::{annotator::Annotator, engines::most_engines},
};

/// Boards in a row that an engine may fail at: what fails at more fails at all.
const FAILURES: usize = 5;

/// How often the page says how far it is, in milliseconds.
const TOLD: f64 = 1_000.0;

/// How far the run under way is.
struct Sofar {
    /// Boards that are left, with the searches that each takes.
    queue: VecDeque<(Board, usize)>,
    /// Boards in all.
    all: usize,
    /// Boards that are done, failed ones included.
    done: usize,
    /// Searches in all.
    searches: usize,
    /// Searches that are done.
    searched: usize,
    /// When it began, in milliseconds.
    begun: f64,
    /// When it was last told, in milliseconds.
    told: f64,
}

impl Annotating {
    /// Annotates every board that has no record; until it is stopped.
    pub fn start(&self) {
        let Some(going) = self.run.begin() else { return };
        self.problem.set(None);
        self.notice.set(None);
        going.tell(0, 1, Some("The engine gets ready.".to_owned()));
        let this = *self;
        spawn_local(async move {
            // Who stops it waits for no search: the engines' workers end with the work.
            match going.unless_stopped(this.annotate_all(going)).await {
                Some(Ok(())) => going.end(),
                Some(Err(problem)) => going.fail(problem),
                None => {}
            }
            this.tell_progress();
            this.tell_at_rest();
        });
    }

    async fn annotate_all(&self, going: Going) -> Result<(), String> {
        let pace = Slices::new();
        let first = Annotator::new();
        let name = first.name().await.map_err(|error| error.to_string())?;
        let Some(run) = self.begin_run(name, &pace).await? else {
            return Ok(());
        };
        let Oracle { limit, actions, .. } = run.header.oracle;
        let mut queue = VecDeque::new();
        for board in run.left_at(&pace).await {
            let takes = searches([&board], actions);
            queue.push_back((board, takes));
            pace.turn().await;
        }
        drop(run);
        if queue.is_empty() {
            self.notice.set(Some("All boards are annotated.".to_owned()));
            return Ok(());
        }
        let now = clock::now();
        let engines = self.engines.get_untracked().clamp(1, most_engines()).min(queue.len());
        let sofar = RefCell::new(Sofar {
            all: queue.len(),
            done: 0,
            searches: queue.iter().map(|(_, takes)| takes).sum(),
            searched: 0,
            queue,
            begun: now,
            told: 0.0,
        });
        self.tell(&sofar, going);
        let annotators = std::iter::once(first).chain(std::iter::repeat_with(Annotator::new));
        let lanes = annotators.take(engines).map(|mut annotator| {
            let sofar = &sofar;
            async move {
                let mut failures = 0;
                loop {
                    let Some((board, takes)) = sofar.borrow_mut().queue.pop_front() else {
                        return Ok(());
                    };
                    let row = match annotator.annotate(&board, limit, actions).await {
                        Ok(row) => {
                            failures = 0;
                            row
                        }
                        Err(error) if error.is_of_the_engine() => return Err(error.to_string()),
                        Err(error) => {
                            failures += 1;
                            if failures >= FAILURES {
                                return Err(format!("{failures} boards in a row failed, the last: {error}."));
                            }
                            AnnotationRow::failed(&board, &error.to_string())
                        }
                    };
                    self.keep(row);
                    {
                        let mut sofar = sofar.borrow_mut();
                        sofar.done += 1;
                        sofar.searched += takes;
                    }
                    self.tell(sofar, going);
                    if takes == 0 {
                        // What takes no search must not hold up the page.
                        clock::yield_to_browser().await;
                    }
                }
            }
        });
        try_join_all(lanes).await.map(drop)
    }

    /// Makes the run where there is none; a copy of it.
    async fn begin_run(&self, engine: String, pace: &impl Pace) -> Result<Option<AnnotationRun>, String> {
        if let Some(known) = self
            .annotated
            .with_untracked(|run| run.as_ref().map(|run| run.header.oracle.engine.clone()))
        {
            if known != engine {
                return Err(format!(
                    "This run was annotated by {known}, and the page’s engine is {engine}: two engines would make a set that is neither’s. \
                     Go on with lab chessbench annotate, or begin a run of its own."
                ));
            }
            return Ok(self.copy(pace).await);
        }
        let Some(mut given) = self.waiting.get_untracked() else {
            return Ok(None);
        };
        given.boards.truncate(untrack(|| self.first()).max(1));
        let oracle = Oracle {
            engine,
            limit: untrack(|| self.limit()),
            actions: self.actions.get_untracked(),
        };
        let run = AnnotationRun::new(given.boards, given.counts, oracle, program());
        let head = run.head_at(pace).await;
        self.recount(run.count_at(pace).await);
        self.put(Some(run.clone()));
        self.waiting.set(None);
        let this = *self;
        // Not part of what is stopped: without its head the rows would be nothing.
        spawn_local(async move {
            if SAVED.keep_head(&head).await.is_err() {
                this.not_kept();
            }
        });
        Ok(Some(run))
    }

    /// Says how far it is, and how long it will take; not too often.
    fn tell(&self, sofar: &RefCell<Sofar>, going: Going) {
        let now = clock::now();
        let mut sofar = sofar.borrow_mut();
        if now - sofar.told < TOLD {
            return;
        }
        sofar.told = now;
        self.tell_progress();
        let mut notes = Vec::new();
        let seconds = (now - sofar.begun) / 1000.0;
        if sofar.searched > 0 && seconds > 0.0 {
            let left = (sofar.searches - sofar.searched) as f64;
            notes.push(time_left(seconds / sofar.searched as f64 * left));
            notes.push(format!("{:.0} searches a second", sofar.searched as f64 / seconds));
        }
        let failed = self.progress.get_untracked().failed;
        if failed > 0 {
            notes.push(format!("{failed} failed"));
        }
        let note = (!notes.is_empty()).then(|| notes.join(", ") + ".");
        going.tell(sofar.done, sofar.all, note);
    }

    /// Shows how far the run is.
    fn tell_progress(&self) {
        if let Some(progress) = self.count.try_with_value(|count| count.progress())
            && self.progress.try_get_untracked() != Some(progress)
        {
            self.progress.try_set(progress);
        }
    }

    /// Adds a row to the run, and has it kept in the browser.
    fn keep(&self, row: AnnotationRow) {
        let line = row.line() + "\n";
        self.count
            .try_update_value(|count| count.add(&row.fen().to_owned(), row.record().is_some(), None));
        self.annotated.try_update_untracked(|run| {
            if let Some(run) = run {
                run.rows.push(row);
            }
        });
        let this = *self;
        self.rows.keep(line, move || this.not_kept());
    }

    /// Ends the run under way; what is annotated stays.
    pub fn stop(&self) {
        self.run.stop();
        self.notice.set(Some(
            "Stopped; what is annotated is kept, and you can go on.".to_owned(),
        ));
    }
}
