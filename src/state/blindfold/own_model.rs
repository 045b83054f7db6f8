//! The language model of our own format: fetched or given, as a player, and what it answers.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{super::model_run::Going, Blindfold};
use crate::{
    blindfold::run_file::{BlindPlayer, BlindPlayerKind},
    browser::{
        database,
        files::{FileBytes, ReadFileError},
    },
    services::language_model::{LanguageModel, LanguageModelError},
};

/// The most bytes of a model's file that are read.
pub const MODEL_FILE_LIMIT: usize = 400_000_000;

/// The most bytes of a model's file that the browser keeps.
pub const KEPT_LIMIT: usize = 64_000_000;

/// The name under which the user's model is kept in this browser.
const SAVED_MODEL: &str = "blindfold-model";
/// The name under which its file's name is kept.
const SAVED_MODEL_NAME: &str = "blindfold-model-name";

/// Digits of a hash that tell two models of one name apart.
const HASH_DIGITS: usize = 8;

impl Blindfold {
    /// The model's service.
    pub(super) fn language_model(&self) -> LanguageModel {
        self.language_model.get_value()
    }

    /// Fetches the model that comes with the app.
    pub fn fetch_model(&self) {
        self.load_model(
            "The model that comes with the app is fetched.".to_owned(),
            async |model| model.fetch_shipped().await,
        );
    }

    /// Takes a model's file, and keeps it for the next visit where it is not too large.
    pub fn take_model(&self, file: Result<FileBytes, ReadFileError>) {
        match file {
            Ok(FileBytes { name, bytes }) => {
                let said = format!("{name} is read.");
                let kept = self.model_kept;
                self.load_model(said, async move |model| {
                    let copy = (bytes.len() <= KEPT_LIMIT).then(|| bytes.clone());
                    model.load(&name, bytes).await?;
                    kept.try_set(keep(&name, copy).await);
                    Ok(())
                });
            }
            Err(error) => self.loading_problem.set(Some(format!("{error}."))),
        }
    }

    /// Takes the model that was kept at an earlier visit, where one is and nobody was quicker.
    pub(super) fn restore_model(&self) {
        let this = *self;
        spawn_local(async move {
            let Some(FileBytes { name, bytes }) = kept().await else {
                return;
            };
            this.model_kept.set(true);
            if this.language_model().description().is_none() {
                let answers = this.model_answers.get_untracked();
                this.load_model(format!("{name} is read."), async move |model| {
                    model.load(&name, bytes).await.map(|_| ())
                });
                this.model_answers.set(answers);
            }
        });
    }

    /// Forgets the model that is kept; it stays in use until the page is closed.
    pub fn forget_model(&self) {
        self.model_kept.set(false);
        spawn_local(forget());
    }

    fn load_model<T>(
        &self,
        said: String,
        load: impl AsyncFnOnce(LanguageModel) -> Result<T, LanguageModelError> + 'static,
    ) {
        let Some(going) = self.loading.begin() else { return };
        self.model_answers.set(true);
        // A file that was no set of questions may be the model.
        self.problem.set(None);
        self.loading_problem.set(None);
        going.tell(0, 1, Some(said));
        let this = *self;
        let model = self.language_model();
        spawn_local(async move {
            let Some(loaded) = going.unless_stopped(load(model)).await else {
                return;
            };
            going.end();
            match loaded {
                Ok(_) => this.tell_model(),
                Err(error) => this.loading_problem.set(Some(error.to_string())),
            }
        });
    }

    /// Says which model is in use.
    fn tell_model(&self) {
        self.loaded.set(self.language_model().description());
    }

    /// The model as a player. Where none is loaded the user's own is taken that is kept, or the app's is fetched.
    pub(super) async fn model_player(&self, going: Going) -> Result<Option<BlindPlayer>, String> {
        if !self.model_answers.get_untracked() {
            return Ok(None);
        }
        let model = self.language_model();
        let known = model.description();
        let is_given = known.is_some();
        let description = match known {
            Some(description) => description,
            None => {
                let first = async {
                    // The user's own, which may still be read.
                    if let Some(FileBytes { name, bytes }) = kept().await {
                        return model.load(&name, bytes).await;
                    }
                    going.tell(0, 1, Some("The model that comes with the app is fetched.".to_owned()));
                    model.fetch_shipped().await
                };
                let Some(first) = going.unless_stopped(first).await else {
                    return Ok(None);
                };
                first.map_err(|error| {
                    format!("{error} Load a model’s file, or leave the model out of the players.").replace("..", ".")
                })?
            }
        };
        self.tell_model();
        let kind = BlindPlayerKind::of_model(&description).map_err(|error| format!("{error}."))?;
        let name = match description.header.name.as_str() {
            "" => "model".to_owned(),
            name => name.to_owned(),
        };
        let others = self.models_of_run();
        // Nobody has chosen it: it must not join a run that another model has begun.
        if !is_given && !others.is_empty() && !others.iter().any(|other| other.kind == kind) {
            let names: Vec<&str> = others.iter().map(|other| other.name.as_str()).collect();
            return Err(format!(
                "This run is of {}, which is not the model that comes with the app: load its file, or begin a new run.",
                names.join(" and ")
            ));
        }
        if let Some(known) = others.into_iter().find(|other| other.kind == kind) {
            return Ok(Some(known));
        }
        let name = match self.is_taken(&name, &kind) {
            true => format!("{name} {}", description.sha256.get(..HASH_DIGITS).unwrap_or_default()),
            false => name,
        };
        Ok(Some(BlindPlayer { name, kind }))
    }

    fn models_of_run(&self) -> Vec<BlindPlayer> {
        self.answered.with_untracked(|run| {
            let players = run.as_ref().map_or(&[][..], |run| &run.header.players);
            let is_model = |player: &&BlindPlayer| matches!(player.kind, BlindPlayerKind::Model { .. });
            players.iter().filter(is_model).cloned().collect()
        })
    }
}

/// Whether a file is kept by now; `None` is too large, and the one that was kept before goes.
async fn keep(name: &str, file: Option<Vec<u8>>) -> bool {
    match file {
        Some(bytes) => {
            database::keep(SAVED_MODEL, &bytes).await.is_ok()
                && database::keep(SAVED_MODEL_NAME, name.as_bytes()).await.is_ok()
        }
        None => {
            forget().await;
            false
        }
    }
}

/// The file that is kept; a store that can't be read holds nothing for us.
async fn kept() -> Option<FileBytes> {
    let bytes = database::find(SAVED_MODEL).await.ok().flatten()?;
    let name = database::find(SAVED_MODEL_NAME).await.ok().flatten();
    let name = name.map_or_else(
        || "kept model".into(),
        |name| String::from_utf8_lossy(&name).into_owned(),
    );
    Some(FileBytes { name, bytes })
}

async fn forget() {
    // What can't be removed could not be kept either.
    let _ = database::forget(SAVED_MODEL).await;
    let _ = database::forget(SAVED_MODEL_NAME).await;
}
