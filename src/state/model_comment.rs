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
    chess::{Played, fen::write_fen},
    commentary::{FactSheet, Review, Revision, prompt::conversation},
    view::{
        checked::CheckedView,
        kept_replies::{KeptReplies, Ticket},
    },
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

/// What came of a question, as it is shown.
#[derive(Debug, Clone, PartialEq, Default)]
struct Reply {
    exchange: Exchange,
    arriving: String,
    checked: Option<CheckedView>,
    objection: Option<String>,
    claims_wanted: Option<String>,
}

/// The model's comment.
#[derive(Clone, Copy)]
pub struct ModelComment {
    preferences: Preferences,
    endpoint: EndpointState,
    commentary: Commentary,
    stop: StopSlot,
    replies: StoredValue<KeptReplies<Reply>, LocalStorage>,
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
    /// What asks a chat for the claims of a pasted answer that came without any that could be read.
    pub claims_wanted: RwSignal<Option<String>>,
    /// Whether the comment was asked for with other settings than those that are set now.
    pub for_other_settings: RwSignal<bool>,
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
            replies: StoredValue::new_local(KeptReplies::default()),
            pasted: StoredValue::new_local(None),
            prepared: RwSignal::new(None),
            exchange: RwSignal::new(Exchange::Quiet),
            arriving: RwSignal::new(String::new()),
            checked: RwSignal::new(None),
            objection: RwSignal::new(None),
            claims_wanted: RwSignal::new(None),
            for_other_settings: RwSignal::new(false),
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
        self.compare_settings();
    }

    /// What decides what a model is told of a move, as the user set it; not tracked.
    fn settings(&self) -> String {
        let settings = self.preferences.get_untracked();
        let (arm, effort) = (settings.arm, settings.effort());
        format!(
            "{arm:?} {:?} {effort:?} {:?}",
            settings.prompt_options(arm),
            settings.wanted()
        )
    }

    fn compare_settings(&self) {
        let settings = self.settings();
        let other = self
            .replies
            .with_value(|replies| replies.is_for_other_settings(&settings));
        if self.for_other_settings.get_untracked() != other {
            self.for_other_settings.set(other);
        }
    }

    /// Takes up a move, with what was said of it before. The same move looked at again keeps its reply, and a reply that still
    /// arrives for another goes on.
    pub fn look_at(&self, played: Option<&Played>) {
        let about = played.map(|played| format!("{} {}", write_fen(&played.before, played.mode), played.uci()));
        if self.replies.try_update_value(|replies| replies.look_at(about)) == Some(true) {
            self.pasted.set_value(None);
            self.draw();
        }
    }

    /// Shows what there is of the move.
    fn draw(&self) {
        let reply = self
            .replies
            .with_value(|replies| replies.shown().cloned())
            .unwrap_or_default();
        if self.exchange.with_untracked(|now| *now != reply.exchange) {
            self.exchange.set(reply.exchange);
        }
        if self.arriving.with_untracked(|now| *now != reply.arriving) {
            self.arriving.set(reply.arriving);
        }
        // What is shown already stays as it is, with what the reader has opened of it.
        if self.checked.with_untracked(|now| *now != reply.checked) {
            self.checked.set(reply.checked);
        }
        if self.objection.with_untracked(|now| *now != reply.objection) {
            self.objection.set(reply.objection);
        }
        if self.claims_wanted.with_untracked(|now| *now != reply.claims_wanted) {
            self.claims_wanted.set(reply.claims_wanted);
        }
        self.compare_settings();
    }

    /// Begins a question about the move; one that is under way ends with what has come of it.
    fn begin(&self, exchange: Exchange) -> Option<Ticket> {
        self.stop();
        self.pasted.set_value(None);
        let reply = Reply {
            exchange,
            ..Reply::default()
        };
        let ticket = self
            .replies
            .try_update_value(|replies| replies.ask(self.settings(), reply));
        self.draw();
        ticket.flatten()
    }

    /// Changes what came of a question, and shows it where its move is shown.
    fn change(&self, ticket: Ticket, change: impl FnOnce(&mut Reply)) {
        let shown = self.replies.try_update_value(|replies| {
            if let Some(reply) = replies.reply_mut(ticket) {
                change(reply);
            }
            replies.is_shown(ticket)
        });
        if shown == Some(true) {
            self.draw();
        }
    }

    /// Whether nobody has asked about its move again.
    fn is_current(&self, ticket: Ticket) -> bool {
        let found = self
            .replies
            .try_update_value(|replies| replies.reply_mut(ticket).is_some());
        found == Some(true)
    }

    /// Asks for a comment.
    pub fn ask(&self) {
        let Some(Prepared { sheet, prompt, .. }) = self.prepared.get_untracked() else {
            return;
        };
        let Some(ticket) = self.begin(Exchange::Asking {
            again: false,
            declaring: false,
            waiting: None,
        }) else {
            return;
        };
        let this = *self;
        spawn_local(async move {
            let review = Review::of(&prompt);
            let about = sheet.clone();
            let hear = move |heard| this.hear(ticket, heard, &about);
            let (reviewed, ending) = reviewed(this.endpoint, review, prompt.messages, &sheet, this.stop, hear).await;
            let view = reviewed.map(|reviewed| CheckedView::new(&reviewed, &sheet));
            this.change(ticket, |reply| {
                reply.arriving.clear();
                reply.checked = view;
                reply.exchange = match ending {
                    Ending::Answered { model, note } => Exchange::Answered { model, note },
                    Ending::Failed { what, advice } => Exchange::Failed { what, advice },
                };
            });
        });
    }

    fn hear(&self, ticket: Ticket, heard: Heard, sheet: &FactSheet) {
        self.change(ticket, |reply| {
            let (mut again, was_declaring) = match reply.exchange {
                Exchange::Asking { again, declaring, .. } => (again, declaring),
                _ => (false, false),
            };
            let (mut declaring, mut waiting) = (false, None);
            match heard {
                Heard::Text(text) => reply.arriving.push_str(&text),
                Heard::Recalled => reply.arriving.clear(),
                Heard::Waiting(reason) => (declaring, waiting) = (was_declaring, Some(reason)),
                Heard::Whole(reviewed) => {
                    reply.arriving.clear();
                    reply.checked = Some(CheckedView::new(&reviewed, sheet));
                    declaring = true;
                }
                Heard::Again => {
                    reply.arriving.clear();
                    again = true;
                }
            }
            reply.exchange = Exchange::Asking {
                again,
                declaring,
                waiting,
            };
        });
    }

    /// Checks an answer that the user brought from elsewhere; a second one after an objection is the model's second. An answer
    /// brings its claims along; where it does not and a model is connected that declares claims, it is asked for them, else the
    /// user is given what to ask the chat, and the claims alone may be pasted.
    pub fn paste(&self, answer: &str) {
        let Some(Prepared { sheet, prompt, .. }) = self.prepared.get_untracked() else {
            return;
        };
        let review = self.pasted.try_update_value(Option::take).flatten();
        let reads = self.endpoint.reads_given_texts();
        let mut review = review.unwrap_or_else(|| Review::of(&prompt)).declaring(true);
        let Some(ticket) = self.begin(Exchange::Quiet) else {
            return;
        };
        let (this, answer) = (*self, answer.to_owned());
        spawn_local(async move {
            let pace = Slices::new();
            let mut next = Some(review.take_by_hand(&sheet, &answer, &pace).await);
            let (mut kept, mut claims_wanted) = (None, None);
            if let Some(Revision::Declare(question)) = &next
                && !reads
            {
                claims_wanted = Some(conversation(question));
                kept = Some(review.clone());
                next = review.by_words(&sheet, &pace).await;
            }
            if let Some(Revision::Declare(question)) = next {
                // As its words were checked, until its claims are known.
                let whole = review.meanwhile(&sheet, &pace).await;
                if !this.is_current(ticket) {
                    return;
                }
                let view = whole.map(|whole| CheckedView::new(&whole, &sheet));
                this.change(ticket, |reply| {
                    reply.checked = view;
                    reply.exchange = Exchange::Asking {
                        again: false,
                        declaring: true,
                        waiting: None,
                    };
                });
                let about = sheet.clone();
                let hear = move |heard| this.hear(ticket, heard, &about);
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
            if this.replies.try_with_value(|replies| replies.is_shown(ticket)) == Some(true) {
                // The next answer is the model's second.
                this.pasted
                    .set_value(kept.or_else(|| objection.is_some().then_some(review)));
            }
            let view = reviewed.map(|reviewed| CheckedView::new(&reviewed, &sheet));
            this.change(ticket, |reply| {
                reply.objection = objection;
                reply.claims_wanted = claims_wanted;
                reply.checked = view;
                reply.exchange = Exchange::Pasted;
            });
        });
    }

    /// Ends the running exchange; what has come is checked and kept.
    pub fn stop(&self) {
        if let Some(stop) = self.stop.try_update_value(Option::take).flatten() {
            stop.now();
        }
    }
}
