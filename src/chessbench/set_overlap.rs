//! How much of one set is in another: boards of a test set among those that are learned from, and puzzles.

use std::collections::HashSet;

use serde::Serialize;

use super::{board::without_counters, metrics::LEVEL};
use crate::{
    pace::{AtOnce, Pace, at_once},
    stats::rate::{Rate, wilson},
    survey::analysis::table::{Cell, Table},
};

/// What the paper found: 14.7 % of its test boards and 1.33 % of its puzzles are in the largest training set.
const PAPER: (f64, f64) = (14.7, 1.33);

/// What is shared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SetOverlap {
    /// Boards of the second set that are in the first one, counters and all.
    pub boards: Option<Rate>,
    /// The same without counters: what players call the same position.
    pub positions: Option<Rate>,
}

/// The boards that are learned from.
#[derive(Debug, Clone, Default)]
pub struct KnownBoards {
    boards: HashSet<String>,
    positions: HashSet<String>,
}

impl KnownBoards {
    /// Of these FENs.
    #[must_use]
    pub fn new<'a>(fens: impl IntoIterator<Item = &'a str>) -> Self {
        at_once(Self::of_at(fens, &AtOnce))
    }

    /// The same in turns.
    pub async fn of_at<'a>(fens: impl IntoIterator<Item = &'a str>, pace: &impl Pace) -> Self {
        let mut known = Self::default();
        for fen in fens {
            known.boards.insert(fen.to_owned());
            known.positions.insert(without_counters(fen).to_owned());
            pace.turn().await;
        }
        known
    }

    /// How many different boards there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// How many of these FENs, each taken once, are among them; Wilson's intervals.
    #[must_use]
    pub fn overlap<'a>(&self, fens: impl IntoIterator<Item = &'a str>) -> SetOverlap {
        at_once(self.overlap_at(fens, &AtOnce))
    }

    /// The same in turns.
    pub async fn overlap_at<'a>(&self, fens: impl IntoIterator<Item = &'a str>, pace: &impl Pace) -> SetOverlap {
        let (mut seen, mut positions) = (HashSet::new(), HashSet::new());
        let (mut boards, mut shared) = (0, 0);
        for fen in fens {
            pace.turn().await;
            let position = without_counters(fen);
            boards += usize::from(seen.insert(fen) && self.boards.contains(fen));
            shared += usize::from(positions.insert(position) && self.positions.contains(position));
        }
        SetOverlap {
            boards: wilson(boards, seen.len(), LEVEL).ok(),
            positions: wilson(shared, positions.len(), LEVEL).ok(),
        }
    }
}

/// The table of overlaps.
#[must_use]
pub fn overlap_table(boards: Option<SetOverlap>, puzzles: Option<SetOverlap>) -> Table {
    let row = |name: &str, rate: Option<Rate>, paper: Option<f64>| {
        let percent = |of: f64| of * 100.0;
        vec![
            Cell::from(name),
            Cell::Count(rate.map_or(0, |rate| rate.n)),
            Cell::Count(rate.map_or(0, |rate| rate.count)),
            Cell::number(rate.map(|rate| percent(rate.rate)), 2),
            Cell::number(rate.map(|rate| percent(rate.interval.low)), 2),
            Cell::number(rate.map(|rate| percent(rate.interval.high)), 2),
            Cell::number(paper, 2),
        ]
    };
    let mut rows = Vec::new();
    for (name, overlap, paper) in [("Boards", boards, PAPER.0), ("Puzzles", puzzles, PAPER.1)] {
        if let Some(overlap) = overlap {
            rows.push(row(name, overlap.boards, Some(paper)));
            rows.push(row(&format!("{name}, without counters"), overlap.positions, None));
        }
    }
    Table {
        caption: "How much of the second set is in the first".to_owned(),
        head: ["What", "Of the second", "In the first", "%", "from", "to", "Paper, %"].map(str::to_owned).to_vec(),
        rows,
        notes: vec![
            "Intervals of 95 % (Wilson). A puzzle is its first position with the solver to move. The paper's first set has 10 million \
             games."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_counted_with_and_without_counters() {
        let known = KnownBoards::new(["a b c d 0 1", "e b c d 0 1", "e b c d 0 1"]);
        assert_eq!((known.len(), known.is_empty()), (2, false));
        let overlap = known.overlap(["a b c d 0 1", "a b c d 4 9", "x b c d 0 1", "x b c d 0 1"]);
        let counts = |rate: Option<Rate>| rate.map(|rate| (rate.count, rate.n));
        assert_eq!(
            (counts(overlap.boards), counts(overlap.positions)),
            (Some((1, 3)), Some((1, 2)))
        );
        let table = overlap_table(Some(overlap), None);
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.rows[0][3].shown(), "33.33");
        assert_eq!(table.rows[0][6].shown(), "14.70");
        let nothing = known.overlap([]);
        assert_eq!(nothing.boards, None);
        assert_eq!(overlap_table(Some(nothing), Some(nothing)).rows[2][3], Cell::None);
    }
}
