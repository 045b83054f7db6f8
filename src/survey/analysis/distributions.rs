//! How often each rating was given.

use std::collections::BTreeMap;

use serde::Serialize;

use super::dataset::Dataset;
use crate::pace::Pace;

/// How often a rating was given to a method's comments for a criterion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DistributionRow {
    /// The criterion's id, such as `correctness`.
    pub criterion: String,
    /// The method's name, as the study has it.
    pub method: String,
    /// Ratings and how often each was given, from the lowest; those of a short scale that nobody gave are there with 0.
    pub counts: Vec<(f64, usize)>,
    /// Ratings in all.
    pub n: usize,
}

/// Different ratings of a criterion at most: each is a part of a bar and a row.
pub const MOST_RATINGS: usize = 201;

/// The longest scale of whole numbers whose every point is listed.
const LISTED: f64 = 20.0;

/// The distributions of all criteria and methods; none of a criterion of which a method has more than [`MOST_RATINGS`]
/// different ratings.
#[must_use]
pub async fn distributions(data: &Dataset, pace: &impl Pace) -> Vec<DistributionRow> {
    let mut rows = Vec::new();
    for criterion in &data.criteria {
        let mut counts: Vec<BTreeMap<u64, usize>> =
            vec![points(criterion.ends.low, criterion.ends.high); data.methods.len()];
        for (item, rated) in data.items.iter().zip(&criterion.by_item) {
            pace.turn().await;
            for rated in rated {
                *counts[item.method].entry(key(rated.value)).or_default() += 1;
            }
        }
        if counts.iter().any(|counts| counts.len() > MOST_RATINGS) {
            continue;
        }
        for (method, counts) in data.methods.iter().zip(counts) {
            let mut counts: Vec<(f64, usize)> = counts.into_iter().map(|(bits, count)| (value(bits), count)).collect();
            counts.sort_by(|a, b| a.0.total_cmp(&b.0));
            rows.push(DistributionRow {
                criterion: criterion.name.clone(),
                method: method.clone(),
                n: counts.iter().map(|(_, count)| count).sum(),
                counts,
            });
        }
    }
    rows
}

/// Every point of a scale of whole numbers that is not too long.
fn points(low: f64, high: f64) -> BTreeMap<u64, usize> {
    if low.fract() != 0.0 || high.fract() != 0.0 || high - low > LISTED {
        return BTreeMap::new();
    }
    let steps = (high - low) as u32;
    (0..=steps).map(|step| (key(low + f64::from(step)), 0)).collect()
}

/// A number as a key: its bits, minus zero being zero.
fn key(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

const fn value(key: u64) -> f64 {
    f64::from_bits(key)
}
