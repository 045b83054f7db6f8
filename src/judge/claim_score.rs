//! What the claim check says of a comment, as scores: the judge of correctness, for which GCC-Eval has none.

use crate::commentary::revision::Tally;

/// A comment's claims, counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClaimScore {
    /// Claims that could be decided.
    pub checkable: usize,
    /// The share of those that hold; `None` where none could be decided.
    pub supported: Option<f64>,
    /// The share that are wrong.
    pub contradicted: Option<f64>,
    /// 1 where nothing is wrong, else 0: a comment without a checkable claim says nothing wrong.
    pub clean: f64,
}

/// The scores as metrics: their names in tables, as `Material` and CSV have them.
pub const METRICS: [&str; 4] = [
    "claims-supported",
    "claims-contradicted",
    "claims-nothing-wrong",
    "claims-checkable",
];

impl From<Tally> for ClaimScore {
    fn from(tally: Tally) -> Self {
        let checkable = tally.supported + tally.contradicted;
        let share = |count: usize| (checkable > 0).then(|| count as f64 / checkable as f64);
        Self {
            checkable,
            supported: share(tally.supported),
            contradicted: share(tally.contradicted),
            clean: if tally.contradicted == 0 { 1.0 } else { 0.0 },
        }
    }
}

impl ClaimScore {
    /// In the order of [`METRICS`].
    #[must_use]
    pub const fn metrics(&self) -> [Option<f64>; 4] {
        [
            self.supported,
            self.contradicted,
            Some(self.clean),
            Some(self.checkable as f64),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_what_can_be_decided() {
        let score = ClaimScore::from(Tally {
            supported: 3,
            contradicted: 1,
            doubtful: 0,
            not_judged: 5,
        });
        assert_eq!(score.checkable, 4);
        assert_eq!(score.metrics(), [Some(0.75), Some(0.25), Some(0.0), Some(4.0)]);
        assert_eq!(
            ClaimScore::from(Tally::default()).metrics(),
            [None, None, Some(1.0), Some(0.0)]
        );
    }
}
