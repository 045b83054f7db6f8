//! A text with what was found in it: its claims, each with its words, its verdict, and why.

use std::ops::Range;

use serde::Serialize;

use super::{
    claim::{ClaimKind, ClaimVerdict},
    statement::Statement,
};
use crate::commentary::FactId;

/// One claim of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The words that make it.
    pub text: String,
    /// Where they stand: bytes of the checked text, on character boundaries.
    pub span: Range<usize>,
    /// Which sentence holds it, an index of [`Checked::sentences`].
    pub sentence: usize,
    /// What it is about.
    pub kind: ClaimKind,
    /// Whether it holds.
    pub verdict: ClaimVerdict,
    /// The facts of the sheet that carry the verdict; empty where only the board does.
    pub facts: Vec<FactId>,
    /// Why, in a short sentence for the reader.
    pub reason: String,
    /// What it says as data, where it was read so or declared: all of these. What shows that it holds, or does not, comes from them
    /// ([`super::prove`]).
    #[serde(skip)]
    pub statements: Vec<Statement>,
}

/// A text with what was found in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The text, as it was given.
    pub text: String,
    /// Its sentences in order: bytes of the text, without the white space between them.
    pub sentences: Vec<Range<usize>>,
    /// Its claims in the order of the text.
    pub claims: Vec<Claim>,
}

impl Checked {
    /// The claims that are wrong.
    pub fn contradicted(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|c| c.verdict == ClaimVerdict::Contradicted)
    }

    /// True when nothing in it is wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.contradicted().next().is_none()
    }

    /// True when the sentence of this number holds a contradicted claim.
    #[must_use]
    pub fn is_wrong(&self, sentence: usize) -> bool {
        self.contradicted().any(|claim| claim.sentence == sentence)
    }

    /// The text without the sentences that hold a contradicted claim; the others with a space between.
    #[must_use]
    pub fn kept(&self) -> String {
        if self.is_clean() {
            return self.text.trim().to_owned();
        }
        let kept: Vec<&str> = (0..self.sentences.len())
            .filter(|&number| !self.is_wrong(number))
            .filter_map(|number| self.text.get(self.sentences.get(number)?.clone()))
            .collect();
        kept.join(" ")
    }
}
