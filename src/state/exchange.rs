//! An exchange with the language model whose replies are checked: a reply with wrong claims goes back once. Where the user
//! wants it, the model declares the claims of each reply, and the reply is checked by those.

use leptos::prelude::*;

use super::endpoint::EndpointState;
use crate::{
    browser::slices::Slices,
    commentary::{FactSheet, Review, Reviewed, Revision, revision::Attempt},
    llm::{Delta, Message},
    services::{
        attempt::Step,
        endpoint::{Stop, stopper},
    },
};

/// What happens meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// More of the reply: unchecked prose.
    Text(String),
    /// All of the reply so far was thinking.
    Recalled,
    /// Thinking that is not part of the reply, or a wait: why it takes longer.
    Waiting(String),
    /// The reply is whole; this is what its words say. The model is being asked for the claims it meant to make.
    Whole(Box<Reviewed>),
    /// The reply had wrong claims and has gone back with the reasons.
    Again,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// With a whole reply.
    Answered {
        /// The model that answered.
        model: String,
        /// What there is to know of how it ended.
        note: Option<&'static str>,
    },
    /// With an error.
    Failed {
        /// What happened.
        what: String,
        /// What to do.
        advice: String,
    },
}

/// The way to stop a running exchange.
pub type StopSlot = StoredValue<Option<Stop>, LocalStorage>;

/// Asks once and checks the reply as it is: nothing goes back and nothing is left out. With the model that answered. The error
/// is what happened and what to do.
pub async fn answered(
    endpoint: EndpointState,
    messages: Vec<Message>,
    sheet: &FactSheet,
    slot: StopSlot,
) -> Result<(Attempt, String), String> {
    let (stop, stopped) = stopper();
    slot.try_set_value(Some(stop));
    let reply = endpoint.converse(messages, stopped, |_| ()).await;
    let reply = reply.map_err(|failure| format!("{} {}", failure.what, failure.advice))?;
    let model = reply.model.clone().unwrap_or_else(|| endpoint.model());
    let attempt = Attempt::read(sheet, &reply.text, reply.is_cut(), &Slices::new()).await;
    Ok((attempt, model))
}

/// Asks until the check is done with the replies, which are checked by what the model declares of them where the user wants
/// it. What an exchange that failed had brought is checked too: it is `None` only
/// where nothing arrived.
pub async fn reviewed(
    endpoint: EndpointState,
    review: Review,
    messages: Vec<Message>,
    sheet: &FactSheet,
    slot: StopSlot,
    hear: impl Fn(Heard) + Clone,
) -> (Option<Reviewed>, Ending) {
    let review = review.declaring(endpoint.declares());
    reviewed_by_words(endpoint, review, messages, sheet, slot, hear).await
}

/// The same, of replies that are checked by their words unless `review` says otherwise.
pub async fn reviewed_by_words(
    endpoint: EndpointState,
    mut review: Review,
    mut messages: Vec<Message>,
    sheet: &FactSheet,
    slot: StopSlot,
    hear: impl Fn(Heard) + Clone,
) -> (Option<Reviewed>, Ending) {
    loop {
        let (stop, stopped) = stopper();
        slot.try_set_value(Some(stop));
        let tell = hear.clone();
        let on_step = move |step| match step {
            Step::Delta(Delta::Text(text)) => tell(Heard::Text(text)),
            step => tell_waiting(&tell, step),
        };
        match endpoint.converse(messages, stopped, on_step).await {
            Ok(reply) => {
                let pace = Slices::new();
                let ending = Ending::Answered {
                    note: reply.note(),
                    model: reply.model.clone().unwrap_or_else(|| endpoint.model()),
                };
                let next = match review.take(sheet, &reply.text, reply.is_cut(), &pace).await {
                    Revision::Declare(question) => {
                        if let Some(whole) = review.meanwhile(sheet, &pace).await {
                            hear(Heard::Whole(Box::new(whole)));
                        }
                        declared(endpoint, &mut review, question, sheet, slot, hear.clone()).await
                    }
                    next => Some(next),
                };
                match next {
                    Some(Revision::Done(reviewed)) => return (Some(*reviewed), ending),
                    Some(Revision::Ask(next)) => {
                        hear(Heard::Again);
                        messages = next;
                    }
                    // The user has had enough.
                    Some(Revision::Declare(_)) | None => return (review.finish(sheet, &pace).await, ending),
                }
            }
            Err(failure) => {
                let pace = Slices::new();
                let reviewed = match (review.finish(sheet, &pace).await, failure.kept.trim()) {
                    (Some(first), _) => Some(first),
                    (None, "") => None,
                    // Shown as far as it came, the unfinished sentence too: the reader saw it arrive.
                    (None, kept) => match review.take(sheet, kept, false, &pace).await {
                        Revision::Done(reviewed) => Some(*reviewed),
                        Revision::Ask(_) | Revision::Declare(_) => review.finish(sheet, &pace).await,
                    },
                };
                let (what, advice) = (failure.what, failure.advice);
                return (reviewed, Ending::Failed { what, advice });
            }
        }
    }
}

/// Asks for the claims of the text that is under review; what to do then, nothing where the user stopped it.
pub async fn declared(
    endpoint: EndpointState,
    review: &mut Review,
    question: Vec<Message>,
    sheet: &FactSheet,
    slot: StopSlot,
    hear: impl Fn(Heard),
) -> Option<Revision> {
    let (stop, stopped) = stopper();
    slot.try_set_value(Some(stop));
    let answer = endpoint
        .ask_for_claims(question, stopped, |step| tell_waiting(&hear, step))
        .await;
    match answer {
        Ok(answer) => {
            let pace = Slices::new();
            review.declared(sheet, &answer.text, answer.is_cut(), &pace).await
        }
        Err(failure) => {
            let next = review.undeclared(sheet, &failure.what, &Slices::new()).await;
            match next {
                Some(Revision::Ask(_)) if failure.stopped => None,
                next => next,
            }
        }
    }
}

/// Tells why it takes longer.
fn tell_waiting(tell: &impl Fn(Heard), step: Step) {
    match step {
        Step::Delta(Delta::Text(_)) => {}
        Step::Delta(Delta::Recalled) => tell(Heard::Recalled),
        Step::Delta(Delta::Thinking(_)) => tell(Heard::Waiting("The model is thinking.".into())),
        Step::Waiting { reason, wait, .. } => {
            let seconds = wait.as_secs_f64().ceil();
            tell(Heard::Waiting(format!("{reason} Trying again in {seconds:.0} s.")));
        }
    }
}
