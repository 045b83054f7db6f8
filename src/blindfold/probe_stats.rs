//! What the questions are like: table 11, figure 5, and what an answer by lot among the legal ones would be worth.

use std::collections::BTreeMap;

use shakmaty::Role;

use super::{
    data_stats::histogram,
    probe::{Probe, ProbeTask, Question},
};
use crate::survey::analysis::table::{Cell, Table};

/// Plies of one bar of figure 5.
const BAR: usize = 5;

/// The paper's table 11: type, both Actual tasks, End-Other, Start-Other.
const PAPER: [(Role, [usize; 3]); 5] = [
    (Role::Rook, [358, 273, 197]),
    (Role::Knight, [144, 136, 126]),
    (Role::Bishop, [164, 170, 161]),
    (Role::Queen, [204, 103, 129]),
    (Role::King, [130, 318, 387]),
];

/// A type with its letter: "Rook (R)".
pub(super) fn type_label(role: Role) -> String {
    let name = match role {
        Role::Pawn => "Pawn",
        Role::Knight => "Knight",
        Role::Bishop => "Bishop",
        Role::Rook => "Rook",
        Role::Queen => "Queen",
        Role::King => "King",
    };
    format!("{name} ({})", role.upper_char())
}

/// The types of pieces in the paper's order.
pub(super) const TYPES: [Role; 5] = [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King];

/// Table 11: the types that the questions are about.
#[must_use]
pub fn types_table(probes: &[Probe]) -> Table {
    let tasks = [
        ProbeTask::EndActual,
        ProbeTask::EndOther,
        ProbeTask::StartActual,
        ProbeTask::StartOther,
    ];
    let counts = tasks.map(|task| {
        let mut counts: BTreeMap<Role, usize> = BTreeMap::new();
        for question in probes.iter().filter_map(|probe| probe.question(task)) {
            *counts.entry(question.role).or_default() += 1;
        }
        counts
    });
    let mut rows: Vec<Vec<Cell>> = PAPER
        .iter()
        .map(|(role, paper)| {
            let mut row = vec![Cell::Text(type_label(*role))];
            row.extend(
                counts
                    .iter()
                    .map(|own| Cell::Count(own.get(role).copied().unwrap_or(0))),
            );
            row.extend(paper.map(Cell::Count));
            row
        })
        .collect();
    let mut total = vec![Cell::from("All")];
    total.extend(counts.iter().map(|own| Cell::Count(own.values().sum())));
    total.extend([1000; 3].map(Cell::Count));
    rows.push(total);
    let mut head = vec!["Type".to_owned()];
    head.extend(tasks.map(|task| task.label().to_owned()));
    head.extend(["Actual", "End-Other", "Start-Other"].map(|name| format!("{name} (paper)")));
    Table {
        caption: "Types of the pieces that questions are about (table 11)".to_owned(),
        head,
        rows,
        notes: Vec::new(),
    }
}

/// Figure 5: how many plies come before the questions.
#[must_use]
pub fn prefixes_table(probes: &[Probe]) -> Table {
    let lengths: Vec<usize> = probes.iter().map(|probe| probe.plies().len()).collect();
    Table {
        caption: "Plies before the questions (figure 5)".to_owned(),
        head: ["Plies", "Probes", "Share"].map(str::to_owned).to_vec(),
        rows: histogram(&lengths, BAR),
        notes: Vec::new(),
    }
}

/// How often an answer by lot among the legal ones is the game's, 0 to 1: the mean of 1 / how many are legal. Of the Other tasks
/// the same mean says how many choices there are. `None` where nothing is asked.
#[must_use]
pub fn random_legal(questions: &[Question]) -> Option<f64> {
    let sum: f64 = questions.iter().map(|question| 1.0 / question.legal.len() as f64).sum();
    (!questions.is_empty()).then(|| sum / questions.len() as f64)
}

/// The random-legal baseline of each task, beside the paper's.
#[must_use]
pub fn baseline_table(probes: &[Probe]) -> Table {
    let row = |task: ProbeTask| {
        let questions: Vec<Question> = probes.iter().filter_map(|probe| probe.question(task)).collect();
        let legal: usize = questions.iter().map(|question| question.legal.len()).sum();
        let paper = match task {
            ProbeTask::EndActual => Some(19.6),
            ProbeTask::StartActual => Some(86.0),
            ProbeTask::EndOther | ProbeTask::StartOther => None,
        };
        vec![
            Cell::from(task.label()),
            Cell::Count(questions.len()),
            Cell::number(
                (!questions.is_empty()).then(|| legal as f64 / questions.len() as f64),
                2,
            ),
            Cell::number(random_legal(&questions).map(|share| 100.0 * share), 1),
            Cell::number(paper, 1),
        ]
    };
    Table {
        caption: "Answers by lot among the legal ones, in per cent".to_owned(),
        head: ["Task", "Questions", "Legal answers", "Random legal", "Random legal (paper)"]
            .map(str::to_owned)
            .to_vec(),
        rows: ProbeTask::ALL.map(row).to_vec(),
        notes: vec![
            "Random legal is the mean of 1 / legal answers: of the Actual tasks the share of exact moves that such answers \
             would have."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::{super::probe::tests::example, *};

    #[test]
    fn the_example_is_counted() {
        let probes = [Probe::read(&example()).unwrap()];
        let texts = |table: &Table, row: usize| table.rows[row].iter().map(Cell::shown).collect::<Vec<_>>();
        let types = types_table(&probes);
        assert_eq!(
            texts(&types, 2),
            ["Bishop (B)", "1", "0", "1", "0", "164", "170", "161"]
        );
        assert_eq!(
            texts(&types, 1),
            ["Knight (N)", "0", "1", "0", "1", "144", "136", "126"]
        );
        for column in 0..3 {
            let sum: usize = PAPER.iter().map(|(_, counts)| counts[column]).sum();
            assert_eq!(sum, 1000);
        }
        let baseline = baseline_table(&probes);
        assert_eq!(texts(&baseline, 0), ["End-Actual", "1", "5.00", "20.0", "19.6"]);
        assert_eq!(texts(&baseline, 2), ["Start-Actual", "1", "2.00", "50.0", "86.0"]);
        assert_eq!(texts(&prefixes_table(&probes), 0), ["5–9", "1", "1.000"]);
        assert_eq!(random_legal(&[]), None);
    }
}
