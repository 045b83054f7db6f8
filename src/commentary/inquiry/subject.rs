//! What a question asks about.

use shakmaty::Position;

use super::{
    look::{Finding, Look, is_forced},
    question::Question,
};
use crate::chess::Played;

/// A line that a question asks about.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedLine {
    /// Its last move, with what led there: that move is analysed.
    pub played: Played,
    /// With move numbers, "12...Bxh4 13.gxh4".
    pub title: String,
    /// Whether it is a single move in the place of the one under discussion: the two are compared.
    pub instead: bool,
}

/// What a question asks about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inquiry {
    /// The kind of question.
    pub question: Question,
    /// To be analysed; none where the fact sheet or `looks` are enough. Those that are compared are in `looks` too.
    pub lines: Vec<AskedLine>,
    /// To be searched.
    pub looks: Vec<Look>,
    /// What the rules alone answer: that nothing can take a man, that a move cannot be played.
    pub notes: Vec<String>,
}

impl Inquiry {
    /// What is looked at, for the reader: the titles of the lines, and those of the searches.
    #[must_use]
    pub fn titles(&self, played: &Played) -> Vec<String> {
        let lines = self.lines.iter().map(|line| line.title.clone());
        lines
            .chain(self.looks.iter().filter_map(|look| look.title(played)))
            .collect()
    }

    /// What is to be searched beyond `looks`, once these were.
    #[must_use]
    pub fn more(&self, played: &Played, found: &[Finding]) -> Option<Look> {
        let Question::Plan { of } = self.question else {
            return None;
        };
        let [
            Finding {
                look: Look::After,
                result,
            },
        ] = found
        else {
            return None;
        };
        let passes = of == played.mover() && !played.after.is_check();
        (passes && is_forced(&played.after, result)).then_some(Look::Passed)
    }
}
