//! Players held against each other on the same questions, and the Other tasks against the Actual ones after the same moves.

use std::collections::BTreeMap;

use super::{
    super::{
        probe::ProbeTask,
        scores::{Compared, Metric},
    },
    accuracy::with_interval,
    answers::Answers,
};
use crate::{
    pace::Pace,
    stats::holm::holm,
    survey::analysis::table::{Cell, Table, p_value},
};

/// Figures by probe.
fn values(own: &Answers, task: ProbeTask, metric: Metric) -> BTreeMap<String, f64> {
    own.of(task)
        .filter_map(|graded| {
            let value = metric.value(&graded.grade, task.is_end())?;
            Some((graded.probe.id().to_owned(), value))
        })
        .collect()
}

fn paired(first: &BTreeMap<String, f64>, second: &BTreeMap<String, f64>) -> Vec<(f64, f64)> {
    let both = first.iter().filter_map(|(id, value)| Some((*value, *second.get(id)?)));
    both.collect()
}

/// Rows of comparisons: what they are of, and what came out.
fn rows(compared: Vec<(Vec<Cell>, Compared)>) -> Vec<Vec<Cell>> {
    let known: Vec<f64> = compared.iter().filter_map(|(_, compared)| compared.p.ok()).collect();
    let mut adjusted = holm(&known).into_iter();
    compared
        .into_iter()
        .map(|(mut row, compared)| {
            row.extend([compared.questions, compared.first_higher, compared.second_higher].map(Cell::Count));
            row.extend(with_interval(compared.difference));
            row.push(compared.p.map_or(Cell::None, |p| Cell::Text(p_value(p))));
            let adjusted = compared.p.ok().and_then(|_| adjusted.next());
            row.push(adjusted.map_or(Cell::None, |p| Cell::Text(p_value(p))));
            row
        })
        .collect()
}

fn head(what: &[&str]) -> Vec<String> {
    let figures = [
        "Questions",
        "First higher",
        "Second higher",
        "Difference",
        "95 %",
        "p",
        "p (Holm)",
    ];
    what.iter().chain(&figures).map(|text| (*text).to_owned()).collect()
}

const NOTE: &str = "Differences in per cent, the first's less the second's. McNemar's test of figures that are right or wrong, \
                    the sign-flip permutation test of R-precisions, both two-sided; Holm over the table.";

/// Every two players, in every task and figure that both have.
pub async fn players_table(answers: &[Answers<'_>], pace: &impl Pace) -> Table {
    let mut compared = Vec::new();
    for (place, first) in answers.iter().enumerate() {
        for second in &answers[place + 1..] {
            for task in ProbeTask::ALL {
                for metric in Metric::ALL {
                    let pairs = paired(&values(first, task, metric), &values(second, task, metric));
                    if pairs.is_empty() {
                        continue;
                    }
                    let what = [first.player, second.player, task.label(), metric.label()];
                    let row = what.map(Cell::from).to_vec();
                    compared.push((row, Compared::of(&pairs, metric, pace).await));
                }
            }
        }
    }
    Table {
        caption: "Players on the same questions".to_owned(),
        head: head(&["First", "Second", "Task", "Figure"]),
        rows: rows(compared),
        notes: vec![NOTE.to_owned()],
    }
}

/// Is what was played easier than what could have been? The Actual task less the Other one, after the same moves.
pub async fn other_table(answers: &[Answers<'_>], pace: &impl Pace) -> Table {
    let tasks = [
        (ProbeTask::StartActual, ProbeTask::StartOther),
        (ProbeTask::EndActual, ProbeTask::EndOther),
    ];
    let mut compared = Vec::new();
    for own in answers {
        for (actual, other) in tasks {
            for metric in [Metric::Legal, Metric::RPrecision] {
                let pairs = paired(&values(own, actual, metric), &values(own, other, metric));
                if pairs.is_empty() {
                    continue;
                }
                let what = [own.player, actual.label(), other.label(), metric.label()];
                let row = what.map(Cell::from).to_vec();
                compared.push((row, Compared::of(&pairs, metric, pace).await));
            }
        }
    }
    Table {
        caption: "What was played against what could have been".to_owned(),
        head: head(&["Player", "First", "Second", "Figure"]),
        rows: rows(compared),
        notes: vec![
            NOTE.to_owned(),
            "A piece that was moved has more squares to go to than another: even a player that guesses among all tokens does \
             better there. The table of answers by lot has the mean numbers of legal answers."
                .to_owned(),
        ],
    }
}
