//! What training found, which comes with the app and is fetched when it is looked at.

use std::cell::OnceCell;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::super::{on_demand::on_demand, report_form::ReportForm};
use crate::{
    browser::files,
    chessbench::findings::Findings,
    services::{paths, shipped},
};

/// The findings.
#[derive(Clone, Copy)]
pub struct TrainingFindings {
    asked: StoredValue<bool>,
    /// What was found, once it is there.
    pub found: RwSignal<Option<Findings>>,
    /// Why it is not there, or could not be saved.
    pub problem: RwSignal<Option<String>>,
}

impl TrainingFindings {
    /// The ones of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static FINDINGS: OnceCell<TrainingFindings> = const { OnceCell::new() };
        }
        on_demand(&FINDINGS, |_| Self {
            asked: StoredValue::new(false),
            found: RwSignal::new(None),
            problem: RwSignal::new(None),
        })
    }

    /// Fetches them, once; again where that failed.
    pub fn fetch(self) {
        if self.asked.get_value() {
            return;
        }
        self.asked.set_value(true);
        self.problem.set(None);
        spawn_local(async move {
            let read = match shipped::fetch(&paths::searchless_findings(), |_, _| ()).await {
                Ok(bytes) => Findings::read(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match read {
                Ok(findings) => {
                    self.found.try_set(Some(findings));
                }
                Err(reason) => {
                    self.problem
                        .try_set(Some(format!("What training found can't be shown: {reason}.")));
                    self.asked.try_set_value(false);
                }
            }
        });
    }

    /// Saves the tables.
    pub fn save(self, form: ReportForm) {
        let tables = self.found.with_untracked(|found| found.as_ref().map(Findings::tables));
        let (name, media_type) = form.file("searchless-training");
        let text = form.write(&tables.unwrap_or_default());
        let saved = files::save(&name, media_type, text.as_bytes());
        let problem = saved
            .err()
            .map(|error| format!("The file could not be saved: {error}."));
        self.problem.set(problem);
    }
}
