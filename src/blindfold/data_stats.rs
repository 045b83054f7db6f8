//! What the games are like: table 10 and figure 4 of the paper.

use super::{notation::Notation, ply::Ply};
use crate::survey::analysis::table::{Cell, Table};

/// Tokens of one bar of figure 4.
const BAR: usize = 20;

/// The paper's table 10: the split, thousands of games, millions of plies.
const PAPER: [(&str, f64, f64); 5] = [
    ("train-s", 15.0, 1.1),
    ("train-m", 50.0, 3.7),
    ("train-l", 200.0, 15.0),
    ("dev", 15.0, 1.1),
    ("test", 15.0, 1.1),
];

/// The tokens of a game in UCI, without those before and after it.
fn tokens(game: &[Ply]) -> usize {
    Notation::Uci.prefix(game).len() - 1
}

/// Table 10: how many games and plies are in each split.
#[must_use]
pub fn splits_table(splits: &[(&str, &[Vec<Ply>])]) -> Table {
    let head = [
        "Split",
        "Games",
        "Plies",
        "Plies a game",
        "Longest",
        "Tokens a game",
        "Most tokens",
        "Games (paper)",
        "Plies (paper)",
    ];
    let row = |(name, games): &(&str, &[Vec<Ply>])| {
        let plies: Vec<usize> = games.iter().map(Vec::len).collect();
        let lengths: Vec<usize> = games.iter().map(|game| tokens(game)).collect();
        let all: usize = plies.iter().sum();
        let mean = |total: usize| (!games.is_empty()).then(|| total as f64 / games.len() as f64);
        let paper = PAPER.iter().find(|(split, ..)| split == name);
        vec![
            Cell::from(*name),
            Cell::Count(games.len()),
            Cell::Count(all),
            Cell::number(mean(all), 1),
            plies.iter().max().map_or(Cell::None, |most| Cell::Count(*most)),
            Cell::number(mean(lengths.iter().sum()), 1),
            lengths.iter().max().map_or(Cell::None, |most| Cell::Count(*most)),
            Cell::number(paper.map(|(_, games, _)| games * 1e3), 0),
            Cell::number(paper.map(|(_, _, plies)| plies * 1e6), 0),
        ]
    };
    Table {
        caption: "Games for training and testing (table 10)".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: splits.iter().map(row).collect(),
        notes: vec![
            "Tokens are those of UCI, without the two around each game. The paper's moves are plies; it gives them in \
             millions, and the questions' 50,000 games not at all in this table."
                .to_owned(),
        ],
    }
}

/// Figure 4: how long games are in tokens of UCI.
#[must_use]
pub fn lengths_table(split: &str, games: &[Vec<Ply>]) -> Table {
    let lengths: Vec<usize> = games.iter().map(|game| tokens(game)).collect();
    Table {
        caption: format!("Lengths of the games of {split} in tokens (figure 4)"),
        head: ["Tokens", "Games", "Share"].map(str::to_owned).to_vec(),
        rows: histogram(&lengths, BAR),
        notes: Vec::new(),
    }
}

/// Bars of a histogram: from, to, how many, which share; from the first bar with any to the last.
pub(super) fn histogram(values: &[usize], width: usize) -> Vec<Vec<Cell>> {
    let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else {
        return Vec::new();
    };
    (least / width..=most / width)
        .map(|bar| {
            let (from, to) = (bar * width, (bar + 1) * width - 1);
            let count = values.iter().filter(|value| (from..=to).contains(*value)).count();
            vec![
                Cell::Text(format!("{from}–{to}")),
                Cell::Count(count),
                Cell::Number(count as f64 / values.len() as f64, 3),
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{ply::replay, random_game::random_game},
        *,
    };

    #[test]
    fn the_counts_are_those_of_the_games() {
        let short = replay("e2e4 e7e5 g1f3").unwrap().plies;
        let promotes = replay("a2a4 b7b5 a4b5 a7a6 b5a6 g8f6 a6a7 f6g8 a7b8q").unwrap().plies;
        let games = [short, promotes];
        let table = splits_table(&[("train-s", &games), ("probe", &[])]);
        let shown: Vec<String> = table.rows[0].iter().map(Cell::shown).collect();
        assert_eq!(
            shown,
            ["train-s", "2", "12", "6.0", "9", "12.5", "19", "15000", "1100000"]
        );
        let empty: Vec<String> = table.rows[1].iter().map(Cell::shown).collect();
        assert_eq!(empty, ["probe", "0", "0", "–", "–", "–", "–", "–", "–"]);
    }

    #[test]
    fn bars_hold_every_game_once() {
        let games: Vec<Vec<Ply>> = (0..50).map(|seed| random_game(seed, 10 + seed as usize)).collect();
        let table = lengths_table("train-l", &games);
        let counts: usize = table
            .rows
            .iter()
            .map(|row| match row[1] {
                Cell::Count(count) => count,
                _ => 0,
            })
            .sum();
        assert_eq!(counts, 50);
        assert_eq!(table.rows[0][0], Cell::from("20–39"));
        assert!(histogram(&[], 5).is_empty());
    }
}
