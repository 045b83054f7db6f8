//! Which moves of whole games are learnt from and judged by: each once, whichever games and files it stands in.

use std::collections::HashSet;

use super::super::split::without_counters;

/// Plies at the beginning of each game that are passed over: openings repeat from game to game.
const SKIPPED: u32 = 6;

/// Where a position stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The game's id.
    pub game: &'a str,
    /// Half-moves played before it.
    pub ply: u32,
    /// The position.
    pub fen: &'a str,
}

/// The moves that were met. One of these is to see the games that are learnt from first and those that judge after them, so
/// that no move is on two sides.
#[derive(Debug, Clone, Default)]
pub struct Met(HashSet<(String, String)>);

impl Met {
    /// Whether two positions are a move apart, in one game, past its opening, and the move was not met before. It is from
    /// now on.
    pub fn is_new_move(&mut self, earlier: Place, later: Place) -> bool {
        earlier.game == later.game
            && later.ply == earlier.ply + 1
            && earlier.ply >= SKIPPED
            && self.0.insert((
                without_counters(earlier.fen).to_owned(),
                without_counters(later.fen).to_owned(),
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::split::Side;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_moves_of_one_game_past_the_opening_are_pairs() {
        let place = |game, ply, fen| Place { game, ply, fen };
        let mut met = Met::default();
        let (earlier, later) = (place("a", 6, "b w - - 0 4"), place("a", 7, "c b - - 1 4"));
        assert!(!met.is_new_move(place("a", 5, "b w - - 0 4"), place("a", 6, "c b - - 1 4")));
        assert!(
            !met.is_new_move(earlier, place("a", 8, "c b - - 1 4")),
            "two plies apart"
        );
        assert!(!met.is_new_move(earlier, place("b", 7, "c b - - 1 4")), "of two games");
        assert!(met.is_new_move(earlier, later));
        let again = (place("b", 20, "b w - - 9 40"), place("b", 21, "c b - - 10 40"));
        assert!(
            !met.is_new_move(again.0, again.1),
            "the counters don't make it another move"
        );
        assert!(
            met.is_new_move(earlier, place("a", 7, "d b - - 1 4")),
            "another move of the position"
        );
    }

    proptest! {
        /// Games that are learnt from, games that choose and games of another file that judge share no move, and no game
        /// of the first file is on two sides.
        #[test]
        fn no_game_and_no_move_is_on_two_sides(
            learnt in proptest::collection::vec((0..12u8, 0..9u8), 2..120),
            judges in proptest::collection::vec((0..12u8, 0..9u8), 2..120),
            seed: u64,
        ) {
            let texts = |rows: &[(u8, u8)], file: &str| -> Vec<(String, String)> {
                rows.iter().map(|(game, board)| (format!("{file} {}", game / 4), format!("{board} w - - 0 1"))).collect()
            };
            let mut met = Met::default();
            let mut pairs = |all: &[(String, String)]| -> Vec<(String, (String, String))> {
                let place = |at: usize| Place { game: &all[at].0, ply: 6 + at as u32, fen: &all[at].1 };
                (1..all.len())
                    .filter(|&at| met.is_new_move(place(at - 1), place(at)))
                    .map(|at| (all[at].0.clone(), (all[at - 1].1.clone(), all[at].1.clone())))
                    .collect()
            };
            let (learnt, judges) = (pairs(&texts(&learnt, "first")), pairs(&texts(&judges, "second")));
            let mut sides: Vec<HashSet<_>> = vec![HashSet::new(); 3];
            let mut games: Vec<HashSet<_>> = vec![HashSet::new(); 3];
            for (game, pair) in learnt {
                let side = usize::from(Side::of(&game, seed) == Side::Validation);
                games[side].insert(game);
                prop_assert!(sides[side].insert(pair));
            }
            for (game, pair) in judges {
                games[2].insert(game);
                prop_assert!(sides[2].insert(pair));
            }
            for (one, two) in [(0, 1), (0, 2), (1, 2)] {
                prop_assert!(sides[one].is_disjoint(&sides[two]));
                prop_assert!(games[one].is_disjoint(&games[two]));
            }
        }
    }
}
