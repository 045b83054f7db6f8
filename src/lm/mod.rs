//! Small language models: their file, their forward pass, and the cache of what they have read. Nothing here knows chess;
//! what the tokens mean is [`crate::blindfold`]'s business.
//!
//! | file | what is there | feature |
//! |---|---|---|
//! | [`header`] | what a model is, and what its text looks like | |
//! | [`description`] | what is said of a file that was read | |
//! | `file` | the file: safetensors with a header in JSON, never trusted | `net` |
//! | `model` | the weights, each in its place | `net` |
//! | `graph` | a transformer as a tract graph | `net` |
//! | `transformer`, `lstm` | what is remembered of the tokens read, and how more are read | `net` |
//! | `read_error` | why a sequence cannot be read | `net` |
//! | `reader` | a sequence read token by token, with what it shares with the one before kept | `net` |

pub mod description;
pub mod header;

pub use {description::LanguageModelDescription, header::Header};

#[cfg(feature = "net")]
pub mod file;
#[cfg(feature = "net")]
mod graph;
#[cfg(feature = "net")]
mod lstm;
#[cfg(feature = "net")]
pub mod model;
#[cfg(feature = "net")]
pub mod read_error;
#[cfg(feature = "net")]
pub mod reader;
#[cfg(feature = "net")]
mod transformer;

#[cfg(feature = "net")]
pub use {file::FileError, model::Model, read_error::ReadError, reader::Reader};
