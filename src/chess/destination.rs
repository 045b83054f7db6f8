//! Where the man that moves ends up, and what it captures: castling and en passant have squares of their own.

use shakmaty::{Board, Move, Square};

use super::Man;

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
#[must_use]
pub fn captured(before: &Board, m: Move) -> Option<Man> {
    match m {
        Move::Normal {
            to, capture: Some(_), ..
        } => Man::at(before, to),
        Move::EnPassant { from, to } => Man::at(before, Square::from_coords(to.file(), from.rank())),
        _ => None,
    }
}
