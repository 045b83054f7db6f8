//! The comments on a game's moves by a language model: those chosen for comments are asked for one after another, each
//! answer is checked, and what is left of it stands in the place of the narrator's.

use std::cell::OnceCell;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    annotation::AnnotationState,
    briefing::prepare,
    endpoint::EndpointState,
    exchange::{Ending, Heard, reviewed},
    model_run::{Going, ModelRun},
    on_demand::on_demand,
    preferences::Preferences,
};
use crate::{
    annotation::{LineKey, ModelProse},
    chess::Played,
    commentary::{Evaluation, Review},
    services::analysis::Services,
};

/// The writing.
#[derive(Clone, Copy)]
pub struct ModelNotes {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    endpoint: EndpointState,
    annotation: AnnotationState,
    /// How far it is.
    pub run: ModelRun,
}

/// A move to ask about.
struct Next {
    index: usize,
    played: Played,
    evaluation: Evaluation,
    line: LineKey,
}

impl ModelNotes {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static STORE: OnceCell<ModelNotes> = const { OnceCell::new() };
        }
        on_demand(&STORE, |app| {
            Self::new(app.services, app.preferences, app.endpoint, app.annotation)
        })
    }

    /// Nothing asked.
    fn new(
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
            run: ModelRun::default(),
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
        let Some(going) = self.run.begin() else { return };
        let this = *self;
        spawn_local(async move {
            let mut line = None;
            while let Some(next) = untrack(|| this.next()) {
                // Another game was taken up.
                if *line.get_or_insert_with(|| next.line.clone()) != next.line {
                    break;
                }
                let (done, all) = untrack(|| this.count());
                going.tell(done, all, None);
                let ended = this.comment(&next, going, (done, all)).await;
                if !going.is_current() {
                    return;
                }
                match ended {
                    Ok(prose) => this.annotation.change(|annotated| {
                        // It may be another game by now.
                        if *annotated.line().key() == next.line {
                            annotated.say_instead(next.index, Some(prose));
                        }
                    }),
                    Err(problem) => return going.fail(problem),
                }
            }
            going.end();
        });
    }

    /// Ends the writing; what is written stays.
    pub fn stop(&self) {
        self.run.stop();
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

    fn next(&self) -> Option<Next> {
        let scope = self.annotation.scope.get();
        let next = self.annotation.with(|annotated| {
            let unwritten = |index: &usize| annotated.moves()[*index].model_prose.is_none();
            let index = annotated.chosen(scope).into_iter().find(unwritten)?;
            Some(Next {
                index,
                played: annotated.line().played(index)?,
                evaluation: annotated.moves()[index].evaluation.clone()?,
                line: annotated.line().key().clone(),
            })
        });
        next.flatten()
    }

    /// Asks about one move. The error is what happened and what to do.
    async fn comment(&self, next: &Next, going: Going, (done, all): (usize, usize)) -> Result<ModelProse, String> {
        let settings = self.preferences.get_untracked();
        let (arm, services) = (settings.arm, self.services.get_value());
        let prepared = prepare(&services, &next.played, Some(next.evaluation.clone()), arm, &settings)
            .await
            .map_err(|error| error.to_string())?;
        let hear = move |heard| match heard {
            Heard::Text(_) | Heard::Recalled => {}
            Heard::Whole(_) => going.tell(
                done,
                all,
                Some("The model is asked for the claims of its comment.".to_owned()),
            ),
            Heard::Waiting(reason) => going.tell(done, all, Some(reason)),
            Heard::Again => going.tell(
                done,
                all,
                Some("Some of the answer was wrong: the model is asked once more.".to_owned()),
            ),
        };
        let review = Review::of(&prepared.prompt);
        let messages = prepared.prompt.messages;
        match reviewed(
            self.endpoint,
            review,
            messages,
            &prepared.sheet,
            going.stop_slot(),
            hear,
        )
        .await
        {
            (Some(reviewed), Ending::Answered { model, .. }) => Ok(ModelProse::of(&reviewed, model, arm)),
            (None, Ending::Answered { .. }) => Err("The model gave no answer.".to_owned()),
            (_, Ending::Failed { what, advice }) => Err(format!("{what} {advice}")),
        }
    }
}
