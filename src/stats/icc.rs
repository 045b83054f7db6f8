//! Intraclass correlation.

use super::{Interval, Undefined, average, distributions::f_upper_quantile};

/// Intraclass correlations of the two-way random effects model, absolute agreement: raters are a sample, and one who
/// rates all higher than another disagrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Icc {
    /// ICC(2,1): the reliability of one rater's rating.
    pub single: f64,
    /// ICC(2,k): that of the mean of all raters.
    pub average: f64,
    /// The interval of `single`.
    pub single_interval: Result<Interval, Undefined>,
    /// The interval of `average`.
    pub average_interval: Result<Interval, Undefined>,
    /// Items with a rating by every rater.
    pub items: usize,
    /// Raters of each item: the k of ICC(2,k).
    pub raters: usize,
}

/// ICC(2,1) and ICC(2,k) of ratings, one row an item and one column a rater, none missing (Shrout and Fleiss,
/// "Intraclass correlations", Psychological Bulletin 86, 1979). Intervals of `level` (0.95) are those of McGraw and Wong,
/// "Forming inferences about some intraclass correlation coefficients", Psychological Methods 1, 1996, table 7, case
/// ICC(A,1); that of the mean follows by the Spearman-Brown formula.
///
/// # Errors
/// With fewer than two items or raters, with rows of unequal length, or when all ratings are the same.
pub fn icc2(rows: &[Vec<f64>], level: f64) -> Result<Icc, Undefined> {
    let raters = rows.first().map_or(0, Vec::len);
    if raters < 2 {
        return Err(Undefined::TooFew {
            what: "raters",
            found: raters,
            needed: 2,
        });
    }
    let crossed = rows.iter().filter(|row| row.len() == raters).count();
    if crossed < rows.len() {
        return Err(Undefined::NotCrossed { items: crossed, raters });
    }
    if rows.len() < 2 {
        return Err(Undefined::TooFew {
            what: "items",
            found: rows.len(),
            needed: 2,
        });
    }
    if rows.iter().flatten().any(|value| !value.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    if rows.iter().flatten().all(|value| *value == rows[0][0]) {
        return Err(Undefined::AllSame { what: "ratings" });
    }
    let (n, k) = (rows.len() as f64, raters as f64);
    let item_means: Vec<f64> = rows.iter().map(|row| average(row)).collect();
    let rater_means: Vec<f64> = (0..raters)
        .map(|rater| rows.iter().map(|row| row[rater]).sum::<f64>() / n)
        .collect();
    let grand = average(&item_means);
    let squares = |means: &[f64]| means.iter().map(|mean| (mean - grand).powi(2)).sum::<f64>();
    let between_items = k * squares(&item_means) / (n - 1.0);
    let between_raters = n * squares(&rater_means) / (k - 1.0);
    let residuals: f64 = rows
        .iter()
        .zip(&item_means)
        .flat_map(|(row, item)| {
            row.iter()
                .zip(&rater_means)
                .map(move |(value, rater)| value - item - rater + grand)
        })
        .map(|residual| residual * residual)
        .sum();
    let total: f64 = rows.iter().flatten().map(|value| (value - grand).powi(2)).sum();
    // What rounding leaves of a sum of squares that is zero would be divided by below.
    let error = if residuals < 1e-20 * total {
        0.0
    } else {
        residuals / ((n - 1.0) * (k - 1.0))
    };
    let excess = between_raters - error;
    let above = between_items - error;
    let single_below = between_items + (k - 1.0) * error + k * excess / n;
    let average_below = between_items + excess / n;
    // Raters may disagree so evenly that no item is above another.
    if single_below == 0.0 || average_below == 0.0 {
        return Err(Undefined::AllSame { what: "items' means" });
    }
    let single = above / single_below;
    let single_interval = interval(single, [between_items, between_raters, error], n, k, level);
    let stepped = |bound: f64| bound * k / (1.0 + bound * (k - 1.0));
    Ok(Icc {
        single,
        average: above / average_below,
        single_interval,
        average_interval: single_interval.map(|interval| Interval {
            low: stepped(interval.low),
            high: stepped(interval.high),
        }),
        items: rows.len(),
        raters,
    })
}

/// The interval of ICC(2,1) from the mean squares between items, between raters and of the error.
fn interval(icc: f64, squares: [f64; 3], n: f64, k: f64, level: f64) -> Result<Interval, Undefined> {
    let [items, raters, error] = squares;
    if error == 0.0 {
        return Err(Undefined::NoError);
    }
    let a = k * icc / (n * (1.0 - icc));
    let b = 1.0 + a * (n - 1.0);
    let (of_raters, of_error) = (a * raters, b * error);
    let freedom =
        (of_raters + of_error).powi(2) / (of_raters.powi(2) / (k - 1.0) + of_error.powi(2) / ((n - 1.0) * (k - 1.0)));
    // A negative coefficient can make raters and error cancel each other out.
    if !freedom.is_finite() || freedom <= 0.0 {
        return Err(Undefined::NoFreedom);
    }
    let tail = (1.0 - level) / 2.0;
    let spread = k * raters + (k * n - k - n) * error;
    let low = f_upper_quantile(tail, n - 1.0, freedom);
    let high = f_upper_quantile(tail, freedom, n - 1.0);
    let found = Interval {
        low: n * (items - low * error) / (low * spread + n * items),
        high: n * (high * items - error) / (spread + n * high * items),
    };
    if found.low.is_finite() && found.high.is_finite() {
        Ok(found)
    } else {
        Err(Undefined::NoFreedom)
    }
}
