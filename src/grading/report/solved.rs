//! What can be solved: mates in one by condition (Table 7), puzzles by rating and theme, points of the Strategic Test Suite.

use std::collections::BTreeMap;

use super::{
    groups::{BAND, rating_band},
    material::{Contestant, Material, Scored, mean_cells, with_interval},
    resampling::{LEVEL, SEED},
    scores::{nearly_none_is_legal, rate_cells},
};
use crate::{
    grading::{prompt::PromptKind, suite::goal::Goal},
    pace::Pace,
    stats::{bootstrap::percentile_interval, performance::performance_rating},
    survey::analysis::table::{Cell, Table},
};

/// The paper's Table 7: shares of 1,000 mates in one that were solved, plain, with the engine's evaluation, with the concept.
pub const PAPER: [(&str, [f64; 3]); 4] = [
    ("GPT-4o", [0.564, 0.982, 0.736]),
    ("GPT-4o-mini", [0.014, 0.988, 0.031]),
    ("GPT-3.5-turbo", [0.036, 0.988, 0.056]),
    ("ChessGPT", [0.118, 0.563, 0.175]),
];

/// Fewer answers than this are no row.
const FEWEST: usize = 3;

fn solvable<'a, 'b>(contestant: &'b Contestant<'a>) -> impl Iterator<Item = &'b Scored<'a>> {
    contestant
        .answers
        .iter()
        .filter(|scored| scored.at.goal.can_be_solved())
}

/// Shares solved, of what can be.
#[must_use]
pub fn solved(material: &Material<'_>) -> Option<Table> {
    let mut table = Table {
        caption: "Solved: mates in one, whole lines of puzzles, best moves".to_owned(),
        head: vec!["Player".to_owned(), "Answers".to_owned(), "Errors".to_owned()],
        ..Table::default()
    };
    table.head.extend(with_interval("Solved"));
    table.head.push("Legal".to_owned());
    for contestant in &material.contestants {
        let answers: Vec<_> = solvable(contestant).collect();
        if answers.is_empty() {
            continue;
        }
        let right = answers.iter().filter(|scored| scored.row.solved == Some(true)).count();
        let legal = answers.iter().filter(|scored| scored.row.is_legal()).count();
        let mut row = vec![
            Cell::Text(contestant.name.clone()),
            Cell::Count(answers.len()),
            Cell::Count(contestant.errors.len()),
        ];
        row.extend(rate_cells(right, answers.len()));
        row.push(Cell::Number(legal as f64 / answers.len() as f64, 3));
        table.rows.push(row);
    }
    table.notes.push(
        "Any move that mates solves a mate in one, and a puzzle at any point; else the whole line must be found. Wilson's intervals."
            .to_owned(),
    );
    (!table.rows.is_empty()).then_some(table)
}

/// Table 7, the paper's rows beside ours; `None` where no model was asked under one of its conditions.
#[must_use]
pub fn table_7(material: &Material<'_>) -> Option<Table> {
    let mut models: BTreeMap<&str, [Option<(usize, usize)>; 3]> = BTreeMap::new();
    for contestant in &material.contestants {
        let Some(column) = contestant
            .prompt
            .and_then(|prompt| PromptKind::TABLE_7.iter().position(|known| *known == prompt))
        else {
            continue;
        };
        let mates: Vec<_> = contestant
            .answers
            .iter()
            .filter(|scored| scored.at.goal == Goal::Mate)
            .collect();
        if mates.is_empty() {
            continue;
        }
        let right = mates.iter().filter(|scored| scored.row.solved == Some(true)).count();
        models.entry(&contestant.player.name).or_default()[column] = Some((right, mates.len()));
    }
    if models.is_empty() {
        return None;
    }
    let mut table = Table {
        caption: "Table 7: mates in one, as the paper has it and as found here".to_owned(),
        head: vec!["Model".to_owned(), "Positions".to_owned()],
        ..Table::default()
    };
    for head in ["LLM", "LLM + expert", "LLM + concept"] {
        table.head.extend(with_interval(head));
    }
    for (model, found) in models {
        let n = found.iter().flatten().map(|(_, n)| *n).max().unwrap_or_default();
        let mut row = vec![Cell::Text(format!("{model} (here)")), Cell::Count(n)];
        for cell in found {
            row.extend(match cell {
                Some((right, n)) => rate_cells(right, n),
                None => [Cell::None, Cell::None, Cell::None],
            });
        }
        table.rows.push(row);
    }
    for (model, shares) in PAPER {
        let mut row = vec![Cell::Text(format!("{model} (paper)")), Cell::Count(1_000)];
        for share in shares {
            row.extend([Cell::Number(share, 3), Cell::None, Cell::None]);
        }
        table.rows.push(row);
    }
    table.notes.push(
        "The paper's figures are of 1,000 puzzles of Lichess's (CCC, Table 7), ours of the suite that was given; its prompts are \
         figure A5's, ours say the same in our own words."
            .to_owned(),
    );
    table.notes.extend(nearly_none_is_legal(material));
    Some(table)
}

/// How many of a contestant's answers in a group of positions solved them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Who.
    pub player: String,
    /// The group: a band of ratings, such as `800–999`, or a theme.
    pub group: String,
    /// Solved.
    pub solved: usize,
    /// Answers.
    pub answers: usize,
}

/// Shares solved by bands of the puzzles' ratings, the lowest first.
#[must_use]
pub fn by_rating(material: &Material<'_>) -> Vec<Share> {
    let band = |scored: &Scored<'_>| -> Vec<(u32, String)> {
        let rating = scored.at.rating;
        rating
            .map(|rating| (u32::from(rating / BAND), rating_band(rating)))
            .into_iter()
            .collect()
    };
    shares(material, &band)
}

/// Shares solved by theme.
#[must_use]
pub fn by_theme(material: &Material<'_>) -> Vec<Share> {
    shares(material, &|scored| {
        scored.at.themes.iter().map(|theme| (0, theme.clone())).collect()
    })
}

type Grouping<'f> = &'f dyn Fn(&Scored<'_>) -> Vec<(u32, String)>;

fn shares(material: &Material<'_>, groups: Grouping<'_>) -> Vec<Share> {
    let mut all = Vec::new();
    for contestant in &material.contestants {
        let mut found: BTreeMap<(u32, String), (usize, usize)> = BTreeMap::new();
        for scored in solvable(contestant) {
            for group in groups(scored) {
                let entry = found.entry(group).or_default();
                entry.0 += usize::from(scored.row.solved == Some(true));
                entry.1 += 1;
            }
        }
        let rows = found.into_iter().filter(|(_, (_, answers))| *answers >= FEWEST);
        all.extend(rows.map(|((_, group), (solved, answers))| Share {
            player: contestant.name.clone(),
            group,
            solved,
            answers,
        }));
    }
    all
}

/// Shares as a table; `None` of none.
#[must_use]
pub fn table(caption: &str, head: &str, shares: &[Share]) -> Option<Table> {
    let mut table = Table {
        caption: caption.to_owned(),
        head: vec!["Player".to_owned(), head.to_owned(), "Answers".to_owned()],
        ..Table::default()
    };
    table.head.extend(with_interval("Solved"));
    for share in shares {
        let mut row = vec![
            Cell::Text(share.player.clone()),
            Cell::Text(share.group.clone()),
            Cell::Count(share.answers),
        ];
        row.extend(rate_cells(share.solved, share.answers));
        table.rows.push(row);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The rating at which each contestant solves puzzles.
pub async fn puzzle_ratings(material: &Material<'_>, pace: &impl Pace) -> Option<Table> {
    let mut table = Table {
        caption: "Rating by puzzles: where Elo's formula expects as many solved as were".to_owned(),
        head: ["Player", "Rating", "Low", "High", "Puzzles"].map(str::to_owned).into(),
        ..Table::default()
    };
    for contestant in &material.contestants {
        let (ratings, scores): (Vec<f64>, Vec<f64>) = solvable(contestant)
            .filter_map(|scored| {
                let right = scored.row.solved == Some(true);
                Some((f64::from(scored.at.rating?), f64::from(u8::from(right))))
            })
            .unzip();
        if ratings.is_empty() {
            continue;
        }
        let found = performance_rating(&ratings, &scores).ok();
        let figure = |drawn: &[u32]| {
            let again = |values: &[f64]| -> Vec<f64> {
                let times = drawn.iter().zip(values);
                times
                    .flat_map(|(times, value)| std::iter::repeat_n(*value, *times as usize))
                    .collect()
            };
            performance_rating(&again(&ratings), &again(&scores)).ok()
        };
        let interval = match found {
            Some(_) => percentile_interval(ratings.len(), SEED, LEVEL, figure, pace).await.ok(),
            None => None,
        };
        table.rows.push(vec![
            Cell::Text(contestant.name.clone()),
            Cell::number(found, 0),
            Cell::number(interval.map(|interval| interval.low), 0),
            Cell::number(interval.map(|interval| interval.high), 0),
            Cell::Count(ratings.len()),
        ]);
    }
    table.notes.push(
        "Lichess rates its puzzles against its players; the figure is on that scale, and is left out where all or nothing was solved. \
         Intervals by drawing puzzles anew."
            .to_owned(),
    );
    (!table.rows.is_empty()).then_some(table)
}

/// Points of 100 by theme, as the Strategic Test Suite counts them; illegal moves have none.
pub async fn points(material: &Material<'_>, pace: &impl Pace) -> Option<Table> {
    let mut table = Table {
        caption: "Points of 100 a position".to_owned(),
        head: vec!["Player".to_owned(), "Theme".to_owned(), "Positions".to_owned()],
        ..Table::default()
    };
    table.head.extend(with_interval("Points"));
    for contestant in &material.contestants {
        let mut found: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for scored in &contestant.answers {
            if !matches!(scored.at.goal, Goal::Points { .. }) {
                continue;
            }
            let mv = scored.row.first_move().filter(|_| scored.row.is_legal());
            let points = mv.and_then(|mv| scored.at.goal.points(mv)).unwrap_or_default();
            for theme in scored.at.themes.iter().map(String::as_str).chain(["all"]) {
                found.entry(theme).or_default().push(f64::from(points));
            }
        }
        for (theme, points) in found {
            let mut row = vec![
                Cell::Text(contestant.name.clone()),
                Cell::Text(theme.to_owned()),
                Cell::Count(points.len()),
            ];
            row.extend(mean_cells(&points, 1, pace).await);
            table.rows.push(row);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}
