//! Table 5: means of GCC-Eval by method, where the comments have its scores.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Options,
    dataset::Dataset,
    material::Material,
    paper::{CRITERIA, gcc_criterion},
};
use crate::stats::{Undefined, mean::mean_interval};

/// The mean of a method's scores by a metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GccEvalRow {
    /// The method's name, as the study has it.
    pub method: String,
    /// The metric, as the scores call it.
    pub metric: String,
    /// The criterion that its name says.
    pub criterion: &'static str,
    /// The mean, as the scores are: nothing is rescaled.
    pub mean: f64,
    /// The lower end of its t interval over comments.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Comments: those that were rated and have the score.
    pub n: usize,
    /// Why there is no interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
}

/// The means of all metrics that are GCC-Eval's by their names ([`gcc_criterion`]), by metric and method.
#[must_use]
pub fn gcc_eval(data: &Dataset, material: &Material, options: &Options) -> Vec<GccEvalRow> {
    // By the criteria's order, by metric, by method.
    let mut scores: BTreeMap<(usize, &str), Vec<Vec<f64>>> = BTreeMap::new();
    for item in &data.items {
        let key = (data.positions[item.position].clone(), data.methods[item.method].clone());
        for (metric, score) in material.comments.get(&key).iter().flat_map(|comment| &comment.scores) {
            let Some(criterion) = gcc_criterion(metric) else {
                continue;
            };
            let place = CRITERIA.iter().position(|known| *known == criterion);
            let by_method = scores.entry((place.unwrap_or_default(), metric.as_str())).or_default();
            by_method.resize(data.methods.len(), Vec::new());
            by_method[item.method].push(*score);
        }
    }
    let mut rows = Vec::new();
    for ((place, metric), by_method) in scores {
        for (method, values) in data.methods.iter().zip(by_method) {
            let Ok(found) = mean_interval(&values, options.level) else {
                continue;
            };
            rows.push(GccEvalRow {
                method: method.clone(),
                metric: metric.to_owned(),
                criterion: CRITERIA[place],
                mean: found.mean,
                low: found.interval.ok().map(|ends| ends.low),
                high: found.interval.ok().map(|ends| ends.high),
                n: found.n,
                undefined: found.interval.err(),
            });
        }
    }
    rows
}
