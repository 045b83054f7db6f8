//! Intervals by drawing anew from what was found.

use super::{Interval, Undefined};
use crate::{pace::Pace, random::Rng};

/// How often is drawn.
pub const RESAMPLES: u32 = 1_000;

/// The percentile interval of a figure by the bootstrap (Efron, "Bootstrap methods: another look at the jackknife",
/// Annals of Statistics 7, 1979; Efron and Tibshirani, "An introduction to the bootstrap", 1993, section 13.3).
///
/// Of `units`, which are those that another study would draw anew, as many are drawn with replacement, [`RESAMPLES`] times,
/// with random numbers of `seed`. `figure` is told how often each was drawn. The ends are the quantiles
/// (1 − `level`) / 2 and (1 + `level`) / 2 of the figures, between two of them by their distance (Hyndman and Fan's
/// definition 7, which is NumPy's and R's). Draws in which the figure is not defined are left out.
///
/// # Errors
/// With fewer than two units, or when more than one draw in ten has no figure.
pub async fn percentile_interval(
    units: usize,
    seed: u64,
    level: f64,
    mut figure: impl FnMut(&[u32]) -> Option<f64>,
    pace: &impl Pace,
) -> Result<Interval, Undefined> {
    if units < 2 {
        return Err(Undefined::TooFew {
            what: "positions",
            found: units,
            needed: 2,
        });
    }
    let mut rng = Rng::new(seed);
    let mut drawn = vec![0_u32; units];
    let mut figures = Vec::with_capacity(RESAMPLES as usize);
    for _ in 0..RESAMPLES {
        pace.turn().await;
        drawn.fill(0);
        for _ in 0..units {
            drawn[rng.below(units)] += 1;
        }
        figures.extend(figure(&drawn).filter(|figure| figure.is_finite()));
    }
    if figures.len() * 10 < RESAMPLES as usize * 9 {
        return Err(Undefined::Resamples);
    }
    figures.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    Ok(Interval {
        low: quantile(&figures, tail),
        high: quantile(&figures, 1.0 - tail),
    })
}

/// A quantile of sorted numbers.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to the last place
    let (low, high) = (below as usize, place.ceil() as usize);
    sorted[low] + (place - below) * (sorted[high.min(sorted.len() - 1)] - sorted[low])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pace::{AtOnce, at_once};

    #[test]
    fn quantiles_are_numpys() {
        // numpy.quantile([1, 2, 4, 8], [0.025, 0.5, 0.9])
        let found = [0.025, 0.5, 0.9].map(|share| quantile(&[1.0, 2.0, 4.0, 8.0], share));
        for (found, wanted) in found.into_iter().zip([1.075, 3.0, 6.8]) {
            assert!((found - wanted).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn the_interval_of_a_mean_is_about_that_of_theory() {
        let values: Vec<f64> = (0..400).map(|n| f64::from(n % 20)).collect();
        let mean = |drawn: &[u32]| {
            let sum: f64 = drawn
                .iter()
                .zip(&values)
                .map(|(times, value)| f64::from(*times) * value)
                .sum();
            Some(sum / values.len() as f64)
        };
        let found = at_once(percentile_interval(400, 1, 0.95, mean, &AtOnce)).unwrap();
        // The standard error of a mean of 400 is 5.766 / 20.
        assert!((found.low - (9.5 - 1.96 * 0.288)).abs() < 0.06, "{found:?}");
        assert!((found.high - (9.5 + 1.96 * 0.288)).abs() < 0.06, "{found:?}");
        assert_eq!(
            found,
            at_once(percentile_interval(400, 1, 0.95, mean, &AtOnce)).unwrap()
        );
    }

    #[test]
    fn too_little_has_no_interval() {
        let none = |_: &[u32]| None;
        let of = |units| at_once(percentile_interval(units, 1, 0.95, none, &AtOnce));
        assert!(matches!(of(1), Err(Undefined::TooFew { found: 1, .. })));
        assert_eq!(of(5), Err(Undefined::Resamples));
    }
}
