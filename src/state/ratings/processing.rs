//! The work on ratings: reading, putting together, sorting, computing, in slices.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use leptos::prelude::*;

use super::{
    rows::{Anonymised, Command, FileRow, Progress, Refresh, ScaleRow},
    store::RatingsState,
    work::Work,
};
use crate::{
    browser::{
        clock,
        files::{self, FileBytes},
        slices::Slices,
    },
    file_text::TextNotice,
    pace::Pace,
    random::hash,
    survey::{
        Study,
        analysis::{
            AnalysisError, Options, Raters, Report, Test, change,
            dataset::{Dataset, DatasetError, MOST_CRITERIA},
            excluded,
            material::{Ends, Material},
            pairs::{least_agreeing, pairs},
            quality, report,
            table::Table,
        },
        anonymise::{Renaming, Times, anonymised, raters},
        codebook::Codebook,
        intake::{self, Intake},
        long_form::{write_csv, write_rows},
        merge::{Pilots, Results, Sheet, pick_with},
        simulation::simulate_in_turns,
        spreadsheet::for_spreadsheets,
    },
    view::survey::file_name,
};

/// Raters in the heat map at most: those who agree least.
const HEAT_MAP_RATERS: usize = 40;

/// Comments rated by simulated raters at most: raters times comments.
const MOST_SIMULATED: usize = 250_000;

/// Studies that can be chosen among at most.
const MOST_STUDIES: usize = 100;

/// Rows of a piece of a download: some 200 kB.
const PIECE: usize = 2_048;

/// Flips of the permutation test, as in `lab survey analyse`.
const FLIPS: Test = Test::SignFlips {
    flips: 100_000,
    seed: 1,
};

impl RatingsState {
    pub(super) async fn run(&self, work: &mut Work, command: Command, of: (usize, usize), pace: &Slices) {
        match command {
            Command::Read(file) => {
                self.progress.set(Some(Progress {
                    what: format!("Reading {}", file.name),
                    of: Some(of),
                }));
                self.read(work, file, pace).await;
            }
            Command::Refuse(name, reason) => {
                self.list(name, Err(format!("{reason}.")));
            }
            Command::Remove(id) => {
                work.studies.retain(|(owner, _)| *owner != id);
                work.scores.retain(|(owner, _)| *owner != id);
                while let Some(at) = work.owners.iter().position(|owner| *owner == id) {
                    work.owners.remove(at);
                    let Sheet { mut rows, .. } = work.sheets.remove(at);
                    // To let go of many rows takes its time too.
                    while !rows.is_empty() {
                        rows.truncate(rows.len().saturating_sub(4_096));
                        pace.rest().await;
                    }
                }
                self.files
                    .update(|files| files.retain(|file| file.id != id || file.what.is_ok()));
                if self
                    .files
                    .with_untracked(|files| files.iter().any(|file| file.id == id))
                {
                    self.files.update(|files| files.retain(|file| file.id != id));
                    self.wanted.set_value(Some(Refresh::Pick));
                }
            }
            Command::Clear => {
                work.studies.clear();
                work.scores.clear();
                work.owners.clear();
                for Sheet { mut rows, .. } in work.sheets.drain(..) {
                    while !rows.is_empty() {
                        rows.truncate(rows.len().saturating_sub(4_096));
                        pace.rest().await;
                    }
                }
                self.files.set(Vec::new());
                self.own_scales.set(BTreeMap::new());
                self.wanted.set_value(Some(Refresh::Pick));
            }
            Command::Simulate(study, how) => {
                self.progress.set(Some(Progress {
                    what: format!("{} raters rate by chance", how.raters),
                    of: None,
                }));
                let of_files = || work.studies.last().map(|(_, study)| study.clone());
                let Some(study) = study.map(|study| *study).or_else(of_files) else {
                    self.problem
                        .set(Some("There is no study file to simulate raters of.".to_owned()));
                    return;
                };
                if how.raters * study.comments() > MOST_SIMULATED {
                    self.problem.set(Some(format!(
                        "{} raters of {} comments are more than the {MOST_SIMULATED} ratings that are simulated: take fewer.",
                        how.raters,
                        study.comments()
                    )));
                    return;
                }
                let rows = simulate_in_turns(&study, &how, pace).await;
                let sheet = Sheet {
                    file: format!("simulated raters, seed {}", how.seed),
                    set: None,
                    rows,
                };
                work.simulated = Some((study, sheet));
                self.simulated.set(true);
                self.anew();
            }
            Command::EndSimulation => {
                if let Some((_, Sheet { mut rows, .. })) = work.simulated.take() {
                    while !rows.is_empty() {
                        rows.truncate(rows.len().saturating_sub(4_096));
                        pace.rest().await;
                    }
                }
                self.simulated.set(false);
                self.anew();
            }
            Command::SaveCodebook { csv } => {
                let Some(study) = work.study(self.study.get_untracked().as_deref()) else {
                    self.problem.set(Some(
                        "The codebook is made from the study file: give it too.".to_owned(),
                    ));
                    return;
                };
                let book = Codebook::from(study);
                let (text, end, kind) = if csv {
                    (book.to_csv(), "csv", "text/csv")
                } else {
                    (book.to_markdown(), "md", "text/markdown")
                };
                let name = file_name(&study.id, "codebook", end);
                self.handed_over(files::save(&name, kind, text.as_bytes()));
            }
            Command::SaveAnonymised(which) => {
                let saved = self.save_without_names(work, which, pace).await;
                self.handed_over(saved);
            }
            Command::SaveRatings { for_spreadsheets } => {
                let study = self.study.get_untracked().unwrap_or_else(|| "ratings".to_owned());
                let kind = if work.simulated.is_some() {
                    "simulated-ratings"
                } else {
                    "ratings"
                };
                let saved = save_ratings(work, &file_name(&study, kind, "csv"), for_spreadsheets, pace).await;
                self.handed_over(saved);
            }
        }
    }

    /// Says why a file could not be handed over, if so.
    fn handed_over(&self, saved: Result<(), files::SaveError>) {
        if let Err(error) = saved {
            self.problem
                .set(Some(format!("The file could not be handed over: {error}.")));
        }
    }

    /// Hands over the ratings of the study that is analysed, or its raters, without what says who they are.
    async fn save_without_names(
        &self,
        work: &mut Work,
        which: Anonymised,
        pace: &Slices,
    ) -> Result<(), files::SaveError> {
        let seed = *work
            .seed
            .get_or_insert_with(|| hash(&format!("{:?} {}", clock::time_of_day(), clock::now())));
        let chosen = self.study.get_untracked();
        let of_chosen = |id: &str| chosen.as_ref().is_none_or(|chosen| chosen == id);
        let study = work.study(chosen.as_deref());
        let sets: Vec<_> = work
            .picked
            .sets
            .iter()
            .filter_map(|sheet| work.sheets().get(*sheet)?.set.as_ref())
            .filter(|set| of_chosen(&set.study.id))
            .collect();
        let rows: Vec<_> = work
            .picked
            .slices(work.sheets())
            .flatten()
            .filter(|row| of_chosen(&row.study))
            .collect();
        pace.rest().await;
        let codes = rows.iter().map(|row| row.rater.as_str());
        let codes = codes.chain(sets.iter().map(|set| set.rater.as_str()));
        let names = Renaming::new(codes, seed, pace).await;
        pace.rest().await;
        let id = chosen.clone().unwrap_or_else(|| "ratings".to_owned());
        let pieces = files::Pieces::default();
        match (which, study) {
            (Anonymised::Raters, Some(study)) => pieces.add(raters(&sets, study, &names).to_csv().as_bytes())?,
            (Anonymised::Raters, None) => {
                self.problem.set(Some(
                    "Which answers of the rater form are free text is in the study file: give it too.".to_owned(),
                ));
                return Ok(());
            }
            (Anonymised::Ratings, study) => {
                let found = anonymised(rows.into_iter(), study, &names, Times::Dropped, pace).await;
                pieces.add(write_csv(&[]).as_bytes())?;
                for step in found.ratings.chunks(PIECE) {
                    pieces.add(write_rows(step).as_bytes())?;
                    pace.turn().await;
                }
            }
        }
        let kind = match which {
            Anonymised::Ratings => "anonymised-ratings",
            Anonymised::Raters => "anonymised-raters",
        };
        pieces.save(&file_name(&id, kind, "csv"), "text/csv")
    }

    /// Other raters: who was left out is not known among them.
    fn anew(&self) {
        self.excluded.set(BTreeSet::new());
        self.baseline.set(None);
        self.study.set(None);
        self.wanted.set_value(Some(Refresh::Pick));
    }

    fn list(&self, name: String, what: Result<String, String>) -> usize {
        let id = self.next.get_value();
        self.next.set_value(id + 1);
        self.files.update(|files| files.push(FileRow { id, name, what }));
        id
    }

    async fn read(&self, work: &mut Work, file: FileBytes, pace: &Slices) {
        let name = self.files.with_untracked(|files| unlike(&file.name, files));
        let read = intake::read(&file.bytes, pace).await;
        // How its text was read is said beside what it holds.
        let said = |what: String, notice: Option<TextNotice>| match notice {
            Some(notice) => format!("{what}; {notice}"),
            None => what,
        };
        match read {
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.trim_end_matches('.');
                self.list(name, Err(format!("{reason}. Nothing of it was taken.")));
                return;
            }
            Ok((Intake::Study(study), notice)) => {
                let what = format!("the study “{}”: {} comments", study.title, study.comments());
                let id = self.list(name, Ok(said(what, notice)));
                work.studies.push((id, *study));
            }
            Ok((Intake::Scores { text, count }, notice)) => {
                let what = format!("{count} scores of automatic metrics");
                let id = self.list(name, Ok(said(what, notice)));
                work.scores.push((id, text));
            }
            Ok((Intake::Results(results), notice)) => {
                let what = described(&results);
                let sheets = Sheet::of(&name, results, pace).await;
                let id = self.list(name, Ok(said(what, notice)));
                work.owners.extend(std::iter::repeat_n(id, sheets.len()));
                work.sheets.extend(sheets);
            }
        }
        self.wanted.set_value(Some(Refresh::Pick));
    }

    pub(super) async fn analyse(&self, work: &mut Work, stage: Refresh, pace: &Slices) {
        let what = |what: &str| {
            self.progress.set(Some(Progress {
                what: what.to_owned(),
                of: None,
            }));
        };
        if stage <= Refresh::Pick {
            what("Putting the files together");
            let pilots = work
                .sheets()
                .iter()
                .filter(|sheet| sheet.set.as_ref().is_some_and(|set| set.pilot));
            self.pilots.set(pilots.count());
            let pilots = if self.include_pilots.get_untracked() {
                Pilots::Included
            } else {
                Pilots::LeftOut
            };
            work.picked = pick_with(work.sheets(), pilots, pace).await;
            let (mut studies, mut criteria) = Dataset::overview(work.picked.slices(work.sheets()), pace).await;
            work.more_studies = studies.len().saturating_sub(MOST_STUDIES);
            studies.truncate(MOST_STUDIES);
            // More are not analysed, and a list of them would hold the page up.
            if criteria.len() > MOST_CRITERIA {
                criteria.clear();
            }
            work.criteria = criteria;
            if !self
                .study
                .with_untracked(|study| study.as_ref().is_some_and(|study| studies.contains(study)))
            {
                self.study.set(studies.first().cloned());
            }
            self.studies.set(studies);
            let known = work.studies.iter().map(|(_, study)| {
                let methods = study.methods().into_iter().map(str::to_owned).collect();
                (study.id.clone(), methods)
            });
            self.known.set(known.collect());
        }
        if stage <= Refresh::Sort {
            what("Sorting the ratings");
            self.sort(work, pace).await;
        }
        if stage <= Refresh::Report {
            what("Computing the tables");
            self.compute(work, pace).await;
        }
        self.compare_raters(work, pace).await;
    }

    /// Sorts everybody's ratings.
    async fn sort(&self, work: &mut Work, pace: &Slices) {
        work.all = None;
        work.everybody = None;
        work.study_notes.clear();
        if work.more_studies > 0 {
            work.study_notes.push(format!(
                "The files hold ratings of {} studies; the first {MOST_STUDIES} can be chosen.",
                work.more_studies + MOST_STUDIES
            ));
        }
        let chosen = self.study.get_untracked();
        let study = work.study(chosen.as_deref());
        let mut material = study.map(Material::from).unwrap_or_default();
        if work.simulated.is_none() {
            let hash = study.map(Study::sha256);
            if study.is_none() && !work.studies.is_empty() {
                let names: Vec<&str> = work.studies.iter().map(|(_, study)| study.id.as_str()).collect();
                work.study_notes.push(format!(
                    "The ratings are of the study “{}”; the study file is of “{}” and is not used.",
                    chosen.clone().unwrap_or_default(),
                    names.join("”, “")
                ));
            }
            let mut others = 0;
            for sheet in &work.picked.sets {
                let Some(set) = &work.sheets[*sheet].set else { continue };
                if chosen.as_ref().is_some_and(|id| *id != set.study.id) {
                    continue;
                }
                material.add_set(set);
                others += usize::from(hash.as_ref().is_some_and(|hash| *hash != set.study.sha256));
            }
            if others > 0 {
                work.study_notes.push(format!(
                    "{others} response sets are of another version of the study than the study file: scales and texts are \
                     taken from the file."
                ));
            }
            for (_, text) in &work.scores {
                // They were read when the file was taken.
                let _ = material.add_scores(text);
            }
            for (criterion, (low, high)) in self.own_scales.get_untracked() {
                material.set_scale(&criterion, Ends { low, high });
            }
        }
        work.material = material;
        let nobody = BTreeSet::new();
        let rows = work.picked.slices(work.sheets()).flat_map(|rows| {
            rows.chunk_by(|a, b| a.study == b.study)
                .filter(|rows| chosen.as_ref().is_none_or(|study| rows[0].study == *study))
        });
        let data = Dataset::new(rows, &work.material, &nobody, pace).await;
        work.problem = None;
        match data {
            Ok(data) => {
                let limits = Options::default().limits;
                let raters = quality::raters(&data, &work.material, &limits, pace).await;
                let present: BTreeSet<&String> = data.raters.iter().collect();
                self.excluded
                    .update(|excluded| excluded.retain(|rater| present.contains(rater)));
                if self
                    .baseline
                    .with_untracked(|name| name.as_ref().is_some_and(|name| data.method(name).is_none()))
                {
                    self.baseline.set(None);
                }
                work.everybody = Some((data, raters));
            }
            // No files, or only a study so far: nothing is wrong.
            Err(DatasetError::Empty) => {}
            Err(error) => work.problem = Some(format!("{error}.")),
        }
        self.scales.set(self.scale_rows(work));
    }

    fn scale_rows(&self, work: &Work) -> Vec<ScaleRow> {
        let own = self.own_scales.get_untracked();
        let found = work.everybody.as_ref().map(|(data, _)| data);
        let row = |criterion: &String| {
            let of_data = found.and_then(|data| {
                let place = data.criterion(criterion)?;
                Some(data.criteria[place].ends)
            });
            let set = own.get(criterion).map(|(low, high)| Ends { low: *low, high: *high });
            ScaleRow {
                criterion: criterion.clone(),
                ends: of_data.or(set),
                own: set.is_some(),
            }
        };
        work.criteria.iter().map(row).collect()
    }

    /// Makes the tables.
    async fn compute(&self, work: &mut Work, pace: &Slices) {
        let computed = self.reports(work, pace).await;
        let picked = work.picked.notes.iter().map(ToString::to_string);
        let mut notes: Vec<String> = picked.chain(work.study_notes.iter().cloned()).collect();
        let (shown, changes) = match computed {
            Ok(Some((report, changes))) => {
                notes.extend(report.notes.iter().cloned());
                (Some(report), changes)
            }
            Ok(None) => (None, None),
            Err(error) => {
                work.problem = Some(format!("{error}."));
                (None, None)
            }
        };
        self.notes.set(Arc::new(notes));
        self.problem.set(work.problem.clone());
        // Where nobody is left the raters stay, so that they can be ticked again.
        let listed = shown.clone().or_else(|| work.all.as_ref().map(|(_, all)| all.clone()));
        for (publish, report) in [(self.report, &shown), (self.charts, &shown), (self.raters, &listed)] {
            pace.rest().await;
            publish.set(report.clone());
        }
        pace.rest().await;
        self.changes.set(changes);
        pace.rest().await;
    }

    /// The report without those who are left out, and what that changes.
    async fn reports(
        &self,
        work: &mut Work,
        pace: &Slices,
    ) -> Result<Option<(Arc<Report>, Option<Arc<Table>>)>, AnalysisError> {
        let Some((data, raters)) = &work.everybody else {
            work.without = None;
            return Ok(None);
        };
        let options = Options {
            baseline: self.baseline.get_untracked(),
            test: if self.sign_flips.get_untracked() {
                FLIPS
            } else {
                Test::SignedRank
            },
            count_reference: self.count_reference.get_untracked(),
            ..Options::default()
        };
        let all = match &work.all {
            Some((of, all)) if *of == options => all.clone(),
            _ => {
                let raters = Raters {
                    raters: raters.clone(),
                    excluded: Vec::new(),
                };
                Arc::new(report(data, &work.material, &options, raters, pace).await?)
            }
        };
        work.all = Some((options.clone(), all.clone()));
        let options = Options {
            exclude: self.excluded.get_untracked(),
            ..options
        };
        let excluded = excluded(raters, &options);
        if excluded.is_empty() {
            work.without = None;
            return Ok(Some((all, None)));
        }
        if excluded.len() == raters.len() {
            return Err(AnalysisError::Nobody(raters.len()));
        }
        let chosen = self.study.get_untracked();
        let rows = work.picked.slices(work.sheets()).flat_map(|rows| {
            rows.chunk_by(|a, b| a.study == b.study)
                .filter(|rows| chosen.as_ref().is_none_or(|study| rows[0].study == *study))
        });
        let names = excluded.iter().map(|excluded| excluded.rater.clone()).collect();
        let without = Dataset::new(rows, &work.material, &names, pace).await?;
        let raters = Raters {
            raters: raters.clone(),
            excluded,
        };
        let shown = report(&without, &work.material, &options, raters, pace).await?;
        let changes = change::table(&all, &shown);
        work.without = Some(without);
        Ok(Some((Arc::new(shown), Some(Arc::new(changes)))))
    }

    /// Compares each two raters for the heat map.
    async fn compare_raters(&self, work: &Work, pace: &Slices) {
        let data = work.without.as_ref().or(work.everybody.as_ref().map(|(data, _)| data));
        let (Some(data), Some((_, rows))) = (data, &work.everybody) else {
            self.pairs.set(None);
            return;
        };
        let with_others: BTreeMap<&str, Option<f64>> =
            rows.iter().map(|row| (row.rater.as_str(), row.with_others)).collect();
        let known: Vec<Option<f64>> = data
            .raters
            .iter()
            .map(|rater| with_others.get(rater.as_str()).copied().flatten())
            .collect();
        let raters = least_agreeing(&known, HEAT_MAP_RATERS);
        let criterion = self.pairs_of.get_untracked().min(data.criteria.len().saturating_sub(1));
        let found = pairs(data, criterion, &raters, pace).await;
        pace.rest().await;
        self.pairs.set(Some(Arc::new(found)));
        pace.rest().await;
    }
}

/// Hands the ratings that are taken to the user, piece by piece.
async fn save_ratings(work: &Work, name: &str, safe: bool, pace: &Slices) -> Result<(), files::SaveError> {
    let pieces = files::Pieces::default();
    pieces.add(write_csv(&[]).as_bytes())?;
    let rows = work.picked.slices(work.sheets());
    for step in rows.flat_map(|rows| rows.chunks(PIECE)) {
        let rows = if safe {
            write_rows(&for_spreadsheets(step))
        } else {
            write_rows(step)
        };
        pieces.add(rows.as_bytes())?;
        pace.turn().await;
    }
    pieces.save(name, "text/csv")
}

/// The name of a file among others: two of one name from different folders are told apart.
fn unlike(name: &str, files: &[FileRow]) -> String {
    let taken = |name: &str| files.iter().any(|file| file.name == name);
    if !taken(name) {
        return name.to_owned();
    }
    (2..)
        .map(|number| format!("{name} ({number})"))
        .find(|name| !taken(name))
        .unwrap_or_default()
}

/// What a file of results holds, in words.
fn described(results: &Results) -> String {
    match results {
        Results::Sets(sets) => match sets.as_slice() {
            [set] => format!(
                "{}: {} of {} pages answered",
                set.rater,
                set.answered(),
                set.pages_in_all
            ),
            sets => format!("the results of {} sessions", sets.len()),
        },
        Results::Rows(rows) => {
            let mut raters = BTreeSet::new();
            for run in rows.chunk_by(|a, b| a.rater == b.rater) {
                raters.insert(run[0].rater.as_str());
            }
            format!("{} rows by {} raters", rows.len(), raters.len())
        }
    }
}
