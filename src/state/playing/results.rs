//! What came of it: tables, the figures of charts, every answer by itself; and what is saved.

use leptos::prelude::*;

use super::{super::report_form::ReportForm, Playing, grader::Grader};
use crate::{
    browser::{files, slices::Slices},
    grading::report::{answers, report},
};

impl Playing {
    /// Makes tables, charts and single answers of what is there so far. Of two that are made at once the later counts.
    pub(super) async fn make_report(&self) {
        let made = self.made.try_update_value(|made| {
            *made += 1;
            *made
        });
        let Some(run) = self
            .played
            .try_get_untracked()
            .flatten()
            .filter(|run| !run.rows.is_empty())
        else {
            return;
        };
        let grades: Vec<_> = self.grades.get_untracked().into_iter().flatten().collect();
        let pace = Slices::new();
        let runs = [run];
        let report = report(&runs, &grades, &pace).await;
        pace.rest().await;
        let answers = answers::answers(&runs, grades.first());
        if self.made.try_get_value() == made {
            self.answers.try_set(answers);
            self.report.try_set(Some(report));
        }
    }

    /// Saves the run.
    pub fn save_run(&self) {
        let text = self.played.with_untracked(|run| run.as_ref().map(|run| run.text()));
        if let Some(text) = text {
            self.saved(files::save("players-run.jsonl", "application/jsonl", text.as_bytes()));
        }
    }

    /// Saves an engine's grades.
    pub fn save_grades(&self, grader: Grader) {
        let text = self
            .grades
            .with_untracked(|all| all[grader as usize].as_ref().map(|grades| grades.text()));
        let name = match grader {
            Grader::Stockfish => "grades.jsonl",
            Grader::Stockfish8 => "grades-stockfish-8.jsonl",
        };
        if let Some(text) = text {
            self.saved(files::save(name, "application/jsonl", text.as_bytes()));
        }
    }

    /// Saves all tables.
    pub fn save_report(&self, form: ReportForm) {
        let text = self
            .report
            .with_untracked(|report| report.as_ref().map(|report| form.write(&report.tables)));
        if let Some(text) = text {
            let (name, media_type) = form.file("players");
            self.saved(files::save(&name, media_type, text.as_bytes()));
        }
    }

    /// Saves every answer as CSV.
    pub fn save_answers(&self) {
        let text = self.answers.with_untracked(|found| answers::table(found).to_csv());
        self.saved(files::save("answers.csv", "text/csv", text.as_bytes()));
    }

    pub(super) fn saved(&self, result: Result<(), files::SaveError>) {
        if let Err(error) = result {
            self.problem.set(Some(format!("The file could not be saved: {error}.")));
        }
    }
}
