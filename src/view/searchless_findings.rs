//! What training found, as shapes to draw: for each comparison the shares of best moves with their intervals, and the losses on
//! the dev boards while models learnt.

use super::{
    figure_chart::{Figure, chart, words},
    rating_charts::{MeansChart, across},
    searchless_charts::{BOTTOM, LEFT, RIGHT, TOP},
};
use crate::{
    chessbench::{
        findings::{Comparison, Estimated, Findings, Losses, SolvedBand, TrainedModel},
        puzzle::BAND,
    },
    searchless::header::Target,
    stats::Interval,
    survey::analysis::table::rounded,
};

/// Curves of dev losses.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveChart {
    /// What is written above it.
    pub heading: String,
    /// In words, for who does not see it.
    pub summary: String,
    /// A curve for each model.
    pub curves: Vec<Curve>,
    /// Where the axis across has ticks, and what they say.
    pub across: Vec<(f64, String)>,
    /// Where the axis upwards has ticks, and what they say.
    pub upwards: Vec<(f64, String)>,
}

/// A model's curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Whose.
    pub name: String,
    /// As an SVG path.
    pub path: String,
    /// Where it ends: its last place.
    pub end: (f64, f64),
    /// In words.
    pub text: String,
}

/// The most ticks behind the first.
const MOST_TICKS: f64 = 6.0;

/// A round number, in steps, that nothing goes beyond.
fn most_of(values: impl Iterator<Item = f64>, step: f64) -> f64 {
    let most = values.fold(0.0, f64::max);
    ((most / step).ceil() * step).max(step)
}

/// Each comparison that has been made: of what is learned the shares of best moves, of the rest the errors of values, which tell
/// models apart that have learned too little to find best moves.
#[must_use]
pub fn figure_charts(findings: &Findings) -> Vec<MeansChart> {
    let made = Comparison::ALL.into_iter().filter_map(|comparison| {
        let models = findings.compared(comparison);
        let is_share = comparison == Comparison::Targets;
        let of = |model: &TrainedModel| match is_share {
            true => Some(model.accurate),
            false => model.squared_error,
        };
        let lot = is_share.then(|| ("by lot".to_owned(), findings.test.by_lot));
        let rows: Vec<(String, Estimated)> = models
            .iter()
            .filter_map(|model| Some((comparison.label(model), of(model)?)))
            .chain(lot)
            .collect();
        if models.is_empty() || rows.is_empty() {
            return None;
        }
        let (factor, step, decimals, what) = match is_share {
            true => (100.0, 0.05, 1, "best moves, in per cent"),
            false => (1.0, 0.02, 4, "squared error of values"),
        };
        let most = most_of(rows.iter().map(|(_, figure)| figure.high), step);
        let figures = rows.iter().map(|(name, figure)| {
            let interval = Interval {
                low: factor * figure.low,
                high: factor * figure.high,
            };
            Figure {
                name,
                at: Some(figure.mean / most),
                interval: Some((figure.low / most, figure.high / most)),
                text: words(name, Some(factor * figure.mean), Some(interval), decimals),
            }
        });
        let steps = (most / step).round();
        let every = (steps / MOST_TICKS).ceil().max(1.0);
        let ticks = (0..=(steps / every) as usize).map(|number| {
            let value = number as f64 * every * step;
            (
                across(value / most),
                rounded(factor * value, if is_share { 0 } else { 2 }),
            )
        });
        Some(chart(
            format!("{}: {what}", comparison.title()),
            comparison.title().to_owned(),
            ticks.collect(),
            figures.collect(),
        ))
    });
    made.collect()
}

/// The losses on the dev boards while models learnt, of the comparisons whose losses are of one kind.
#[must_use]
pub fn dev_loss_charts(findings: &Findings) -> Vec<CurveChart> {
    let made = [Comparison::Targets, Comparison::Depths, Comparison::Data].into_iter();
    made.filter_map(|comparison| {
        // Cloned behavior has another loss than values have.
        let models: Vec<&TrainedModel> = findings
            .compared(comparison)
            .into_iter()
            .filter(|model| model.kind != Target::BehavioralCloning && model.losses.len() > 1)
            .collect();
        let dev = |model: &TrainedModel| model.losses.iter().map(|losses| (losses.drawn, losses.dev)).collect();
        let series: Vec<_> = models
            .iter()
            .map(|model| (comparison.label(model), dev(model)))
            .collect();
        let title = format!("{}: loss on the dev boards", comparison.title());
        (series.len() > 1).then(|| curves(&title, &series))
    })
    .collect()
}

/// The losses of the models that ship while they learned, in training and on the dev boards (figure A2): where the second stays
/// above the first and rises, a model learns its boards by heart. How many puzzles they solved on the way was not asked.
#[must_use]
pub fn learning_charts(findings: &Findings) -> Vec<CurveChart> {
    let models = findings.shipped().into_iter().filter(|model| model.losses.len() > 1);
    models
        .map(|model| {
            let of = |loss: fn(&Losses) -> f64| model.losses.iter().map(|one| (one.drawn, loss(one))).collect();
            let series = [
                ("training".to_owned(), of(|losses| losses.training)),
                ("dev boards".to_owned(), of(|losses| losses.dev)),
            ];
            let title = format!("{}: losses (figure A2)", Comparison::Targets.label(model));
            curves(&title, &series)
        })
        .collect()
}

/// Puzzles solved by rating (figure 2), a curve a player; bands of fewer than five puzzles are left out.
#[must_use]
pub fn puzzle_chart(findings: &Findings) -> Option<CurveChart> {
    const FEWEST: usize = 5;
    let solvers = findings.solvers();
    let bands = || {
        solvers
            .iter()
            .flat_map(|(_, bands)| *bands)
            .filter(|band| band.puzzles >= FEWEST)
    };
    let (lowest, highest) = (
        bands().map(|band| band.from).min()?,
        bands().map(|band| band.from).max()?,
    );
    let span = f64::from(highest - lowest).max(1.0);
    let x = |from: u16| LEFT + (RIGHT - LEFT) * f64::from(from - lowest) / span;
    let y = |share: f64| BOTTOM - (BOTTOM - TOP) * share;
    let curve = |(name, bands): &(&str, &[SolvedBand])| {
        let of = |band: &&SolvedBand| (band.from, band.solved as f64 / band.puzzles as f64);
        let shares: Vec<_> = bands
            .iter()
            .filter(|band| band.puzzles >= FEWEST)
            .map(|band| of(&band))
            .collect();
        let places: Vec<(f64, f64)> = shares.iter().map(|(from, share)| (x(*from), y(*share))).collect();
        let said: Vec<String> = shares
            .iter()
            .map(|(from, share)| format!("{from}: {:.0} %", 100.0 * share))
            .collect();
        drawn((*name).to_owned(), &places, format!("{name}, from {}", said.join(", ")))
    };
    let curves: Vec<Curve> = solvers.iter().map(curve).collect();
    let said: Vec<&str> = curves.iter().map(|curve| curve.text.as_str()).collect();
    Some(CurveChart {
        heading: "Puzzles solved, in per cent, by the lowest rating of their band (figure 2)".to_owned(),
        summary: format!("{}.", said.join("; ")),
        across: (lowest..=highest)
            .step_by(usize::from(BAND) * 2)
            .map(|from| (x(from), from.to_string()))
            .collect(),
        upwards: [0.0, 0.25, 0.5, 0.75, 1.0]
            .map(|share| (y(share), format!("{:.0}", 100.0 * share)))
            .to_vec(),
        curves,
    })
}

fn drawn(name: String, places: &[(f64, f64)], text: String) -> Curve {
    let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    Curve {
        name,
        path: format!("M{}", path.join("L")),
        end: places.last().copied().unwrap_or_default(),
        text,
    }
}

fn curves(title: &str, series: &[(String, Vec<(usize, f64)>)]) -> CurveChart {
    let all = || series.iter().flat_map(|(_, losses)| losses);
    let (least, most) = all().fold((f64::MAX, f64::MIN), |(least, most), (_, loss)| {
        (least.min(*loss), most.max(*loss))
    });
    let span = (most - least).max(f64::EPSILON);
    let longest = all().map(|(drawn, _)| *drawn).max().unwrap_or(1).max(1);
    let x = |drawn: usize| LEFT + (RIGHT - LEFT) * drawn as f64 / longest as f64;
    let y = |loss: f64| TOP + (BOTTOM - TOP) * ((most - loss) / span).min(1.0);
    let curves: Vec<Curve> = series
        .iter()
        .map(|(name, losses)| {
            let places: Vec<(f64, f64)> = losses.iter().map(|(drawn, loss)| (x(*drawn), y(*loss))).collect();
            let (drawn_last, loss) = losses.last().copied().unwrap_or_default();
            let text = format!("{name}: {} after {drawn_last} points", rounded(loss, 3));
            drawn(name.clone(), &places, text)
        })
        .collect();
    let said: Vec<&str> = curves.iter().map(|curve| curve.text.as_str()).collect();
    CurveChart {
        heading: format!("{title}, in nats, by thousands of points drawn"),
        summary: format!("From {} at most to: {}.", rounded(most, 3), said.join("; ")),
        across: (0..=4)
            .map(|quarter| (x(longest * quarter / 4), (longest * quarter / 4000).to_string()))
            .collect(),
        upwards: [least, least + span / 2.0, most]
            .map(|loss| (y(loss), rounded(loss, 2)))
            .to_vec(),
        curves,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chessbench::findings::tests::shipped;

    #[test]
    fn what_ships_is_drawn_within_its_frames() {
        let findings = shipped();
        let charts = figure_charts(&findings);
        assert!(!charts.is_empty());
        for mark in charts.iter().flat_map(|chart| &chart.marks) {
            let (low, high) = mark.interval.unwrap();
            let inside = across(0.0)..=across(1.0);
            assert!(inside.contains(&low) && inside.contains(&high), "{}", mark.text);
        }
        let mut curves = dev_loss_charts(&findings);
        curves.extend(puzzle_chart(&findings));
        assert_eq!(learning_charts(&findings).len(), 3);
        curves.extend(learning_charts(&findings));
        for curve in curves.iter().flat_map(|chart| &chart.curves) {
            let (x, y) = curve.end;
            assert!(
                (LEFT..=RIGHT).contains(&x) && (TOP..=BOTTOM).contains(&y),
                "{}",
                curve.text
            );
        }
    }
}
