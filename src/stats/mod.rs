//! Statistics of ratings: means and their intervals, paired tests, agreement between raters, correlation.
//!
//! | file | what is there |
//! |---|---|
//! | [`mean`] | means with t intervals, plain and over clusters |
//! | [`rate`] | rates with Wilson's interval |
//! | [`paired`] | Wilcoxon's signed-rank test and the sign-flip permutation test |
//! | [`holm`] | p-values of many comparisons |
//! | [`reach`] | the smallest p-value that a study can reach |
//! | [`kappa`] | Fleiss' kappa |
//! | [`alpha`] | Krippendorff's alpha |
//! | [`bootstrap`] | intervals by drawing anew |
//! | [`icc`] | intraclass correlation, two-way random effects |
//! | [`correlation`] | Pearson's r and Kendall's tau-b |
//! | [`effect`] | the size of differences: Cohen's d, Cliff's delta |
//! | [`slope`] | least squares with an interval |
//! | [`performance`] | the rating that results come to |
//! | [`bradley_terry`] | strengths from comparisons two by two |
//! | [`bayes_elo`] | ratings from games, with draws and the first move's advantage |
//!
//! Ranks, and what counts as equal, are those of [`ranks`](crate::ranks): ties by value at [`DOUBLE`] precision, so that the order
//! in which a figure was summed decides nothing.
//!
//! What a definition divides by may be zero. Every figure is then an [`Undefined`] with its reason, never NaN. The
//! distributions' functions are `statrs`'; the definitions are written out here, each with its source.
//!
//! ```
//! use kibitz::stats::{holm::holm, mean::mean_interval};
//!
//! let mean = mean_interval(&[3.0, 4.0, 5.0], 0.95)?;
//! assert_eq!((mean.n, mean.mean), (3, 4.0));
//! assert_eq!(holm(&[0.01, 0.04]), [0.02, 0.04]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::Serialize;

use crate::ranks::{DOUBLE, same};

pub mod alpha;
pub mod bayes_elo;
pub mod bootstrap;
pub mod bradley_terry;
mod cholesky;
pub mod correlation;
mod distributions;
pub mod effect;
pub mod holm;
pub mod icc;
pub mod kappa;
pub mod mean;
pub mod paired;
pub mod performance;
pub mod rate;
pub mod reach;
pub mod slope;

/// Why a figure is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    /// There are too few values.
    #[error("too few {what}: {found}, where at least {needed} are needed")]
    TooFew {
        /// Of what: "ratings".
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many the definition needs.
        needed: usize,
    },
    /// Nothing varies, so that a definition divides by zero.
    #[error("all {what} are the same")]
    AllSame {
        /// What does not vary, in the plural: "ratings".
        what: &'static str,
    },
    /// No pair has a difference to test.
    #[error("no pair differs")]
    NoDifference,
    /// Not every rater rated every item.
    #[error("only {items} of the items were rated by all {raters} raters; at least 2 are needed")]
    NotCrossed {
        /// Items rated by all.
        items: usize,
        /// Raters of whom all should have rated them.
        raters: usize,
    },
    /// Raters agree so fully that there is no error to compute an interval from.
    #[error("the raters agree fully, which leaves no error for an interval")]
    NoError,
    /// The F distribution that an interval is read from has no degrees of freedom left.
    #[error("no degrees of freedom are left for an interval")]
    NoFreedom,
    /// A value is infinite or not a number.
    #[error("a value is no finite number")]
    NotFinite,
    /// More than is computed with.
    #[error("too many {what}: {found}, where at most {most} are taken")]
    TooMany {
        /// Of what: "different ratings".
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are taken.
        most: usize,
    },
    /// A bootstrap's draws mostly have no figure.
    #[error("in more than one resample of ten the figure is not defined")]
    Resamples,
    /// Groups of methods were never compared with each other.
    #[error("the methods fall into groups that were never compared with each other")]
    NotCompared,
    /// Some methods won every comparison with the others, so that no finite strength is the best.
    #[error("some of the methods won every comparison with the others, so that their strengths have no finite values")]
    AlwaysWon,
    /// All results were wins, or all were losses: no finite rating is the best.
    #[error("all results are wins, or none is, so that the rating has no finite value")]
    Extreme,
    /// A count or weight is below zero.
    #[error("a number of {what} is negative")]
    Negative {
        /// Of what: "wins".
        what: &'static str,
    },
    /// A search for the best values has not ended.
    #[error("the best values were not found in {steps} steps")]
    NotFound {
        /// The steps tried.
        steps: usize,
    },
}

impl Serialize for Undefined {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Whether there are at least `needed` numbers, all finite.
fn enough(values: &[f64], what: &'static str, needed: usize) -> Result<(), Undefined> {
    if values.iter().any(|value| !value.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    let found = values.len();
    if found < needed {
        return Err(Undefined::TooFew { what, found, needed });
    }
    Ok(())
}

/// Whether all numbers are the same at [`DOUBLE`] precision; true of none.
fn all_same(values: &[f64]) -> bool {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.is_empty() || same(lowest, highest, DOUBLE)
}

/// Whether a difference counts as one at [`DOUBLE`] precision.
fn is_zero(difference: f64) -> bool {
    same(difference, 0.0, DOUBLE)
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_sentences() {
        let one = Undefined::TooFew {
            what: "ratings",
            found: 1,
            needed: 2,
        };
        assert_eq!(one.to_string(), "too few ratings: 1, where at least 2 are needed");
        assert_eq!(
            serde_json::to_string(&Undefined::AllSame { what: "ratings" }).unwrap(),
            "\"all ratings are the same\""
        );
    }
}
