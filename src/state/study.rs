//! A study in the making.

use std::collections::BTreeMap;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::preferences::Preferences;
use crate::{
    browser::{files, files::FileBytes},
    services::analysis::{self, Services},
    survey::{
        Study,
        demonstration::{demonstration, narrator_text},
        preset, read_draft,
        sources::{self, Choice},
        study::{Item, MethodComment, played},
        study_file::{Fault, check},
    },
    view::survey::file_name,
};

/// The method under which references become comments, as in the paper.
pub const REFERENCE: &str = "reference";

/// The study on the builder's page.
#[derive(Clone, Copy)]
pub struct StudyBuilder {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    /// As it stands.
    pub study: RwSignal<Study>,
    /// Why something was refused.
    pub problem: RwSignal<Option<String>>,
    /// What was done last.
    pub notice: RwSignal<Option<String>>,
    /// Moves commented on and in all, while the narrator is at work.
    pub progress: RwSignal<Option<(usize, usize)>>,
    running: StoredValue<bool>,
}

impl StudyBuilder {
    /// The paper's structure, without items.
    #[must_use]
    pub fn new(services: StoredValue<Services, LocalStorage>, preferences: Preferences) -> Self {
        Self {
            services,
            preferences,
            study: RwSignal::new(preset::paper("my-study", "Comments on chess moves")),
            problem: RwSignal::new(None),
            notice: RwSignal::new(None),
            progress: RwSignal::new(None),
            running: StoredValue::new(false),
        }
    }

    /// What keeps it from being run; tracked.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.study.with(check)
    }

    fn done(&self, notice: String) {
        self.problem.set(None);
        self.notice.set(Some(notice));
    }

    /// Starts anew from the paper's structure.
    pub fn paper(&self) {
        self.study.set(preset::paper("my-study", "Comments on chess moves"));
        self.done("The paper's structure, without items.".to_owned());
    }

    /// Starts anew from the demonstration.
    pub fn demonstration(&self) {
        match demonstration() {
            Ok(study) => {
                self.study.set(study);
                self.done("The demonstration.".to_owned());
            }
            Err(error) => self.problem.set(Some(error.to_string())),
        }
    }

    /// Opens a study file, with faults or without.
    pub fn open(&self, file: &FileBytes) {
        match read_draft(&file.bytes) {
            Ok(study) => {
                self.study.set(study);
                self.done(format!("{} is open.", file.name));
            }
            Err(error) => self.problem.set(Some(format!("{}: {error}", file.name))),
        }
    }

    /// Takes the whole study as its file has it.
    pub fn set_json(&self, text: &str) {
        match read_draft(text.as_bytes()) {
            Ok(study) => {
                self.study.set(study);
                self.done("The study is as the text says.".to_owned());
            }
            Err(error) => self.problem.set(Some(error.to_string())),
        }
    }

    /// Adds items from positions, a PGN or a table.
    pub fn add(&self, text: &str, choice: Choice) {
        match sources::from_text(text, choice) {
            Ok(items) => {
                let count = items.len();
                self.study.update(|study| sources::add(&mut study.items, items));
                self.done(format!("{count} items were added."));
            }
            Err(error) => self.problem.set(Some(error.to_string())),
        }
    }

    /// Takes a move with its comments: into the item of that move, where there is one.
    pub fn take(&self, item: Item) {
        let count = item.comments.len();
        self.study.update(|study| {
            let same = study
                .items
                .iter_mut()
                .find(|one| one.fen == item.fen && one.mv == item.mv);
            match same {
                Some(one) => {
                    one.reference = item.reference.or_else(|| one.reference.take());
                    for comment in item.comments {
                        put(&mut one.comments, &comment.method, comment.text, comment.scores);
                    }
                }
                None => sources::add(&mut study.items, vec![item]),
            }
        });
        self.done(format!("A move with {count} comments was added."));
    }

    /// Says why a file was not taken.
    pub fn refuse(&self, reason: String) {
        self.problem.set(Some(reason));
    }

    /// Removes all items.
    pub fn clear(&self) {
        self.study.update(|study| study.items.clear());
        self.done("All items are gone.".to_owned());
    }

    /// Makes every reference a comment, under the method `reference`.
    pub fn use_references(&self) {
        let mut count = 0;
        self.study.update(|study| {
            for item in &mut study.items {
                if let Some(text) = item.reference.clone() {
                    count += usize::from(put(&mut item.comments, REFERENCE, text, BTreeMap::new()));
                }
            }
        });
        self.done(format!("{count} references became comments."));
    }

    /// Lets the narrator comment on every item: from the board alone at once, or with engine and concepts one by one.
    pub fn narrate(&self, with_engine: bool) {
        if self.running.get_value() {
            return;
        }
        self.running.set_value(true);
        self.problem.set(None);
        let this = *self;
        spawn_local(async move {
            let count = this.study.with_untracked(|study| study.items.len());
            let mut written = 0;
            for index in 0..count {
                if this.running.try_get_value() != Some(true) {
                    break;
                }
                this.progress.set(Some((index, count)));
                let Some((fen, mv)) = this
                    .study
                    .with_untracked(|study| study.items.get(index).map(|item| (item.fen.clone(), item.mv.clone())))
                else {
                    break;
                };
                let Ok(played) = played(&fen, &mv) else { continue };
                let (method, text) = if with_engine {
                    let services = this.services.get_value();
                    let settings = this.preferences.get_untracked();
                    let analysis = analysis::analyse(
                        &services,
                        &played,
                        settings.effort(),
                        settings.concepts,
                        None,
                        || false,
                        |_| (),
                    )
                    .await;
                    if let Err(error) = &analysis.evaluation {
                        this.problem
                            .try_set(Some(format!("The engine does not answer: {error}")));
                        break;
                    }
                    let said: Vec<String> = analysis.prose.into_iter().map(|sentence| sentence.text).collect();
                    ("narrator", said.join(" "))
                } else {
                    ("narrator-board", narrator_text(&played))
                };
                this.study.try_update(|study| {
                    if let Some(item) = study.items.get_mut(index) {
                        written += usize::from(put(&mut item.comments, method, text, BTreeMap::new()));
                    }
                });
            }
            this.running.try_set_value(false);
            this.progress.try_set(None);
            this.notice
                .try_set(Some(format!("The narrator wrote {written} comments.")));
        });
    }

    /// Ends the narrator's work after the move at hand.
    pub fn stop(&self) {
        self.running.try_set_value(false);
    }

    /// Removes a method's comments.
    pub fn remove_method(&self, method: &str) {
        self.study.update(|study| {
            for item in &mut study.items {
                item.comments.retain(|comment| comment.method != method);
            }
        });
    }

    /// Hands the study to the user as a file.
    pub fn save(&self) {
        let (name, text) = self
            .study
            .with_untracked(|study| (file_name(&study.id, "study", "json"), study.to_json()));
        if let Err(error) = files::save(&name, "application/json", text.as_bytes()) {
            self.problem.set(Some(error.to_string()));
        }
    }
}

/// Adds a method's comment, replacing the one that is there; false where there is nothing to say.
pub(super) fn put(
    comments: &mut Vec<MethodComment>,
    method: &str,
    text: String,
    scores: BTreeMap<String, f64>,
) -> bool {
    if text.trim().is_empty() {
        return false;
    }
    comments.retain(|comment| comment.method != method);
    comments.push(MethodComment {
        method: method.to_owned(),
        text,
        scores,
    });
    true
}
