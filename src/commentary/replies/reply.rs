//! An answer from the facts.

use crate::commentary::{FactSheet, Sentence};

/// What was found for a question.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    /// The answer. Facts of a sentence are those of the sheet it speaks of.
    pub sentences: Vec<Sentence>,
    /// The sheets it rests on, beside that of the move under discussion.
    pub looked: Vec<Looked>,
}

/// A line that was analysed for a question.
#[derive(Debug, Clone)]
pub struct Looked {
    /// As [`AskedLine::title`](crate::commentary::inquiry::AskedLine::title) has it.
    pub title: String,
    /// The facts about its last move.
    pub sheet: FactSheet,
    /// Whether the facts' answer comments on it; what was looked at to compare or to find a threat is spoken of in
    /// [`Turn::found`](crate::commentary::conversation::Turn::found).
    pub narrated: bool,
}
