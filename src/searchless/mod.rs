//! Models that say in one look what a move or a board is worth, or which move is played: their file and their forward pass.
//! Nothing here knows chess; what the symbols and the outputs mean is `crate::chessbench`'s business, and how the models are trained
//! `training/searchless`'s.
//!
//! | file | what is there | feature |
//! |---|---|---|
//! | [`header`] | what a model is | |
//! | [`description`] | what is said of a file that was read | |
//! | `file` | the file: safetensors with a header in JSON, never trusted | `net` |
//! | `model` | the weights, each in its place | `net` |
//! | `graph` | the model as a tract graph | `net` |
//! | `reader` | rows of symbols read, many at a time | `net` |

pub mod description;
pub mod header;

pub use {description::SearchlessDescription, header::SearchlessHeader};

#[cfg(feature = "net")]
pub mod file;
#[cfg(feature = "net")]
mod graph;
#[cfg(feature = "net")]
pub mod model;
#[cfg(feature = "net")]
pub mod reader;

#[cfg(feature = "net")]
pub use {model::SearchlessModel, reader::SearchlessReader};
