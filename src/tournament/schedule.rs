//! Which games are played.

use serde::{Deserialize, Serialize};
use shakmaty::Move;

use crate::{
    chess::Openings,
    grading::seeded_opening::seeded_opening,
    random::{Rng, seeded_hash},
};

/// A game that is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fixture {
    /// The place of the player with White.
    pub white: usize,
    /// The place of the player with Black.
    pub black: usize,
    /// The number of its opening, from 0. Each pair plays it twice, with either colour, and all pairs play the same ones.
    pub opening: usize,
}

impl Fixture {
    /// Its number in the [`schedule`] of so many players; `None` where two of them do not meet in it.
    #[must_use]
    pub const fn place(&self, players: usize) -> Option<usize> {
        let (one, other) = match self.white < self.black {
            true => (self.white, self.black),
            false => (self.black, self.white),
        };
        if one == other || other >= players {
            return None;
        }
        let before = one * (2 * players - one - 1) / 2;
        let pair = before + other - one - 1;
        let Some(openings_before) = self.opening.checked_mul(players * (players - 1)) else {
            return None;
        };
        openings_before.checked_add(2 * pair + (self.white > self.black) as usize)
    }

    /// Its first moves: a walk through the named openings, drawn from the tournament's seed.
    #[must_use]
    pub fn opening_moves(&self, seed: u64) -> Vec<Move> {
        seeded_opening(Openings::shipped(), seed, &format!("tournament {}", self.opening))
    }

    /// What players draw by lot from in it: the same when it is played again.
    #[must_use]
    pub fn lots(&self, seed: u64) -> Rng {
        let Self { white, black, opening } = self;
        Rng::new(seeded_hash(seed, &format!("game {white} {black} {opening}")))
    }
}

/// All games between so many players, `openings` with either colour for each pair: opening by opening, so that a tournament which
/// is stopped has been fair so far.
#[must_use]
pub fn schedule(players: usize, openings: usize) -> Vec<Fixture> {
    let mut all = Vec::new();
    for opening in 0..openings {
        for one in 0..players {
            for other in one + 1..players {
                for (white, black) in [(one, other), (other, one)] {
                    all.push(Fixture { white, black, opening });
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_pair_meets_in_every_opening_with_either_colour() {
        let games = schedule(4, 3);
        assert_eq!(games.len(), 4 * 3 * 3);
        let each: BTreeSet<Fixture> = games.iter().copied().collect();
        assert_eq!(each.len(), games.len());
        for one in 0..4 {
            let white = games.iter().filter(|game| game.white == one).count();
            let black = games.iter().filter(|game| game.black == one).count();
            assert_eq!((white, black), (9, 9));
        }
        assert!(games.iter().all(|game| game.white != game.black));
        assert!(games[..12].iter().all(|game| game.opening == 0));
        assert!(schedule(1, 5).is_empty());
    }

    #[test]
    fn every_game_is_found_at_its_place() {
        for players in 2..7 {
            for (place, game) in schedule(players, 3).iter().enumerate() {
                assert_eq!(game.place(players), Some(place));
            }
        }
        let place = |white, black, opening| Fixture { white, black, opening }.place(3);
        assert_eq!(place(1, 1, 0), None);
        assert_eq!(place(3, 0, 0), None);
        assert_eq!(place(0, usize::MAX, 0), None);
        assert_eq!(place(0, 1, usize::MAX), None);
    }

    #[test]
    fn an_opening_is_the_same_for_all_pairs_and_another_for_another_number_or_seed() {
        let moves = |opening, seed| {
            let game = Fixture {
                white: 0,
                black: 1,
                opening,
            };
            game.opening_moves(seed)
        };
        assert_eq!(moves(3, 1), moves(3, 1));
        let many: BTreeSet<String> = (0..40).map(|opening| format!("{:?}", moves(opening, 1))).collect();
        assert!(many.len() > 25, "{}", many.len());
        assert_ne!(moves(3, 1), moves(3, 2));
    }
}
