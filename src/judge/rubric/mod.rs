//! The pairwise rubric: two comments on one move, six criteria from 1 to 5 for each, totals and a winner.
//!
//! The source is the rubric document ("Chess Commentary Pairwise Evaluation Rubric"). It contradicts itself twice: it speaks
//! of weighted totals and writes a plain sum, and it wants scores before the winner and a line that begins with the winner.
//! Here totals are the plain sum unless weights are given; the judge writes its scores first and the line last; totals and
//! winner are computed again and never believed.
//!
//! | file | what is there |
//! |---|---|
//! | [`features`] | what a judge is told of the move, absences too |
//! | [`prompt`] | the rubric as a prompt |
//! | [`mod@line`] | the line of 18 fields |
//! | [`support`] | whether the features support a declared claim, for the hard rule |
//! | [`decision`] | totals, hard rule, tie-breaks, both orders together |

pub mod decision;
pub mod features;
pub mod line;
pub mod prompt;
pub mod support;

use crate::commentary::kinds::kinds;
use serde::{Deserialize, Serialize};

kinds! {
    /// What both comments are rated on, in the order of the line.
    Quality {
        /// It says nothing that the context does not support.
        Faithfulness = "faithfulness",
        /// It speaks of the move and of what matters most about it.
        Relevance = "relevance",
        /// It says something concrete and useful.
        Informativeness = "informativeness",
        /// It reads easily.
        Clarity = "clarity",
        /// It sounds like a person.
        HumanLikeness = "human-likeness",
        /// It is neither too long nor too short.
        Conciseness = "conciseness",
    }
}

impl Quality {
    /// As a table heads its column.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Faithfulness => "Faithfulness",
            Self::Relevance => "Relevance",
            Self::Informativeness => "Informativeness",
            Self::Clarity => "Clarity",
            Self::HumanLikeness => "Human-likeness",
            Self::Conciseness => "Conciseness",
        }
    }
}

/// Ratings of one comment, in the order of [`Quality::ALL`]: 1 to 5 each.
pub type Ratings = [u8; 6];

/// Which of two comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Winner {
    /// The first.
    A,
    /// The second.
    B,
    /// Neither: the comments are equally good.
    #[serde(rename = "TIE")]
    Tie,
}

impl Winner {
    /// As the line has it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::Tie => "TIE",
        }
    }
}
