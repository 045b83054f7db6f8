//! Table 4: how judges' scores go with what people say.

use std::collections::BTreeMap;

use super::means::scores_table;
use crate::{
    judge::run_file::Run,
    overlap::{METRICS, metrics},
    pace::Pace,
    stats::{
        Interval,
        bootstrap::percentile_interval,
        correlation::{kendall, pearson},
    },
    survey::analysis::{
        dataset::Dataset,
        paper::{self, SOURCE},
        table::{Better, Cell, Table},
    },
};

/// The seed of the resamples.
const SEED: u64 = 1;
/// The level of intervals.
const LEVEL: f64 = 0.95;

/// A metric's scores by position and method.
type Scores = BTreeMap<(String, String), f64>;

/// The scores of a run's comments: GCC-Eval's, the claim check's, and the overlap with references where there are any.
fn by_metric(run: &Run) -> Vec<(String, Scores)> {
    let table = scores_table(run);
    let mut all: Vec<(String, Scores)> = table
        .head
        .iter()
        .enumerate()
        .skip(2)
        .map(|(column, name)| {
            let scores = table
                .rows
                .iter()
                .filter_map(|row| match (&row[0], &row[1], &row[column]) {
                    (Cell::Text(position), Cell::Text(method), Cell::Number(value, _)) => {
                        Some(((position.clone(), method.clone()), *value))
                    }
                    _ => None,
                });
            (name.clone(), scores.collect())
        })
        .collect();
    let mut overlap = METRICS.map(|metric| (metric.to_owned(), Scores::new()));
    for item in &run.items {
        let Some(reference) = &item.reference else { continue };
        for comment in &item.comments {
            let computed = metrics(&comment.text, reference, false);
            for ((_, scores), score) in overlap.iter_mut().zip(computed.into_iter().flatten()) {
                scores.insert((item.id.clone(), comment.method.clone()), score);
            }
        }
    }
    all.extend(overlap);
    all.retain(|(_, scores)| !scores.is_empty());
    all
}

/// Pearson's r and Kendall's tau-b of every metric with every criterion of a survey, comment by comment, with bootstrap
/// intervals: positions are drawn anew, all comments on one together. Beside them the paper's Table 4, where it has the metric.
#[must_use]
pub async fn table_4(run: &Run, people: &Dataset, pace: &impl Pace) -> Table {
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
    let mut beside: Vec<Option<(f64, f64)>> = Vec::new();
    for (metric, scores) in by_metric(run) {
        for criterion in &people.criteria {
            pace.turn().await;
            let mut found: Vec<(usize, f64, f64)> = Vec::new();
            for (place, item) in people.items.iter().enumerate() {
                let key = (
                    people.positions[item.position].clone(),
                    people.methods[item.method].clone(),
                );
                if let Some((score, mean)) = scores.get(&key).zip(criterion.mean_share(place)) {
                    found.push((item.position, mean, *score));
                }
            }
            let all = vec![1; people.positions.len()];
            let mut row = vec![Cell::Text(metric.clone()), Cell::Text(criterion.name.clone())];
            for measure in [r, tau] {
                let figure = |drawn: &[u32]| measure(&found, drawn);
                let drawn = percentile_interval(people.positions.len(), SEED, LEVEL, figure, pace).await;
                let interval: Option<Interval> = drawn.ok();
                row.push(Cell::number(measure(&found, &all), 2));
                row.push(Cell::number(interval.map(|interval| interval.low), 2));
                row.push(Cell::number(interval.map(|interval| interval.high), 2));
            }
            row.push(Cell::Count(found.len()));
            table.rows.push(row);
            beside.push(paper::correlation(&metric, &criterion.name));
        }
    }
    for criterion in &people.criteria {
        for column in [2, 5] {
            table.mark_column_where(column, Better::Higher, |row| {
                row[1] == Cell::from(criterion.name.as_str())
            });
        }
    }
    table
        .notes
        .push("Marks compare the metrics by one criterion.".to_owned());
    table.notes.push(format!(
        "Intervals of level {LEVEL}: bootstrap over positions, seed {SEED}. A cell is empty where scores or ratings do not vary."
    ));
    if beside.iter().any(Option::is_some) {
        let column =
            |part: fn((f64, f64)) -> f64| beside.iter().map(|found| Cell::number(found.map(part), 2)).collect();
        let n = paper::COMMENTS;
        // After tau's upper end, then after r's.
        table.insert_column(8, format!("Kendall, paper (n = {n})"), column(|(_, tau)| tau));
        table.insert_column(5, format!("Pearson, paper (n = {n})"), column(|(r, _)| r));
        table.notes.push(format!(
            "Paper: {SOURCE}, Table 4; n comments, those of the reference among them. Other raters, other moves and other models \
             than ours."
        ));
    }
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
