//! How much one variable changes with another: ordinary least squares.

use serde::Serialize;

use super::{
    Interval, Undefined, all_same, average,
    distributions::{t_two_sided, t_width},
    enough,
};

/// A line through points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Slope {
    /// Change of y for one more of x.
    pub slope: f64,
    /// y where x is 0.
    pub intercept: f64,
    /// The slope's interval, from the t distribution with n − 2 degrees of freedom; `None` with two points.
    pub interval: Option<Interval>,
    /// Two-sided, that the slope is 0; `None` with two points.
    pub p: Option<f64>,
    /// Number of points.
    pub n: usize,
}

/// The least-squares line of `y` on `x`, with an interval of `level` for its slope.
///
/// # Errors
/// With fewer than two points, or where `x` does not vary.
pub fn slope(x: &[f64], y: &[f64], level: f64) -> Result<Slope, Undefined> {
    enough(x, "points", 2)?;
    enough(y, "points", x.len())?;
    if all_same(x) {
        return Err(Undefined::AllSame { what: "levels" });
    }
    let (mean_x, mean_y) = (average(x), average(y));
    let (mut xx, mut xy) = (0.0, 0.0);
    for (a, b) in x.iter().zip(y) {
        xx += (a - mean_x).powi(2);
        xy += (a - mean_x) * (b - mean_y);
    }
    let slope = xy / xx;
    let intercept = mean_y - slope * mean_x;
    let (interval, p) = if x.len() > 2 {
        let freedom = x.len() as f64 - 2.0;
        let rest: f64 = x.iter().zip(y).map(|(a, b)| (b - intercept - slope * a).powi(2)).sum();
        let error = (rest / freedom / xx).sqrt();
        let width = t_width(level, freedom) * error;
        let p = if error > 0.0 {
            t_two_sided(slope / error, freedom)
        } else {
            0.0
        };
        let interval = Interval {
            low: slope - width,
            high: slope + width,
        };
        (Some(interval), Some(p))
    } else {
        (None, None)
    };
    Ok(Slope {
        slope,
        intercept,
        interval,
        p,
        n: x.len(),
    })
}
