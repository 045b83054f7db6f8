//! Table 2: how often each kind of error was ticked, by method.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    Options,
    dataset::{Dataset, Question},
};
use crate::{
    pace::{self, Pace},
    stats::rate::wilson,
};

/// How often a kind of error was ticked for a method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorRow {
    /// The method's name, as the study has it.
    pub method: String,
    /// The kind's name in the results.
    pub kind: String,
    /// What raters saw; the name where that isn't known.
    pub label: String,
    /// The share of the method's ratings in which it was ticked; several may be, so shares add up to more than 1.
    pub rate: Option<f64>,
    /// The lower end of Wilson's interval, which takes ratings for independent.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// In how many ratings it was ticked.
    pub count: usize,
    /// Ratings: one of each rater and item.
    pub n: usize,
    /// Ratings of these in which kinds were asked for; where the study isn't known, in which any was ticked.
    pub asked: usize,
    /// The share of those.
    pub rate_asked: Option<f64>,
}

/// The rates of all kinds that can be ticked, or were.
#[must_use]
pub async fn errors(data: &Dataset, options: &Options, pace: &impl Pace) -> Vec<ErrorRow> {
    let mut rows = Vec::new();
    for question in data.questions.iter().filter(|question| !question.kinds.is_empty()) {
        rows.extend(rates(data, question, options, pace).await);
    }
    rows
}

async fn rates(data: &Dataset, question: &Question, options: &Options, pace: &impl Pace) -> Vec<ErrorRow> {
    let of = question.asked.of.as_deref().and_then(|name| data.criterion(name));
    // Ratings by method: all, and those after which kinds were asked for.
    let mut all = vec![BTreeSet::new(); data.methods.len()];
    let mut asked = all.clone();
    for (place, criterion) in data.criteria.iter().enumerate() {
        if of.is_some_and(|of| of != place) {
            continue;
        }
        for (item, rated) in criterion.by_item.iter().enumerate() {
            pace.turn().await;
            for rated in rated {
                let method = data.items[item].method;
                all[method].insert((item, rated.rater));
                if of.is_some() && question.asked.when.contains(&rated.value) {
                    asked[method].insert((item, rated.rater));
                }
            }
        }
    }
    let mut counts = vec![vec![0_usize; question.kinds.len()]; data.methods.len()];
    for (place, ticked) in question.ticked.iter().enumerate() {
        if place % pace::ROWS == 0 {
            pace.turn().await;
        }
        let method = data.items[ticked.item].method;
        let rating = (ticked.item, ticked.rater);
        // A tick is a rating too, should the criterion it belongs to be missing.
        all[method].insert(rating);
        if of.is_none() {
            asked[method].insert(rating);
        }
        counts[method][ticked.kind] += 1;
    }
    let mut rows = Vec::new();
    for (method, counts) in counts.iter().enumerate() {
        let (n, asked) = (all[method].len(), asked[method].len());
        for (kind, count) in question.kinds.iter().zip(counts) {
            let label = question.asked.kinds.iter().find(|(id, _)| id == kind);
            let rate = wilson(*count, n, options.level).ok();
            rows.push(ErrorRow {
                method: data.methods[method].clone(),
                kind: kind.clone(),
                label: label.map_or(kind, |(_, label)| label).clone(),
                rate: rate.map(|rate| rate.rate),
                low: rate.map(|rate| rate.interval.low),
                high: rate.map(|rate| rate.interval.high),
                count: *count,
                n,
                asked,
                rate_asked: (asked > 0).then(|| *count as f64 / asked as f64),
            });
        }
    }
    rows
}
