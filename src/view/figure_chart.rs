//! A chart of one figure a row with its interval, whatever the figure is.

use super::rating_charts::{MeanMark, MeansChart, across, down, height};
use crate::{stats::Interval, survey::analysis::table::rounded};

/// A row's figure: its place on an axis from 0 to 1, and its words.
pub(super) struct Figure<'a> {
    /// Whose it is.
    pub name: &'a str,
    /// Where it stands.
    pub at: Option<f64>,
    /// Where its interval begins and ends.
    pub interval: Option<(f64, f64)>,
    /// In words.
    pub text: String,
}

/// The chart of these figures.
pub(super) fn chart(heading: String, title: String, ticks: Vec<(f64, String)>, figures: Vec<Figure<'_>>) -> MeansChart {
    let texts: Vec<String> = figures.iter().map(|figure| figure.text.clone()).collect();
    MeansChart {
        summary: format!("{title}: {}.", texts.join("; ")),
        criterion: heading,
        title,
        height: height(figures.len()),
        ticks,
        marks: figures
            .into_iter()
            .enumerate()
            .map(|(place, figure)| MeanMark {
                method: figure.name.to_owned(),
                y: down(place),
                x: figure.at.map(across),
                interval: figure.interval.map(|(low, high)| (across(low), across(high))),
                baseline: false,
                marked: false,
                text: figure.text,
            })
            .collect(),
    }
}

/// A figure with its interval in words.
pub(super) fn words(name: &str, value: Option<f64>, interval: Option<Interval>, decimals: usize) -> String {
    match (value, interval) {
        (Some(value), Some(ends)) => format!(
            "{name} {} [{}, {}]",
            rounded(value, decimals),
            rounded(ends.low, decimals),
            rounded(ends.high, decimals)
        ),
        (Some(value), None) => format!("{name} {}", rounded(value, decimals)),
        (None, _) => format!("{name} has none"),
    }
}
