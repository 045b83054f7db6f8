//! Values as classes: K equal bins of 0..1, what a model is to say for a value, and how far off it is.

use serde::{Deserialize, Serialize};
use statrs::function::erf::erf;
use thiserror::Error;

use crate::searchless::header::ValueLoss;

/// The most bins: more than any experiment has.
pub const MOST_BINS: u16 = 4096;

/// K bins of equal width on 0..1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u16", try_from = "u16")]
pub struct Bins(u16);

/// No number of bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there are 1 to {MOST_BINS} bins")]
pub struct BinCountError;

impl Bins {
    /// The paper's number.
    pub const DEFAULT: Self = Self(128);

    /// So many bins.
    ///
    /// # Errors
    /// Without any, or with more than [`MOST_BINS`].
    pub const fn new(count: u16) -> Result<Self, BinCountError> {
        if count == 0 || count > MOST_BINS {
            return Err(BinCountError);
        }
        Ok(Self(count))
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> usize {
        self.0 as usize
    }

    /// The lower edge of a bin, the upper one of the bin before; the K-th is 1. As NumPy's `linspace` computes it.
    #[must_use]
    pub fn edge(self, bin: usize) -> f64 {
        if bin >= self.count() {
            return 1.0;
        }
        bin as f64 * (1.0 / f64::from(self.0))
    }

    /// The middle of a bin: its value.
    #[must_use]
    pub fn centre(self, bin: usize) -> f64 {
        (self.edge(bin) + self.edge(bin + 1)) / 2.0
    }

    /// The bin of a value. A value on an edge belongs to the bin **below** it: 50 % of 128 bins to number 63. What is below 0 is
    /// in the first bin, what is above 1 in the last.
    #[must_use]
    pub fn bin_of(self, value: f64) -> usize {
        // Near enough, then by the edges themselves: rounding may not decide.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to K
        let mut bin = (value.clamp(0.0, 1.0) * f64::from(self.0)) as usize;
        while bin > 0 && self.edge(bin) >= value {
            bin -= 1;
        }
        while bin + 1 < self.count() && self.edge(bin + 1) < value {
            bin += 1;
        }
        bin.min(self.count() - 1)
    }

    /// All on the value's bin: the target of the log loss.
    #[must_use]
    pub fn one_hot(self, value: f64) -> Vec<f64> {
        let mut target = vec![0.0; self.count()];
        target[self.bin_of(value)] = 1.0;
        target
    }

    /// The width of HL-Gauss: σ = 0.75/K, 0.0059 of 128 bins. (The paper adds "≈ 0.05", which would be 15 bins.)
    #[must_use]
    pub fn sigma(self) -> f64 {
        0.75 / f64::from(self.0)
    }

    /// The target of HL-Gauss: what of a normal distribution around the value, cut off at 0 and 1, is in each bin.
    #[must_use]
    pub fn hl_gauss(self, value: f64) -> Vec<f64> {
        let scale = self.sigma() * std::f64::consts::SQRT_2;
        let below = |edge: f64| erf((edge - value) / scale);
        let edges: Vec<f64> = (0..=self.count()).map(|bin| below(self.edge(bin))).collect();
        let whole = below(1.0) - below(0.0);
        edges.windows(2).map(|pair| (pair[1] - pair[0]) / whole).collect()
    }

    /// The target of a loss for a value: one share for every bin, or the value alone.
    #[must_use]
    pub fn target(self, loss: ValueLoss, value: f64) -> Vec<f64> {
        match loss {
            ValueLoss::HlGauss => self.hl_gauss(value),
            ValueLoss::Log => self.one_hot(value),
            ValueLoss::L2 => vec![value],
        }
    }

    /// The expected value of probabilities, one for each bin.
    #[must_use]
    pub fn expected(self, probabilities: impl IntoIterator<Item = f64>) -> f64 {
        let shares = probabilities.into_iter().take(self.count()).enumerate();
        shares.map(|(bin, p)| self.centre(bin) * p).sum()
    }
}

impl From<Bins> for u16 {
    fn from(bins: Bins) -> Self {
        bins.0
    }
}

impl TryFrom<u16> for Bins {
    type Error = BinCountError;

    fn try_from(count: u16) -> Result<Self, BinCountError> {
        Self::new(count)
    }
}

/// −Σ target · log-probability, in nats. A share of 0 costs nothing, whatever its probability.
#[must_use]
pub fn cross_entropy(target: &[f64], log_probabilities: &[f64]) -> f64 {
    let pairs = target.iter().zip(log_probabilities).filter(|(share, _)| **share > 0.0);
    -pairs.map(|(share, log)| share * log).sum::<f64>()
}

/// (predicted − value)².
#[must_use]
pub fn squared_error(predicted: f64, value: f64) -> f64 {
    (predicted - value) * (predicted - value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Row {
        bins: u16,
        value: f64,
        bin: usize,
        centre: f64,
        hl_gauss: Vec<f64>,
        cross_entropy_hl_gauss: f64,
        cross_entropy_log: f64,
        squared_error: f64,
    }

    /// Written by `tests/data/chessbench/expected.py` with NumPy and SciPy.
    const EXPECTED: &str = include_str!("../../tests/data/chessbench/bins.jsonl");

    /// The prediction that the table's losses are of: log-softmax of the sines of 0, 1, 2, …
    fn prediction(bins: Bins) -> Vec<f64> {
        let logits: Vec<f64> = (0..bins.count()).map(|bin| (bin as f64).sin()).collect();
        let norm = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
        logits.into_iter().map(|logit| logit - norm).collect()
    }

    #[test]
    fn the_table_of_independent_code_is_met() {
        let mut count = 0;
        for line in EXPECTED.lines() {
            let row: Row = serde_json::from_str(line).unwrap();
            let bins = Bins::new(row.bins).unwrap();
            assert_eq!(bins.bin_of(row.value), row.bin, "{} of {}", row.value, row.bins);
            assert!((bins.centre(row.bin) - row.centre).abs() < 1e-15);
            let target = bins.hl_gauss(row.value);
            for (own, theirs) in target.iter().zip(&row.hl_gauss) {
                assert!(
                    (own - theirs).abs() < 1e-10,
                    "{} of {}: {own} {theirs}",
                    row.value,
                    row.bins
                );
            }
            let log = prediction(bins);
            let close = |own: f64, theirs: f64| assert!((own - theirs).abs() < 1e-9, "{own} {theirs}");
            close(cross_entropy(&target, &log), row.cross_entropy_hl_gauss);
            close(cross_entropy(&bins.one_hot(row.value), &log), row.cross_entropy_log);
            let expected = bins.expected(log.iter().map(|log| log.exp()));
            close(squared_error(expected, row.value), row.squared_error);
            count += 1;
        }
        assert!(count >= 60, "{count}");
    }

    #[test]
    fn an_edge_belongs_below() {
        assert_eq!(Bins::DEFAULT.bin_of(0.5), 63);
        assert_eq!(Bins::new(4).unwrap().bin_of(0.25), 0);
        assert_eq!(
            [0.0, 1.0, -3.0, 7.0].map(|value| Bins::DEFAULT.bin_of(value)),
            [0, 127, 0, 127]
        );
        assert_eq!(Bins::new(1).unwrap().bin_of(1.0), 0);
        assert_eq!(
            (Bins::new(0), Bins::new(4097)),
            (Err(BinCountError), Err(BinCountError))
        );
        assert!((Bins::DEFAULT.sigma() - 0.005_859_375).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn a_value_lies_in_its_bin_and_targets_are_shares(count in 1_u16..300, value in 0.0_f64..=1.0) {
            let bins = Bins::new(count).unwrap();
            let bin = bins.bin_of(value);
            prop_assert!(bins.edge(bin + 1) >= value && (bin == 0 || bins.edge(bin) < value));
            for loss in [ValueLoss::HlGauss, ValueLoss::Log] {
                let target = bins.target(loss, value);
                prop_assert!((target.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                prop_assert!(target.iter().all(|share| *share >= 0.0));
            }
        }
    }
}
