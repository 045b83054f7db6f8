//! The facts that the board alone gives about a move, most telling first.

mod activity;
mod found;
mod moves;
mod structure;
mod surroundings;
mod tactics;

pub use found::Found;

use crate::chess::Played;
use found::Facts;

/// Everything the board says about `played`.
#[must_use]
pub fn board_facts(played: &Played) -> Vec<Found> {
    let mut facts = facts_of_move(played);
    facts.extend(structure::structure(played));
    facts.extend(activity::activity(played));
    facts.extend(surroundings::surroundings(played));
    facts
}

/// What the move is and does: the facts worth mentioning, without the lists of attacks and pawns.
#[must_use]
pub fn facts_of_move(played: &Played) -> Vec<Found> {
    let mut facts = Facts::default();
    moves::kind_of_move(played, &mut facts);
    tactics::tactics(played, &mut facts);
    facts.into_vec()
}
