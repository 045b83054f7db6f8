//! Scores, losses, classes, faults, time and tokens: a row for each contestant.

use super::{
    material::{Contestant, Estimate, Material, Scored, mean, mean_cells, with_interval},
    resampling::LEVEL,
};
use crate::{
    grading::{
        fault::{FaultKind, kinds},
        grade::{CAP, Class},
        play::Row,
    },
    pace::Pace,
    stats::rate::wilson,
    survey::analysis::table::{Better, Cell, Table},
};

/// A rate with Wilson's interval, as three cells.
pub(super) fn rate_cells(count: usize, n: usize) -> [Cell; 3] {
    let rate = wilson(count, n, LEVEL).ok();
    [
        Cell::number(rate.map(|rate| rate.rate), 3),
        Cell::number(rate.map(|rate| rate.interval.low), 3),
        Cell::number(rate.map(|rate| rate.interval.high), 3),
    ]
}

fn grader(material: &Material<'_>) -> String {
    match &material.grader {
        Some(words) => format!("Graded by {words}."),
        None => "No grades were given: only what needs none is shown.".to_owned(),
    }
}

/// A contestant's scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// Who.
    pub name: String,
    /// Answers, legal or not.
    pub answers: usize,
    /// Positions without one.
    pub errors: usize,
    /// Answers that are legal.
    pub legal: usize,
    /// The mean over legal answers, 5 to 1; 0 where none is legal, as the plan has it.
    pub over_legal: Estimate,
    /// The mean over all answers, those that are no legal move with 0.
    pub over_all: Estimate,
    /// Answers that are the best move.
    pub best: usize,
    /// Answers that are graded, or need no grade.
    pub graded: usize,
}

/// The scores of all contestants.
pub async fn figures(material: &Material<'_>, pace: &impl Pace) -> Vec<Score> {
    let mut scores = Vec::new();
    for contestant in &material.contestants {
        let answers = &contestant.answers;
        let legal = answers.iter().filter(|scored| scored.row.is_legal()).count();
        let over_legal: Vec<f64> = answers
            .iter()
            .filter_map(|scored| Some(f64::from(scored.grade?.points())))
            .collect();
        let over_all: Vec<f64> = answers.iter().filter_map(|scored| scored.points()).collect();
        let rank = |scored: &&Scored<'_>| scored.grade.is_some_and(|grade| grade.rank == 1);
        scores.push(Score {
            name: contestant.name.clone(),
            answers: answers.len(),
            errors: contestant.errors.len(),
            legal,
            over_legal: match (legal, answers.len()) {
                (0, 1..) => Estimate {
                    mean: Some(0.0),
                    interval: None,
                },
                _ => Estimate::of(&over_legal, pace).await,
            },
            over_all: Estimate::of(&over_all, pace).await,
            best: answers.iter().filter(rank).count(),
            graded: over_all.len(),
        });
    }
    scores
}

/// Legal moves and scores: over legal answers, and over all with 0 for what is no legal move. Errors are apart.
pub async fn scores(material: &Material<'_>, pace: &impl Pace) -> Table {
    table(material, &figures(material, pace).await)
}

/// The same, where the figures are known.
#[must_use]
pub fn table(material: &Material<'_>, scores: &[Score]) -> Table {
    let mut table = Table {
        caption: "Scores: 5 for a loss of at most 10 centipawns, 4 for 30, 3 for 60, 2 for 100, 1 for more".to_owned(),
        head: vec!["Player".to_owned(), "Answers".to_owned(), "Errors".to_owned()],
        ..Table::default()
    };
    table.head.extend(with_interval("Legal"));
    table.head.extend(with_interval("Score, legal"));
    table.head.extend(with_interval("Score, all"));
    table.head.extend(["Best move", "Not graded"].map(str::to_owned));
    for score in scores {
        let mut row = vec![
            Cell::Text(score.name.clone()),
            Cell::Count(score.answers),
            Cell::Count(score.errors),
        ];
        row.extend(rate_cells(score.legal, score.answers));
        row.extend(score.over_legal.cells(2));
        row.extend(score.over_all.cells(2));
        let graded = material.grader.is_some() && score.graded > 0;
        row.push(Cell::number(graded.then(|| score.best as f64 / score.graded as f64), 3));
        row.push(Cell::Count(score.answers - score.graded));
        table.rows.push(row);
    }
    for column in [3, 6, 9] {
        table.mark_column(column, Better::Higher);
    }
    table.notes.push(format!(
        "{} Intervals of level {LEVEL}: Wilson's for rates, by drawing positions anew for means. Errors (time-outs, transport) \
         are no answers and are in no score; an answer that is no legal move counts 0 over all.",
        grader(material)
    ));
    table.notes.extend(nearly_none_is_legal(material));
    table
}

/// Average losses over legal answers.
pub async fn losses(material: &Material<'_>, pace: &impl Pace) -> Table {
    let mut table = Table {
        caption: "Loss of legal moves against the best: centipawns, and chance of winning in points of 100".to_owned(),
        head: vec!["Player".to_owned(), "Moves".to_owned()],
        ..Table::default()
    };
    table.head.extend(with_interval("Centipawns"));
    table.head.extend(with_interval(&format!("Capped at {CAP}")));
    table.head.extend(with_interval("Chance of winning"));
    table.head.extend(["Median", "Mean rank", "Forced"].map(str::to_owned));
    for contestant in &material.contestants {
        let grades: Vec<_> = contestant.answers.iter().filter_map(|scored| scored.grade).collect();
        if grades.is_empty() {
            continue;
        }
        let of = |figure: &dyn Fn(&crate::grading::grade::Grade) -> f64| -> Vec<f64> {
            grades.iter().map(|grade| figure(grade)).collect()
        };
        let losses = of(&|grade| f64::from(grade.loss()));
        let mut row = vec![Cell::Text(contestant.name.clone()), Cell::Count(grades.len())];
        row.extend(mean_cells(&losses, 1, pace).await);
        row.extend(mean_cells(&of(&|grade| f64::from(grade.capped_loss())), 1, pace).await);
        row.extend(mean_cells(&of(&|grade| 100.0 * grade.win_loss()), 2, pace).await);
        row.push(Cell::number(median(losses), 0));
        row.push(Cell::number(mean(&of(&|grade| f64::from(grade.rank))), 2));
        row.push(Cell::Count(grades.iter().filter(|grade| grade.only_move).count()));
        table.rows.push(row);
    }
    for column in [2, 5, 8] {
        table.mark_column(column, Better::Lower);
    }
    table.notes.push(format!(
        "{} A mate counts 10,000 less its moves, so that one lost mate rules an uncapped average. Losses below zero count as none. \
         Rank 6 is any move outside the best five. Forced: the only legal move.",
        grader(material)
    ));
    table
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (low, high) = (
        values.get(values.len().saturating_sub(1) / 2)?,
        values.get(values.len() / 2)?,
    );
    Some(f64::midpoint(*low, *high))
}

/// How many of a contestant's answers are of each class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// Who.
    pub name: String,
    /// By class, best first.
    pub classes: [usize; Class::ALL.len()],
    /// Legal moves without a grade.
    pub not_graded: usize,
    /// Answers that are no legal move.
    pub illegal: usize,
    /// Positions without an answer.
    pub errors: usize,
}

impl Distribution {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> usize {
        self.classes.iter().sum::<usize>() + self.not_graded + self.illegal + self.errors
    }
}

/// The classes of all contestants' answers.
#[must_use]
pub fn distributions(material: &Material<'_>) -> Vec<Distribution> {
    let of = |contestant: &Contestant<'_>| {
        let mut found = Distribution {
            name: contestant.name.clone(),
            classes: [0; Class::ALL.len()],
            not_graded: 0,
            illegal: 0,
            errors: contestant.errors.len(),
        };
        for scored in &contestant.answers {
            match (scored.row.is_legal(), scored.grade) {
                (false, _) => found.illegal += 1,
                (true, None) => found.not_graded += 1,
                (true, Some(grade)) => found.classes[grade.class() as usize] += 1,
            }
        }
        found
    };
    material.contestants.iter().map(of).collect()
}

/// How many answers are of each class.
#[must_use]
pub fn classes(distributions: &[Distribution]) -> Table {
    let mut table = Table {
        caption: "Answers by class".to_owned(),
        head: vec!["Player".to_owned()],
        ..Table::default()
    };
    table.head.extend(Class::ALL.map(|class| class.label().to_owned()));
    table
        .head
        .extend(["Not graded", "No legal move", "Errors", "All"].map(str::to_owned));
    for found in distributions {
        let mut row = vec![Cell::Text(found.name.clone())];
        row.extend(found.classes.map(Cell::Count));
        row.extend([found.not_graded, found.illegal, found.errors, found.all()].map(Cell::Count));
        table.rows.push(row);
    }
    table
}

/// What is wrong with answers that are no legal move: every kind, so that they add up.
#[must_use]
pub fn faults(material: &Material<'_>) -> Table {
    let mut table = Table {
        caption: "Answers that are no legal move, and errors, by kind".to_owned(),
        head: vec!["Player".to_owned(), "Legal".to_owned()],
        ..Table::default()
    };
    table.head.extend(FaultKind::ALL.map(|kind| kind.label().to_owned()));
    table.head.extend(["All", "Objected to"].map(str::to_owned));
    for contestant in &material.contestants {
        let rows = || {
            contestant
                .answers
                .iter()
                .map(|scored| scored.row)
                .chain(contestant.errors.iter().copied())
        };
        let found = kinds(rows().filter_map(|row| row.fault.as_ref()));
        let mut row = vec![
            Cell::Text(contestant.name.clone()),
            Cell::Count(rows().filter(|row| row.is_legal()).count()),
        ];
        row.extend(FaultKind::ALL.map(|kind| Cell::Count(found.get(&kind).copied().unwrap_or_default())));
        row.push(Cell::Count(rows().count()));
        row.push(Cell::Count(rows().map(|row| row.objected.len()).sum()));
        table.rows.push(row);
    }
    table.notes.extend(nearly_none_is_legal(material));
    table
}

/// A note on each contestant whose answers are hardly ever legal moves, for every table in which it would look like a player.
pub(super) fn nearly_none_is_legal(material: &Material<'_>) -> Vec<String> {
    /// Of fewer answers nothing is said.
    const FEWEST: usize = 10;
    let mut notes = Vec::new();
    for contestant in &material.contestants {
        let all = contestant.answers.len();
        let legal = contestant.answers.iter().filter(|scored| scored.row.is_legal()).count();
        if all >= FEWEST && legal * 5 < all {
            notes.push(format!(
                "{}: {legal} of {all} answers {} a legal move. Its scores say that it does not know the rules, and nothing about \
                 its moves.",
                contestant.name,
                if legal == 1 { "is" } else { "are" }
            ));
        }
    }
    notes
}

/// Time and tokens of a move: a puzzle's answer has several, and asking again after a fault is part of its move.
#[must_use]
pub fn effort(material: &Material<'_>) -> Table {
    let mut table = Table {
        caption: "Time and tokens of a move".to_owned(),
        head: [
            "Player",
            "Moves",
            "Seconds",
            "Median",
            "Longest",
            "Prompt tokens",
            "Reply tokens",
            "Counted",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    for contestant in &material.contestants {
        let rows: Vec<_> = contestant
            .answers
            .iter()
            .map(|scored| scored.row)
            .filter(|row| !row.copied)
            .collect();
        let seconds: Vec<f64> = rows
            .iter()
            .map(|row| row.millis as f64 / 1000.0 / moves(row) as f64)
            .collect();
        let counted = || rows.iter().filter_map(|row| Some((row.tokens?, moves(row))));
        let all: usize = rows.iter().map(|row| moves(row)).sum();
        let tokens: usize = counted().map(|(_, moves)| moves).sum();
        let each = |sum: u64, n: usize| (n > 0).then(|| sum as f64 / n as f64);
        table.rows.push(vec![
            Cell::Text(contestant.name.clone()),
            Cell::Count(all),
            Cell::number(
                each(rows.iter().map(|row| row.millis).sum(), all).map(|ms| ms / 1000.0),
                2,
            ),
            Cell::number(median(seconds.clone()), 2),
            Cell::number(seconds.iter().copied().max_by(f64::total_cmp), 2),
            Cell::number(each(counted().map(|(tokens, _)| tokens.prompt).sum(), tokens), 0),
            Cell::number(each(counted().map(|(tokens, _)| tokens.completion).sum(), tokens), 1),
            Cell::Count(tokens),
        ]);
    }
    table
        .notes
        .push("Median and longest are of answers, each by its moves; copied answers are left out.".to_owned());
    table
}

/// The moves that an answer was asked for: those that it gave, and the one that it did not.
fn moves(row: &Row) -> usize {
    (row.moves.len() + usize::from(row.fault.is_some())).max(1)
}
