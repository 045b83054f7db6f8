//! What was found for a question, in words: moves compared, threats, plans, alternatives. Every sentence rests on facts, of the
//! sheet of the move under discussion or of the sheets of the lines that were looked at.
//!
//! | question | searched | said |
//! |---|---|---|
//! | "why not Nc3?" | both moves side by side | which is better, what the one does and what the other |
//! | "what is the threat?" | the position with the other side to move | what that move does, or that it does nothing much |
//! | "what is White's plan?" | the position after the move; a null move where that line is forced | the side's next moves |
//! | "what else?" | the best moves before the move | those that are as good, with their point |

mod alternatives;
mod comparison;
mod line_sheet;
mod plan;
mod points;
mod reply;
mod threat;

pub use reply::{Looked, Reply};

use super::{
    FactSheet,
    inquiry::{Finding, Inquiry, Look, Question},
};

/// Puts into words what the inquiry's searches found. `sheet` is that of the move under discussion; `engine` is what the
/// engine calls itself. What was not found is not spoken of.
#[must_use]
pub fn reply(sheet: &FactSheet, inquiry: &Inquiry, found: &[Finding], engine: &str) -> Reply {
    let result = |wanted: fn(&Look) -> bool| found.iter().find(|finding| wanted(&finding.look));
    match inquiry.question {
        Question::Moves | Question::Fate => result(|look| matches!(look, Look::Duel(_)))
            .map(|finding| comparison::compared(sheet, inquiry, &finding.result, engine)),
        Question::Threat { by, .. } => found
            .first()
            .and_then(|finding| threat::threat(sheet, by, finding, engine)),
        Question::Plan { of } => plan::plan(sheet, of, found),
        Question::Others => result(|look| *look == Look::Before)
            .and_then(|finding| alternatives::others(sheet, &finding.result, engine)),
        Question::Deeper | Question::Unknown => None,
    }
    .unwrap_or_default()
}
