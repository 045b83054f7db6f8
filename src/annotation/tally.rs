//! How many good and bad moves a side made.

use shakmaty::Color;

use crate::commentary::Verdict;

/// All verdicts, best first.
pub const VERDICTS: [Verdict; 5] = [
    Verdict::Best,
    Verdict::Good,
    Verdict::Inaccuracy,
    Verdict::Mistake,
    Verdict::Blunder,
];

/// The moves of a side, counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tally {
    /// The side whose moves are counted.
    pub side: Color,
    /// How many got each verdict, in the order of [`VERDICTS`].
    pub counts: [usize; VERDICTS.len()],
    /// In per cent, over the moves judged without a gap from the first; see [`super::accuracy`].
    pub accuracy: Option<f64>,
}

impl Tally {
    /// Counts the verdicts of a side.
    #[must_use]
    pub fn new(side: Color, verdicts: impl IntoIterator<Item = Verdict>, accuracy: Option<f64>) -> Self {
        let mut counts = [0; VERDICTS.len()];
        for verdict in verdicts {
            counts[verdict as usize] += 1;
        }
        Self { side, counts, accuracy }
    }

    /// How many moves got this verdict.
    #[must_use]
    pub const fn count(&self, verdict: Verdict) -> usize {
        self.counts[verdict as usize]
    }

    /// How many moves were judged.
    #[must_use]
    pub fn judged(&self) -> usize {
        self.counts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_its_place() {
        for (index, verdict) in VERDICTS.into_iter().enumerate() {
            assert_eq!(verdict as usize, index);
        }
        let tally = Tally::new(Color::White, [Verdict::Best, Verdict::Blunder, Verdict::Best], None);
        assert_eq!(tally.count(Verdict::Best), 2);
        assert_eq!(tally.count(Verdict::Good), 0);
        assert_eq!(tally.judged(), 3);
    }
}
