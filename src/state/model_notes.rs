//! The comments on a game's moves by a language model: those chosen for comments are asked for one after another, each
//! answer is checked, and what is left of it stands in the place of the narrator's.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    annotation::AnnotationState,
    briefing::prepare,
    endpoint::EndpointState,
    exchange::{Ending, Heard, StopSlot, reviewed},
    preferences::Preferences,
};
use crate::{
    annotation::{MainLine, ModelProse},
    chess::Played,
    commentary::{Evaluation, Review},
    services::analysis::Services,
};

/// How far the writing is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Writing {
    /// Nothing is asked.
    #[default]
    Quiet,
    /// A move's comment is awaited.
    Asking {
        /// Moves commented on by a model.
        done: usize,
        /// Moves chosen for comments.
        all: usize,
        /// Why it takes longer.
        waiting: Option<String>,
    },
    /// It failed, in sentences; it can go on.
    Failed(String),
}

/// The writing.
#[derive(Clone, Copy)]
pub struct ModelNotes {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    endpoint: EndpointState,
    annotation: AnnotationState,
    stop: StopSlot,
    generation: StoredValue<u64>,
    /// How far it is.
    pub writing: RwSignal<Writing>,
}

/// A move to ask about.
struct Next {
    index: usize,
    played: Played,
    evaluation: Evaluation,
    line: MainLine,
}

impl ModelNotes {
    /// Nothing asked.
    #[must_use]
    pub fn new(
        services: StoredValue<Services, LocalStorage>,
        preferences: Preferences,
        endpoint: EndpointState,
        annotation: AnnotationState,
    ) -> Self {
        Self {
            services,
            preferences,
            endpoint,
            annotation,
            stop: StoredValue::new_local(None),
            generation: StoredValue::new(0),
            writing: RwSignal::new(Writing::Quiet),
        }
    }

    /// Moves that a model was asked about, and moves chosen for comments; tracked.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        let scope = self.annotation.scope.get();
        let count = self.annotation.with(|annotated| {
            let chosen = annotated.chosen(scope);
            let written = chosen
                .iter()
                .filter(|index| annotated.moves()[**index].model_prose.is_some());
            (written.count(), chosen.len())
        });
        count.unwrap_or_default()
    }

    /// Asks about every chosen move that no model was asked about yet, until it is stopped or one fails.
    pub fn write(&self) {
        if matches!(self.writing.get_untracked(), Writing::Asking { .. }) {
            return;
        }
        self.generation.update_value(|g| *g += 1);
        let generation = self.generation.get_value();
        let this = *self;
        spawn_local(async move {
            let mut line = None;
            while let Some(next) = untrack(|| this.next()) {
                // Another game was taken up.
                if *line.get_or_insert_with(|| next.line.clone()) != next.line {
                    break;
                }
                let (done, all) = untrack(|| this.count());
                let asking = move |waiting| {
                    if this.is_current(generation) {
                        this.writing.set(Writing::Asking { done, all, waiting });
                    }
                };
                asking(None);
                let ended = this.comment(&next, asking).await;
                if !this.is_current(generation) {
                    return;
                }
                match ended {
                    Ok(prose) => this.annotation.change(|annotated| {
                        // It may be another game by now.
                        if *annotated.line() == next.line {
                            annotated.say_instead(next.index, Some(prose));
                        }
                    }),
                    Err(problem) => return this.writing.set(Writing::Failed(problem)),
                }
            }
            if this.is_current(generation) {
                this.writing.set(Writing::Quiet);
            }
        });
    }

    /// Ends the writing; what is written stays.
    pub fn stop(&self) {
        self.generation.update_value(|g| *g += 1);
        if let Some(stop) = self.stop.try_update_value(Option::take).flatten() {
            stop.now();
        }
        self.writing.set(Writing::Quiet);
    }

    /// Gives every move back to the narrator.
    pub fn clear(&self) {
        self.stop();
        self.annotation.change(|annotated| {
            for index in 0..annotated.moves().len() {
                annotated.say_instead(index, None);
            }
        });
    }

    fn is_current(&self, generation: u64) -> bool {
        self.generation.try_get_value() == Some(generation)
    }

    fn next(&self) -> Option<Next> {
        let scope = self.annotation.scope.get();
        let next = self.annotation.with(|annotated| {
            let unwritten = |index: &usize| annotated.moves()[*index].model_prose.is_none();
            let index = annotated.chosen(scope).into_iter().find(unwritten)?;
            Some(Next {
                index,
                played: annotated.line().played(index)?,
                evaluation: annotated.moves()[index].evaluation.clone()?,
                line: annotated.line().clone(),
            })
        });
        next.flatten()
    }

    /// Asks about one move. The error is what happened and what to do.
    async fn comment(&self, next: &Next, tell: impl Fn(Option<String>) + Copy) -> Result<ModelProse, String> {
        let settings = self.preferences.get_untracked();
        let (arm, services) = (settings.arm, self.services.get_value());
        let prepared = prepare(&services, &next.played, Some(next.evaluation.clone()), arm, &settings)
            .await
            .map_err(|error| error.to_string())?;
        let hear = move |heard| match heard {
            Heard::Text(_) => {}
            Heard::Waiting(reason) => tell(Some(reason)),
            Heard::Again => tell(Some(
                "Some of the answer was wrong: the model is asked once more.".to_owned(),
            )),
        };
        let review = Review::of(&prepared.prompt);
        let messages = prepared.prompt.messages;
        match reviewed(self.endpoint, review, messages, &prepared.sheet, self.stop, hear).await {
            (Some(reviewed), Ending::Answered { model, .. }) => Ok(ModelProse::of(&reviewed, model, arm)),
            (None, Ending::Answered { .. }) => Err("The model gave no answer.".to_owned()),
            (_, Ending::Failed { what, advice }) => Err(format!("{what} {advice}")),
        }
    }
}
