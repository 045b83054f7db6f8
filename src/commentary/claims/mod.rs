//! The claim check: prose about a move against the board and the engine's lines. No language model has a say in it.

mod claim;
pub mod sentences;

pub use claim::{Checked, Claim, ClaimKind, ClaimVerdict};

use super::FactSheet;

/// Checks prose about a move against its sheet.
#[must_use]
pub fn check(sheet: &FactSheet, text: &str) -> Checked {
    let _ = sheet;
    Checked {
        text: text.to_owned(),
        sentences: sentences::sentences(text),
        claims: Vec::new(),
    }
}
