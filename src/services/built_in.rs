//! The browser's own language model, asked as any other.

use std::{cell::Cell, rc::Rc};

use super::attempt::{Patience, Step};
use crate::{
    browser::{
        built_in_model::{self, ModelError, Session},
        clock,
    },
    llm::{ChatError, ChatRequest, Provider, Reply, ReplyStream},
};

pub use crate::browser::built_in_model::Availability;

/// Whether the model can be used; `None` where the browser has none.
pub async fn availability() -> Option<Availability> {
    built_in_model::availability().await
}

/// Whether the browser has such a model at all, be it on another device.
#[must_use]
pub fn is_present() -> bool {
    built_in_model::is_present()
}

/// Has the browser download its model; `on_progress` hears how far it is, 0 to 1.
///
/// # Errors
/// When the browser does not, or the download failed.
pub async fn download(on_progress: impl Fn(f64) + 'static) -> Result<(), ChatError> {
    Session::create(&[], on_progress)
        .await
        .map(drop)
        .map_err(|error| failed(&error, ""))
}

fn failed(error: &ModelError, received: &str) -> ChatError {
    ChatError::of_built_in(&error.name, &error.message, received)
}

/// One attempt at a reply. `text` always holds what has come.
pub(super) async fn attempt(
    request: &ChatRequest,
    patience: Patience,
    text: &Rc<Cell<String>>,
    on_step: &mut impl FnMut(Step),
) -> Result<Reply, ChatError> {
    let mut stream = ReplyStream::new(Provider::BuiltIn, None);
    let (initial, question) = request.prompts();
    let initial: Vec<_> = initial
        .iter()
        .map(|message| (message.role.word(), message.content.as_str()))
        .collect();
    let begun = clock::now();
    let session = match clock::within(patience.first, Session::create(&initial, |_| {})).await {
        None => return Err(stream.timed_out(patience.first)),
        Some(session) => session.map_err(|error| failed(&error, ""))?,
    };
    let schema = request.answer.as_ref().map(|answer| answer.schema.to_string());
    // Before the first piece the model may refuse the schema; what it says after that is about something else.
    let refused = |error: &ModelError, received: &str| {
        let unknown = matches!(error.name.as_str(), "NotSupportedError" | "TypeError" | "SyntaxError");
        if schema.is_some() && unknown && received.is_empty() {
            ChatError::BadRequest {
                message: error.message.clone(),
                field: Some("responseConstraint".to_owned()),
            }
        } else {
            failed(error, received)
        }
    };
    let mut pieces = session
        .ask(&question, schema.as_deref())
        .map_err(|error| refused(&error, ""))?;
    let mut silence = patience.first;
    while !stream.is_over() {
        if clock::now() - begun > patience.whole.as_secs_f64() * 1000.0 {
            return Err(stream.too_long());
        }
        match clock::within(silence, pieces.next()).await {
            None => return Err(stream.timed_out(silence)),
            Some(Err(error)) => return Err(refused(&error, stream.text())),
            Some(Ok(None)) => break,
            Some(Ok(Some(piece))) => {
                for delta in stream.push_text(&piece) {
                    on_step(Step::Delta(delta));
                }
                text.set(stream.text().to_owned());
                silence = patience.between;
            }
        }
    }
    stream.finish_text()
}
