//! What a paired test can find at most: with few positions no data whatever reach a small p-value. Known before anybody
//! is asked.

use serde::Serialize;

use super::{distributions::normal_two_sided, paired::EXACT_UP_TO};

/// A test of paired differences, one for each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairedTest {
    /// Wilcoxon's signed-rank test, as [`signed_rank`](super::paired::signed_rank) has it.
    SignedRank,
    /// The permutation test, as [`sign_flips`](super::paired::sign_flips) has it.
    SignFlips {
        /// How many flips are drawn where there are too many to try them all.
        flips: u32,
    },
}

/// The smallest two-sided p-value of one comparison on `positions` positions, whatever the ratings: that of differences
/// which all have one sign. 1 without positions.
#[must_use]
pub fn smallest_p(positions: usize, test: PairedTest) -> f64 {
    if positions == 0 {
        return 1.0;
    }
    // All signs one way or all the other: two of 2ⁿ.
    let exact = 2.0_f64.powi(1 - i32::try_from(positions).unwrap_or(i32::MAX));
    match test {
        PairedTest::SignedRank if positions <= EXACT_UP_TO => exact,
        // Of ranks that sum to one side z is Σ r / √Σ r², at most √n: where all are tied.
        PairedTest::SignedRank => normal_two_sided((positions as f64).sqrt()),
        PairedTest::SignFlips { flips } if positions < 32 && 1_u64 << positions <= u64::from(flips) => exact,
        PairedTest::SignFlips { flips } => 1.0 / (f64::from(flips) + 1.0),
    }
}

/// The smallest p-value after Holm's method for `comparisons` comparisons: none is below the smallest times their number.
#[must_use]
pub fn smallest_p_holm(positions: usize, test: PairedTest, comparisons: usize) -> f64 {
    (smallest_p(positions, test) * comparisons.max(1) as f64).min(1.0)
}

/// The fewest positions on which a p-value below `threshold` can be reached; `None` where no number of them is enough,
/// which is so of permutation tests with too few flips.
#[must_use]
pub fn positions_needed(threshold: f64, test: PairedTest, comparisons: usize) -> Option<usize> {
    (1..=EXACT_UP_TO).find(|positions| smallest_p_holm(*positions, test, comparisons) < threshold)
}

/// A sentence where p < `threshold` cannot be reached in a study of so many positions; `None` where it can.
///
/// ```
/// use kibitz::stats::reach::{PairedTest, unreachable_words};
///
/// assert_eq!(
///     unreachable_words(10, PairedTest::SignedRank, 4, 0.001).as_deref(),
///     Some(
///         "With 10 positions p < 0.001 cannot be reached, whatever the ratings: the smallest possible is 0.00195, times 4 \
///          comparisons (Holm) 0.00781. It takes at least 13 positions."
///     )
/// );
/// assert_eq!(unreachable_words(13, PairedTest::SignedRank, 4, 0.001), None);
/// ```
#[must_use]
pub fn unreachable_words(positions: usize, test: PairedTest, comparisons: usize, threshold: f64) -> Option<String> {
    let adjusted = smallest_p_holm(positions, test, comparisons);
    if adjusted < threshold {
        return None;
    }
    let of = match positions {
        1 => "With one position".to_owned(),
        many => format!("With {many} positions"),
    };
    let holm = match comparisons {
        0 | 1 => String::new(),
        many => format!(", times {many} comparisons (Holm) {}", three_digits(adjusted)),
    };
    let needed = positions_needed(threshold, test, comparisons).map_or_else(
        || "More flips can reach it, more positions alone cannot.".to_owned(),
        |needed| format!("It takes at least {needed} positions."),
    );
    Some(format!(
        "{of} p < {threshold} cannot be reached, whatever the ratings: the smallest possible is {}{holm}. {needed}",
        three_digits(smallest_p(positions, test))
    ))
}

/// The levels that a plan is held against: the usual one, and that of the stars of the paper's Table 1.
pub const LEVELS: [f64; 2] = [0.05, 0.001];

/// Sentences on what no ratings whatever can show in a study of so many positions; none where all [`LEVELS`] can be
/// reached.
#[must_use]
pub fn unreachable_levels(positions: usize, test: PairedTest, comparisons: usize) -> Vec<String> {
    LEVELS
        .into_iter()
        .filter_map(|level| unreachable_words(positions, test, comparisons, level))
        .collect()
}

/// With three digits that say something: 0.00195.
fn three_digits(p: f64) -> String {
    if p <= 0.0 || p >= 1.0 {
        return format!("{p}");
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a p-value has some three hundred zeros at most
    let decimals = (2.0 - p.log10().floor()) as usize;
    let text = format!("{p:.decimals$}");
    text.trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stats::{
        holm::holm,
        paired::{sign_flips, signed_rank},
    };

    #[test]
    fn the_smallest_is_that_of_differences_of_one_sign() {
        for n in 1..=20 {
            let differences: Vec<f64> = (1..=n).map(f64::from).collect();
            let n = differences.len();
            let ranks = signed_rank(&differences).unwrap().p;
            assert!((ranks - smallest_p(n, PairedTest::SignedRank)).abs() < 1e-15, "{n}");
            let flips = sign_flips(&differences, 100_000, 1).unwrap();
            let wanted = smallest_p(n, PairedTest::SignFlips { flips: 100_000 });
            assert!(
                if flips.exact {
                    (flips.p - wanted).abs() < 1e-15
                } else {
                    flips.p >= wanted
                },
                "{n}"
            );
        }
        let tied = vec![1.0; 150];
        let p = signed_rank(&tied).unwrap().p;
        assert!((p / smallest_p(150, PairedTest::SignedRank) - 1.0).abs() < 1e-9);
        assert_eq!(smallest_p(10, PairedTest::SignedRank), 0.001_953_125);
        assert_eq!(smallest_p(0, PairedTest::SignedRank), 1.0);
    }

    #[test]
    fn sentences_say_how_many_positions_it_takes() {
        let words = |positions, comparisons| unreachable_words(positions, PairedTest::SignedRank, comparisons, 0.001);
        assert_eq!(
            words(10, 1).as_deref(),
            Some(
                "With 10 positions p < 0.001 cannot be reached, whatever the ratings: the smallest possible is 0.00195. It \
                 takes at least 11 positions."
            )
        );
        assert_eq!(words(11, 1), None);
        assert!(words(1, 20).unwrap().starts_with("With one position p < 0.001"));
        let few = PairedTest::SignFlips { flips: 500 };
        assert!(
            unreachable_words(50, few, 1, 0.001)
                .unwrap()
                .ends_with("More flips can reach it, more positions alone cannot.")
        );
    }

    proptest! {
        #[test]
        fn nothing_is_below_it(
            studies in prop::collection::vec(prop::collection::vec(-3.0..3.0_f64, 1..12), 1..5),
        ) {
            let n = studies.iter().map(Vec::len).max().unwrap();
            let p: Vec<f64> = studies.iter().map(|differences| signed_rank(differences).map_or(1.0, |test| test.p)).collect();
            for adjusted in holm(&p) {
                prop_assert!(adjusted >= smallest_p_holm(n, PairedTest::SignedRank, studies.len()) - 1e-15);
            }
        }
    }
}
