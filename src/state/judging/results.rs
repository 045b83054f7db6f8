//! What came of a run: tables, charts, and how judges go with people where their ratings are given.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{Judging, people::People};
use crate::{
    browser::{
        files::{FileBytes, ReadFileError},
        slices::Slices,
    },
    judge::{
        report::{disagreements, means, pairs, people::table_4},
        run_file::Run,
    },
    long_run::count::several,
    survey::{
        analysis::table::Table,
        merge::{Sheet, read_results_in_turns},
    },
    view::judge_charts::{means_charts, strength_charts},
};

impl Judging {
    /// Takes a file of people's ratings: responses or long form.
    pub fn take_ratings(&self, file: Result<FileBytes, ReadFileError>) {
        self.problem.set(None);
        let this = *self;
        spawn_local(async move {
            match this.read_ratings(file).await {
                Ok(said) => {
                    this.rated.try_set(Some(said));
                    this.make_tables().await;
                }
                Err(problem) => {
                    this.problem.try_set(Some(problem));
                }
            }
        });
    }

    /// Forgets people's ratings.
    pub fn forget_ratings(&self) {
        self.people.set_value(People::default());
        self.rated.set(None);
        let this = *self;
        spawn_local(async move { this.make_tables().await });
    }

    async fn read_ratings(&self, file: Result<FileBytes, ReadFileError>) -> Result<String, String> {
        let file = file.map_err(|error| format!("{error}."))?;
        let pace = Slices::new();
        let found = file.text(&pace).await.map_err(|error| format!("{error}."))?;
        let results = read_results_in_turns(found.text.as_bytes(), &pace)
            .await
            .map_err(|error| format!("{}: {error}.", file.name))?;
        let sheets = Sheet::of(&file.name, results, &pace).await;
        let mut people = self.people.get_value();
        people.0.retain(|sheet| sheet.file != file.name);
        people.0.extend(sheets);
        // What can't be held against judges is refused while the user looks.
        let data = people.dataset(&pace).await?;
        let raters = data.raters.len();
        self.people.try_set_value(people);
        let notice = found.notice_on(&file.name).map(|notice| format!(" {notice}"));
        Ok(format!(
            "{}, {}, {}.",
            several(raters, "rater"),
            several(data.items.len(), "comment"),
            several(data.criteria.len(), "criterion").replace("criterions", "criteria"),
        ) + &notice.unwrap_or_default())
    }

    /// Makes tables and charts of what is judged so far.
    pub(super) async fn make_tables(&self) {
        let Some(run) = self.judged.try_get_untracked().flatten() else {
            return;
        };
        let pace = Slices::new();
        let mut charts = means_charts(&means::mean_scores(&run));
        let mut tables = match run.header.settings.criteria.is_empty() {
            true => Vec::new(),
            false => means::table_5(&run),
        };
        pace.rest().await;
        tables.push(means::claims(&run));
        if disagreements::has_pairs(&run) {
            tables.extend(pairs::win_matrix(&run));
            pace.rest().await;
            let strengths = pairs::strengths(&run, &pace).await;
            charts.extend(strength_charts(&crate::judge::report::methods(&run), &strengths));
            tables.extend(pairs::ratings(&run, &strengths));
            tables.push(disagreements::order(&run));
            tables.push(disagreements::hard_rule(&run));
        }
        if run.header.judges.len() > 1 {
            tables.push(disagreements::between_judges(&run));
        }
        pace.rest().await;
        tables.extend(self.against_people(&run, &pace).await);
        let mut differing = disagreements::against_claims(&run);
        tables.push(disagreements::table(&run, &differing));
        differing.truncate(disagreements::MOST_DISAGREEMENTS);
        self.differing.try_set(differing);
        self.charts.try_set(charts);
        self.tables.try_set(tables);
    }

    async fn against_people(&self, run: &Run, pace: &Slices) -> Option<Table> {
        let people = self.people.try_get_value().filter(|people| !people.0.is_empty())?;
        // They were a dataset when they were taken.
        let data = people.dataset(pace).await.ok()?;
        Some(table_4(run, &data, pace).await)
    }
}
