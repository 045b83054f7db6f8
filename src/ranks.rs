//! Values in their order, and which of them are ties.
//!
//! Equal figures that were computed in another order differ in their last digits, and a rank that is taken of those digits is
//! one of noise. Whatever takes ranks takes them here: values are **ties by value**, at a stated [`Precision`].
//!
//! ```
//! use kibitz::ranks::{DOUBLE, mid_ranks};
//!
//! assert_ne!(0.1 + 0.2, 0.3);
//! assert_eq!(mid_ranks(&[0.3, 0.1, 0.1 + 0.2], DOUBLE), [2.5, 1.0, 2.5]);
//! ```

/// How near values are that count as the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// As a share of the greater one's size.
    relative: f64,
    /// In the values' own unit: near zero, where a share of the size says nothing.
    absolute: f64,
}

/// Of double-precision figures: one part in 10⁹, or 10⁻¹¹ near zero. Sums of a million terms differ by less, and no figure
/// that people compare has as many digits.
pub const DOUBLE: Precision = Precision {
    relative: 1e-9,
    absolute: 1e-11,
};

/// Of single-precision figures, which have seven digits: one part in 10⁶, or 10⁻⁶ near zero, since differences of such
/// figures have fewer digits than they.
pub const SINGLE: Precision = Precision {
    relative: 1e-6,
    absolute: 1e-6,
};

/// Whether two values count as the same. Infinite ones do where they are equal, and what is no number never does.
#[must_use]
pub fn same(a: f64, b: f64, precision: Precision) -> bool {
    let apart = (a - b).abs();
    a == b || (apart.is_finite() && apart <= precision.absolute.max(precision.relative * a.abs().max(b.abs())))
}

/// The place of each value among the different ones, from 0 for the lowest: ties share theirs. A value is a tie with the
/// next lower one where [`same`] says so, whatever the order in which they are given.
#[must_use]
pub fn places(values: &[f64], precision: Precision) -> Vec<usize> {
    let mut places = vec![0; values.len()];
    for (place, tied) in tied(values, precision).into_iter().enumerate() {
        tied.into_iter().for_each(|value| places[value] = place);
    }
    places
}

/// Each value's rank from 1 for the lowest; ties have the mean of theirs.
#[must_use]
pub fn mid_ranks(values: &[f64], precision: Precision) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for tied in tied(values, precision) {
        let rank = below as f64 + (tied.len() as f64 + 1.0) / 2.0;
        below += tied.len();
        tied.into_iter().for_each(|value| ranks[value] = rank);
    }
    ranks
}

/// The values' indices, the lowest value's first, those of ties together and in their order.
fn tied(values: &[f64], precision: Precision) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    order
        .chunk_by(|&a, &b| same(values[a], values[b], precision))
        .map(|tied| {
            let mut tied = tied.to_vec();
            tied.sort_unstable();
            tied
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_the_same_is_a_tie() {
        assert_eq!(places(&[0.3, -0.0, 0.1 + 0.2, 0.0, 1e-17], DOUBLE), [1, 0, 1, 0, 0]);
        assert_eq!(places(&[1e9, 1e9 + 0.1, 1e9 + 10.0], DOUBLE), [0, 0, 1]);
        assert_eq!(places(&[1e-9, 2e-9], DOUBLE), [0, 1]);
        assert_eq!(mid_ranks(&[0.33 - 0.25, 0.13 - 0.05], DOUBLE), [1.5, 1.5]);
        let singles = [0.33_f32 - 0.25, 0.13 - 0.05].map(f64::from);
        assert_ne!(singles[0], singles[1]);
        assert_eq!(mid_ranks(&singles, SINGLE), [1.5, 1.5]);
        assert_eq!(mid_ranks(&[], DOUBLE), [0.0; 0]);
        assert_eq!(
            places(&[f64::INFINITY, f64::INFINITY, 1.0, f64::NEG_INFINITY], DOUBLE),
            [2, 2, 1, 0]
        );
        assert_eq!(places(&[f64::NAN, 1.0], DOUBLE), [1, 0]);
    }

    proptest! {
        #[test]
        fn noise_and_order_change_no_rank(
            values in proptest::collection::vec((-50_i32..50, -1.0_f64..1.0), 0..40),
            turn in 0_usize..40,
        ) {
            let exact: Vec<f64> = values.iter().map(|(value, _)| f64::from(*value) / 7.0).collect();
            let mut noisy: Vec<f64> = values.iter().map(|(value, noise)| f64::from(*value) / 7.0 + noise * 1e-12).collect();
            prop_assert_eq!(places(&noisy, DOUBLE), places(&exact, DOUBLE));
            prop_assert_eq!(mid_ranks(&noisy, DOUBLE), mid_ranks(&exact, DOUBLE));
            let mut ranks = mid_ranks(&exact, DOUBLE);
            let n = exact.len() as f64;
            prop_assert_eq!(ranks.iter().sum::<f64>(), n * (n + 1.0) / 2.0);
            let turn = turn % noisy.len().max(1);
            noisy.rotate_left(turn);
            ranks.rotate_left(turn);
            prop_assert_eq!(mid_ranks(&noisy, DOUBLE), ranks);
        }
    }
}
