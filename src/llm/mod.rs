//! Talking to language models: requests, replies, streams. Pure: the bytes are carried by `services`.
//!
//! One request goes like this: a [`Provider`] says where ([`Provider::chat_url`]) and with which headers
//! ([`Provider::headers`]), [`ChatRequest::body`] what is sent. An answer that is not 2xx becomes a [`ChatError`] by
//! [`ChatError::from_response`]; a 2xx is fed to a [`ReplyStream`], whose [`ReplyStream::finish`] gives the [`Reply`] or
//! the one error. [`RetryPolicy`] says whether to try again and when, [`ChatRequest::adapted`] whether the same question
//! could be put in a way this server takes.
//!
//! ```
//! use kibitz::llm::{ChatRequest, Message, Provider, Role};
//!
//! let request = ChatRequest::new("gpt-4o", vec![Message::new(Role::User, "Why e4?")]);
//! assert!(request.body(Provider::OpenAi).contains("Why e4?"));
//! assert_eq!(
//!     Provider::OpenAi.chat_url("https://api.openai.com/v1")?,
//!     "https://api.openai.com/v1/chat/completions"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answer_schema;
mod anthropic;
pub mod base_url;
pub mod body;
pub mod chat;
mod chunk;
mod complaint;
pub mod completion;
pub mod error;
pub mod finish;
mod json;
pub mod key;
pub mod message;
pub mod models;
mod ndjson;
mod ollama;
pub mod probabilities;
pub mod provider;
mod redaction;
pub mod refusals;
pub mod reply;
mod response;
pub mod retry;
mod server_text;
pub mod sse;
pub mod support;
pub mod thinking;
pub mod usage;

pub use answer_schema::AnswerSchema;
pub use base_url::{BaseUrlError, Reach, reach};
pub use chat::{ChatRequest, LimitName};
pub use completion::{Completion, CompletionRequest};
pub use error::{Blockage, ChatError};
pub use finish::Finish;
pub use key::{ApiKey, KeyError};
pub use message::{Message, Role};
pub use models::model_names;
pub use probabilities::{Token, TokenChoice, TokenProbabilities};
pub use provider::{Preset, Provider};
pub use refusals::Refusals;
pub use reply::{Delta, Reply, ReplyStream};
pub use retry::RetryPolicy;
pub use sse::{SseError, SseEvent, SseParser};
pub use support::Support;
pub use usage::Usage;
