//! Krippendorff's alpha.

use serde::Serialize;

use super::Undefined;

/// How far two values are apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Equal or not.
    Nominal,
    /// By how many ratings lie between them.
    Ordinal,
    /// By their difference.
    Interval,
}

/// Agreement beyond chance, whatever is missing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Alpha {
    /// 1 − observed / expected disagreement: 1 for full agreement, 0 for that of chance.
    pub alpha: f64,
    /// Items with at least two ratings.
    pub items: usize,
    /// Ratings on them.
    pub ratings: usize,
}

/// Krippendorff's alpha of each item's ratings; those that are missing are left out, and with them items that have
/// fewer than two (Krippendorff, "Computing Krippendorff's alpha-reliability", 2011; the coincidence matrix and
/// metric differences of "Content Analysis", 4th ed. 2018, section 12.3). Infinite values are not taken.
///
/// # Errors
/// When no item has two ratings, or all ratings are the same.
pub fn krippendorff_alpha(items: &[Vec<f64>], level: Level) -> Result<Alpha, Undefined> {
    let paired = || items.iter().filter(|values| values.len() > 1);
    let mut values: Vec<f64> = paired().flatten().copied().collect();
    let ratings = values.len();
    if values.iter().any(|value| !value.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    if ratings == 0 {
        return Err(Undefined::TooFew {
            what: "items with two ratings",
            found: 0,
            needed: 1,
        });
    }
    values.sort_by(f64::total_cmp);
    values.dedup();
    if values.len() < 2 {
        return Err(Undefined::AllSame { what: "ratings" });
    }
    let count = values.len();
    let place = |value: f64| values.partition_point(|other| *other < value);
    // Coincidences: each pair of an item's ratings, an item of m ratings counting m / (m (m − 1)) for each.
    let mut coincidences = vec![0.0; count * count];
    let mut totals = vec![0.0; count];
    let mut item_counts = vec![0.0_f64; count];
    for item in paired() {
        let mut met: Vec<usize> = Vec::with_capacity(item.len());
        for value in item {
            let at = place(*value);
            if item_counts[at] == 0.0 {
                met.push(at);
            }
            item_counts[at] += 1.0;
        }
        let others = item.len() as f64 - 1.0;
        for &c in &met {
            totals[c] += item_counts[c];
            for &k in &met {
                let same = if c == k { 1.0 } else { 0.0 };
                coincidences[c * count + k] += item_counts[c] * (item_counts[k] - same) / others;
            }
        }
        met.iter().for_each(|&at| item_counts[at] = 0.0);
    }
    // Ratings up to each value, for the ordinal distance.
    let up_to: Vec<f64> = totals
        .iter()
        .scan(0.0, |sum, total| {
            *sum += total;
            Some(*sum)
        })
        .collect();
    let distance = |c: usize, k: usize| match level {
        Level::Nominal => 1.0,
        Level::Interval => (values[c] - values[k]).powi(2),
        // Ratings from c to k, both ends counting half: Σ n_g − (n_c + n_k) / 2.
        Level::Ordinal => (up_to[k] - up_to[c] + f64::midpoint(totals[c], -totals[k])).powi(2),
    };
    let (mut observed, mut expected) = (0.0, 0.0);
    for c in 0..count {
        for k in c + 1..count {
            let distance = distance(c, k);
            observed += coincidences[c * count + k] * distance;
            expected += totals[c] * totals[k] * distance;
        }
    }
    Ok(Alpha {
        alpha: 1.0 - (ratings as f64 - 1.0) * observed / expected,
        items: paired().count(),
        ratings,
    })
}
