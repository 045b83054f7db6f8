//! Ratings that are analysed: many raters' files put together, the tables, and what the user chose.
//!
//! One loop does all the work and owns what it works on; the page gives it commands and goes on answering, for the work
//! is cut into slices.

mod processing;
mod rows;
mod store;
mod work;

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use self::rows::{Command, Refresh};
pub use self::{
    rows::{Anonymised, FileRow, Progress, ScaleRow},
    store::RatingsState,
};
use super::on_demand::on_demand;
use crate::{
    browser::{
        clock,
        files::{self, FileBytes},
        slices::Slices,
    },
    survey::{Study, simulation::Simulation},
    view::survey::file_name,
};

impl RatingsState {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static STORE: OnceCell<RatingsState> = const { OnceCell::new() };
        }
        on_demand(&STORE, |_| Self::new())
    }

    /// No files.
    fn new() -> Self {
        Self {
            files: RwSignal::new(Vec::new()),
            progress: RwSignal::new(None),
            status: RwSignal::new(None),
            problem: RwSignal::new(None),
            notes: RwSignal::new(Arc::default()),
            studies: RwSignal::new(Vec::new()),
            study: RwSignal::new(None),
            known: RwSignal::new(Vec::new()),
            scales: RwSignal::new(Vec::new()),
            own_scales: RwSignal::new(BTreeMap::new()),
            baseline: RwSignal::new(None),
            sign_flips: RwSignal::new(false),
            count_reference: RwSignal::new(false),
            paper: RwSignal::new(false),
            pilots: RwSignal::new(0),
            include_pilots: RwSignal::new(false),
            excluded: RwSignal::new(BTreeSet::new()),
            report: RwSignal::new(None),
            charts: RwSignal::new(None),
            raters: RwSignal::new(None),
            changes: RwSignal::new(None),
            pairs_of: RwSignal::new(0),
            pairs: RwSignal::new(None),
            simulated: RwSignal::new(false),
            queue: StoredValue::new_local(VecDeque::new()),
            work: StoredValue::new_local(None),
            wanted: StoredValue::new(None),
            busy: StoredValue::new(false),
            next: StoredValue::new(0),
        }
    }

    /// Takes a file, or hears why it could not be read.
    pub fn take(&self, file: Result<FileBytes, files::ReadFileError>) {
        self.command(match file {
            Ok(file) => Command::Read(file),
            Err(error) => {
                let name = error.file().to_owned();
                Command::Refuse(name, error.to_string())
            }
        });
    }

    /// Removes a file.
    pub fn remove(&self, id: usize) {
        self.command(Command::Remove(id));
    }

    /// Removes all files.
    pub fn clear(&self) {
        self.command(Command::Clear);
    }

    /// Shows simulated raters in place of the files: of this study, or of the one among the files.
    pub fn simulate(&self, study: Option<Study>, how: Simulation) {
        self.command(Command::Simulate(study.map(Box::new), how));
    }

    /// Shows the files again.
    pub fn end_simulation(&self) {
        self.command(Command::EndSimulation);
    }

    /// Hands all ratings that are analysed to the user, in long form.
    pub fn save_ratings(&self, for_spreadsheets: bool) {
        self.command(Command::SaveRatings { for_spreadsheets });
    }

    /// Hands the codebook of the study to the user: what the columns and values of the ratings mean.
    pub fn save_codebook(&self, csv: bool) {
        self.command(Command::SaveCodebook { csv });
    }

    /// Hands ratings or raters to the user without what says who they are.
    pub fn save_anonymised(&self, which: Anonymised) {
        self.command(Command::SaveAnonymised(which));
    }

    /// Saves everything computed as a file, as `lab survey analyse --json` prints it.
    pub fn save_report(&self) {
        let Some(report) = self.report.get_untracked() else {
            return;
        };
        let kind = if report.simulated > 0 {
            "simulated-analysis"
        } else {
            "analysis"
        };
        let saved = serde_json::to_vec(&*report)
            .map_err(|error| error.to_string())
            .and_then(|json| {
                files::save(&file_name(&report.study, kind, "json"), "application/json", &json)
                    .map_err(|error| error.to_string())
            });
        if let Err(reason) = saved {
            self.problem
                .set(Some(format!("The file could not be handed over: {reason}.")));
        }
    }

    /// Chooses the study that is analysed.
    pub fn choose_study(&self, study: String) {
        self.study.set(Some(study));
        self.excluded.set(BTreeSet::new());
        self.again(Refresh::Sort);
    }

    /// Chooses the method that others are compared with.
    pub fn choose_baseline(&self, method: Option<String>) {
        self.baseline.set(method);
        self.again(Refresh::Report);
    }

    /// Chooses the test.
    pub fn choose_test(&self, sign_flips: bool) {
        self.sign_flips.set(sign_flips);
        self.again(Refresh::Report);
    }

    /// Counts comments that are the reference itself in BLEU and ROUGE, or does not.
    pub fn choose_count_reference(&self, counted: bool) {
        self.count_reference.set(counted);
        self.again(Refresh::Report);
    }

    /// Shows the paper's figures beside ours, or hides them.
    pub fn choose_paper(&self, shown: bool) {
        self.paper.set(shown);
    }

    /// Takes pilot sessions, or keeps them out.
    pub fn choose_pilots(&self, included: bool) {
        self.include_pilots.set(included);
        self.again(Refresh::Pick);
    }

    /// Sets a scale's ends.
    pub fn set_scale(&self, criterion: &str, low: f64, high: f64) {
        self.own_scales.update(|scales| {
            scales.insert(criterion.to_owned(), (low, high));
        });
        self.again(Refresh::Sort);
    }

    /// Takes the scales as they are listed for the right ones.
    pub fn confirm_scales(&self) {
        let listed = self.scales.get_untracked();
        self.own_scales.update(|own| {
            for ScaleRow { criterion, ends, .. } in listed {
                own.extend(ends.map(|ends| (criterion, (ends.low, ends.high))));
            }
        });
        self.again(Refresh::Sort);
    }

    /// Leaves a rater out, or takes them in again.
    pub fn include(&self, rater: &str, included: bool) {
        self.excluded.update(|excluded| {
            if included {
                excluded.remove(rater);
            } else {
                excluded.insert(rater.to_owned());
            }
        });
        self.again(Refresh::Report);
    }

    /// Leaves out all who are flagged.
    pub fn exclude_flagged(&self) {
        let flagged = self.raters.with_untracked(|report| {
            let rows = report.iter().flat_map(|report| &report.raters);
            rows.filter(|row| !row.flags.is_empty())
                .map(|row| row.rater.clone())
                .collect::<Vec<_>>()
        });
        self.excluded.update(|excluded| excluded.extend(flagged));
        self.again(Refresh::Report);
    }

    /// Takes everybody in again.
    pub fn include_all(&self) {
        self.excluded.set(BTreeSet::new());
        self.again(Refresh::Report);
    }

    /// Chooses the heat map's criterion.
    pub fn choose_pairs(&self, criterion: usize) {
        self.pairs_of.set(criterion);
        self.again(Refresh::Pairs);
    }

    fn command(&self, command: Command) {
        self.queue.update_value(|queue| queue.push_back(command));
        self.wake();
    }

    fn again(&self, stage: Refresh) {
        self.wanted
            .update_value(|wanted| *wanted = Some(wanted.map_or(stage, |wanted| wanted.min(stage))));
        self.wake();
    }

    fn wake(&self) {
        if self.busy.get_value() {
            return;
        }
        self.busy.set_value(true);
        let this = *self;
        spawn_local(async move {
            let mut work = this.work.try_update_value(Option::take).flatten().unwrap_or_default();
            let (pace, start) = (Slices::new(), clock::now());
            let mut done = 0;
            loop {
                let next = this.queue.try_update_value(VecDeque::pop_front).flatten();
                if let Some(command) = next {
                    let left = this.queue.with_value(VecDeque::len);
                    this.run(&mut work, command, (done, done + 1 + left), &pace).await;
                    done += 1;
                } else if let Some(stage) = this.wanted.try_update_value(Option::take).flatten() {
                    this.analyse(&mut work, stage, &pace).await;
                    this.status.set(this.report.with_untracked(|report| {
                        let counts = report.as_ref()?.counts;
                        Some(format!(
                            "{} raters, {} comments on {} moves, {} ratings. Done in {:.1} s, in steps of at most {:.0} ms.",
                            counts.raters,
                            counts.items,
                            counts.positions,
                            counts.ratings,
                            (clock::now() - start) / 1000.0,
                            pace.longest()
                        ))
                    }));
                } else {
                    break;
                }
            }
            this.work.set_value(Some(work));
            this.busy.set_value(false);
            this.progress.set(None);
        });
    }
}
