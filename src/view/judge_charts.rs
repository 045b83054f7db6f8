//! Charts of what judges say: mean scores by method, and how strong comparisons make the methods. Each stands beside its
//! table, and has a summary in words.

use super::{
    figure_chart::{Figure, chart, words},
    rating_charts::{MeansChart, across, ticks_of_shares},
};
use crate::{
    judge::report::{means::MeanScore, pairs::Strengths},
    survey::analysis::table::rounded,
};

/// GCC-Eval: a chart for each judge and criterion that has scores, shares of the scale from 0 to 1.
#[must_use]
pub fn means_charts(means: &[MeanScore]) -> Vec<MeansChart> {
    let mut groups: Vec<Vec<&MeanScore>> = Vec::new();
    for mean in means {
        let same = |group: &&mut Vec<&MeanScore>| group[0].judge == mean.judge && group[0].criterion == mean.criterion;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(mean),
            None => groups.push(vec![mean]),
        }
    }
    groups
        .into_iter()
        .filter(|group| group.iter().any(|mean| mean.mean.is_some()))
        .map(|group| {
            let heading = format!("{} by {}", group[0].criterion.label(), group[0].judge);
            let figures = group
                .iter()
                .map(|mean| Figure {
                    name: &mean.method,
                    at: mean.mean,
                    interval: mean.interval.map(|ends| (ends.low, ends.high)),
                    text: words(&mean.method, mean.mean, mean.interval, 2),
                })
                .collect();
            chart(
                heading.clone(),
                format!("Mean scores for {heading}"),
                ticks_of_shares(),
                figures,
            )
        })
        .collect()
}

/// The pairwise rubric: a chart of strengths for each judge whose comparisons have some, in Elo points.
#[must_use]
pub fn strength_charts(methods: &[String], strengths: &[Strengths]) -> Vec<MeansChart> {
    /// Points between two ticks.
    const STEP: f64 = 200.0;
    let found = strengths
        .iter()
        .filter_map(|found| Some((&found.judge, found.elo.as_ref().ok()?)));
    found
        .map(|(judge, elo)| {
            let ends = elo.iter().flat_map(|(value, interval)| {
                let interval = interval.map(|ends| [ends.low, ends.high]);
                interval.into_iter().flatten().chain([*value])
            });
            let farthest = ends.map(f64::abs).fold(0.0, f64::max);
            let side = (farthest / STEP).ceil().max(1.0) * STEP;
            let share = |points: f64| (points + side) / (2.0 * side);
            let ticks = [-side, -side / 2.0, 0.0, side / 2.0, side];
            let figures = methods
                .iter()
                .zip(elo)
                .map(|(method, (value, interval))| Figure {
                    name: method,
                    at: Some(share(*value)),
                    interval: interval.map(|ends| (share(ends.low), share(ends.high))),
                    text: words(method, Some(*value), *interval, 0),
                })
                .collect();
            chart(
                format!("Strength by {judge}"),
                format!("Strength by comparisons of {judge}, in Elo points"),
                ticks.map(|points| (across(share(points)), rounded(points, 0))).to_vec(),
                figures,
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        judge::gcc_eval::Criterion,
        stats::{Interval, bradley_terry::Prior},
    };

    #[test]
    fn figures_stand_where_they_belong() {
        let mean = |method: &str, mean: Option<f64>| MeanScore {
            judge: "j".to_owned(),
            method: method.to_owned(),
            criterion: Criterion::Clarity,
            n: 3,
            mean,
            interval: mean.map(|mean| Interval {
                low: mean - 0.1,
                high: mean + 0.1,
            }),
        };
        let charts = means_charts(&[mean("a", Some(0.5)), mean("b", None)]);
        assert_eq!(charts.len(), 1);
        assert_eq!(charts[0].criterion, "Clarity by j");
        assert_eq!(charts[0].marks[0].x, Some(across(0.5)));
        assert_eq!(charts[0].marks[0].interval, Some((across(0.4), across(0.6))));
        assert_eq!(charts[0].marks[1].x, None);
        assert_eq!(
            charts[0].summary,
            "Mean scores for Clarity by j: a 0.50 [0.40, 0.60]; b has none."
        );
        assert_eq!(means_charts(&[mean("a", None)]), []);

        let strengths = Strengths {
            judge: "j".to_owned(),
            comparisons: 4,
            prior: Prior::None,
            elo: Ok(vec![
                (
                    150.0,
                    Some(Interval {
                        low: -50.0,
                        high: 390.0,
                    }),
                ),
                (-150.0, None),
            ]),
        };
        let charts = strength_charts(&["a".to_owned(), "b".to_owned()], &[strengths]);
        let ticks: Vec<&str> = charts[0].ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(ticks, ["−400", "−200", "0", "200", "400"]);
        assert_eq!(charts[0].marks[0].x, Some(across(0.6875)));
        assert_eq!(charts[0].marks[1].interval, None);
    }
}
