//! How large a difference is, in units that do not depend on how many were counted.

use super::{Undefined, all_same, average, enough};
use crate::ranks::{DOUBLE, places};

/// Cohen's d of two independent samples: the difference of their means over their pooled standard deviation (Cohen,
/// "Statistical Power Analysis for the Behavioral Sciences", 2nd ed. 1988, section 2.2).
///
/// # Errors
/// With fewer than two values in one of them, or where nothing varies.
pub fn cohen_d(a: &[f64], b: &[f64]) -> Result<f64, Undefined> {
    enough(a, "values", 2)?;
    enough(b, "values", 2)?;
    let (n, m) = (a.len() as f64, b.len() as f64);
    let pooled = (squares(a) + squares(b)) / (n + m - 2.0);
    if pooled <= 0.0 {
        return Err(Undefined::AllSame { what: "values" });
    }
    Ok((average(a) - average(b)) / pooled.sqrt())
}

/// Cohen's d_z of paired differences: their mean over their standard deviation.
///
/// # Errors
/// With fewer than two, or where all are the same.
pub fn cohen_dz(differences: &[f64]) -> Result<f64, Undefined> {
    enough(differences, "pairs", 2)?;
    if all_same(differences) {
        return Err(Undefined::AllSame { what: "differences" });
    }
    let deviation = (squares(differences) / (differences.len() as f64 - 1.0)).sqrt();
    Ok(average(differences) / deviation)
}

/// Cliff's delta: how much more often a value of `a` is above one of `b` than below, −1 to 1; what is the same at [`DOUBLE`]
/// precision is neither (Cliff, "Dominance statistics",
/// Psychological Bulletin 114, 1993).
///
/// # Errors
/// Without values in one of them.
pub fn cliff_delta(a: &[f64], b: &[f64]) -> Result<f64, Undefined> {
    enough(a, "values", 1)?;
    enough(b, "values", 1)?;
    let together: Vec<f64> = a.iter().chain(b).copied().collect();
    let places = places(&together, DOUBLE);
    let (a, b) = places.split_at(a.len());
    let mut sorted = b.to_vec();
    sorted.sort_unstable();
    let dominance: f64 = a
        .iter()
        .map(|value| {
            let below = sorted.partition_point(|other| other < value);
            let up_to = sorted.partition_point(|other| other <= value);
            below as f64 - (sorted.len() - up_to) as f64
        })
        .sum();
    Ok(dominance / (a.len() as f64 * b.len() as f64))
}

/// The sum of squared distances from the mean.
fn squares(values: &[f64]) -> f64 {
    let mean = average(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}
