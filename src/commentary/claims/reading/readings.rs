//! What words may say, as data.

use std::ops::Range;

use super::super::statement::{Predicate, Statement};

/// What some words may say: one of the alternatives, of each of which all statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What is said.
    pub predicate: Predicate,
    /// The alternatives, none of them empty.
    pub alternatives: Vec<Vec<Statement>>,
    /// More of them, where the men that are named don't stand on the board: of positions that earlier sentences have come by.
    pub elsewhere: Vec<Vec<Statement>>,
}
