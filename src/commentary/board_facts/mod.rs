//! The facts that the board alone gives about a move, most telling first.

mod activity;
mod moves;
mod structure;
mod surroundings;
mod tactics;

use shakmaty::{Bitboard, Board, Move, Square};

use super::fact::{Detail, Moment, Phase};
use crate::chess::{Man, Played, material};

/// A fact without number and text.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// When it holds.
    pub moment: Moment,
    /// What it says.
    pub detail: Detail,
}

/// Everything the board says about `played`.
#[must_use]
pub fn board_facts(played: &Played) -> Vec<Found> {
    let mut facts = told_by_the_move(played);
    facts.extend(structure::structure(played));
    facts.extend(activity::activity(played));
    facts.extend(surroundings::surroundings(played));
    facts
}

/// What the move is and does: the facts worth telling, without the lists of attacks and pawns.
#[must_use]
pub fn told_by_the_move(played: &Played) -> Vec<Found> {
    let mut facts = Facts(Vec::new());
    moves::kind_of_move(played, &mut facts);
    tactics::tactics(played, &mut facts);
    facts.0
}

struct Facts(Vec<Found>);

impl Facts {
    fn add(&mut self, moment: Moment, detail: Detail) {
        self.0.push(Found { moment, detail });
    }
}

/// Where the man that moves ends up: the king's square for castling.
#[must_use]
pub fn destination(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => Square::from_coords(
            if king < rook {
                shakmaty::File::G
            } else {
                shakmaty::File::C
            },
            king.rank(),
        ),
        _ => m.to(),
    }
}

/// The man captured by `m`, as it stands in `before`.
fn captured(before: &Board, m: Move) -> Option<Man> {
    match m {
        Move::Normal {
            to, capture: Some(_), ..
        } => Man::at(before, to),
        Move::EnPassant { from, to } => Man::at(before, Square::from_coords(to.file(), from.rank())),
        _ => None,
    }
}

/// The stage of the game.
#[must_use]
pub fn phase(board: &Board) -> Phase {
    let pieces = |color| material::pieces(board, color);
    let minors = board.knights() | board.bishops();
    let home =
        |color: shakmaty::Color| (Bitboard::from_rank(color.backrank()) & board.by_color(color) & minors).count();
    let (white, black) = (shakmaty::Color::White, shakmaty::Color::Black);
    if pieces(white) <= 13 && pieces(black) <= 13 {
        Phase::Endgame
    } else if pieces(white) >= 22 && pieces(black) >= 22 && home(white) + home(black) >= 3 {
        Phase::Opening
    } else {
        Phase::Middlegame
    }
}
