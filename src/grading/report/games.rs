//! The plan's table: average losses of each game and colour, and what levels have to do with them.

use std::collections::BTreeMap;

use super::{
    material::{Contestant, Material, Scored, mean, mean_interval},
    resampling::{LEVEL, SEED},
};
use crate::{
    grading::{grade::CAP, level::Level},
    pace::Pace,
    stats::{
        bootstrap::percentile_interval,
        correlation::kendall,
        effect::{cliff_delta, cohen_d},
        slope::slope,
    },
    survey::analysis::table::{Cell, Table, p_value},
};

/// The plan's five games: plies, White's, Black's and all average losses.
pub const PLAN: [(&str, usize, [f64; 3]); 5] = [
    ("skill_5", 78, [30.6, 15.9, 23.3]),
    ("skill_10", 90, [20.9, 204.4, 112.6]),
    ("skill_15", 136, [13.7, 12.6, 13.1]),
    ("skill_18", 145, [7.8, 9.1, 8.5]),
    ("skill_20", 269, [65.6, 66.5, 66.1]),
];

/// Fewer graded moves than this are no game: a sample of positions.
const FEWEST_MOVES: usize = 10;

/// A game's losses.
#[derive(Debug, Clone)]
pub struct GameLosses<'a> {
    /// Its name.
    pub game: &'a str,
    /// Its players' level.
    pub level: Option<Level>,
    /// White's and Black's, uncapped.
    pub losses: [Vec<f64>; 2],
    /// The same, capped.
    pub capped: [Vec<f64>; 2],
}

impl GameLosses<'_> {
    /// The average of a side or both, capped or not.
    #[must_use]
    pub fn average(&self, side: Option<usize>, capped: bool) -> Option<f64> {
        let losses = if capped { &self.capped } else { &self.losses };
        match side {
            Some(side) => mean(&losses[side]),
            None => mean(&losses.concat()),
        }
    }

    /// Graded moves of both.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.losses.iter().map(Vec::len).sum()
    }
}

/// The games whose moves a contestant's answers are: those played, in whole games.
#[must_use]
pub fn games<'a>(contestant: &Contestant<'a>) -> Vec<GameLosses<'a>> {
    let mut order: Vec<&str> = Vec::new();
    let mut found: BTreeMap<&str, GameLosses<'a>> = BTreeMap::new();
    for Scored { at, grade, .. } in &contestant.answers {
        let (Some(game), Some(grade)) = (at.game.as_deref(), grade) else {
            continue;
        };
        let entry = found.entry(game).or_insert_with(|| {
            order.push(game);
            GameLosses {
                game,
                level: at.level,
                losses: [Vec::new(), Vec::new()],
                capped: [Vec::new(), Vec::new()],
            }
        });
        let side = at.turn().fold_wb(0, 1);
        entry.losses[side].push(f64::from(grade.loss()));
        entry.capped[side].push(f64::from(grade.capped_loss()));
    }
    order
        .into_iter()
        .filter_map(|game| found.remove(game))
        .filter(|game| game.moves() >= FEWEST_MOVES)
        .collect()
}

/// The plan's table for each contestant whose answers are whole games; the plan's own rows below.
#[must_use]
pub fn by_game(material: &Material<'_>) -> Vec<Table> {
    let mut tables = Vec::new();
    for contestant in &material.contestants {
        let games = games(contestant);
        if games.is_empty() {
            continue;
        }
        let mut table = Table {
            caption: format!("Average centipawn loss by game and colour: {}", contestant.name),
            head: ["Game", "Level", "Total moves", "White", "Black", "Overall"]
                .map(str::to_owned)
                .into(),
            ..Table::default()
        };
        table
            .head
            .extend(["White", "Black", "Overall"].map(|side| format!("{side}, capped")));
        for game in &games {
            let mut row = vec![
                Cell::Text(game.game.to_owned()),
                Cell::Text(game.level.map(|level| level.to_string()).unwrap_or_default()),
                Cell::Count(game.moves()),
            ];
            for capped in [false, true] {
                row.extend([Some(0), Some(1), None].map(|side| Cell::number(game.average(side, capped), 1)));
            }
            table.rows.push(row);
        }
        for (name, moves, losses) in PLAN {
            let mut row = vec![
                Cell::Text(format!("{name} (the plan)")),
                Cell::Text(name.replace('_', " ")),
                Cell::Count(moves),
            ];
            row.extend(losses.map(|loss| Cell::Number(loss, 1)));
            row.extend([Cell::None, Cell::None, Cell::None]);
            table.rows.push(row);
        }
        table.notes.push(format!(
            "Moves are plies. Capped: one move's loss counts {CAP} at most."
        ));
        tables.push(table);
    }
    tables
}

/// Levels against losses, a game being one unit: means with intervals, the slope, and the top level against the others.
pub async fn levels(material: &Material<'_>, pace: &impl Pace) -> Vec<Table> {
    let mut tables = Vec::new();
    for contestant in &material.contestants {
        let games = games(contestant);
        let mut levels: Vec<Level> = games.iter().filter_map(|game| game.level).collect();
        levels.sort();
        levels.dedup();
        if levels.len() < 2 {
            continue;
        }
        let of = |level: Level, capped: bool| -> Vec<f64> {
            games
                .iter()
                .filter(|game| game.level == Some(level))
                .filter_map(|game| game.average(None, capped))
                .collect()
        };
        let mut table = Table {
            caption: format!("Levels and losses: {}, means over games", contestant.name),
            head: [
                "Level",
                "Games",
                "Moves",
                "Loss",
                "Low",
                "High",
                "Capped",
                "Capped low",
                "Capped high",
            ]
            .map(str::to_owned)
            .into(),
            ..Table::default()
        };
        for level in &levels {
            let mut row = vec![
                Cell::Text(level.to_string()),
                Cell::Count(of(*level, true).len()),
                Cell::Count(
                    games
                        .iter()
                        .filter(|game| game.level == Some(*level))
                        .map(GameLosses::moves)
                        .sum(),
                ),
            ];
            for capped in [false, true] {
                let values = of(*level, capped);
                let interval = mean_interval(&values, pace).await;
                row.push(Cell::number(mean(&values), 1));
                row.push(Cell::number(interval.map(|interval| interval.low), 1));
                row.push(Cell::number(interval.map(|interval| interval.high), 1));
            }
            table.rows.push(row);
        }
        for capped in [false, true] {
            let word = if capped { "capped loss" } else { "loss" };
            let (x, y): (Vec<f64>, Vec<f64>) = games
                .iter()
                .filter_map(|game| {
                    Some((
                        f64::from(game.level?.nominal_elo()?) / 100.0,
                        game.average(None, capped)?,
                    ))
                })
                .unzip();
            if let Ok(found) = slope(&x, &y, LEVEL) {
                let interval = found.interval.map_or_else(String::new, |interval| {
                    format!(" [{:.2}, {:.2}]", interval.low, interval.high)
                });
                let tau = kendall(&x, &y, LEVEL).ok();
                table.notes.push(format!(
                    "Slope of the {word} for 100 points of rating more: {:.2}{interval} centipawns (p {}), Kendall's tau {}, n = {} \
                     games.",
                    found.slope,
                    found.p.map_or_else(|| "–".to_owned(), p_value),
                    tau.map_or_else(|| "–".to_owned(), |tau| format!("{:.2}", tau.value)),
                    found.n
                ));
            }
        }
        tables.push(table);
        tables.extend(top_level(&contestant.name, &levels, &of, pace).await);
    }
    tables
}

/// The plan's surprise: is the highest level worse than those below?
async fn top_level(
    name: &str,
    levels: &[Level],
    of: &impl Fn(Level, bool) -> Vec<f64>,
    pace: &impl Pace,
) -> Option<Table> {
    let (top, others) = levels.split_last()?;
    let mut table = Table {
        caption: format!("Is {top} worse than the levels below? {name}, by games"),
        head: [
            "Against",
            "Of",
            "Difference",
            "Low",
            "High",
            "Cohen's d",
            "Cliff's delta",
            "Answer",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    for other in others.iter().rev() {
        for capped in [false, true] {
            let (a, b) = (of(*top, capped), of(*other, capped));
            let figure = |drawn: &[u32]| {
                let (mut sums, mut counts) = ([0.0; 2], [0_u32; 2]);
                for (place, times) in drawn.iter().enumerate() {
                    let (side, value) = match place.checked_sub(a.len()) {
                        None => (0, a[place]),
                        Some(place) => (1, b[place]),
                    };
                    sums[side] += f64::from(*times) * value;
                    counts[side] += times;
                }
                (counts[0] > 0 && counts[1] > 0)
                    .then(|| sums[0] / f64::from(counts[0]) - sums[1] / f64::from(counts[1]))
            };
            let interval = percentile_interval(a.len() + b.len(), SEED, LEVEL, figure, pace)
                .await
                .ok();
            let answer = match interval {
                Some(interval) if interval.low > 0.0 => "worse",
                Some(interval) if interval.high < 0.0 => "better",
                Some(_) => "not told apart",
                None => "too few games",
            };
            table.rows.push(vec![
                Cell::Text(other.to_string()),
                Cell::Text(if capped { "capped loss" } else { "loss" }.to_owned()),
                Cell::number(mean(&a).zip(mean(&b)).map(|(a, b)| a - b), 1),
                Cell::number(interval.map(|interval| interval.low), 1),
                Cell::number(interval.map(|interval| interval.high), 1),
                Cell::number(cohen_d(&a, &b).ok(), 2),
                Cell::number(cliff_delta(&a, &b).ok(), 2),
                Cell::Text(answer.to_owned()),
            ]);
        }
    }
    table.notes.push("Difference of the means over games, above zero where the top level loses more; intervals by drawing games anew.".to_owned());
    Some(table)
}
