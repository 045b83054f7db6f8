//! Games of chance: for tests, and to time models by.

use shakmaty::{Chess, Position};

use super::ply::Ply;
use crate::random::Rng;

/// A game of random legal moves, with so many plies unless it ends before.
#[must_use]
pub fn random_game(seed: u64, plies: usize) -> Vec<Ply> {
    let mut rng = Rng::new(seed);
    let mut position = Chess::default();
    let mut played = Vec::new();
    while played.len() < plies {
        let moves = position.legal_moves();
        let Some(mv) = moves.get(rng.below(moves.len())) else {
            break;
        };
        played.extend(Ply::of(*mv));
        position.play_unchecked(*mv);
    }
    played
}
