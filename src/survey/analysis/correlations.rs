//! Table 4: how automatic metrics go with what people say.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    Options,
    dataset::Dataset,
    material::{MOST_METRICS, Material},
};
use crate::{
    overlap::{METRICS, metrics},
    pace::Pace,
    stats::{
        Undefined,
        correlation::{Correlation, kendall, pearson},
    },
};

/// The correlation of a metric with a criterion's mean ratings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrelationRow {
    /// The metric.
    pub metric: String,
    /// The criterion's id, such as `correctness`.
    pub criterion: String,
    /// Pearson's r.
    pub pearson: Option<f64>,
    /// Its two-sided p-value.
    pub pearson_p: Option<f64>,
    /// The lower end of its interval.
    pub pearson_low: Option<f64>,
    /// The upper end.
    pub pearson_high: Option<f64>,
    /// Kendall's tau-b.
    pub kendall: Option<f64>,
    /// Its two-sided p-value.
    pub kendall_p: Option<f64>,
    /// The lower end of its interval.
    pub kendall_low: Option<f64>,
    /// The upper end.
    pub kendall_high: Option<f64>,
    /// Comments that have both numbers.
    pub n: usize,
    /// Why there is no correlation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
}

/// All metrics against all criteria, comment by comment. A comment that is the reference itself has no part in the
/// metrics of [`METRICS`], for it would be its own measure, unless [`Options::count_reference`] asks for it: then its
/// overlap is 1, or 0 in pairs of words where it has one word.
#[must_use]
pub async fn correlations(
    data: &Dataset,
    material: &Material,
    options: &Options,
    pace: &impl Pace,
) -> Vec<CorrelationRow> {
    let scores = scores(data, material, options.count_reference, pace).await;
    let imported: BTreeSet<&str> = scores.iter().flat_map(|scores| scores.keys().copied()).collect();
    let own = METRICS.iter().copied().filter(|metric| imported.contains(metric));
    let others = imported.iter().copied().filter(|metric| !METRICS.contains(metric));
    let mut rows = Vec::new();
    for metric in own.chain(others).take(MOST_METRICS) {
        for criterion in &data.criteria {
            pace.turn().await;
            let (mut people, mut scored) = (Vec::new(), Vec::new());
            for (item, scores) in scores.iter().enumerate() {
                if let Some((score, mean)) = scores.get(metric).zip(criterion.mean_share(item)) {
                    people.push(mean);
                    scored.push(*score);
                }
            }
            let r = pearson(&people, &scored, options.level);
            let tau = kendall(&people, &scored, options.level);
            let part = |found: Result<Correlation, Undefined>| {
                let interval = found.and_then(|found| found.interval).ok();
                (
                    found.ok().map(|found| found.value),
                    found.and_then(|found| found.p).ok(),
                    interval.map(|ends| ends.low),
                    interval.map(|ends| ends.high),
                )
            };
            let (pearson, pearson_p, pearson_low, pearson_high) = part(r);
            let (kendall, kendall_p, kendall_low, kendall_high) = part(tau);
            rows.push(CorrelationRow {
                metric: metric.to_owned(),
                criterion: criterion.name.clone(),
                pearson,
                pearson_p,
                pearson_low,
                pearson_high,
                kendall,
                kendall_p,
                kendall_low,
                kendall_high,
                n: people.len(),
                undefined: r.err(),
            });
        }
    }
    rows
}

/// A sentence where comments have scores of more metrics than Table 4 takes: the first by their names.
#[must_use]
pub fn left_out(material: &Material) -> Option<String> {
    let scores = material.comments.values().flat_map(|comment| comment.scores.keys());
    let metrics: BTreeSet<&str> = scores.map(String::as_str).collect();
    (metrics.len() > MOST_METRICS).then(|| {
        format!(
            "the comments have scores of {} metrics, and Table 4 takes at most {MOST_METRICS}: the others are left out",
            metrics.len()
        )
    })
}

/// Each item's scores by metric.
async fn scores<'a>(
    data: &Dataset,
    material: &'a Material,
    count_reference: bool,
    pace: &impl Pace,
) -> Vec<BTreeMap<&'a str, f64>> {
    let mut all = Vec::with_capacity(data.items.len());
    for item in &data.items {
        pace.turn().await;
        let key = (data.positions[item.position].clone(), data.methods[item.method].clone());
        let Some(comment) = material.comments.get(&key) else {
            all.push(BTreeMap::new());
            continue;
        };
        let mut scores: BTreeMap<&str, f64> = comment
            .scores
            .iter()
            .map(|(metric, score)| (metric.as_str(), *score))
            .collect();
        let computed = comment
            .reference
            .as_deref()
            .and_then(|reference| metrics(&comment.text, reference, count_reference));
        // What a file gives under the same name goes first.
        for (metric, score) in METRICS.into_iter().zip(computed.into_iter().flatten()) {
            scores.entry(metric).or_insert(score);
        }
        all.push(scores);
    }
    all
}
