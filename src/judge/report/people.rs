//! Table 4: how judges' scores go with what people say.

use std::collections::BTreeMap;

use super::means::scores_table;
use crate::{
    judge::run_file::Run,
    pace::{AtOnce, at_once},
    stats::{
        Interval,
        bootstrap::percentile_interval,
        correlation::{kendall, pearson},
    },
    survey::analysis::{
        dataset::Dataset,
        table::{Cell, Table},
    },
};

/// The seed of the resamples.
const SEED: u64 = 1;
/// The level of intervals.
const LEVEL: f64 = 0.95;

/// Scores of a run by metric, then by position and method.
type ByMetric = BTreeMap<String, BTreeMap<(String, String), f64>>;

/// The scores that a run gives: GCC-Eval's and the claim check's.
fn by_metric(run: &Run) -> ByMetric {
    let table = scores_table(run);
    let mut all = ByMetric::new();
    for row in &table.rows {
        let (Some(Cell::Text(position)), Some(Cell::Text(method))) = (row.first(), row.get(1)) else {
            continue;
        };
        for (name, cell) in table.head.iter().zip(row).skip(2) {
            if let Cell::Number(value, _) = cell {
                let scores = all.entry(name.clone()).or_default();
                scores.insert((position.clone(), method.clone()), *value);
            }
        }
    }
    all
}

/// Pearson's r and Kendall's tau-b of every metric with every criterion of a survey, comment by comment, with bootstrap
/// intervals: positions are drawn anew, all comments on one together.
#[must_use]
pub fn table_4(run: &Run, people: &Dataset) -> Table {
    let mut table = Table {
        caption: "Judges against people".to_owned(),
        head: [
            "Metric",
            "Criterion",
            "Pearson",
            "low",
            "high",
            "Kendall",
            "low",
            "high",
            "Comments",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    for (metric, scores) in by_metric(run) {
        for criterion in &people.criteria {
            let mut found: Vec<(usize, f64, f64)> = Vec::new();
            for (item, rated) in people.items.iter().zip(&criterion.by_item) {
                let key = (
                    people.positions[item.position].clone(),
                    people.methods[item.method].clone(),
                );
                if let Some(score) = scores.get(&key).filter(|_| !rated.is_empty()) {
                    let sum: f64 = rated.iter().map(|rated| criterion.ends.share(rated.value)).sum();
                    // Sums of the same ratings by other raters differ in their last digits: ties are ties.
                    let mean = (sum / rated.len() as f64 * 1e9).round() / 1e9;
                    found.push((item.position, mean, *score));
                }
            }
            let all = vec![1; people.positions.len()];
            let mut row = vec![Cell::Text(metric.clone()), Cell::Text(criterion.name.clone())];
            for measure in [r, tau] {
                let interval = interval(&found, people.positions.len(), measure);
                row.push(Cell::number(measure(&found, &all), 2));
                row.push(Cell::number(interval.map(|interval| interval.low), 2));
                row.push(Cell::number(interval.map(|interval| interval.high), 2));
            }
            row.push(Cell::Count(found.len()));
            table.rows.push(row);
        }
    }
    table.notes.push(format!(
        "Intervals of level {LEVEL}: bootstrap over positions, seed {SEED}. A cell is empty where scores or ratings do not vary."
    ));
    table
}

type Pairs = [(usize, f64, f64)];

fn drawn_values(pairs: &Pairs, drawn: &[u32]) -> (Vec<f64>, Vec<f64>) {
    let mut values = (Vec::new(), Vec::new());
    for (position, person, score) in pairs {
        for _ in 0..drawn[*position] {
            values.0.push(*person);
            values.1.push(*score);
        }
    }
    values
}

fn r(pairs: &Pairs, drawn: &[u32]) -> Option<f64> {
    let (people, scores) = drawn_values(pairs, drawn);
    Some(pearson(&people, &scores, LEVEL).ok()?.value)
}

fn tau(pairs: &Pairs, drawn: &[u32]) -> Option<f64> {
    let (people, scores) = drawn_values(pairs, drawn);
    Some(kendall(&people, &scores, LEVEL).ok()?.value)
}

fn interval(pairs: &Pairs, positions: usize, measure: fn(&Pairs, &[u32]) -> Option<f64>) -> Option<Interval> {
    at_once(percentile_interval(
        positions,
        SEED,
        LEVEL,
        |drawn| measure(pairs, drawn),
        &AtOnce,
    ))
    .ok()
}
