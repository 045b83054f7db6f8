//! Whether a study can find what it looks for at all: with few positions no result of a test is extreme enough.

/// The level of the paper's comparisons.
pub const PAPER_LEVEL: f64 = 0.001;

/// The usual level.
pub const USUAL_LEVEL: f64 = 0.05;

/// The smallest two-sided p-value that Wilcoxon's signed-rank test can give on so many positions: 2 / 2ⁿ, where every
/// difference has the same sign and none is zero. 1 where there is no position or one.
#[must_use]
pub fn smallest_p(positions: usize) -> f64 {
    let exponent = i32::try_from(positions).unwrap_or(i32::MAX).saturating_sub(1);
    0.5_f64.powi(exponent).min(1.0)
}

/// The fewest positions with which the test can give a p-value below the level. The level is above 0.
#[must_use]
pub fn positions_needed(level: f64) -> usize {
    // 2 / 2ⁿ is 0 in floating point before n is 1,100, so the search ends.
    (1..1_100).find(|n| smallest_p(*n) < level).unwrap_or(1_100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::paired::signed_rank;

    #[test]
    fn it_is_what_the_test_gives_at_its_most_extreme() {
        for positions in 2..20_u32 {
            let differences: Vec<f64> = (1..=positions).map(f64::from).collect();
            let found = signed_rank(&differences).unwrap().p;
            let formula = smallest_p(positions as usize);
            assert!((found - formula).abs() < 1e-12, "{positions}: {found} {formula}");
        }
        assert!((smallest_p(10) - 0.001_953_125).abs() < 1e-15);
        assert!(smallest_p(0) >= 1.0 && smallest_p(1) >= 1.0 && smallest_p(usize::MAX) < 1e-300);
    }

    #[test]
    fn ten_positions_are_too_few_for_the_papers_level_and_eleven_are_not() {
        assert_eq!(positions_needed(PAPER_LEVEL), 11);
        assert_eq!(positions_needed(USUAL_LEVEL), 6);
        assert_eq!(positions_needed(0.0), 1_100);
    }
}
