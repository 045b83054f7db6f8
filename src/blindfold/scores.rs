//! The figures of many answers, with intervals, and two players held against each other.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{end_error::EndError, grade::Grade};
use crate::{
    pace::Pace,
    stats::{
        Interval, Undefined,
        bootstrap::percentile_interval,
        paired::{sign_flips_in_turns, signed_rank},
    },
};

/// The level of intervals.
pub const LEVEL: f64 = 0.95;
/// The seed of resamples and of drawn signs.
pub const SEED: u64 = 1;
/// Signs that are drawn for the p-value of a difference of R-precisions.
const FLIPS: u32 = 10_000;

/// A mean over questions with its bootstrap interval, questions being drawn anew.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// 0 to 1, or a difference of such.
    pub value: f64,
    /// At [`LEVEL`].
    pub interval: Result<Interval, Undefined>,
}

impl Estimate {
    /// The mean; `None` of nothing.
    pub async fn of(values: &[f64], pace: &impl Pace) -> Option<Self> {
        let count = values.len() as f64;
        let mean = |drawn: &[u32]| {
            let sum: f64 = drawn
                .iter()
                .zip(values)
                .map(|(times, value)| f64::from(*times) * value)
                .sum();
            Some(sum / count)
        };
        let interval = percentile_interval(values.len(), SEED, LEVEL, mean, pace).await;
        (!values.is_empty()).then(|| Self {
            value: values.iter().sum::<f64>() / count,
            interval,
        })
    }
}

/// One player's figures in one task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// Answers.
    pub answers: usize,
    /// How many are legal.
    pub legal_answers: usize,
    /// ExM, of the Actual tasks.
    pub exact: Option<Estimate>,
    /// LgM.
    pub legal: Option<Estimate>,
    /// R-precision, where tokens were ranked.
    pub r_precision: Option<Estimate>,
    /// What is wrong with answers of the End tasks: the counts sum to the answers that are not legal.
    pub errors: BTreeMap<EndError, usize>,
    /// Among the errors of syntax: castling that the rules allow.
    pub castlings: usize,
    /// Among the unreachable: what was said is no answer.
    pub unparsable: usize,
}

impl Scores {
    /// Of all answers of a player in a task.
    pub async fn of(grades: &[Grade], pace: &impl Pace) -> Self {
        let share = |is: bool| f64::from(u8::from(is));
        let exact: Vec<f64> = grades.iter().filter_map(|grade| grade.exact.map(share)).collect();
        let legal: Vec<f64> = grades.iter().map(|grade| share(grade.legal)).collect();
        let precision: Vec<f64> = grades.iter().filter_map(|grade| grade.r_precision).collect();
        let mut errors = BTreeMap::new();
        for error in grades.iter().filter_map(|grade| grade.error) {
            *errors.entry(error).or_default() += 1;
        }
        Self {
            answers: grades.len(),
            legal_answers: grades.iter().filter(|grade| grade.legal).count(),
            exact: Estimate::of(&exact, pace).await,
            legal: Estimate::of(&legal, pace).await,
            r_precision: Estimate::of(&precision, pace).await,
            errors,
            castlings: grades.iter().filter(|grade| grade.castling).count(),
            unparsable: grades.iter().filter(|grade| grade.unparsable).count(),
        }
    }
}

/// Which figure two players are held against each other by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// ExM.
    Exact,
    /// LgM.
    Legal,
    /// R-precision.
    RPrecision,
    /// Errors of syntax, of the End tasks.
    Syntax,
}

impl Metric {
    /// All.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Legal, Self::RPrecision, Self::Syntax];

    /// For tables.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Exact => "ExM",
            Self::Legal => "LgM",
            Self::RPrecision => "R-precision",
            Self::Syntax => "Syntax errors",
        }
    }

    /// Of one answer; `None` where it is not defined.
    #[must_use]
    pub fn value(self, grade: &Grade, is_end: bool) -> Option<f64> {
        let share = |is: bool| f64::from(u8::from(is));
        match self {
            Self::Exact => grade.exact.map(share),
            Self::Legal => Some(share(grade.legal)),
            Self::RPrecision => grade.r_precision,
            Self::Syntax => is_end.then(|| share(grade.error == Some(EndError::Syntax))),
        }
    }
}

/// Two players on the same questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Compared {
    /// Questions that both have answered.
    pub questions: usize,
    /// Where the first is better, by the figure's number.
    pub first_higher: usize,
    /// Where the second is.
    pub second_higher: usize,
    /// The first's mean less the second's.
    pub difference: Option<Estimate>,
    /// Two-sided. Of figures that are 0 or 1 it is McNemar's test (McNemar, "Note on the sampling error of the difference between
    /// correlated proportions", Psychometrika 12, 1947), exact up to 100 questions that differ: the signed-rank test of such
    /// differences, which all have one rank, is the sign test. Of R-precisions it is the sign-flip permutation test.
    pub p: Result<f64, Undefined>,
}

impl Compared {
    /// By pairs of figures, the first player's and the second's.
    pub async fn of(pairs: &[(f64, f64)], metric: Metric, pace: &impl Pace) -> Self {
        let differences: Vec<f64> = pairs.iter().map(|(first, second)| first - second).collect();
        Self {
            questions: pairs.len(),
            first_higher: differences.iter().filter(|difference| **difference > 0.0).count(),
            second_higher: differences.iter().filter(|difference| **difference < 0.0).count(),
            difference: Estimate::of(&differences, pace).await,
            p: match metric {
                Metric::RPrecision => sign_flips_in_turns(&differences, FLIPS, SEED, pace)
                    .await
                    .map(|test| test.p),
                Metric::Exact | Metric::Legal | Metric::Syntax => signed_rank(&differences).map(|test| test.p),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            grade::{Grade, grade},
            probe::{Probe, ProbeTask, Question},
            probe_set::{PrefixLengths, draw},
            probe_stats::random_legal,
            random_game::random_game,
            scripted::Scripted,
            split::Beginnings,
        },
        *,
    };
    use crate::pace::{AtOnce, at_once};

    fn probes() -> Vec<Probe> {
        let games: Vec<_> = (0..700).map(|seed| random_game(seed, 100)).collect();
        draw(&games, &Beginnings::default(), PrefixLengths::SHORT, 300, 1)
    }

    fn graded(player: Scripted, probes: &[Probe], task: ProbeTask) -> (Vec<Question>, Vec<Grade>) {
        probes
            .iter()
            .map(|probe| {
                let question = probe.question(task).unwrap();
                let answer = player.answer(probe.id(), &question, 1);
                let grade = grade(probe, &question, &answer);
                (question, grade)
            })
            .unzip()
    }

    /// Whether an interval that is wide enough holds a value: three of four intervals' widths, so that chance has no say.
    fn near(estimate: Option<Estimate>, wanted: f64) -> bool {
        let estimate = estimate.unwrap();
        let interval = estimate.interval.unwrap();
        (estimate.value - wanted).abs() <= 0.75 * (interval.high - interval.low)
    }

    #[test]
    fn scripted_players_have_the_scores_that_are_known() {
        let probes = probes();
        assert_eq!(probes.len(), 300);
        for task in ProbeTask::ALL {
            let scores = |player| {
                let (questions, grades) = graded(player, &probes, task);
                (questions, at_once(Scores::of(&grades, &AtOnce)))
            };
            let (questions, oracle) = scores(Scripted::Oracle);
            for figure in [oracle.legal, oracle.r_precision].into_iter().chain([oracle.exact]) {
                assert!(figure.is_none_or(|figure| figure.value == 1.0));
            }
            assert_eq!(oracle.exact.is_some(), task.is_actual());
            assert!(oracle.errors.is_empty());
            let (_, random) = scores(Scripted::RandomLegal);
            assert_eq!(
                (random.legal.unwrap().value, random.r_precision.unwrap().value),
                (1.0, 1.0)
            );
            if task.is_actual() {
                assert!(
                    near(random.exact, random_legal(&questions).unwrap()),
                    "{task:?} {random:?}"
                );
            }
            let (_, uniform) = scores(Scripted::Uniform);
            let legal: usize = questions.iter().map(|question| question.legal.len()).sum();
            let wanted = legal as f64 / 77.0 / 300.0;
            assert!(
                near(uniform.legal, wanted) && near(uniform.r_precision, wanted),
                "{uniform:?}"
            );
            let wrong: usize = uniform.errors.values().sum();
            let not_legal = uniform.answers - uniform.legal_answers;
            assert_eq!(wrong, if task.is_end() { not_legal } else { 0 });
        }
    }

    #[test]
    fn two_players_are_held_against_each_other() {
        let probes = probes();
        let (_, oracle) = graded(Scripted::Oracle, &probes, ProbeTask::EndActual);
        let (_, random) = graded(Scripted::RandomLegal, &probes, ProbeTask::EndActual);
        let pairs = |metric: Metric| -> Vec<(f64, f64)> {
            let value = |grade: &Grade| metric.value(grade, true).unwrap();
            oracle
                .iter()
                .zip(&random)
                .map(|(one, two)| (value(one), value(two)))
                .collect()
        };
        let exact = at_once(Compared::of(&pairs(Metric::Exact), Metric::Exact, &AtOnce));
        assert!(exact.p.unwrap() < 0.001 && exact.second_higher == 0, "{exact:?}");
        assert!(exact.difference.unwrap().interval.unwrap().low > 0.5);
        let legal = at_once(Compared::of(&pairs(Metric::Legal), Metric::Legal, &AtOnce));
        assert_eq!(
            (legal.p, legal.difference.unwrap().value),
            (Err(Undefined::NoDifference), 0.0)
        );
    }

    #[test]
    fn the_test_of_shares_is_mcnemars() {
        // Eight questions of which the first alone is right, one of which the second alone is: 2 · (C(9,0) + C(9,1)) / 2⁹.
        let mut pairs = vec![(1.0, 0.0); 8];
        pairs.extend([(0.0, 1.0), (1.0, 1.0), (0.0, 0.0)]);
        let compared = at_once(Compared::of(&pairs, Metric::Legal, &AtOnce));
        assert!((compared.p.unwrap() - 20.0 / 512.0).abs() < 1e-12);
        assert_eq!(
            (compared.questions, compared.first_higher, compared.second_higher),
            (11, 8, 1)
        );
    }
}
