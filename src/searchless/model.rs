//! The weights of a model without search.

use super::{description::SearchlessDescription, header::SearchlessHeader};
use crate::tensors::layers::{Dense, Matrix, Norm};

/// A model that was read from a file: every number is finite, every shape as the header says.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchlessModel {
    /// What it is.
    pub header: SearchlessHeader,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// Rows × width, by the root of the width: what stands for each symbol, a character or an action.
    pub(super) embedding: Vec<f32>,
    /// Places × width.
    pub(super) positions: Vec<f32>,
    /// The first block first.
    pub(super) blocks: Vec<Block>,
    /// Before the head.
    pub(super) norm: Norm,
    /// What it says.
    pub(super) head: Dense,
}

/// A block: attention of every place to every place, and SwiGLU, each behind a norm.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    /// Before attention.
    pub before_attention: Norm,
    pub queries: Matrix,
    pub keys: Matrix,
    pub values: Matrix,
    /// What attention gave, put together.
    pub out: Matrix,
    /// Before the dense part.
    pub before_dense: Norm,
    pub gate: Matrix,
    pub up: Matrix,
    pub down: Matrix,
}

impl SearchlessModel {
    /// What is said of it; its file has so many bytes.
    #[must_use]
    pub fn description(&self, bytes: usize) -> SearchlessDescription {
        SearchlessDescription {
            header: self.header.clone(),
            sha256: self.sha256.clone(),
            bytes,
        }
    }
}
