//! The pawns in front of a king.

use shakmaty::{Bitboard, Board, Color, Rank, Square};

use super::pawns;

/// A king near home and its pawn shield.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shelter {
    /// Whose king.
    pub color: Color,
    /// Where it stands: on its first or second rank.
    pub king: Square,
    /// Own pawns on the king's file and the files beside it, one or two ranks in front.
    pub shield: Bitboard,
    /// True when the king's own file, or one beside it, has no own pawn.
    pub breached: bool,
}

/// The shelter of `color`'s king; `None` when it has left its first two ranks.
#[must_use]
pub fn shelter(board: &Board, color: Color) -> Option<Shelter> {
    let king = board.king_of(color)?;
    if color.relative_rank(king.rank()) > Rank::Second {
        return None;
    }
    let mut zone = Bitboard::EMPTY;
    let mut breached = false;
    for file in [-1, 0, 1].into_iter().filter_map(|d| king.file().offset(d)) {
        let near = pawns::ahead(Square::from_coords(file, king.rank()), color)
            .into_iter()
            .filter(|sq| sq.rank().distance(king.rank()) <= 2)
            .collect::<Bitboard>();
        zone |= near;
        breached |= pawns::openness(board, file, color) != pawns::Openness::Closed;
    }
    Some(Shelter {
        color,
        king,
        shield: zone & board.by_piece(color.pawn()),
        breached,
    })
}
