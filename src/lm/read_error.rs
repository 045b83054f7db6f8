//! Why a model cannot read a sequence.

use thiserror::Error;

/// Why a sequence can't be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The graph could not be built.
    #[error("the model's graph could not be built: {0}")]
    Build(String),
    /// The graph failed.
    #[error("the model failed: {0}")]
    Run(String),
    /// There is nothing to read.
    #[error("there are no tokens to read")]
    Nothing,
    /// The sequence is longer than the model reads.
    #[error("the text has {found} tokens, and the model reads {context}")]
    TooLong {
        /// Tokens of the sequence.
        found: usize,
        /// Tokens that the model reads.
        context: usize,
    },
    /// A token is not in the vocabulary.
    #[error("the text has token {0}, which is not in the model's vocabulary")]
    NoToken(u8),
    /// What it says are not numbers.
    #[error("the model's answer is not a number")]
    NotNumbers,
}
