//! Tails and quantiles of the normal, t and F distributions.

use statrs::{
    distribution::{ContinuousCDF, Normal, StudentsT},
    function::beta::beta_reg,
};

/// P(|Z| ≥ |z|) of a standard normal Z.
pub fn normal_two_sided(z: f64) -> f64 {
    (2.0 * Normal::standard().sf(z.abs())).min(1.0)
}

/// The standard normal's quantile.
pub fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// P(|T| ≥ |t|) of Student's T. `freedom` is positive.
pub fn t_two_sided(t: f64, freedom: f64) -> f64 {
    // beta_reg's argument is at most 1; the tail is used so that small p-values keep their digits.
    beta_reg(freedom / 2.0, 0.5, freedom / t.mul_add(t, freedom))
}

/// Half the width of a two-sided interval of `level` in standard errors: the t distribution's quantile.
pub fn t_width(level: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |t| {
        let guess = t.inverse_cdf(f64::midpoint(1.0, level));
        refined(guess, |x| t_two_sided(x, freedom) - (1.0 - level))
    })
}

/// The F distribution's quantile at the upper tail `tail`; degrees of freedom need not be whole.
pub fn f_upper_quantile(tail: f64, numerator: f64, denominator: f64) -> f64 {
    let upper = |x: f64| {
        beta_reg(
            denominator / 2.0,
            numerator / 2.0,
            denominator / numerator.mul_add(x, denominator),
        )
    };
    // An interval around the quantile first: the tail falls from 1 to 0.
    let mut high = 1.0;
    while upper(high) > tail && high < 1e12 {
        high *= 2.0;
    }
    let mut low = high;
    while upper(low) < tail && low > 1e-12 {
        low /= 2.0;
    }
    bisected(low, high, |x| upper(x) - tail)
}

/// The zero of a falling function near `guess`.
fn refined(guess: f64, falling: impl Fn(f64) -> f64) -> f64 {
    bisected(guess * 0.99, guess * 1.01, falling)
}

/// The zero of a falling function between two numbers, to the last digits.
fn bisected(mut low: f64, mut high: f64, falling: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if falling(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}
