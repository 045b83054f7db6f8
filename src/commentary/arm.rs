//! The arms of the ablation: how much a language model is told besides the board and the move.
//!
//! | | `llm` | `engine` | `ccc` | `facts` | `full` |
//! |---|---|---|---|---|---|
//! | the engine's evaluation, in the paper's wording | | ✓ | ✓ | ✓ | ✓ |
//! | all attacks | | | ✓ | ✓ | ✓ |
//! | concepts, the most important first | | | ✓ | | ✓ |
//! | our fact sheet, and the men by square | | | | ✓ | ✓ |
//! | worked examples, chain of thought ([`Guidance::of`]) | | | ✓ | ✓ | ✓ |
//!
//! The first three are the methods of the paper's Table 1 (GPT-4o, GPT-4o + expert, CCC). `ccc` against `engine` is what the
//! paper measures, `full` against `facts` what concepts add to our sheet. Who names the concepts is a setting of its own.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::concepts::Choice;

/// What a language model is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// The board and the move alone.
    Llm,
    /// The engine's evaluation as well.
    Engine,
    /// Prioritised concepts and the attacks as well: the paper's method.
    Ccc,
    /// The engine's evaluation, the attacks and the fact sheet, and no concepts.
    Facts,
    /// Everything. Files written before the concepts' source was a setting call it by its source.
    #[default]
    #[serde(alias = "probes", alias = "terms")]
    Full,
}

/// A word that names no arm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no arm: llm, engine, ccc, facts or full")]
pub struct UnknownArm(String);

impl Arm {
    /// All of them, from the one that is told least to the one that is told most.
    pub const ALL: [Self; 5] = [Self::Llm, Self::Engine, Self::Ccc, Self::Facts, Self::Full];

    /// One lower-case word, for files, options and links.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Llm => "llm",
            Self::Engine => "engine",
            Self::Ccc => "ccc",
            Self::Facts => "facts",
            Self::Full => "full",
        }
    }

    /// As it is called in controls and tables.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Llm => "LLM",
            Self::Engine => "LLM + engine",
            Self::Ccc => "LLM + engine + concepts (CCC)",
            Self::Facts => "LLM + fact sheet",
            Self::Full => "LLM + fact sheet + concepts",
        }
    }

    /// Whether it hears what the engine thinks of the move.
    #[must_use]
    pub const fn tells_engine(self) -> bool {
        !matches!(self, Self::Llm)
    }

    /// Whether it hears which concepts the move changed.
    #[must_use]
    pub const fn tells_concepts(self) -> bool {
        matches!(self, Self::Ccc | Self::Full)
    }

    /// Whether it hears all attacks.
    #[must_use]
    pub const fn tells_attacks(self) -> bool {
        matches!(self, Self::Ccc | Self::Facts | Self::Full)
    }

    /// Whether it hears the fact sheet, and where the men stand.
    #[must_use]
    pub const fn tells_facts(self) -> bool {
        matches!(self, Self::Facts | Self::Full)
    }
}

/// What helps a model to a good answer without telling it anything about the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Guidance {
    /// Whether worked examples come before the question (few-shot).
    pub examples: bool,
    /// Whether the model reasons in writing before the comment (chain of thought).
    pub reasoning: bool,
}

impl Guidance {
    /// As the arm has it unless somebody chooses otherwise. The paper's baselines have neither.
    #[must_use]
    pub const fn of(arm: Arm) -> Self {
        let guided = !matches!(arm, Arm::Llm | Arm::Engine);
        Self {
            examples: guided,
            reasoning: guided,
        }
    }
}

/// An arm as an option or a link names it. Two words of former arms name the concepts' source too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArmWord {
    /// The arm.
    pub arm: Arm,
    /// Who names the concepts, where the word says so.
    pub concepts: Option<Choice>,
}

impl FromStr for ArmWord {
    type Err = UnknownArm;

    fn from_str(word: &str) -> Result<Self, UnknownArm> {
        let former = |choice| Self {
            arm: Arm::Full,
            concepts: Some(choice),
        };
        match word {
            "probes" => return Ok(former(Choice::Probes)),
            "terms" => return Ok(former(Choice::Stockfish8)),
            _ => {}
        }
        let arm = Arm::ALL.into_iter().find(|arm| arm.word() == word);
        arm.map(|arm| Self { arm, concepts: None })
            .ok_or_else(|| UnknownArm(word.chars().take(20).collect()))
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
        word.parse().map(|word: ArmWord| word.arm)
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

    #[test]
    fn former_words_are_still_read() {
        for (word, choice) in [("probes", Choice::Probes), ("terms", Choice::Stockfish8)] {
            let read: ArmWord = word.parse().unwrap();
            assert_eq!((read.arm, read.concepts), (Arm::Full, Some(choice)));
            assert_eq!(serde_json::from_value::<Arm>(word.into()).unwrap(), Arm::Full);
        }
        assert_eq!("ccc".parse::<ArmWord>().unwrap().concepts, None);
    }

    #[test]
    fn every_arm_is_told_more_than_the_one_before_it_or_something_else() {
        let given = |arm: Arm| {
            [
                arm.tells_engine(),
                arm.tells_attacks(),
                arm.tells_concepts(),
                arm.tells_facts(),
            ]
        };
        assert_eq!(given(Arm::Llm), [false; 4]);
        assert_eq!(given(Arm::Engine), [true, false, false, false]);
        assert_eq!(given(Arm::Ccc), [true, true, true, false]);
        assert_eq!(given(Arm::Facts), [true, true, false, true]);
        assert_eq!(given(Arm::Full), [true; 4]);
    }
}
