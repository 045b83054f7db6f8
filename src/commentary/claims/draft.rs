//! What the readers of a text hand on: what a claim is about, where its words stand, and whether it holds.

use std::ops::Range;

use super::{claim::ClaimKind, truth::Truth};

/// A claim before it has its words.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What it is about.
    pub kind: ClaimKind,
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What the board says.
    pub truth: Truth,
}
