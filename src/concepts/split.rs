//! Which positions are learnt from, which decide between layers, and which judge: **by game**, so that no position is
//! judged whose neighbours were learnt from.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::random::seeded_hash;

/// What a game's positions are used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// To learn from: 70 %.
    Training,
    /// To choose the layer and C: 10 %.
    Validation,
    /// To judge: 20 %.
    Test,
}

impl Side {
    /// The side of the game with this id.
    #[must_use]
    pub fn of(game: &str, seed: u64) -> Self {
        match seeded_hash(seed, game) % 10 {
            0..=6 => Self::Training,
            7 => Self::Validation,
            _ => Self::Test,
        }
    }
}

/// The positions of a file as far as the fit needs to know them; they are known by their place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Positions {
    lots: Vec<u64>,
    sides: Vec<Option<Side>>,
    repeated: usize,
}

impl Positions {
    /// `positions`: the game's id and the FEN of each. Of positions that are the same but for the move counters only
    /// the first is used: openings repeat from game to game, and would otherwise be on two sides.
    pub fn new<'a>(positions: impl IntoIterator<Item = (&'a str, &'a str)>, seed: u64) -> Self {
        let mut seen = HashSet::new();
        let (mut lots, mut sides) = (Vec::new(), Vec::new());
        for (game, fen) in positions {
            let key = without_counters(fen);
            lots.push(seeded_hash(seed, key));
            sides.push(seen.insert(key).then(|| Side::of(game, seed)));
        }
        let repeated = sides.iter().filter(|side| side.is_none()).count();
        Self { lots, sides, repeated }
    }

    /// How many there are, used or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sides.len()
    }

    /// True when there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// Positions not used since they are there already.
    #[must_use]
    pub const fn repeated(&self) -> usize {
        self.repeated
    }

    /// The side of a position; `None` when it is not used.
    #[must_use]
    pub fn side(&self, position: u32) -> Option<Side> {
        self.sides.get(position as usize).copied().flatten()
    }

    /// A number of chance that belongs to the position, whatever its place.
    #[must_use]
    pub fn lot(&self, position: u32) -> u64 {
        self.lots.get(position as usize).copied().unwrap_or_default()
    }

    /// All positions of a side, in the order of the file.
    #[must_use]
    pub fn on(&self, side: Side) -> Vec<u32> {
        (0..self.sides.len() as u32)
            .filter(|&i| self.side(i) == Some(side))
            .collect()
    }
}

/// Board, side to move, castling rights and en passant square of a FEN.
#[must_use]
pub fn without_counters(fen: &str) -> &str {
    fen.match_indices(' ').nth(3).map_or(fen, |(at, _)| &fen[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shares_are_as_promised() {
        let count = |wanted| (0..10_000).filter(|i| Side::of(&format!("g{i}"), 5) == wanted).count();
        assert!(
            (6850..7150).contains(&count(Side::Training)),
            "{}",
            count(Side::Training)
        );
        assert!(
            (900..1100).contains(&count(Side::Validation)),
            "{}",
            count(Side::Validation)
        );
        assert!((1880..2120).contains(&count(Side::Test)), "{}", count(Side::Test));
    }

    #[test]
    fn a_position_is_used_once() {
        let rows = [
            ("a", "b w - - 0 1"),
            ("b", "b w - - 3 9"),
            ("b", "b b - - 0 1"),
            ("c", "b w - - 0 1"),
        ];
        let positions = Positions::new(rows, 1);
        let used: Vec<bool> = (0..4).map(|i| positions.side(i).is_some()).collect();
        assert_eq!((used, positions.repeated()), (vec![true, false, true, false], 2));
        assert_eq!(positions.lot(0), positions.lot(3));
        assert_ne!(positions.lot(0), positions.lot(2));
    }

    proptest! {
        /// No game on two sides, wherever its positions stand; no position on two sides, whichever games it is of.
        #[test]
        fn no_game_and_no_position_is_on_two_sides(
            rows in proptest::collection::vec((0..40u8, 0..30u8), 1..200),
            seed: u64,
        ) {
            let texts: Vec<(String, String)> = rows
                .iter()
                .enumerate()
                .map(|(i, (game, board))| (format!("game {game}"), format!("{board} w - - {i} 1")))
                .collect();
            let positions = Positions::new(texts.iter().map(|(game, fen)| (game.as_str(), fen.as_str())), seed);
            let all = [Side::Training, Side::Validation, Side::Test].map(|side| positions.on(side));
            let used: usize = all.iter().map(Vec::len).sum();
            prop_assert_eq!(used + positions.repeated(), positions.len());
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                for (&i, &j) in all[a].iter().flat_map(|i| all[b].iter().map(move |j| (i, j))) {
                    prop_assert_ne!(rows[i as usize].0, rows[j as usize].0);
                    prop_assert_ne!(rows[i as usize].1, rows[j as usize].1);
                }
            }
        }
    }
}
