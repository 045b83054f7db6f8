//! The language model of our own format: fetched or given, as a player, and what it answers.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{super::model_run::Going, Blindfold};
use crate::{
    blindfold::run_file::{BlindPlayer, BlindPlayerKind},
    browser::files::{FileBytes, ReadFileError},
    services::language_model::{LanguageModel, LanguageModelError},
};

/// The most bytes of a model's file that are read.
pub const MODEL_FILE_LIMIT: usize = 400_000_000;

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

    /// Takes a model's file.
    pub fn take_model(&self, file: Result<FileBytes, ReadFileError>) {
        match file {
            Ok(FileBytes { name, bytes }) => {
                let said = format!("{name} is read.");
                self.load_model(said, async move |model| model.load(&name, bytes).await);
            }
            Err(error) => self.loading_problem.set(Some(format!("{error}."))),
        }
    }

    fn load_model<T>(
        &self,
        said: String,
        load: impl AsyncFnOnce(LanguageModel) -> Result<T, LanguageModelError> + 'static,
    ) {
        let Some(going) = self.loading.begin() else { return };
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
                Ok(_) => {
                    this.model_answers.set(true);
                    this.tell_model();
                }
                Err(error) => this.loading_problem.set(Some(error.to_string())),
            }
        });
    }

    /// Says which model is in use.
    fn tell_model(&self) {
        self.loaded.set(self.language_model().description());
    }

    /// The model as a player. Where none is loaded the app's own is fetched.
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
                going.tell(0, 1, Some("The model that comes with the app is fetched.".to_owned()));
                let Some(fetched) = going.unless_stopped(model.fetch_shipped()).await else {
                    return Ok(None);
                };
                fetched.map_err(|error| {
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
