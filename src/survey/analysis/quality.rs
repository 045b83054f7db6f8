//! How carefully each rater rated. Raters are flagged, never dropped: who is left out is said by an option.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    dataset::{CheckRating, Dataset},
    material::Material,
};
use crate::{
    pace::Pace,
    stats::{Undefined, correlation::pearson},
    survey::study::PLANTED,
};

/// When a rater is flagged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Limits {
    /// Planted checks that may be failed.
    pub failed_checks: usize,
    /// How much ratings may differ when a comment is shown again, as a mean share of the scale. Two ratings of chance
    /// on five points differ by 0.4.
    pub repeat_difference: f64,
    /// How many times as fast as the others a rater may be: the mean over items of the median time of all raters
    /// divided by the rater's own, each at most 3 (the relative speed index of Leiner, "Too fast, too straight, too
    /// weird", Survey Research Methods 13, 2019, who sees meaningless data from 2 on). Needs three raters.
    pub speed_index: f64,
    /// Milliseconds in which nobody reads a comment and rates it.
    pub too_fast_ms: u64,
    /// The share of items that may have been answered faster than that.
    pub too_fast_share: f64,
    /// The share of items whose criteria of one scale may all have the same rating.
    pub straight_share: f64,
    /// Items below which nobody is flagged for straight-lining.
    pub straight_items: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            failed_checks: 0,
            repeat_difference: 0.4,
            speed_index: 2.0,
            too_fast_ms: 3_000,
            too_fast_share: 0.1,
            straight_share: 0.9,
            straight_items: 10,
        }
    }
}

/// Why a rater is flagged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Too many planted checks failed.
    FailedChecks,
    /// Comments shown again were rated otherwise.
    Inconsistent,
    /// Much faster than the others, or than anyone reads.
    Fast,
    /// The same rating for all criteria.
    StraightLining,
}

impl Flag {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::FailedChecks => "failed checks",
            Self::Inconsistent => "other ratings the second time",
            Self::Fast => "fast",
            Self::StraightLining => "straight-lining",
        }
    }
}

/// A rater.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RaterRow {
    /// The rater.
    pub rater: String,
    /// Items rated, without checks.
    pub items: usize,
    /// Ratings given, without checks.
    pub ratings: usize,
    /// Pages with a rating, checks and repetitions included.
    pub pages: usize,
    /// Milliseconds on items, without checks; `None` where rows don't say.
    pub active_ms: Option<u64>,
    /// Milliseconds from the first answer to the last; `None` where rows don't say.
    pub total_ms: Option<u64>,
    /// Planted checks whose outcome is known.
    pub checks: usize,
    /// Those failed.
    pub failed_checks: usize,
    /// Ratings of comments shown again.
    pub repeats: usize,
    /// By how much they differ from the first ones, as a mean share of the scale.
    pub repeat_difference: Option<f64>,
    /// The median time for an item in milliseconds.
    pub median_active_ms: Option<u64>,
    /// How many times as fast as the others, see [`Limits::speed_index`].
    pub speed_index: Option<f64>,
    /// The share of items answered in less than [`Limits::too_fast_ms`].
    pub too_fast: Option<f64>,
    /// The share of items whose criteria of one scale all have the same rating; `None` where no scale has three.
    pub straight: Option<f64>,
    /// Pearson's correlation with the mean of the other raters over all items and criteria.
    pub with_others: Option<f64>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
    /// What is wrong.
    pub flags: Vec<Flag>,
}

/// All raters.
#[must_use]
pub async fn raters(data: &Dataset, material: &Material, limits: &Limits, pace: &impl Pace) -> Vec<RaterRow> {
    let speed = speed_indices(data);
    let others = with_others(data, pace).await;
    let straight = straight_lines(data);
    pace.turn().await;
    let counts = ratings(data);
    pace.turn().await;
    let checks = planted(data, material);
    let repeats = repeats(data);
    let mut pages: Vec<usize> = counts.iter().map(|(items, _)| *items).collect();
    let of_checks: BTreeSet<(usize, &str)> = data
        .checks
        .iter()
        .map(|check| (check.rater, check.item.as_str()))
        .collect();
    for (rater, _) in of_checks {
        pages[rater] += 1;
    }
    let mut rows = Vec::with_capacity(data.raters.len());
    for (place, rater) in data.raters.iter().enumerate() {
        pace.turn().await;
        let mut times: Vec<u64> = data.active[place].iter().map(|(_, ms)| *ms).collect();
        times.sort_unstable();
        let fast = times.iter().filter(|ms| **ms < limits.too_fast_ms).count();
        let (items, ratings) = counts[place];
        let (checks, failed_checks) = checks.get(&place).copied().unwrap_or_default();
        let (repeats, difference) = repeats.get(&place).copied().unwrap_or_default();
        let mut row = RaterRow {
            rater: rater.clone(),
            items,
            ratings,
            pages: pages[place],
            active_ms: (!times.is_empty()).then(|| times.iter().sum()),
            total_ms: data.answered[place].map(|(first, last)| last - first),
            checks,
            failed_checks,
            repeats,
            repeat_difference: (repeats > 0).then(|| difference / repeats as f64),
            median_active_ms: times.get(times.len() / 2).copied(),
            speed_index: speed[place],
            too_fast: (!times.is_empty()).then(|| fast as f64 / times.len() as f64),
            straight: straight[place]
                .filter(|(_, of)| *of > 0)
                .map(|(same, of)| same as f64 / of as f64),
            with_others: others[place].ok(),
            undefined: others[place].err(),
            flags: Vec::new(),
        };
        row.flags = flags(&row, limits, straight[place].map_or(0, |(_, of)| of));
        rows.push(row);
    }
    rows
}

fn flags(row: &RaterRow, limits: &Limits, lines: usize) -> Vec<Flag> {
    let above = |figure: Option<f64>, limit: f64| figure.is_some_and(|figure| figure > limit);
    let mut flags = Vec::new();
    if row.failed_checks > limits.failed_checks {
        flags.push(Flag::FailedChecks);
    }
    if above(row.repeat_difference, limits.repeat_difference) {
        flags.push(Flag::Inconsistent);
    }
    if above(row.speed_index, limits.speed_index) || above(row.too_fast, limits.too_fast_share) {
        flags.push(Flag::Fast);
    }
    if lines >= limits.straight_items && above(row.straight, limits.straight_share) {
        flags.push(Flag::StraightLining);
    }
    flags
}

/// Items and ratings by rater.
fn ratings(data: &Dataset) -> Vec<(usize, usize)> {
    let mut counts = vec![(0, 0); data.raters.len()];
    let mut last = vec![usize::MAX; data.raters.len()];
    for item in 0..data.items.len() {
        for criterion in &data.criteria {
            for rated in &criterion.by_item[item] {
                let count = &mut counts[rated.rater];
                count.1 += 1;
                if last[rated.rater] != item {
                    last[rated.rater] = item;
                    count.0 += 1;
                }
            }
        }
    }
    counts
}

/// By rater: planted checks whose outcome is known, and those failed. What response sets say goes before what the
/// study expects of the ratings; both say the same where there is the same study.
fn planted(data: &Dataset, material: &Material) -> BTreeMap<usize, (usize, usize)> {
    let mut outcome: BTreeMap<(usize, &str), bool> = BTreeMap::new();
    for check in data.checks.iter().filter(|check| check.item.starts_with(PLANTED)) {
        let criterion = &data.criteria[check.criterion].name;
        let expected = material
            .expected
            .get(&check.item)
            .and_then(|expected| expected.get(criterion));
        if let Some(values) = expected {
            *outcome.entry((check.rater, check.item.as_str())).or_insert(true) &= values.contains(&check.value);
        }
    }
    let places: BTreeMap<&str, usize> = data.raters.iter().map(String::as_str).zip(0..).collect();
    for ((rater, item), passed) in &material.passed {
        if let Some(place) = places.get(rater.as_str()) {
            outcome.insert((*place, item.as_str()), *passed);
        }
    }
    let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for ((rater, _), passed) in outcome {
        let count = counts.entry(rater).or_default();
        count.0 += 1;
        count.1 += usize::from(!passed);
    }
    counts
}

/// By rater: ratings of comments shown again, and the sum of their distances from the first ones as shares of the scale.
fn repeats(data: &Dataset) -> BTreeMap<usize, (usize, f64)> {
    let items: BTreeMap<&str, usize> = data.item_names.iter().map(String::as_str).zip(0..).collect();
    let mut differences: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
    for CheckRating {
        rater,
        item,
        criterion,
        value,
    } in &data.checks
    {
        let criterion = &data.criteria[*criterion];
        let first = item
            .strip_suffix("#2")
            .and_then(|name| items.get(name))
            .and_then(|item| {
                let rated = &criterion.by_item[*item];
                let at = rated.binary_search_by_key(rater, |rated| rated.rater).ok()?;
                Some(rated[at].value)
            });
        if let Some(first) = first.filter(|_| criterion.ends.hold(*value)) {
            let entry = differences.entry(*rater).or_default();
            entry.0 += 1;
            entry.1 += (criterion.ends.share(*value) - criterion.ends.share(first)).abs();
        }
    }
    differences
}

/// The relative speed index of each rater.
fn speed_indices(data: &Dataset) -> Vec<Option<f64>> {
    let mut by_item: Vec<Vec<u64>> = vec![Vec::new(); data.items.len()];
    for (item, ms) in data.active.iter().flatten() {
        by_item[*item].push(*ms);
    }
    let medians: Vec<Option<u64>> = by_item
        .into_iter()
        .map(|mut times| {
            times.sort_unstable();
            (times.len() > 2).then(|| times[times.len() / 2])
        })
        .collect();
    data.active
        .iter()
        .map(|times| {
            let factors: Vec<f64> = times
                .iter()
                .filter_map(|(item, ms)| Some((medians[*item]? as f64 / (*ms).max(1) as f64).min(3.0)))
                .collect();
            (!factors.is_empty()).then(|| factors.iter().sum::<f64>() / factors.len() as f64)
        })
        .collect()
}

/// By rater: items whose criteria of one scale all have the same rating, of how many items with three such criteria.
/// `None` where no scale has three criteria.
fn straight_lines(data: &Dataset) -> Vec<Option<(usize, usize)>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, criterion) in data.criteria.iter().enumerate() {
        match groups
            .iter_mut()
            .find(|group| data.criteria[group[0]].ends == criterion.ends)
        {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    let Some(group) = groups.into_iter().max_by_key(Vec::len).filter(|group| group.len() > 2) else {
        return vec![None; data.raters.len()];
    };
    let mut lines = vec![(0, 0); data.raters.len()];
    let mut seen: Vec<(usize, f64, bool)> = vec![(0, 0.0, true); data.raters.len()];
    let mut met: Vec<usize> = Vec::new();
    for item in 0..data.items.len() {
        for criterion in &group {
            for rated in &data.criteria[*criterion].by_item[item] {
                let (count, value, same) = &mut seen[rated.rater];
                if *count == 0 {
                    met.push(rated.rater);
                }
                *same &= *count == 0 || *value == rated.value;
                *value = rated.value;
                *count += 1;
            }
        }
        for rater in met.drain(..) {
            let (count, _, same) = std::mem::replace(&mut seen[rater], (0, 0.0, true));
            if count > 2 {
                lines[rater].0 += usize::from(same);
                lines[rater].1 += 1;
            }
        }
    }
    lines.into_iter().map(Some).collect()
}

/// Each rater's correlation with the mean of the others.
async fn with_others(data: &Dataset, pace: &impl Pace) -> Vec<Result<f64, Undefined>> {
    let mut own: Vec<Vec<f64>> = vec![Vec::new(); data.raters.len()];
    let mut mean = own.clone();
    for criterion in &data.criteria {
        for rated in criterion.by_item.iter().filter(|rated| rated.len() > 1) {
            pace.turn().await;
            let sum: f64 = rated.iter().map(|rated| criterion.ends.share(rated.value)).sum();
            for one in rated {
                let value = criterion.ends.share(one.value);
                own[one.rater].push(value);
                mean[one.rater].push((sum - value) / (rated.len() - 1) as f64);
            }
        }
    }
    own.iter()
        .zip(&mean)
        .map(|(own, mean)| pearson(own, mean, 0.95).map(|found| found.value))
        .collect()
}
