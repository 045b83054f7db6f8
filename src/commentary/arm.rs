//! The arms of the ablation: how much a language model is told besides the board and the move.
//!
//! The first three are the methods of the paper's Table 1 (GPT-4o, GPT-4o + expert, GPT-4o + expert + concept); the fourth
//! asks what the concepts owe to being read off a network: it takes them from Stockfish 8's own terms.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{FactKind, FactSheet, fact::Detail};
use crate::concepts::Source;

/// What a language model is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// The board and the move alone.
    Llm,
    /// The engine's evaluation as well.
    Engine,
    /// Concepts from probes on a network, the attacks and the fact sheet as well: the paper's method.
    #[default]
    Probes,
    /// The same with concepts from the terms of Stockfish 8.
    Terms,
}

/// A word that names no arm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no arm: llm, engine, probes or terms")]
pub struct UnknownArm(String);

impl Arm {
    /// All of them, from the one that is told least to the one that is told most.
    pub const ALL: [Self; 4] = [Self::Llm, Self::Engine, Self::Probes, Self::Terms];

    /// One lower-case word, for files, options and links.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Llm => "llm",
            Self::Engine => "engine",
            Self::Probes => "probes",
            Self::Terms => "terms",
        }
    }

    /// As it is called in controls and tables.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Llm => "LLM",
            Self::Engine => "LLM + engine",
            Self::Probes => "LLM + engine + concepts (probes)",
            Self::Terms => "LLM + engine + concepts (Stockfish-8 terms)",
        }
    }

    /// The arm that hears all of a sheet: its concepts' source decides between the last two.
    #[must_use]
    pub fn of(sheet: &FactSheet) -> Self {
        let source = sheet.of_kind(FactKind::Concept).find_map(|fact| match &fact.detail {
            Detail::Concept { source, .. } => Some(source),
            _ => None,
        });
        match source {
            Some(Source::Stockfish8) => Self::Terms,
            _ => Self::Probes,
        }
    }

    /// Whether it hears what the engine thinks of the move.
    #[must_use]
    pub const fn tells_engine(self) -> bool {
        !matches!(self, Self::Llm)
    }

    /// Whether it hears concepts, attacks and facts.
    #[must_use]
    pub const fn tells_concepts(self) -> bool {
        matches!(self, Self::Probes | Self::Terms)
    }
}

/// The word.
impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Arm {
    type Err = UnknownArm;

    fn from_str(word: &str) -> Result<Self, UnknownArm> {
        Self::ALL
            .into_iter()
            .find(|arm| arm.word() == word)
            .ok_or_else(|| UnknownArm(word.chars().take(20).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arm_is_known_by_its_word() {
        for arm in Arm::ALL {
            assert_eq!(arm.word().parse(), Ok(arm));
            assert_eq!(serde_json::to_value(arm).unwrap(), arm.word());
        }
        assert_eq!("concepts".parse::<Arm>(), Err(UnknownArm("concepts".into())));
    }
}
