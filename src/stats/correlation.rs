//! Correlation of two variables: Pearson's r and Kendall's tau-b.

use super::{
    Interval, Undefined, all_same, average,
    distributions::{normal_quantile, normal_two_sided, t_two_sided},
    enough,
};
use crate::ranks::{DOUBLE, places};

/// Without ties, Kendall's p-value is exact up to so many pairs.
const EXACT_UP_TO: usize = 33;

/// A correlation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// −1..1.
    pub value: f64,
    /// Two-sided, that there is none.
    pub p: Result<f64, Undefined>,
    /// The interval.
    pub interval: Result<Interval, Undefined>,
    /// Number of pairs.
    pub n: usize,
}

/// Pearson's correlation. The p-value is that of t = r √((n − 2) / (1 − r²)); the interval of `level` (0.95) comes from
/// Fisher's transformation with a standard error of 1 / √(n − 3) (Fisher, "On the 'probable error' of a coefficient of
/// correlation deduced from a small sample", Metron 1, 1921).
///
/// # Errors
/// With fewer than two pairs, or when one of the variables does not vary.
pub fn pearson(x: &[f64], y: &[f64], level: f64) -> Result<Correlation, Undefined> {
    let (x, y) = checked(x, y)?;
    let (mean_x, mean_y) = (average(x), average(y));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (a, b) in x.iter().zip(y) {
        let (a, b) = (a - mean_x, b - mean_y);
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    let r = (xy / (xx.sqrt() * yy.sqrt())).clamp(-1.0, 1.0);
    let n = x.len();
    let p = if n < 3 {
        Err(too_few(n, 3))
    } else if 1.0 - r.abs() < 1e-15 {
        Ok(0.0)
    } else {
        let freedom = n as f64 - 2.0;
        Ok(t_two_sided(r * (freedom / ((1.0 - r) * (1.0 + r))).sqrt(), freedom))
    };
    Ok(Correlation {
        value: r,
        p,
        interval: fisher(r, n, 1.0, 3, level),
        n,
    })
}

/// Kendall's tau-b, which allows for ties, by value at [`DOUBLE`] precision (Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945),
/// by Knight's method in O(n log n) (JASA 61, 1966). Two-sided p-value: exact without ties up to 33 pairs, else normal
/// with the variance that allows for ties (Kendall, "Rank Correlation Methods", 4th ed. 1970, chapter 4). The interval
/// of `level` (0.95) comes from Fisher's transformation with a standard error of √(0.437 / (n − 4)) (Fieller, Hartley
/// and Pearson, "Tests for rank correlation coefficients", Biometrika 44, 1957).
///
/// # Errors
/// With fewer than two pairs, or when one of the variables does not vary.
pub fn kendall(x: &[f64], y: &[f64], level: f64) -> Result<Correlation, Undefined> {
    let (x, y) = checked(x, y)?;
    let n = x.len();
    let (x, y) = (places(x, DOUBLE), places(y, DOUBLE));
    let mut pairs: Vec<(usize, usize)> = x.into_iter().zip(y).collect();
    pairs.sort_unstable();
    let ties_x = Ties::of(pairs.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len));
    let both: f64 = pairs.chunk_by(|a, b| a == b).map(|run| couples(run.len())).sum();
    let mut second: Vec<usize> = pairs.iter().map(|pair| pair.1).collect();
    let mut spare = second.clone();
    let discordant = sort_counting(&mut second, &mut spare) as f64;
    let ties_y = Ties::of(second.chunk_by(|a, b| a == b).map(<[_]>::len));
    let all = couples(n);
    let lead = all - ties_x.couples - ties_y.couples + both - 2.0 * discordant;
    let tau = (lead / (all - ties_x.couples).sqrt() / (all - ties_y.couples).sqrt()).clamp(-1.0, 1.0);
    let no_ties = ties_x.couples == 0.0 && ties_y.couples == 0.0;
    let p = if no_ties && n <= EXACT_UP_TO {
        exact_p(n, discordant.min(all - discordant) as usize)
    } else {
        let m = 2.0 * all;
        let mut variance = (m * (2.0 * n as f64 + 5.0) - ties_x.fives - ties_y.fives) / 18.0
            + 2.0 * ties_x.couples * ties_y.couples / m;
        if n > 2 {
            variance += ties_x.triples * ties_y.triples / (9.0 * m * (n as f64 - 2.0));
        }
        normal_two_sided(lead / variance.sqrt())
    };
    Ok(Correlation {
        value: tau,
        p: Ok(p),
        interval: fisher(tau, n, 0.437, 4, level),
        n,
    })
}

fn checked<'a>(x: &'a [f64], y: &'a [f64]) -> Result<(&'a [f64], &'a [f64]), Undefined> {
    let n = x.len().min(y.len());
    let (x, y) = (&x[..n], &y[..n]);
    enough(x, "pairs", 2)?;
    enough(y, "pairs", 2)?;
    if all_same(x) {
        return Err(Undefined::AllSame { what: "mean ratings" });
    }
    if all_same(y) {
        return Err(Undefined::AllSame { what: "scores" });
    }
    Ok((x, y))
}

const fn too_few(found: usize, needed: usize) -> Undefined {
    Undefined::TooFew {
        what: "pairs",
        found,
        needed,
    }
}

/// The interval by Fisher's transformation; the variance is `of` / (n − `less`).
fn fisher(value: f64, n: usize, of: f64, less: usize, level: f64) -> Result<Interval, Undefined> {
    if n <= less {
        return Err(too_few(n, less + 1));
    }
    let width = normal_quantile(f64::midpoint(1.0, level)) * (of / (n - less) as f64).sqrt();
    Ok(Interval {
        low: (value.atanh() - width).tanh(),
        high: (value.atanh() + width).tanh(),
    })
}

fn couples(n: usize) -> f64 {
    n as f64 * (n as f64 - 1.0) / 2.0
}

/// Sums over the runs of equal values that the definitions need.
struct Ties {
    /// Σ t(t − 1) / 2.
    couples: f64,
    /// Σ t(t − 1)(t − 2).
    triples: f64,
    /// Σ t(t − 1)(2t + 5).
    fives: f64,
}

impl Ties {
    fn of(runs: impl Iterator<Item = usize>) -> Self {
        let mut ties = Self {
            couples: 0.0,
            triples: 0.0,
            fives: 0.0,
        };
        for run in runs {
            let (t, couples) = (run as f64, couples(run));
            ties.couples += couples;
            ties.triples += 2.0 * couples * (t - 2.0);
            ties.fives += 2.0 * couples * (2.0 * t + 5.0);
        }
        ties
    }
}

/// Sorts by merging, and counts how many pairs stood the wrong way round.
fn sort_counting(values: &mut [usize], spare: &mut [usize]) -> u64 {
    let n = values.len();
    if n < 2 {
        return 0;
    }
    let half = n / 2;
    let (left, right) = values.split_at_mut(half);
    let (spare_left, spare_right) = spare.split_at_mut(half);
    let mut swaps = sort_counting(left, spare_left) + sort_counting(right, spare_right);
    let (mut i, mut j) = (0, 0);
    for out in spare.iter_mut() {
        if j == right.len() || (i < left.len() && left[i] <= right[j]) {
            *out = left[i];
            i += 1;
        } else {
            *out = right[j];
            j += 1;
            swaps += (left.len() - i) as u64;
        }
    }
    values.copy_from_slice(spare);
    swaps
}

/// Twice the share of the orders of n things that have at most so many pairs the wrong way round (Kendall, "A new
/// measure of rank correlation", Biometrika 30, 1938).
fn exact_p(n: usize, discordant: usize) -> f64 {
    let mut shares = vec![0.0; discordant + 1];
    shares[0] = 1.0;
    for things in 2..=n {
        // The next thing stands before 0 to `things` − 1 of the others: a moving sum.
        let before = shares.clone();
        let mut sum = 0.0;
        for (k, share) in shares.iter_mut().enumerate() {
            sum += before[k];
            if k >= things {
                sum -= before[k - things];
            }
            *share = sum / things as f64;
        }
    }
    (2.0 * shares.iter().sum::<f64>()).min(1.0)
}
