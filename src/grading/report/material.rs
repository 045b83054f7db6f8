//! Answers with their grades, by contestant: a player, and for models the prompt.

use std::collections::BTreeMap;

use super::resampling::{LEVEL, SEED};
use crate::{
    grading::{
        grade::Grade,
        grade_file::{Grades, Key},
        play::Row,
        player::Player,
        prompt::PromptKind,
        run_file::Run,
        suite::position::TestPosition,
    },
    pace::Pace,
    stats::{Interval, bootstrap::percentile_interval},
    survey::analysis::table::Cell,
};

/// An answer.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// What was answered.
    pub row: &'a Row,
    /// The position that was asked about.
    pub at: &'a TestPosition,
    /// The engine's grade of the first move; `None` where it is not legal, or not graded.
    pub grade: Option<&'a Grade>,
}

impl Scored<'_> {
    /// 5 to 1; 0 for an answer that is no legal move. `None` where a legal move is not graded.
    #[must_use]
    pub fn points(&self) -> Option<f64> {
        match self.row.is_legal() {
            true => self.grade.map(|grade| f64::from(grade.points())),
            false => Some(0.0),
        }
    }
}

/// A player, and what it was asked.
#[derive(Debug, Clone)]
pub struct Contestant<'a> {
    /// For tables: the player's name, with the prompt where there is one.
    pub name: String,
    /// The model or engine that answers.
    pub player: &'a Player,
    /// What a model was asked.
    pub prompt: Option<PromptKind>,
    /// Its answers, in the order of the suite.
    pub answers: Vec<Scored<'a>>,
    /// Positions without an answer: time-outs and transport errors.
    pub errors: Vec<&'a Row>,
}

/// Everything that tables are made of.
#[derive(Debug, Clone)]
pub struct Material<'a> {
    /// All contestants, in the runs' order.
    pub contestants: Vec<Contestant<'a>>,
    /// Who graded: `Stockfish 15.1, 100,000 nodes`.
    pub grader: Option<String>,
    /// Grades by position and move.
    pub grades: BTreeMap<Key, &'a Grade>,
}

impl<'a> Material<'a> {
    /// Puts runs and grades together.
    #[must_use]
    pub fn new(runs: &'a [Run], grades: Option<&'a Grades>) -> Self {
        let by_move = grades.map(Grades::by_move).unwrap_or_default();
        let mut contestants: Vec<Contestant<'a>> = Vec::new();
        let mut places: BTreeMap<(&str, Option<PromptKind>), usize> = BTreeMap::new();
        for run in runs {
            let positions: BTreeMap<&str, (usize, &TestPosition)> = run
                .positions
                .iter()
                .enumerate()
                .map(|(place, at)| (at.id.as_str(), (place, at)))
                .collect();
            for player in &run.header.players {
                let prompts: Vec<Option<PromptKind>> = match player.kind.is_endpoint() {
                    true => run.header.settings.prompts.iter().copied().map(Some).collect(),
                    false => vec![None],
                };
                for prompt in prompts {
                    places.entry((&player.name, prompt)).or_insert_with(|| {
                        contestants.push(Contestant {
                            name: match prompt {
                                Some(prompt) => format!("{} ({prompt})", player.name),
                                None => player.name.clone(),
                            },
                            player,
                            prompt,
                            answers: Vec::new(),
                            errors: Vec::new(),
                        });
                        contestants.len() - 1
                    });
                }
            }
            let place = |row: &Row| places.get(&(row.task.player.as_str(), row.task.prompt)).copied();
            let mut rows: Vec<(usize, &TestPosition, &Row)> = run
                .answers()
                .filter_map(|row| {
                    let (number, at) = positions.get(row.task.item.as_str())?;
                    Some((*number, *at, row))
                })
                .collect();
            rows.sort_by_key(|(number, ..)| *number);
            for (_, at, row) in rows {
                let Some(place) = place(row) else { continue };
                let key = row
                    .first_move()
                    .filter(|_| row.is_legal())
                    .map(|mv| (at.fen.clone(), at.moves.clone(), mv.to_owned()));
                let grade = key.and_then(|key| by_move.get(&key).copied());
                contestants[place].answers.push(Scored { row, at, grade });
            }
            for row in run.errors() {
                if let Some(place) = place(row) {
                    contestants[place].errors.push(row);
                }
            }
        }
        Self {
            contestants,
            grader: grades.map(Grades::words),
            grades: by_move,
        }
    }
}

/// The mean of some numbers; `None` of none.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The bootstrap interval of a mean, drawing the values anew.
pub async fn mean_interval(values: &[f64], pace: &impl Pace) -> Option<Interval> {
    let figure = |drawn: &[u32]| {
        let sum: f64 = drawn
            .iter()
            .zip(values)
            .map(|(times, value)| f64::from(*times) * value)
            .sum();
        Some(sum / values.len() as f64)
    };
    percentile_interval(values.len(), SEED, LEVEL, figure, pace).await.ok()
}

/// A mean with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean; `None` of nothing.
    pub mean: Option<f64>,
    /// Its bootstrap interval; `None` of too little.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// That of some numbers.
    pub async fn of(values: &[f64], pace: &impl Pace) -> Self {
        Self {
            mean: mean(values),
            interval: mean_interval(values, pace).await,
        }
    }

    /// As three cells.
    #[must_use]
    pub fn cells(&self, decimals: usize) -> [Cell; 3] {
        [
            Cell::number(self.mean, decimals),
            Cell::number(self.interval.map(|interval| interval.low), decimals),
            Cell::number(self.interval.map(|interval| interval.high), decimals),
        ]
    }
}

/// A mean with its interval, as three cells.
pub async fn mean_cells(values: &[f64], decimals: usize, pace: &impl Pace) -> [Cell; 3] {
    Estimate::of(values, pace).await.cells(decimals)
}

/// A heading with those of its interval.
#[must_use]
pub fn with_interval(head: &str) -> [String; 3] {
    [head.to_owned(), format!("{head} low"), format!("{head} high")]
}
