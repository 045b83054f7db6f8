//! Figure A1 as shapes to draw: two histograms of 50 buckets, the chances of winning and the numbers of moves, each of all actions
//! as columns with a line for the boards or the best moves over them.

use crate::chessbench::data_card::{BUCKETS, Buckets, SetFigures, bucket_of_numbers, bucket_of_values};

/// Width of a chart, in its own units; letters are 11 high.
pub const WIDTH: f64 = 360.0;
/// Its height.
pub const HEIGHT: f64 = 150.0;
/// Where columns begin, right of the shares.
pub const LEFT: f64 = 46.0;
/// Where they end.
pub const RIGHT: f64 = 346.0;
/// Where the highest column ends.
pub const TOP: f64 = 8.0;
/// Where columns stand.
pub const BOTTOM: f64 = 126.0;

/// A histogram.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// What is written above it.
    pub heading: String,
    /// In words, for who does not see it.
    pub summary: String,
    /// What the columns are of, and what the line is of.
    pub legend: [&'static str; 2],
    /// The columns.
    pub columns: Vec<Column>,
    /// The line over them, as an SVG path; empty where nothing is counted.
    pub line: String,
    /// Where the axis across has ticks, and what they say.
    pub across: Vec<(f64, String)>,
    /// Where the axis upwards has ticks, and what they say.
    pub upwards: Vec<(f64, String)>,
}

/// A bucket's column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Where it begins, across.
    pub x: f64,
    /// How wide it is.
    pub width: f64,
    /// Where it ends, from the top down.
    pub y: f64,
    /// Its bucket and its counts, in words.
    pub text: String,
}

/// The two histograms; none of a set without actions and boards.
#[must_use]
pub fn histograms(figures: &SetFigures) -> Vec<Histogram> {
    let counts = figures.counts;
    if counts.state_values + counts.action_values == 0 {
        return Vec::new();
    }
    let values = Of {
        heading: "Chances of winning, in per cent (figure A1, left)",
        legend: ["actions", "boards"],
        name: bucket_of_values,
        unit: " %",
        ticks: [0.0, 25.0, 50.0, 75.0, 100.0]
            .map(|percent| (percent / 100.0, format!("{percent}")))
            .to_vec(),
    };
    let numbers = Of {
        heading: "Moves by their numbers (figure A1, right)",
        legend: ["legal moves", "best moves"],
        name: bucket_of_numbers,
        unit: "",
        ticks: [0_u16, 10, 20, 30, 40]
            .map(|bucket| {
                (
                    f64::from(bucket) / f64::from(BUCKETS),
                    first_of(&bucket_of_numbers(usize::from(bucket))),
                )
            })
            .to_vec(),
    };
    vec![
        values.drawn(&figures.actions, &figures.states),
        numbers.drawn(&figures.legal, &figures.best),
    ]
}

fn first_of(bucket: &str) -> String {
    bucket.split('–').next().unwrap_or_default().to_owned()
}

/// What a histogram is of.
struct Of {
    heading: &'static str,
    legend: [&'static str; 2],
    name: fn(usize) -> String,
    unit: &'static str,
    /// By their shares of the axis.
    ticks: Vec<(f64, String)>,
}

impl Of {
    fn drawn(self, columns: &Buckets, line: &Buckets) -> Histogram {
        let shares = |buckets: &Buckets| {
            let all: usize = buckets.iter().sum();
            buckets.map(|count| if all == 0 { 0.0 } else { count as f64 / all as f64 })
        };
        let (bars, dots) = (shares(columns), shares(line));
        let most = bars.iter().chain(&dots).copied().fold(0.0, f64::max).max(f64::EPSILON);
        let up = |share: f64| BOTTOM - (BOTTOM - TOP) * share / most;
        let width = (RIGHT - LEFT) / f64::from(BUCKETS);
        let x = |bucket: usize| LEFT + width * bucket as f64;
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let text = |bucket: usize| {
            format!(
                "{}{}: {} of the {}, {} of the {}",
                (self.name)(bucket),
                self.unit,
                percent(bars[bucket]),
                self.legend[0],
                percent(dots[bucket]),
                self.legend[1]
            )
        };
        let is_counted = line.iter().any(|count| *count > 0);
        let steps = dots.iter().enumerate().map(|(bucket, share)| {
            let begin = if bucket == 0 { 'M' } else { 'L' };
            format!("{begin}{:.2} {:.2}H{:.2}", x(bucket), up(*share), x(bucket + 1))
        });
        let mut largest: Vec<usize> = (0..bars.len()).filter(|bucket| bars[*bucket] > 0.0).collect();
        largest.sort_by(|a, b| bars[*b].total_cmp(&bars[*a]));
        let largest: Vec<String> = largest.into_iter().take(3).map(text).collect();
        Histogram {
            summary: format!(
                "{}, {BUCKETS} buckets. {} {}, {} {}. The largest buckets: {}.",
                self.heading,
                columns.iter().sum::<usize>(),
                self.legend[0],
                line.iter().sum::<usize>(),
                self.legend[1],
                if largest.is_empty() {
                    "none".to_owned()
                } else {
                    largest.join("; ")
                }
            ),
            heading: self.heading.to_owned(),
            legend: self.legend,
            columns: (0..bars.len())
                .map(|bucket| Column {
                    x: x(bucket),
                    width,
                    y: up(bars[bucket]),
                    text: text(bucket),
                })
                .collect(),
            line: if is_counted { steps.collect() } else { String::new() },
            across: self
                .ticks
                .iter()
                .map(|(share, text)| (LEFT + (RIGHT - LEFT) * share, text.clone()))
                .collect(),
            upwards: [0.0, 0.5, 1.0]
                .map(|part| (up(part * most), percent(part * most)))
                .to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_shares_of_the_highest() {
        let mut figures = SetFigures::default();
        assert_eq!(histograms(&figures), []);
        figures.counts.state_values = 3;
        figures.counts.action_values = 8;
        figures.states[25] = 3;
        figures.actions[24] = 6;
        figures.actions[49] = 2;
        figures.legal[7] = 8;
        let [values, numbers] = &histograms(&figures)[..] else {
            panic!("two")
        };
        assert_eq!(values.columns.len(), 50);
        // The boards' bucket is the highest: all of them.
        let height = |column: &Column| (BOTTOM - column.y) / (BOTTOM - TOP);
        assert!((height(&values.columns[24]) - 0.75).abs() < 1e-9);
        assert!((height(&values.columns[49]) - 0.25).abs() < 1e-9);
        assert_eq!(
            values.columns[24].text,
            "48–50 %: 75.0 % of the actions, 0.0 % of the boards"
        );
        assert!(values.line.starts_with("M46.00 126.00H52.00L52.00 "), "{}", values.line);
        assert!(
            values
                .summary
                .contains("8 actions, 3 boards. The largest buckets: 48–50 %")
        );
        assert_eq!(values.upwards[2], (TOP, "100.0 %".to_owned()));
        assert_eq!(numbers.line, "", "no best move is known");
        assert_eq!(numbers.across[1].1, "400");
        let last = numbers.columns.last().unwrap();
        assert!((last.x + last.width - RIGHT).abs() < 1e-9);
    }
}
