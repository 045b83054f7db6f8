//! GCC-Eval: a language model scores one comment on one criterion, from 1 to 5 (CCC, section 3.2, figure A1).
//!
//! The parts of the prompt are the paper's, the words ours: the task, the criterion, numbered steps, the inputs, and a last
//! line that asks for the score alone. Correctness has no GCC-Eval there; the claim check stands in its place
//! ([`claim_score`](super::claim_score)).
//!
//! | file | what is there |
//! |---|---|
//! | [`prompt`] | what is asked, with fixed steps or with the model's own |
//! | [`score`] | what a reply says, as probabilities of the five scores |
//! | [`digits`] | where a text gives a score |

pub mod digits;
pub mod prompt;
pub mod score;

use crate::commentary::kinds::kinds;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

kinds! {
    /// What a comment is scored on.
    Criterion {
        /// It speaks of what matters about the move.
        Relevance = "relevance",
        /// It leaves nothing out that matters.
        Completeness = "completeness",
        /// It is clear and detailed.
        Clarity = "clarity",
        /// It reads well.
        Fluency = "fluency",
    }
}

impl Criterion {
    /// Whether the engine's sentence is shown: to judge what matters, one has to know it.
    #[must_use]
    pub const fn shows_engine(self) -> bool {
        matches!(self, Self::Relevance | Self::Completeness)
    }

    /// Whether position and move are shown: fluency is a matter of the text alone.
    #[must_use]
    pub const fn shows_move(self) -> bool {
        !matches!(self, Self::Fluency)
    }

    /// As a table heads its column.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Relevance => "Relevance",
            Self::Completeness => "Completeness",
            Self::Clarity => "Clarity",
            Self::Fluency => "Fluency",
        }
    }

    /// The metric's name in tables of scores, such as `gcc-relevance`.
    #[must_use]
    pub fn metric(self) -> String {
        format!("gcc-{}", self.word())
    }
}

impl Serialize for Criterion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Criterion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Self::of_word(&word).ok_or_else(|| D::Error::custom(format!("`{word}` is no criterion of GCC-Eval")))
    }
}
