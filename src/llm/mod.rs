//! Talking to language models: requests, replies, streams. Pure: the bytes are carried by `services`.
//!
//! One request goes like this: [`endpoint_url`] says where, [`ChatRequest::body`] and [`ApiKey::header_value`] say
//! what is sent. An answer that is not 2xx becomes a [`ChatError`] by [`ChatError::from_response`]; a 2xx is fed to a
//! [`ReplyStream`], whose [`ReplyStream::finish`] gives the [`Reply`] or the one error. [`RetryPolicy`] says whether to
//! try again and when, [`ChatRequest::adapted`] whether the same question could be put in a way this server takes.

pub mod base_url;
pub mod chat;
mod chunk;
mod complaint;
pub mod error;
pub mod key;
pub mod models;
pub mod reply;
mod response;
pub mod retry;
pub mod sse;
mod thinking;

pub use base_url::{BaseUrlError, Reach, endpoint_url, models_url, reach};
pub use chat::{ChatRequest, LimitName, Message, Role};
pub use error::{Blockage, ChatError};
pub use key::{ApiKey, KeyError};
pub use models::model_names;
pub use reply::{Delta, Finish, Reply, ReplyStream, Usage};
pub use retry::RetryPolicy;
pub use sse::{SseError, SseEvent, SseParser};
