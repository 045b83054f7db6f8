//! Every answer of a run by its place, with its grade: what is looked at one by one, and saved as a table.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{
    grade::{Grade, grade},
    probe::{Probe, ProbeTask},
    run_file::{BlindRow, BlindRun, BlindTask},
};
use crate::{
    pace::Pace,
    survey::analysis::table::{Cell, Table},
};

/// An answer, by its place in its run.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedAnswer {
    /// The place of the probe.
    pub probe: usize,
    /// The place of the row.
    pub row: usize,
    /// What was asked.
    pub task: ProbeTask,
    /// Who answered.
    pub player: String,
    /// What it is worth.
    pub grade: Grade,
}

/// Every answer, probe by probe, task by task; errors are none.
pub async fn listed(run: &BlindRun, pace: &impl Pace) -> Vec<ListedAnswer> {
    let places: BTreeMap<&str, usize> = run.probes.iter().map(Probe::id).zip(0..).collect();
    let mut seen: BTreeSet<&BlindTask> = BTreeSet::new();
    let mut all = Vec::new();
    for (row, answered) in run.rows.iter().enumerate() {
        pace.turn().await;
        if !answered.is_answer() || !seen.insert(&answered.task) {
            continue;
        }
        let BlindTask { probe, task, player } = &answered.task;
        let Some(place) = places.get(probe.as_str()).copied() else {
            continue;
        };
        let probe = &run.probes[place];
        let Some(question) = probe.question(*task) else {
            continue;
        };
        all.push(ListedAnswer {
            probe: place,
            row,
            task: *task,
            player: player.clone(),
            grade: grade(probe, &question, &answered.answer()),
        });
    }
    // Stable: players stay in the order in which they answered.
    all.sort_by_key(|one| (one.probe, one.task));
    all
}

/// The answers as a table, one a row.
pub async fn listed_table(run: &BlindRun, answers: &[ListedAnswer], pace: &impl Pace) -> Table {
    let yes = |is: bool| Cell::Count(usize::from(is));
    let mut rows = Vec::with_capacity(answers.len());
    for one in answers {
        pace.turn().await;
        let (Some(probe), Some(row)) = (run.probes.get(one.probe), run.rows.get(one.row)) else {
            continue;
        };
        let Some(question) = probe.question(one.task) else {
            continue;
        };
        let BlindRow { tokens, reply, .. } = row;
        let legal: Vec<String> = question.legal.iter().map(ToString::to_string).collect();
        rows.push(vec![
            Cell::from(probe.id()),
            Cell::from(one.task.label()),
            Cell::from(one.player.as_str()),
            Cell::Count(probe.plies().len()),
            Cell::Text(question.prompt.to_string()),
            question.exact.map_or(Cell::None, |exact| Cell::Text(exact.to_string())),
            Cell::Text(legal.join(" ")),
            Cell::Text(tokens.join(" ")),
            one.grade.exact.map_or(Cell::None, yes),
            yes(one.grade.legal),
            Cell::number(one.grade.r_precision, 4),
            one.grade.error.map_or(Cell::None, |error| Cell::from(error.label())),
            Cell::from(reply.as_str()),
        ]);
    }
    let head = [
        "Probe",
        "Task",
        "Player",
        "Plies",
        "Asked with",
        "Played",
        "Legal answers",
        "Answer",
        "Exact",
        "Legal",
        "R-precision",
        "What is wrong",
        "Reply",
    ];
    Table {
        caption: "Answers".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::run_file::tests::run, *};
    use crate::{
        grading::fault::FaultKind,
        pace::{AtOnce, at_once},
    };

    #[test]
    fn every_answer_has_its_place_and_its_grade() {
        let mut run = run(5);
        let task = run.rows[0].task.clone();
        run.rows
            .insert(0, BlindRow::failed(&task, FaultKind::TimeOut, "too slow"));
        let all = at_once(listed(&run, &AtOnce));
        assert_eq!(all.len(), 5 * 4 * 3, "an error is no answer");
        for one in &all {
            let row = &run.rows[one.row];
            assert_eq!((&row.task.player, row.task.task), (&one.player, one.task));
            assert_eq!(run.probes[one.probe].id(), row.task.probe);
            assert!(one.grade.legal || one.player == "uniform");
        }
        assert!(all.is_sorted_by_key(|one| (one.probe, one.task)));
        let table = at_once(listed_table(&run, &all, &AtOnce));
        assert_eq!(table.rows.len(), all.len());
        assert_eq!(table.rows[0].len(), table.head.len());
        assert_eq!(table.rows[0][1].shown(), "End-Actual");
    }
}
