//! How a game begins that nobody chose the opening of: a walk through the named openings, drawn from a seed.

use shakmaty::{Chess, Move, Position};

use crate::{
    chess::Openings,
    random::{Rng, seeded_hash},
};

/// The fewest and the most plies of an opening: enough that games differ, few enough that the players play the rest.
const PLIES: std::ops::RangeInclusive<usize> = 4..=8;

/// The first moves of game number `game` of the set with `seed`: 4 to 8 plies, each to a position that has a name, fewer
/// where the named moves end.
#[must_use]
pub fn seeded_opening(openings: &Openings, seed: u64, game: &str) -> Vec<Move> {
    let mut random = Rng::new(seeded_hash(seed, &format!("opening {game}")));
    let plies = PLIES.start() + random.below(PLIES.end() - PLIES.start() + 1);
    let mut position = Chess::default();
    let mut moves = Vec::with_capacity(plies);
    for _ in 0..plies {
        let named: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| {
                let mut after = position.clone();
                after.play_unchecked(*mv);
                openings.name(&after).is_some()
            })
            .collect();
        let Some(mv) = named.get(random.below(named.len())) else {
            break;
        };
        position.play_unchecked(*mv);
        moves.push(*mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_named_and_differ_by_game_and_seed() {
        let book = Openings::shipped();
        let mut seen = std::collections::BTreeSet::new();
        for game in 0..40 {
            let moves = seeded_opening(book, 1, &game.to_string());
            assert!((1..=8).contains(&moves.len()), "{}", moves.len());
            assert_eq!(moves, seeded_opening(book, 1, &game.to_string()));
            let mut at = Chess::default();
            for mv in &moves {
                at.play_unchecked(*mv);
                assert!(book.name(&at).is_some());
            }
            seen.insert(format!("{moves:?}"));
        }
        assert!(seen.len() > 25, "{}", seen.len());
        assert_ne!(seeded_opening(book, 1, "0"), seeded_opening(book, 2, "0"));
    }
}
