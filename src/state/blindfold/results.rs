//! What came of it: tables, every answer by itself; and what is saved.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{super::report_form::ReportForm, Blindfold};
use crate::{
    blindfold::{
        grade::Grade,
        probe::Probe,
        report::{
            listed::{ListedAnswer, listed, listed_table},
            report,
        },
        run_file::{BlindRow, rows_text},
    },
    browser::{
        files::{self, Pieces, SaveError},
        slices::Slices,
    },
    pace::{Pace, ROWS},
};

/// An answer to be looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct LookedAt {
    /// What was asked about.
    pub probe: Probe,
    /// What was said.
    pub row: BlindRow,
    /// What it is worth.
    pub grade: Grade,
}

impl Blindfold {
    /// Makes tables and single answers of what is there so far. Of two that are made at once the later counts.
    pub(super) async fn make_report(&self) {
        let made = self.made.try_update_value(|made| {
            *made += 1;
            *made
        });
        let pace = Slices::new();
        let Some(run) = self.copy(&pace).await.filter(|run| !run.rows.is_empty()) else {
            return;
        };
        let listed = listed(&run, &pace).await;
        if self.made.try_get_value() != made {
            return;
        }
        self.listed.try_set(listed);
        self.making.try_set(true);
        pace.rest().await;
        let games = self.games.try_get_value().flatten();
        let games = games.map_or_else(Vec::new, |given| given.games.tables().to_vec());
        let report = report(&[run], &games, &pace).await;
        if self.made.try_get_value() != made {
            return;
        }
        self.making.try_set(false);
        match report {
            Ok(report) => {
                self.report.try_set(report);
            }
            Err(error) => {
                self.problem.try_set(Some(format!("There are no tables: {error}.")));
            }
        }
    }

    /// The answer at this place of the list. Tracked.
    #[must_use]
    pub fn looked_at(&self, place: usize) -> Option<LookedAt> {
        let ListedAnswer { probe, row, grade, .. } = self.listed.with(|all| all.get(place).cloned())?;
        self.answered.with(|run| {
            let run = run.as_ref()?;
            Some(LookedAt {
                probe: run.probes.get(probe)?.clone(),
                row: run.rows.get(row)?.clone(),
                grade,
            })
        })
    }

    /// Saves the run.
    pub fn save_run(&self) {
        let this = *self;
        spawn_local(async move {
            let pace = Slices::new();
            let Some(run) = this.copy(&pace).await else { return };
            let write = async || {
                let pieces = Pieces::default();
                pieces.add(run.head().as_bytes())?;
                for rows in run.rows.chunks(ROWS) {
                    pace.turn().await;
                    pieces.add(rows_text(rows).as_bytes())?;
                }
                pieces.save("blindfold-run.jsonl", "application/jsonl")
            };
            this.saved(write().await);
        });
    }

    /// Saves all tables.
    pub fn save_report(&self, form: ReportForm) {
        let text = self.report.with_untracked(|report| form.write(&report.tables));
        let (name, media_type) = form.file("blindfold");
        self.saved(files::save(&name, media_type, text.as_bytes()));
    }

    /// Saves every answer as CSV.
    pub fn save_answers(&self) {
        let this = *self;
        spawn_local(async move {
            let pace = Slices::new();
            let Some(run) = this.copy(&pace).await else { return };
            let listed = this.listed.get_untracked();
            let text = listed_table(&run, &listed, &pace).await.to_csv();
            this.saved(files::save("blindfold-answers.csv", "text/csv", text.as_bytes()));
        });
    }

    pub(super) fn saved(&self, result: Result<(), SaveError>) {
        if let Err(error) = result {
            self.problem.set(Some(format!("The file could not be saved: {error}.")));
        }
    }
}
