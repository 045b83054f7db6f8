//! The comment of a language model on the move under discussion: what it is told, what it answers, what is left of that.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    briefing::Prepared,
    commentary::Commentary,
    endpoint::EndpointState,
    exchange::{Ending, Heard, StopSlot, declared, reviewed},
    preferences::Preferences,
};
use crate::{
    browser::slices::Slices,
    commentary::{FactSheet, Review, Reviewed, Revision},
    view::checked::CheckedView,
};

/// How the exchange with the model stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Exchange {
    /// Nothing asked.
    #[default]
    Quiet,
    /// A reply is awaited or arriving.
    Asking {
        /// Whether the first reply has gone back.
        again: bool,
        /// Whether it is asked for the claims of its reply, which is shown as its words were checked.
        declaring: bool,
        /// Why it takes longer.
        waiting: Option<String>,
    },
    /// The reply is whole and checked.
    Answered {
        /// The model that answered.
        model: String,
        /// What there is to know of how it ended.
        note: Option<&'static str>,
    },
    /// An answer was pasted and checked.
    Pasted,
    /// It failed.
    Failed {
        /// What happened.
        what: String,
        /// What to do.
        advice: String,
    },
}

/// The model's comment.
#[derive(Clone, Copy)]
pub struct ModelComment {
    preferences: Preferences,
    endpoint: EndpointState,
    commentary: Commentary,
    stop: StopSlot,
    generation: StoredValue<u64>,
    pasted: StoredValue<Option<Review>, LocalStorage>,
    /// What is asked.
    pub prepared: RwSignal<Option<Prepared>>,
    /// How the exchange stands.
    pub exchange: RwSignal<Exchange>,
    /// The reply as it arrives: unchecked prose. Empty once it is checked.
    pub arriving: RwSignal<String>,
    /// The checked comment.
    pub checked: RwSignal<Option<CheckedView>>,
    /// What to paste back where a pasted answer had wrong claims.
    pub objection: RwSignal<Option<String>>,
}

impl ModelComment {
    /// Nothing asked yet.
    #[must_use]
    pub fn new(preferences: Preferences, endpoint: EndpointState, commentary: Commentary) -> Self {
        Self {
            preferences,
            endpoint,
            commentary,
            stop: StoredValue::new_local(None),
            generation: StoredValue::new(0),
            pasted: StoredValue::new_local(None),
            prepared: RwSignal::new(None),
            exchange: RwSignal::new(Exchange::Quiet),
            arriving: RwSignal::new(String::new()),
            checked: RwSignal::new(None),
            objection: RwSignal::new(None),
        }
    }

    /// Prints the prompt for the move under discussion and the arm that is set. To be called when either changes; tracked.
    pub fn prepare(&self) {
        let settings = self.preferences.get();
        let arm = settings.arm;
        let lacks = self.commentary.lacking_concepts();
        self.prepared.set(self.commentary.sheet.get().map(|sheet| Prepared {
            lacks: lacks.filter(|_| arm.tells_concepts()),
            ..Prepared::new(sheet, arm, settings.prompt_options(arm))
        }));
    }

    /// Asks for a comment.
    pub fn ask(&self) {
        self.reset();
        let Some(Prepared { sheet, prompt, .. }) = self.prepared.get_untracked() else {
            return;
        };
        let generation = self.generation.get_value();
        self.exchange.set(Exchange::Asking {
            again: false,
            declaring: false,
            waiting: None,
        });
        let this = *self;
        spawn_local(async move {
            let current = move || this.generation.try_get_value() == Some(generation);
            let review = Review::of(&prompt);
            let about = sheet.clone();
            let hear = move |heard| {
                if current() {
                    this.hear(heard, &about);
                }
            };
            let (reviewed, ending) = reviewed(this.endpoint, review, prompt.messages, &sheet, this.stop, hear).await;
            if current() {
                this.finish(reviewed.as_ref(), &sheet, ending);
            }
        });
    }

    fn hear(&self, heard: Heard, sheet: &FactSheet) {
        let (again, declaring) = match self.exchange.get_untracked() {
            Exchange::Asking { again, declaring, .. } => (again, declaring),
            _ => (false, false),
        };
        let (again, declaring, waiting) = match heard {
            Heard::Text(text) => {
                self.arriving.update(|all| all.push_str(&text));
                (again, false, None)
            }
            Heard::Recalled => {
                self.arriving.set(String::new());
                (again, declaring, None)
            }
            Heard::Waiting(reason) => (again, declaring, Some(reason)),
            Heard::Whole(reviewed) => {
                self.arriving.set(String::new());
                self.show(Some(CheckedView::new(&reviewed, sheet)));
                (again, true, None)
            }
            Heard::Again => {
                self.arriving.set(String::new());
                (true, false, None)
            }
        };
        let asking = Exchange::Asking {
            again,
            declaring,
            waiting,
        };
        if self.exchange.with_untracked(|now| *now != asking) {
            self.exchange.set(asking);
        }
    }

    /// Shows a checked comment. What is shown already stays as it is, with what the reader has opened of it.
    fn show(&self, view: Option<CheckedView>) {
        if self.checked.with_untracked(|shown| *shown != view) {
            self.checked.set(view);
        }
    }

    fn finish(&self, reviewed: Option<&Reviewed>, sheet: &FactSheet, ending: Ending) {
        self.arriving.set(String::new());
        self.show(reviewed.map(|reviewed| CheckedView::new(reviewed, sheet)));
        self.exchange.set(match ending {
            Ending::Answered { model, note } => Exchange::Answered { model, note },
            Ending::Failed { what, advice } => Exchange::Failed { what, advice },
        });
    }

    /// Checks an answer that the user brought from elsewhere; a second one after an objection is the model's second. Where a
    /// model is connected and declares claims, it is asked for those of the answer: a question less than to write it.
    pub fn paste(&self, answer: &str) {
        let Some(Prepared { sheet, prompt, .. }) = self.prepared.get_untracked() else {
            return;
        };
        let review = self.pasted.try_update_value(Option::take).flatten();
        let reads = self.endpoint.reads_given_texts();
        let mut review = review.unwrap_or_else(|| Review::of(&prompt)).declaring(reads);
        self.reset();
        let (this, answer, generation) = (*self, answer.to_owned(), self.generation.get_value());
        let current = move || this.generation.try_get_value() == Some(generation);
        spawn_local(async move {
            let pace = Slices::new();
            let mut next = Some(review.take(&sheet, &answer, false, &pace).await);
            if let Some(Revision::Declare(question)) = next {
                // As its words were checked, until its claims are known.
                let whole = review.meanwhile(&sheet, &pace).await;
                if !current() {
                    return;
                }
                this.show(whole.map(|whole| CheckedView::new(&whole, &sheet)));
                this.exchange.set(Exchange::Asking {
                    again: false,
                    declaring: true,
                    waiting: None,
                });
                let about = sheet.clone();
                let hear = move |heard| {
                    if current() {
                        this.hear(heard, &about);
                    }
                };
                next = declared(this.endpoint, &mut review, question, &sheet, this.stop, hear).await;
            }
            let (reviewed, objection) = match next {
                Some(Revision::Done(reviewed)) => (Some(*reviewed), None),
                Some(Revision::Ask(messages)) => {
                    let objection = messages.last().map(|message| message.content.clone());
                    (review.meanwhile(&sheet, &pace).await, objection)
                }
                // Asked once, it is not asked again; or the user had enough of waiting.
                Some(Revision::Declare(_)) | None => (review.finish(&sheet, &pace).await, None),
            };
            if !current() {
                return;
            }
            // The next answer is the model's second.
            this.pasted.set_value(objection.is_some().then_some(review));
            this.objection.set(objection);
            this.show(reviewed.map(|reviewed| CheckedView::new(&reviewed, &sheet)));
            this.exchange.set(Exchange::Pasted);
        });
    }

    /// Ends the running exchange; what has come is checked and kept.
    pub fn stop(&self) {
        if let Some(stop) = self.stop.try_update_value(Option::take).flatten() {
            stop.now();
        }
    }

    /// Ends the exchange and clears its reply, as when another move is taken up.
    pub fn reset(&self) {
        self.generation.update_value(|g| *g += 1);
        self.stop();
        self.arriving.set(String::new());
        self.checked.set(None);
        self.objection.set(None);
        self.pasted.set_value(None);
        self.exchange.set(Exchange::Quiet);
    }
}
