//! Tables 7, 13 and 14 and figure 8: what is wrong with answers of the End tasks.

use shakmaty::{Position, Role};

use super::{
    super::{
        end_error::EndError,
        probe::ProbeTask,
        probe_stats::{TYPES, type_label},
    },
    answers::{Answers, Graded},
    paper::{CHECK, KINDS, OBSTRUCTED},
};
use crate::survey::analysis::table::{Cell, Table};

const END_TASKS: [ProbeTask; 2] = [ProbeTask::EndActual, ProbeTask::EndOther];

/// Table 7: how many answers are wrong in which way.
#[must_use]
pub fn kinds_table(answers: &[Answers]) -> Table {
    let mut rows = Vec::new();
    for own in answers {
        for task in END_TASKS {
            let all: Vec<&Graded> = own.of(task).collect();
            let of = |error: EndError| all.iter().filter(|graded| graded.grade.error == Some(error)).count();
            let mut row = vec![Cell::from(own.player), Cell::from(task.label()), Cell::Count(all.len())];
            row.extend(EndError::ALL.map(of).map(Cell::Count));
            let wrong = all.iter().filter(|graded| !graded.grade.legal).count();
            let castlings = all.iter().filter(|graded| graded.grade.castling).count();
            row.extend([Cell::Count(wrong), Cell::Count(castlings)]);
            rows.push(row);
        }
    }
    for (name, tasks) in KINDS {
        for (task, [syntax, path, pseudo]) in END_TASKS.into_iter().zip(tasks) {
            rows.push(vec![
                Cell::Text(format!("{name} (paper)")),
                Cell::from(task.label()),
                Cell::Count(1000),
                Cell::None,
                Cell::Count(syntax),
                Cell::Count(path),
                Cell::Count(pseudo),
                Cell::None,
                Cell::None,
            ]);
        }
    }
    let mut head = vec!["Player".to_owned(), "Task".to_owned(), "Answers".to_owned()];
    head.extend(EndError::ALL.map(|error| error.label().to_owned()));
    head.extend(["Not legal".to_owned(), "Of them castling".to_owned()]);
    Table {
        caption: "What is wrong with answers that are not legal (table 7)".to_owned(),
        head,
        rows,
        notes: vec![
            "The four kinds sum to what is not legal. The paper leaves out the unreachable ones, of which every model has fewer \
             than five. Castling that the rules allow is in none of the sets, as in the authors' code: it counts as syntax."
                .to_owned(),
        ],
    }
}

/// What table 13 is ordered by.
fn category(graded: &Graded) -> usize {
    let king = graded.question.role == Role::King;
    match (graded.probe.position().is_check(), king) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (false, false) => 3,
    }
}

const CATEGORIES: [&str; 4] = ["Check + King", "Check + Other", "No Check + King", "No Check + Other"];

/// Errors of a kind, and all answers without errors of the other kinds.
fn of_kind<'a>(answers: impl Iterator<Item = &'a Graded<'a>>, kind: EndError) -> [Cell; 2] {
    let (mut errors, mut total) = (0, 0);
    for graded in answers {
        errors += usize::from(graded.grade.error == Some(kind));
        total += usize::from(graded.grade.legal || graded.grade.error == Some(kind));
    }
    [Cell::Count(errors), Cell::Count(total)]
}

fn by_group(
    answers: &[Answers],
    kind: EndError,
    groups: &[String],
    paper: &[[usize; 4]],
    group_of: impl Fn(&Graded) -> Option<usize>,
) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    for own in answers {
        for (place, group) in groups.iter().enumerate() {
            let mut row = vec![Cell::from(own.player), Cell::from(group.as_str())];
            for task in END_TASKS {
                row.extend(of_kind(
                    own.of(task).filter(|graded| group_of(graded) == Some(place)),
                    kind,
                ));
            }
            rows.push(row);
        }
    }
    for (group, figures) in groups.iter().zip(paper) {
        let mut row = vec![Cell::from("UCI, Train-L (paper)"), Cell::from(group.as_str())];
        row.extend(figures.map(Cell::Count));
        rows.push(row);
    }
    rows
}

fn grouped(caption: &str, group: &str, rows: Vec<Vec<Cell>>) -> Table {
    let head = [
        "Player",
        group,
        "Actual: errors",
        "Actual: of",
        "Other: errors",
        "Other: of",
    ];
    Table {
        caption: caption.to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
        notes: vec!["Of all answers but those with errors of other kinds.".to_owned()],
    }
}

/// Table 13: pseudo-legal errors by check and by whether the king is to move.
#[must_use]
pub fn check_table(answers: &[Answers]) -> Table {
    let groups = CATEGORIES.map(str::to_owned);
    let rows = by_group(answers, EndError::PseudoLegal, &groups, &CHECK, |graded| {
        Some(category(graded))
    });
    grouped("Pseudo-legal errors (table 13)", "Category", rows)
}

/// Table 14: path obstruction by the type that is to move.
#[must_use]
pub fn obstructed_table(answers: &[Answers]) -> Table {
    let groups = TYPES.map(type_label);
    let rows = by_group(answers, EndError::PathObstruction, &groups, &OBSTRUCTED, |graded| {
        TYPES.iter().position(|role| *role == graded.question.role)
    });
    grouped("Path obstruction (table 14)", "Type", rows)
}

/// Figure 8: how far the predicted moves go, in moves of a king, where they are legal and where something stands in the way.
#[must_use]
pub fn distances_table(answers: &[Answers]) -> Table {
    let mut rows = Vec::new();
    for own in answers {
        for task in END_TASKS {
            for role in TYPES {
                let lengths = |wanted: fn(&Graded) -> bool| {
                    let all: Vec<f64> = own
                        .of(task)
                        .filter(|graded| graded.question.role == role && wanted(graded))
                        .filter_map(|graded| {
                            let to = graded.answer.tokens.first()?.square()?;
                            Some(f64::from(graded.question.from()?.distance(to)))
                        })
                        .collect();
                    let mean = (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64);
                    [Cell::number(mean, 2), Cell::Count(all.len())]
                };
                let mut row = vec![
                    Cell::from(own.player),
                    Cell::from(task.label()),
                    Cell::Text(type_label(role)),
                ];
                row.extend(lengths(|graded| graded.grade.legal));
                row.extend(lengths(|graded| graded.grade.error == Some(EndError::PathObstruction)));
                rows.push(row);
            }
        }
    }
    let head = [
        "Player",
        "Task",
        "Type",
        "Legal: squares",
        "Legal: moves",
        "Obstructed: squares",
        "Obstructed: moves",
    ];
    Table {
        caption: "Average lengths of predicted moves (figure 8)".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
        notes: vec!["In moves of a king. The paper has a plot and no numbers.".to_owned()],
    }
}
