//! Means with intervals.

use super::{Interval, Undefined, all_same, average, distributions::t_width, enough};

/// A mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The arithmetic mean.
    pub mean: f64,
    /// Its interval, or why there is none.
    pub interval: Result<Interval, Undefined>,
    /// Number of values.
    pub n: usize,
    /// What the interval was computed over: the values themselves, or their clusters.
    pub units: usize,
}

/// The mean of independent values, with Student's t interval of `level` (0.95): mean ± t · s / √n with n − 1 degrees
/// of freedom ("Student", "The probable error of a mean", Biometrika 6, 1908).
///
/// # Errors
/// Without values, or when one is not finite.
pub fn mean_interval(values: &[f64], level: f64) -> Result<Mean, Undefined> {
    let clusters: Vec<usize> = (0..values.len()).collect();
    clustered_mean(values, &clusters, level)
}

/// The mean of values that come in clusters, such as the ratings of a position: those of a cluster are alike, so that
/// more of them tell less than as many clusters would. The interval is mean ± t · SE with (clusters − 1) degrees of
/// freedom and SE² = G/(G − 1) · Σ (sum of the cluster's residuals)² / n², the cluster-robust variance of a regression
/// on a constant (Liang and Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73, 1986;
/// the factors are statsmodels' and Stata's). Where all clusters are of one size it is the t interval of their means.
///
/// `clusters` has the cluster of each value, in any numbering.
///
/// # Errors
/// Without values, or when one is not finite.
pub fn clustered_mean(values: &[f64], clusters: &[usize], level: f64) -> Result<Mean, Undefined> {
    enough(values, "ratings", 1)?;
    let mean = average(values);
    let count = clusters.iter().max().map_or(0, |most| most + 1);
    let mut residuals = vec![None::<f64>; count];
    for (value, cluster) in values.iter().zip(clusters) {
        *residuals[*cluster].get_or_insert(0.0) += value - mean;
    }
    let units = residuals.iter().flatten().count();
    let interval = if units < 2 {
        Err(Undefined::TooFew {
            what: "positions",
            found: units,
            needed: 2,
        })
    } else if all_same(values) {
        Err(Undefined::AllSame { what: "ratings" })
    } else {
        let (g, n) = (units as f64, values.len() as f64);
        let squares: f64 = residuals.iter().flatten().map(|sum| sum * sum).sum();
        let width = t_width(level, g - 1.0) * (g / (g - 1.0) * squares).sqrt() / n;
        Ok(Interval {
            low: mean - width,
            high: mean + width,
        })
    };
    Ok(Mean {
        mean,
        interval,
        n: values.len(),
        units,
    })
}
