//! What an analysis is asked for.

use std::collections::BTreeSet;

use serde::Serialize;

use super::quality::Limits;
use crate::stats::reach::PairedTest;

/// How to analyse.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The method that the others are compared with.
    pub baseline: Option<String>,
    /// The test of the comparisons.
    pub test: Test,
    /// The level of all intervals.
    pub level: f64,
    /// When raters are flagged.
    pub limits: Limits,
    /// Whether flagged raters are left out.
    pub exclude_flagged: bool,
    /// Raters who are left out in any case.
    pub exclude: BTreeSet<String>,
    /// Whether comments that are the reference itself count in BLEU and ROUGE, where their overlap is 1, as in the paper.
    pub count_reference: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            baseline: None,
            test: Test::SignedRank,
            level: 0.95,
            limits: Limits::default(),
            exclude_flagged: false,
            exclude: BTreeSet::new(),
            count_reference: false,
        }
    }
}

/// A test of paired differences, one for each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// Wilcoxon's signed-rank test.
    SignedRank,
    /// The permutation test that flips signs.
    SignFlips {
        /// How many flips are drawn where there are too many to try them all.
        flips: u32,
        /// What they are drawn with.
        seed: u64,
    },
}

impl From<Test> for PairedTest {
    fn from(test: Test) -> Self {
        match test {
            Test::SignedRank => Self::SignedRank,
            Test::SignFlips { flips, .. } => Self::SignFlips { flips },
        }
    }
}

impl Test {
    /// In words, with what it counts and how p-values are adjusted.
    #[must_use]
    pub fn words(self) -> String {
        let test = match self {
            Self::SignedRank => "Wilcoxon signed-rank test, two-sided".to_owned(),
            Self::SignFlips { flips, seed } => {
                format!("sign-flip permutation test, two-sided, at most {flips} flips, seed {seed}")
            }
        };
        format!(
            "{test}, of the positions' differences (each the mean over raters of both methods); p adjusted by Holm's method over all comparisons"
        )
    }
}
