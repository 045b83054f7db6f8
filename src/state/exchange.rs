//! An exchange with the language model whose replies are checked: a reply with wrong claims goes back once.

use leptos::prelude::*;

use super::endpoint::EndpointState;
use crate::{
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
    /// Thinking that is not part of the reply, or a wait: why it takes longer.
    Waiting(String),
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
        /// Whether the bound on its length cut it off.
        cut: bool,
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
    Ok((Attempt::read(sheet, &reply.text, reply.is_cut()), model))
}

/// Asks until the check is done with the replies. What an exchange that failed had brought is checked too: it is `None` only
/// where nothing arrived.
pub async fn reviewed(
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
            Step::Delta(Delta::Thinking(_)) => tell(Heard::Waiting("The model is thinking.".into())),
            Step::Waiting { reason, wait, .. } => {
                let seconds = wait.as_secs_f64().ceil();
                tell(Heard::Waiting(format!("{reason} Trying again in {seconds:.0} s.")));
            }
        };
        match endpoint.converse(messages, stopped, on_step).await {
            Ok(reply) => {
                let ending = Ending::Answered {
                    cut: reply.is_cut(),
                    model: reply.model.clone().unwrap_or_else(|| endpoint.model()),
                };
                match review.take(sheet, &reply.text, reply.is_cut()) {
                    Revision::Done(reviewed) => return (Some(*reviewed), ending),
                    Revision::Ask(next) => {
                        hear(Heard::Again);
                        messages = next;
                    }
                }
            }
            Err(failure) => {
                let reviewed = match (review.finish(sheet), failure.kept.trim()) {
                    (Some(first), _) => Some(first),
                    (None, "") => None,
                    // Shown as far as it came, the unfinished sentence too: the reader saw it arrive.
                    (None, kept) => match review.take(sheet, kept, false) {
                        Revision::Done(reviewed) => Some(*reviewed),
                        Revision::Ask(_) => review.finish(sheet),
                    },
                };
                let (what, advice) = (failure.what, failure.advice);
                return (reviewed, Ending::Failed { what, advice });
            }
        }
    }
}
