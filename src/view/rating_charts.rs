//! Charts of what ratings say, as shapes to draw: means with their intervals, how often each rating was given, and how
//! far each two raters agree. Every chart stands beside its table, and has a summary in words.

use crate::survey::analysis::{
    Report,
    layout::{MARKED, comparison_words, distinct},
    pairs::Pairs,
    table::rounded,
};

/// Width of a chart, in its own units; letters are 12 high.
pub const WIDTH: f64 = 360.0;
/// Where bars and points begin, right of the methods' names.
pub const LEFT: f64 = 118.0;
/// Where they end.
pub const RIGHT: f64 = 346.0;
/// The height of a method's row.
pub const ROW: f64 = 26.0;
/// What is above the first row.
const TOP: f64 = 6.0;
/// What is below the last: the axis.
const BOTTOM: f64 = 24.0;
/// How many letters of a name fit beside a chart.
const LETTERS: usize = 15;
/// Segments narrower than this share have no figure in them.
pub(super) const WRITTEN: f64 = 0.13;
/// Names are written beside heat maps of so many raters at most, and figures into the cells of so many.
const NAMED: usize = 24;
const FIGURES: usize = 12;

/// A name as there is room for it; the whole of it belongs into a title.
#[must_use]
pub fn short(name: &str) -> String {
    shortened(name, LETTERS)
}

fn shortened(name: &str, letters: usize) -> String {
    let clean = |letter: char| if letter.is_control() { ' ' } else { letter };
    let mut short: String = name.chars().take(letters).map(clean).collect();
    if name.chars().nth(letters).is_some() {
        short.pop();
        short.push('…');
    }
    short
}

/// The ticks of an axis from 0 to 1.
pub(super) fn ticks_of_shares() -> Vec<(f64, String)> {
    [0.0, 0.25, 0.5, 0.75, 1.0]
        .map(|share| (across(share), share.to_string()))
        .to_vec()
}

/// A share of the axis, across.
pub(super) fn across(share: f64) -> f64 {
    LEFT + (RIGHT - LEFT) * share.clamp(0.0, 1.0)
}

/// The height of a chart of so many rows.
pub(super) fn height(rows: usize) -> f64 {
    TOP + ROW * rows as f64 + BOTTOM
}

/// The middle of a row, down.
pub(super) fn down(row: usize) -> f64 {
    TOP + ROW * (row as f64 + 0.5)
}

/// A figure of every method with its interval, such as the means for one criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct MeansChart {
    /// What is written above it, such as the criterion.
    pub criterion: String,
    /// What it is called: "Means of clarity".
    pub title: String,
    /// The drawing's height.
    pub height: f64,
    /// Where the axis has ticks, and what they say.
    pub ticks: Vec<(f64, String)>,
    /// One for each method.
    pub marks: Vec<MeanMark>,
    /// In words.
    pub summary: String,
}

/// A method's mean.
#[derive(Debug, Clone, PartialEq)]
pub struct MeanMark {
    /// The method's name.
    pub method: String,
    /// From the top of the chart down, in its own units.
    pub y: f64,
    /// The mean, across; `None` without ratings.
    pub x: Option<f64>,
    /// The interval, across.
    pub interval: Option<(f64, f64)>,
    /// Whether it is the method that others are compared with.
    pub baseline: bool,
    /// Whether it differs from that one.
    pub marked: bool,
    /// In words.
    pub text: String,
}

/// One chart a criterion.
#[must_use]
pub fn means_charts(report: &Report) -> Vec<MeansChart> {
    let criteria = distinct(report.means.iter().map(|row| row.criterion.as_str()));
    let chart = |criterion: &str| {
        let rows: Vec<_> = report.means.iter().filter(|row| row.criterion == criterion).collect();
        let marks: Vec<MeanMark> = rows
            .iter()
            .enumerate()
            .map(|(place, row)| {
                let comparison = report
                    .comparisons
                    .iter()
                    .find(|other| other.method == row.method && other.criterion == criterion);
                let mut text = match (row.mean, row.low.zip(row.high)) {
                    (Some(mean), Some((low, high))) => format!(
                        "{}: {} [{}, {}], {} ratings",
                        row.method,
                        rounded(mean, 3),
                        rounded(low, 3),
                        rounded(high, 3),
                        row.n
                    ),
                    (Some(mean), None) => format!("{}: {}, {} ratings", row.method, rounded(mean, 3), row.n),
                    (None, _) => format!("{}: no ratings", row.method),
                };
                if let Some(comparison) = comparison {
                    text = format!("{text}. {}", comparison_words(comparison));
                }
                MeanMark {
                    method: row.method.clone(),
                    y: down(place),
                    x: row.mean.map(across),
                    interval: row.low.zip(row.high).map(|(low, high)| (across(low), across(high))),
                    baseline: report.baseline.as_ref() == Some(&row.method),
                    marked: comparison.and_then(|row| row.p_holm).is_some_and(|p| p < MARKED),
                    text,
                }
            })
            .collect();
        let mut by_mean: Vec<_> = rows.iter().filter_map(|row| Some((row.mean?, &row.method))).collect();
        by_mean.sort_by(|a, b| a.0.total_cmp(&b.0));
        let summary = match (by_mean.first(), by_mean.last()) {
            (Some((low, lowest)), Some((high, highest))) if by_mean.len() > 1 => format!(
                "Mean {criterion} as a share of the scale: from {} ({lowest}) to {} ({highest}), {} methods.",
                rounded(*low, 2),
                rounded(*high, 2),
                by_mean.len()
            ),
            (Some((mean, method)), _) => format!("Mean {criterion}: {} ({method}).", rounded(*mean, 2)),
            _ => format!("No ratings of {criterion}."),
        };
        MeansChart {
            criterion: criterion.to_owned(),
            title: format!("Means of {criterion}"),
            height: height(marks.len()),
            ticks: ticks_of_shares(),
            marks,
            summary,
        }
    };
    criteria.into_iter().map(chart).collect()
}

/// How often each rating was given for one criterion: a bar for each method, a segment for each rating.
#[derive(Debug, Clone, PartialEq)]
pub struct DistributionChart {
    /// The criterion.
    pub criterion: String,
    /// The drawing's height.
    pub height: f64,
    /// The ratings from the lowest, with how dark they are, 0..1.
    pub legend: Vec<(String, f64)>,
    /// One for each method.
    pub bars: Vec<Bar>,
    /// In words.
    pub summary: String,
}

/// A method's ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The method's name.
    pub method: String,
    /// The middle, down.
    pub y: f64,
    /// Ratings that were given, from the lowest.
    pub segments: Vec<Segment>,
}

/// One rating's part of a bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// Where it begins, across.
    pub x: f64,
    /// Its width.
    pub width: f64,
    /// How dark it is, 0..1: the lowest rating 0, the highest 1.
    pub depth: f64,
    /// The share in percent, where there is room for it.
    pub label: Option<String>,
    /// In words.
    pub text: String,
}

/// One chart a criterion.
#[must_use]
pub fn distribution_charts(report: &Report) -> Vec<DistributionChart> {
    let criteria = distinct(report.distributions.iter().map(|row| row.criterion.as_str()));
    let chart = |criterion: &str| {
        let rows: Vec<_> = report
            .distributions
            .iter()
            .filter(|row| row.criterion == criterion)
            .collect();
        let mut values: Vec<f64> = rows
            .iter()
            .flat_map(|row| &row.counts)
            .map(|(value, _)| *value)
            .collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let last = values.len().saturating_sub(1).max(1) as f64;
        let depth = |value: f64| values.partition_point(|other| *other < value) as f64 / last;
        let mut sums = vec![0_usize; values.len()];
        let mut bars = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let mut before = 0;
            let mut segments = Vec::new();
            for (value, count) in row.counts.iter().filter(|(_, count)| *count > 0) {
                let share = *count as f64 / row.n as f64;
                sums[values.partition_point(|other| other < value)] += count;
                segments.push(Segment {
                    x: across(before as f64 / row.n as f64),
                    width: (RIGHT - LEFT) * share,
                    depth: depth(*value),
                    label: (share >= WRITTEN).then(|| format!("{} %", rounded(100.0 * share, 0))),
                    text: format!(
                        "{}: {value} given {count} times of {}, {} %",
                        row.method,
                        row.n,
                        rounded(100.0 * share, 1)
                    ),
                });
                before += count;
            }
            bars.push(Bar {
                method: row.method.clone(),
                y: down(place),
                segments,
            });
        }
        let most = sums.iter().zip(&values).max_by_key(|(count, _)| **count);
        let all: usize = sums.iter().sum();
        DistributionChart {
            criterion: criterion.to_owned(),
            height: height(bars.len()),
            legend: values.iter().map(|value| (value.to_string(), depth(*value))).collect(),
            bars,
            summary: most.filter(|_| all > 0).map_or_else(
                || format!("No ratings of {criterion}."),
                |(count, value)| {
                    format!(
                        "How often each rating of {criterion} was given: most often {value}, in {} % of {all} ratings.",
                        rounded(100.0 * *count as f64 / all as f64, 0)
                    )
                },
            ),
        }
    };
    criteria.into_iter().map(chart).collect()
}

/// How far each two raters agree.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// The criterion.
    pub criterion: String,
    /// The drawing's height.
    pub height: f64,
    /// The side of a cell.
    pub side: f64,
    /// One for each pair.
    pub cells: Vec<HeatCell>,
    /// Names beside the rows: down, and the name.
    pub rows: Vec<(f64, String)>,
    /// Names below the columns: across, and the name.
    pub columns: Vec<(f64, String)>,
    /// Where the columns' names begin, down.
    pub below: f64,
    /// In words.
    pub summary: String,
}

/// A pair of raters.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatCell {
    /// From the left of the chart, in its own units.
    pub x: f64,
    /// From the top of the chart down, in its own units.
    pub y: f64,
    /// How dark it is: see [`step`].
    pub step: Option<usize>,
    /// The figure, where there is room for it.
    pub label: Option<String>,
    /// In words.
    pub text: String,
}

/// The steps of the heat map: below zero, then fifths.
pub const STEPS: [&str; 6] = [
    "below 0",
    "0 to 0.2",
    "0.2 to 0.4",
    "0.4 to 0.6",
    "0.6 to 0.8",
    "0.8 to 1",
];

/// Which of [`STEPS`] a coefficient is in.
#[must_use]
pub fn step(alpha: f64) -> usize {
    if alpha < 0.0 {
        0
    } else {
        1 + ((alpha * 5.0) as usize).min(4)
    }
}

impl HeatMap {
    /// The map of all pairs; `None` with fewer than two raters.
    #[must_use]
    pub fn new(pairs: &Pairs) -> Option<Self> {
        let count = pairs.raters.len();
        if count < 2 {
            return None;
        }
        let named = count <= NAMED;
        let left = if named { 74.0 } else { 8.0 };
        // Rows from the second rater on, columns up to the last but one.
        let side = ((WIDTH - 10.0 - left) / (count - 1) as f64).min(44.0);
        let below = TOP + side * (count - 1) as f64;
        let mut cells = Vec::new();
        for (second, row) in pairs.rows.iter().enumerate().skip(1) {
            for (first, pair) in row.iter().enumerate() {
                let names = format!("{} and {}", pairs.raters[second], pairs.raters[first]);
                let alpha = pair.alpha.ok();
                cells.push(HeatCell {
                    x: left + side * first as f64,
                    y: TOP + side * (second - 1) as f64,
                    step: alpha.map(step),
                    label: (count <= FIGURES).then(|| alpha.map_or_else(|| "–".to_owned(), |a| rounded(a, 2))),
                    text: match pair.alpha {
                        Ok(alpha) => format!("{names}: α = {} on {} items", rounded(alpha, 3), pair.items),
                        Err(reason) => format!("{names}: no α, {reason}"),
                    },
                });
            }
        }
        let names = |from: usize, to: usize| {
            let middle = move |place: usize| side * (place as f64 + 0.5);
            let all = pairs.raters[from..to].iter().enumerate();
            all.map(move |(place, name)| (middle(place), shortened(name, 10)))
        };
        let (rows, columns) = if named {
            (
                names(1, count).map(|(at, name)| (TOP + at, name)).collect(),
                names(0, count - 1).map(|(at, name)| (left + at, name)).collect(),
            )
        } else {
            (Vec::new(), Vec::new())
        };
        Some(Self {
            criterion: pairs.criterion.clone(),
            height: below + if named { 66.0 } else { TOP },
            side,
            cells,
            rows,
            columns,
            below,
            summary: summary(pairs),
        })
    }
}

fn summary(pairs: &Pairs) -> String {
    let mut means: Vec<(f64, &String)> = (0..pairs.raters.len())
        .filter_map(|rater| Some((pairs.mean(rater)?, &pairs.raters[rater])))
        .collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let found: Vec<f64> = pairs.rows.iter().flatten().filter_map(|pair| pair.alpha.ok()).collect();
    match (means.first(), found.len()) {
        (Some((least, rater)), count) => format!(
            "Agreement of {} raters on {}, each with each: mean α {} over {count} pairs; {rater} agrees least with the \
             others, {} on average.",
            pairs.raters.len(),
            pairs.criterion,
            rounded(found.iter().sum::<f64>() / count as f64, 2),
            rounded(*least, 2)
        ),
        _ => format!("No two raters of {} can be compared.", pairs.criterion),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::{
        pace::{AtOnce, at_once},
        survey::{
            Rating,
            analysis::{Options, analyse, dataset::Dataset, material::Material, pairs::pairs},
            simulation::{Simulation, Spread, made_up_study, simulate},
        },
    };

    fn simulated(raters: usize) -> (Vec<Rating>, Material) {
        let study = made_up_study(12, &["a".into(), "b".into()], 1);
        let how = Simulation {
            raters,
            careless: 1,
            effects: BTreeMap::from([("b".to_owned(), 0.25)]),
            spread: Spread::default(),
            seed: 1,
        };
        (simulate(&study, &how), Material::from(&study))
    }

    fn report(raters: usize) -> Report {
        let (ratings, material) = simulated(raters);
        let options = Options {
            baseline: Some("a".to_owned()),
            ..Options::default()
        };
        analyse(&ratings, &material, &options).unwrap()
    }

    #[test]
    fn means_lie_within_their_intervals_and_the_axis() {
        let report = report(6);
        let charts = means_charts(&report);
        assert_eq!(charts.len(), 5);
        for chart in &charts {
            assert_eq!(chart.marks.len(), 2);
            for (mark, row) in chart
                .marks
                .iter()
                .zip(report.means.iter().filter(|row| row.criterion == chart.criterion))
            {
                let (x, (low, high)) = (mark.x.unwrap(), mark.interval.unwrap());
                assert!((LEFT..=RIGHT).contains(&x) && low <= x && x <= high, "{mark:?}");
                assert!((x - (LEFT + (RIGHT - LEFT) * row.mean.unwrap())).abs() < 1e-9);
                assert!(mark.y < chart.height && mark.text.contains(&row.n.to_string()));
            }
            assert!(chart.marks[0].baseline && !chart.marks[1].baseline);
            assert!(chart.summary.contains("(b)"), "{}", chart.summary);
        }
    }

    #[test]
    fn bars_are_full() {
        let report = report(6);
        for chart in distribution_charts(&report) {
            assert_eq!(chart.legend.first().unwrap().1, 0.0);
            assert_eq!(chart.legend.last().unwrap().1, 1.0);
            for bar in &chart.bars {
                let width: f64 = bar.segments.iter().map(|segment| segment.width).sum();
                assert!((width - (RIGHT - LEFT)).abs() < 1e-9);
                let last = bar.segments.last().unwrap();
                assert!((last.x + last.width - RIGHT).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn heat_maps_have_a_cell_for_each_pair() {
        for raters in [2_usize, 6, 30] {
            let (ratings, material) = simulated(raters);
            let nobody = BTreeSet::new();
            let data = at_once(Dataset::new([&ratings[..]].into_iter(), &material, &nobody, &AtOnce)).unwrap();
            let all: Vec<usize> = (0..raters).collect();
            let pairs = at_once(pairs(&data, 0, &all, &AtOnce));
            let map = HeatMap::new(&pairs).unwrap();
            assert_eq!(map.cells.len(), raters * (raters - 1) / 2);
            assert_eq!(map.rows.len(), if raters <= NAMED { raters - 1 } else { 0 });
            for cell in &map.cells {
                assert!(cell.x >= 0.0 && cell.x + map.side <= WIDTH && cell.y + map.side <= map.height);
                assert_eq!(cell.label.is_some(), raters <= FIGURES);
            }
            let alpha = pairs.get(0, 1).unwrap();
            assert_eq!(pairs.get(1, 0), Some(alpha));
            assert_eq!((alpha.items, pairs.table().rows.len()), (24, map.cells.len()));
        }
        assert_eq!(HeatMap::new(&Pairs::default()), None);
    }

    #[test]
    fn steps_are_fifths() {
        assert_eq!([-0.1, 0.0, 0.19, 0.2, 0.79, 0.8, 1.0].map(step), [0, 1, 1, 2, 4, 5, 5]);
        assert_eq!(short("a-name-that-is-much-too-long"), "a-name-that-is…");
        assert_eq!(short("fifteen-letters"), "fifteen-letters");
    }
}
