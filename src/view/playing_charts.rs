//! Charts of how well players play: scores, losses by level, puzzles solved by rating, classes of answers. Each stands beside
//! its table, and has a summary in words.

use super::{
    figure_chart::{Figure, chart, words},
    rating_charts::{
        Bar, DistributionChart, LEFT, MeansChart, RIGHT, Segment, WRITTEN, across, down, height, ticks_of_shares,
    },
};
use crate::{
    grading::{
        grade::{CAP, Class},
        report::{
            Report,
            groups::GroupFigure,
            material::Estimate,
            resampling::LEVEL,
            scores::{Distribution, Score},
            solved::Share,
        },
    },
    stats::{Interval, rate::wilson},
    survey::analysis::table::rounded,
};

/// The most points of an answer.
const POINTS: f64 = 5.0;

/// The charts of figures with intervals: scores, then losses by level and shares solved by rating for each player.
#[must_use]
pub fn figure_charts(report: &Report) -> Vec<MeansChart> {
    let mut charts = Vec::new();
    charts.extend(scores(&report.scores));
    charts.extend(
        by_player(&report.levels, |figure| &figure.player)
            .into_iter()
            .map(levels),
    );
    charts.extend(by_player(&report.bands, |share| &share.player).into_iter().map(bands));
    charts
}

/// A figure on an axis from 0 to `most`.
fn estimated<'a>(name: &'a str, estimate: &Estimate, most: f64, decimals: usize) -> Figure<'a> {
    let share = |value: f64| value / most;
    Figure {
        name,
        at: estimate.mean.map(share),
        interval: estimate.interval.map(|ends| (share(ends.low), share(ends.high))),
        text: words(name, estimate.mean, estimate.interval, decimals),
    }
}

fn scores(scores: &[Score]) -> Option<MeansChart> {
    // Without grades nothing but illegal answers has points, and a chart would say that everybody scores nothing.
    let known: Vec<&Score> = scores.iter().filter(|score| score.graded > 0).collect();
    if !known
        .iter()
        .any(|score| score.over_legal.interval.is_some() || score.best > 0)
    {
        return None;
    }
    let figures = known
        .iter()
        .map(|score| estimated(&score.name, &score.over_all, POINTS, 2))
        .collect();
    let ticks = (0..=5)
        .map(|points| (across(f64::from(points) / POINTS), points.to_string()))
        .collect();
    Some(chart(
        "Score over all answers, 0 to 5".to_owned(),
        "Scores by player".to_owned(),
        ticks,
        figures,
    ))
}

/// Rows of one player each, in the order in which players come.
fn by_player<T>(rows: &[T], player: impl Fn(&T) -> &str) -> Vec<Vec<&T>> {
    let mut groups: Vec<Vec<&T>> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| player(group[0]) == player(row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// A round number of centipawns that nothing on the chart goes beyond.
fn axis(figures: &[&GroupFigure]) -> f64 {
    const STEPS: [f64; 7] = [20.0, 50.0, 100.0, 200.0, 400.0, 600.0, CAP as f64];
    let ends = figures
        .iter()
        .flat_map(|figure| [figure.capped.mean, figure.capped.interval.map(|ends| ends.high)]);
    let farthest = ends.flatten().fold(0.0, f64::max);
    STEPS.into_iter().find(|step| *step >= farthest).unwrap_or(CAP as f64)
}

fn levels(figures: Vec<&GroupFigure>) -> MeansChart {
    let most = axis(&figures);
    let player = figures[0].player.clone();
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
        .map(|share| (across(share), rounded(share * most, 0)))
        .to_vec();
    let rows = figures
        .iter()
        .map(|figure| estimated(&figure.group, &figure.capped, most, 1))
        .collect();
    chart(
        format!("Capped loss in centipawns by level: {player}"),
        format!("Capped loss of {player} by level of the game"),
        ticks,
        rows,
    )
}

fn bands(shares: Vec<&Share>) -> MeansChart {
    let player = shares[0].player.clone();
    let rows = shares
        .iter()
        .map(|share| {
            let rate = wilson(share.solved, share.answers, LEVEL).ok();
            let interval: Option<Interval> = rate.map(|rate| rate.interval);
            Figure {
                name: &share.group,
                at: rate.map(|rate| rate.rate),
                interval: interval.map(|ends| (ends.low, ends.high)),
                text: words(&share.group, rate.map(|rate| rate.rate), interval, 2),
            }
        })
        .collect();
    chart(
        format!("Solved by the puzzles’ rating: {player}"),
        format!("Share of puzzles that {player} solved, by rating"),
        ticks_of_shares(),
        rows,
    )
}

/// The classes of answers: a bar for each player, the best class first, what is no legal move last. `None` without grades.
#[must_use]
pub fn class_chart(report: &Report) -> Option<DistributionChart> {
    let found: Vec<(&Distribution, usize)> = report
        .distributions
        .iter()
        .map(|found| (found, found.classes.iter().sum::<usize>() + found.illegal))
        .filter(|(_, all)| *all > 0)
        .collect();
    if found.iter().all(|(found, _)| found.classes.iter().sum::<usize>() == 0) {
        return None;
    }
    let names: Vec<&str> = Class::ALL
        .iter()
        .map(|class| class.label())
        .chain(["No legal move"])
        .collect();
    let depth = |place: usize| place as f64 / (names.len() - 1) as f64;
    let mut bars = Vec::new();
    let mut said = Vec::new();
    for (row, (found, all)) in found.iter().enumerate() {
        let counts = found.classes.iter().copied().chain([found.illegal]);
        let (mut before, mut segments) = (0, Vec::new());
        for (place, count) in counts.enumerate().filter(|(_, count)| *count > 0) {
            let share = count as f64 / *all as f64;
            let text = format!("{}: {count} of {all}, {} %", names[place], rounded(100.0 * share, 1));
            segments.push(Segment {
                x: across(before as f64 / *all as f64),
                width: (RIGHT - LEFT) * share,
                depth: depth(place),
                label: (share >= WRITTEN).then(|| format!("{} %", rounded(100.0 * share, 0))),
                text: format!("{}: {text}", found.name),
            });
            said.push(format!("{} {text}", found.name));
            before += count;
        }
        bars.push(Bar {
            method: found.name.clone(),
            y: down(row),
            segments,
        });
    }
    Some(DistributionChart {
        criterion: "Answers by class".to_owned(),
        height: height(bars.len()),
        legend: names
            .iter()
            .enumerate()
            .map(|(place, name)| ((*name).to_owned(), depth(place)))
            .collect(),
        bars,
        summary: format!("Answers by class: {}.", said.join("; ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDS: Interval = Interval { low: 2.0, high: 4.0 };

    fn estimate(mean: f64) -> Estimate {
        Estimate {
            mean: Some(mean),
            interval: Some(ENDS),
        }
    }

    fn score(name: &str) -> Score {
        Score {
            name: name.to_owned(),
            answers: 10,
            errors: 0,
            legal: 9,
            over_legal: estimate(3.0),
            over_all: estimate(2.5),
            best: 2,
            graded: 10,
        }
    }

    #[test]
    fn figures_stand_where_they_belong() {
        let level = |player: &str, group: &str, mean: f64| GroupFigure {
            player: player.to_owned(),
            group: group.to_owned(),
            answers: 10,
            legal: 10,
            over_legal: Some(3.0),
            over_all: estimate(3.0),
            capped: Estimate {
                mean: Some(mean),
                interval: None,
            },
            chance: None,
        };
        let share = Share {
            player: "a".to_owned(),
            group: "800–999".to_owned(),
            solved: 5,
            answers: 10,
        };
        let report = Report {
            scores: vec![score("a"), score("b")],
            levels: vec![
                level("a", "skill 5", 90.0),
                level("a", "skill 10", 30.0),
                level("b", "skill 5", 10.0),
            ],
            bands: vec![share],
            ..Report::default()
        };
        let charts = figure_charts(&report);
        let titles: Vec<&str> = charts.iter().map(|chart| chart.title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "Scores by player",
                "Capped loss of a by level of the game",
                "Capped loss of b by level of the game",
                "Share of puzzles that a solved, by rating",
            ]
        );
        assert_eq!(charts[0].marks[0].x, Some(across(0.5)));
        assert_eq!(charts[0].marks[0].interval, Some((across(0.4), across(0.8))));
        assert_eq!(
            charts[0].summary,
            "Scores by player: a 2.50 [2.00, 4.00]; b 2.50 [2.00, 4.00]."
        );
        // The axis ends at 100.
        assert_eq!(charts[1].marks[0].x, Some(across(0.9)));
        assert_eq!(charts[1].ticks[4].1, "100");
        assert_eq!(charts[2].ticks[4].1, "20");
        assert_eq!(charts[3].marks[0].x, Some(across(0.5)));
    }

    #[test]
    fn without_grades_nobody_scores() {
        let bare = Score {
            over_legal: Estimate {
                mean: None,
                interval: None,
            },
            best: 0,
            ..score("a")
        };
        let report = Report {
            scores: vec![bare],
            ..Report::default()
        };
        assert_eq!(figure_charts(&report), []);
        assert_eq!(class_chart(&report), None);
    }

    #[test]
    fn classes_fill_their_bar_and_errors_are_not_in_it() {
        let report = Report {
            distributions: vec![Distribution {
                name: "a".to_owned(),
                classes: [5, 0, 1, 0, 2],
                not_graded: 3,
                illegal: 2,
                errors: 7,
            }],
            ..Report::default()
        };
        let chart = class_chart(&report).unwrap();
        let segments = &chart.bars[0].segments;
        let width: f64 = segments.iter().map(|segment| segment.width).sum();
        assert!((width - (RIGHT - LEFT)).abs() < 1e-9);
        assert_eq!(segments[0].label.as_deref(), Some("50 %"));
        assert_eq!(segments[3].text, "a: No legal move: 2 of 10, 20.0 %");
        assert!(
            chart.summary.contains("a Excellent: 5 of 10, 50.0 %"),
            "{}",
            chart.summary
        );
        assert_eq!(chart.legend.len(), 6);
    }
}
