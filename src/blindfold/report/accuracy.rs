//! Tables 4 and 5: exact and legal moves, R-precision.

use super::{
    super::{
        probe::{Probe, ProbeTask, Question},
        probe_stats::random_legal,
        scores::Estimate,
    },
    answers::Answers,
    paper::{Accuracies, END, RANDOM_LEGAL, START},
};
use crate::survey::analysis::table::{Cell, Table, rounded};

/// Table 4: do players know where pieces stand?
#[must_use]
pub fn start_table(answers: &[Answers], probes: &[Probe]) -> Table {
    let tasks = [ProbeTask::StartActual, ProbeTask::StartOther];
    let caption = "Where pieces stand, in per cent (table 4)";
    table(answers, probes, tasks, caption, (&START, RANDOM_LEGAL.0))
}

/// Table 5: do players know where pieces may go?
#[must_use]
pub fn end_table(answers: &[Answers], probes: &[Probe]) -> Table {
    let tasks = [ProbeTask::EndActual, ProbeTask::EndOther];
    let caption = "Where pieces may go, in per cent (table 5)";
    table(answers, probes, tasks, caption, (&END, RANDOM_LEGAL.1))
}

fn table(
    answers: &[Answers],
    probes: &[Probe],
    tasks: [ProbeTask; 2],
    caption: &str,
    paper: (&[Accuracies], f64),
) -> Table {
    let mut rows = Vec::new();
    for own in answers {
        let mut row = vec![Cell::from(own.player)];
        let [actual, other] = tasks.map(|task| &own.scores[&task]);
        row.push(Cell::Count(actual.answers.max(other.answers)));
        for scores in [actual, other] {
            row.extend(with_interval(scores.legal));
            row.push(per_cent(scores.r_precision));
        }
        row.extend(with_interval(actual.exact));
        rows.push(row);
    }
    let questions: Vec<Question> = probes.iter().filter_map(|probe| probe.question(tasks[0])).collect();
    let lot = |name: &str, count: usize, exact: Option<f64>| {
        let mut row = vec![Cell::from(name), Cell::Count(count)];
        row.extend(vec![Cell::None; 6]);
        row.extend([Cell::number(exact, 1), Cell::None]);
        row
    };
    rows.push(lot(
        "Random legal",
        questions.len(),
        random_legal(&questions).map(|share| 100.0 * share),
    ));
    for (name, [actual, actual_precision, other, other_precision, exact]) in paper.0 {
        rows.push(vec![
            Cell::Text(format!("{name} (paper)")),
            Cell::Count(1000),
            Cell::Number(*actual, 1),
            Cell::None,
            Cell::Number(*actual_precision, 1),
            Cell::Number(*other, 1),
            Cell::None,
            Cell::Number(*other_precision, 1),
            Cell::Number(*exact, 1),
            Cell::None,
        ]);
    }
    rows.push(lot("Random legal (paper)", 1000, Some(paper.1)));
    let head = [
        "Player",
        "Questions",
        "LgM Actual",
        "95 %",
        "R-prec. Actual",
        "LgM Other",
        "95 %",
        "R-prec. Other",
        "ExM",
        "95 %",
    ];
    Table {
        caption: caption.to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
        notes: vec![
            "Intervals by drawing questions anew. Random legal: the exact moves that answers by lot among the legal ones would \
             have, in this set and in the paper's. The paper's games are others, so its figures are for comparison alone."
                .to_owned(),
        ],
    }
}

fn per_cent(estimate: Option<Estimate>) -> Cell {
    Cell::number(estimate.map(|estimate| 100.0 * estimate.value), 1)
}

/// A share in per cent with its interval.
pub(super) fn with_interval(estimate: Option<Estimate>) -> [Cell; 2] {
    let interval = estimate.and_then(|estimate| estimate.interval.ok());
    let text = interval.map(|interval| {
        let [low, high] = [interval.low, interval.high].map(|end| rounded(100.0 * end, 1));
        format!("{low} to {high}")
    });
    [per_cent(estimate), text.map_or(Cell::None, Cell::Text)]
}
