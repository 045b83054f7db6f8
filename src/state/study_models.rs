//! Comments for a study by a language model: every move, in the chosen arms, with or without the claim check.
//!
//! The arms of an ablation must stay what they are, so no narrator speaks for a model here: where the check leaves nothing
//! true, the method has no comment on that move, and the page says on how many.

use std::{cell::OnceCell, collections::BTreeMap};

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    briefing::prepare,
    endpoint::EndpointState,
    exchange::{Ending, answered, reviewed_by_words},
    model_run::{Going, ModelRun},
    on_demand::on_demand,
    preferences::Preferences,
    study::{StudyBuilder, put},
};
use crate::{
    commentary::{Arm, Context, Review, revision::Tally},
    services::{analysis::Services, settings::Settings},
    survey::{
        model_method::{Asked, claim_scores, comment_text, method_name},
        study::played,
    },
};

/// The writing.
#[derive(Clone, Copy)]
pub struct StudyModels {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    endpoint: EndpointState,
    builder: StudyBuilder,
    /// The arms to be asked.
    pub arms: RwSignal<Vec<Arm>>,
    /// Whether wrong claims go back once and are left out then.
    pub checked: RwSignal<bool>,
    /// How far it is: comments written or tried, and comments asked for.
    pub run: ModelRun,
}

/// A comment to be asked for.
#[derive(Clone)]
struct Wanted {
    item: String,
    fen: String,
    mv: String,
    arm: Arm,
    method: String,
}

/// What came of one.
struct Written {
    text: String,
    scores: BTreeMap<String, f64>,
}

impl StudyModels {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static STORE: OnceCell<StudyModels> = const { OnceCell::new() };
        }
        on_demand(&STORE, |app| {
            Self::new(app.services, app.preferences, app.endpoint, app.builder)
        })
    }

    /// Nothing asked; all arms, unchecked, as the paper compares them.
    fn new(
        services: StoredValue<Services, LocalStorage>,
        preferences: Preferences,
        endpoint: EndpointState,
        builder: StudyBuilder,
    ) -> Self {
        Self {
            services,
            preferences,
            endpoint,
            builder,
            arms: RwSignal::new(Arm::ALL.to_vec()),
            checked: RwSignal::new(false),
            run: ModelRun::default(),
        }
    }

    /// Asks for every comment that is not there yet, item by item, until it is stopped or one fails.
    pub fn write(&self) {
        let Some(going) = self.run.begin() else { return };
        let (this, checked) = (*self, self.checked.get_untracked());
        let wanted = self.wanted(checked);
        self.builder.problem.set(None);
        self.builder.notice.set(None);
        spawn_local(async move {
            let all = wanted.len();
            let (mut done, mut empty) = (0, 0);
            let mut problem = None;
            for one in wanted {
                going.tell(done, all, Some(format!("{}, {}", one.item, one.arm.label())));
                let written = this.comment(&one, checked, going).await;
                if !going.is_current() {
                    return;
                }
                match written {
                    Ok(written) => {
                        let kept = this.builder.study.try_update(|study| {
                            let item = study.items.iter_mut().find(|item| item.id == one.item)?;
                            Some(put(
                                &mut item.comments,
                                &one.method,
                                comment_text(&written.text),
                                written.scores,
                            ))
                        });
                        empty += usize::from(kept.flatten() == Some(false));
                        done += 1;
                    }
                    Err(reason) => {
                        problem = Some(format!(
                            "{}, {}: {reason} What is written is kept.",
                            one.item,
                            one.arm.label()
                        ));
                        break;
                    }
                }
            }
            going.end();
            let mut notice = format!("The model wrote {} of {all} comments.", done - empty);
            if empty > 0 {
                notice += &format!(" On {empty} moves nothing was left of them: those methods have no comment there.");
            }
            this.builder.notice.set(Some(notice));
            this.builder.problem.set(problem);
        });
    }

    /// Ends the writing; what is written stays.
    pub fn stop(&self) {
        self.run.stop();
        self.builder
            .notice
            .set(Some("Stopped; what is written is kept.".to_owned()));
    }

    fn wanted(&self, checked: bool) -> Vec<Wanted> {
        // One name for all of a model's comments, whatever the server calls the version that answered.
        let (arms, model) = (self.arms.get_untracked(), untrack(|| self.endpoint.model()));
        let settings = self.settings();
        let methods = arms.into_iter().map(|arm| {
            let asked = Asked {
                arm,
                options: settings.prompt_options(arm),
                concepts: settings.concepts,
                rule: settings.rule,
                checked,
            };
            (arm, method_name(&model, &asked))
        });
        let methods: Vec<(Arm, String)> = methods.collect();
        self.builder.study.with_untracked(|study| {
            let each = study.items.iter().flat_map(|item| {
                let missing =
                    |(_, method): &&(Arm, String)| item.comments.iter().all(|comment| comment.method != *method);
                methods.iter().filter(missing).map(|(arm, method)| Wanted {
                    item: item.id.clone(),
                    fen: item.fen.clone(),
                    mv: item.mv.clone(),
                    arm: *arm,
                    method: method.clone(),
                })
            });
            each.collect()
        })
    }

    /// Items have no game, so that the board is given as a position whatever is set.
    fn settings(&self) -> Settings {
        Settings {
            context: Context::Fen,
            ..self.preferences.get_untracked()
        }
    }

    /// Asks for one. The error is what happened and what to do.
    async fn comment(&self, wanted: &Wanted, checked: bool, going: Going) -> Result<Written, String> {
        let played = played(&wanted.fen, &wanted.mv).map_err(|error| error.to_string())?;
        let settings = self.settings();
        let services = self.services.get_value();
        let prepared = prepare(&services, &played, None, wanted.arm, &settings)
            .await
            .map_err(|error| format!("The engine does not answer: {error}"))?;
        if let Some(lacks) = prepared.lacks {
            return Err(lacks);
        }
        let messages = prepared.prompt.messages.clone();
        if checked {
            let review = Review::of(&prepared.prompt);
            // The method's name says nothing of declared claims: the comments of a study are checked by their words.
            let (reviewed, ending) = reviewed_by_words(
                self.endpoint,
                review,
                messages,
                &prepared.sheet,
                going.stop_slot(),
                |_| (),
            )
            .await;
            return match (reviewed, ending) {
                (_, Ending::Failed { what, advice }) => Err(format!("{what} {advice}")),
                (None, Ending::Answered { .. }) => Err("The model gave no answer.".to_owned()),
                (Some(reviewed), Ending::Answered { .. }) => Ok(Written {
                    scores: claim_scores(reviewed.tally()),
                    text: reviewed.kept,
                }),
            };
        }
        let (attempt, _) = answered(self.endpoint, messages, &prepared.sheet, going.stop_slot()).await?;
        Ok(Written {
            scores: claim_scores(Tally::of(&attempt.checked)),
            text: attempt.checked.text,
        })
    }
}
