//! Rates with intervals.

use serde::Serialize;

use super::{Interval, Undefined, distributions::normal_quantile};

/// A share of what was counted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// count / n.
    pub rate: f64,
    /// Wilson's interval.
    #[serde(flatten)]
    pub interval: Interval,
    /// How many have it.
    pub count: usize,
    /// Of how many.
    pub n: usize,
}

/// The rate `count` / `n` with Wilson's score interval of `level` (0.95), without continuity correction: it stays in
/// 0..1 and means something at 0 and 1 too (Wilson, "Probable inference, the law of succession, and statistical
/// inference", JASA 22, 1927).
///
/// # Errors
/// When nothing was counted.
pub fn wilson(count: usize, n: usize, level: f64) -> Result<Rate, Undefined> {
    if n == 0 || count > n {
        return Err(Undefined::TooFew {
            what: "ratings",
            found: n,
            needed: count.max(1),
        });
    }
    let (whole, rate) = (n as f64, count as f64 / n as f64);
    let z = normal_quantile(f64::midpoint(1.0, level));
    let denominator = 1.0 + z * z / whole;
    let centre = (rate + z * z / (2.0 * whole)) / denominator;
    let width = z / denominator * (rate * (1.0 - rate) / whole + z * z / (4.0 * whole * whole)).sqrt();
    Ok(Rate {
        rate,
        interval: Interval {
            low: if count == 0 { 0.0 } else { centre - width },
            high: if count == n { 1.0 } else { centre + width },
        },
        count,
        n,
    })
}
