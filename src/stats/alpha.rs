//! Krippendorff's alpha.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Undefined;
use crate::ranks::{DOUBLE, same};

/// Different values at most: the matrix of their coincidences has the square of that.
pub const MOST_VALUES: usize = 1_000;

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

/// The coincidences of some items: how often each two values were given to one item. Those of parts of a study add up,
/// each as often as it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Coincidences {
    items: usize,
    ratings: usize,
    /// Each pair of values, by their places, that met.
    met: Vec<(u32, f64)>,
}

impl Coincidences {
    /// The coincidences of items whose ratings are all among `values`, which are sorted and each there once, at most
    /// [`MOST_VALUES`] of them. Each pair of an item's ratings counts, an item of m ratings m / (m (m − 1)) for each;
    /// items with fewer than two are left out.
    #[must_use]
    pub fn of<'a>(items: impl Iterator<Item = &'a [f64]>, values: &[f64]) -> Self {
        let count = values.len();
        let place = |value: f64| place_of(value, values).min(count.saturating_sub(1));
        let mut table = BTreeMap::<u32, f64>::new();
        let mut counts = vec![0.0_f64; count];
        let mut found = Self {
            items: 0,
            ratings: 0,
            met: Vec::new(),
        };
        for item in items.filter(|item| item.len() > 1) {
            let mut met: Vec<usize> = Vec::new();
            for value in item {
                let at = place(*value);
                if counts[at] == 0.0 {
                    met.push(at);
                }
                counts[at] += 1.0;
            }
            let others = item.len() as f64 - 1.0;
            for &c in &met {
                for &k in &met {
                    let same = if c == k { 1.0 } else { 0.0 };
                    *table.entry((c * count + k) as u32).or_default() += counts[c] * (counts[k] - same) / others;
                }
            }
            met.iter().for_each(|&at| counts[at] = 0.0);
            found.items += 1;
            found.ratings += item.len();
        }
        found.met = table.into_iter().collect();
        found
    }

    /// How many pairs of values met; 0 where no item has two ratings.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.met.len()
    }
}

/// The alpha of parts of a study, each as often as it is drawn.
///
/// # Errors
/// As [`krippendorff_alpha`].
pub fn alpha_of<'a>(
    parts: impl Iterator<Item = (&'a Coincidences, u32)>,
    values: &[f64],
    level: Level,
) -> Result<Alpha, Undefined> {
    let count = values.len();
    let mut coincidences = vec![0.0; count * count];
    let (mut items, mut ratings) = (0, 0);
    for (part, times) in parts.filter(|(_, times)| *times > 0) {
        items += part.items * times as usize;
        ratings += part.ratings * times as usize;
        for (at, weight) in &part.met {
            coincidences[*at as usize] += f64::from(times) * weight;
        }
    }
    if ratings == 0 {
        return Err(Undefined::TooFew {
            what: "items with two ratings",
            found: 0,
            needed: 1,
        });
    }
    // Of a value the coincidences with all values are the ratings that have it.
    let totals: Vec<f64> = coincidences.chunks(count.max(1)).map(|row| row.iter().sum()).collect();
    if totals.iter().filter(|total| **total > 0.0).count() < 2 {
        return Err(Undefined::AllSame { what: "ratings" });
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
        items,
        ratings,
    })
}

/// The different values of items with at least two ratings, sorted; what is the same at [`DOUBLE`] precision is there once.
///
/// # Errors
/// Where one is not finite, or there are more than [`MOST_VALUES`].
pub fn different_values<'a>(items: impl Iterator<Item = &'a [f64]>) -> Result<Vec<f64>, Undefined> {
    // Added to zero, −0 is 0.
    let mut values: Vec<f64> = items
        .filter(|item| item.len() > 1)
        .flatten()
        .map(|value| value + 0.0)
        .collect();
    if values.iter().any(|value| !value.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    values.sort_by(f64::total_cmp);
    values.dedup_by(|next, kept| same(*next, *kept, DOUBLE));
    if values.len() > MOST_VALUES {
        return Err(Undefined::TooMany {
            what: "different ratings",
            found: values.len(),
            most: MOST_VALUES,
        });
    }
    Ok(values)
}

/// The place of a value among [`different_values`].
#[must_use]
pub fn place_of(value: f64, values: &[f64]) -> usize {
    values.partition_point(|other| *other < value && !same(*other, value, DOUBLE))
}

/// Krippendorff's alpha of each item's ratings; those that are missing are left out, and with them items that have
/// fewer than two (Krippendorff, "Computing Krippendorff's alpha-reliability", 2011; the coincidence matrix and
/// metric differences of "Content Analysis", 4th ed. 2018, section 12.3). Infinite values are not taken.
///
/// # Errors
/// When no item has two ratings, all ratings are the same, or there are more than [`MOST_VALUES`] different ones.
pub fn krippendorff_alpha(items: &[Vec<f64>], level: Level) -> Result<Alpha, Undefined> {
    let items = || items.iter().map(Vec::as_slice);
    let values = different_values(items())?;
    let all = Coincidences::of(items(), &values);
    alpha_of([(&all, 1)].into_iter(), &values, level)
}
