//! The phase of the game.

use shakmaty::{Bitboard, Board, Color};

use crate::chess::material;

/// The phase of the game, by the material left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Most pieces are on the board and several have not moved.
    Opening,
    /// Neither of the others.
    Middlegame,
    /// Each side has at most a queen and a minor piece's worth (13 points) besides pawns.
    Endgame,
}

impl Phase {
    /// That of a board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let pieces = |color| material::pieces(board, color);
        let minors = board.knights() | board.bishops();
        let home = |color: Color| (Bitboard::from_rank(color.backrank()) & board.by_color(color) & minors).count();
        let (white, black) = (Color::White, Color::Black);
        if pieces(white) <= 13 && pieces(black) <= 13 {
            Self::Endgame
        } else if pieces(white) >= 22 && pieces(black) >= 22 && home(white) + home(black) >= 3 {
            Self::Opening
        } else {
            Self::Middlegame
        }
    }
}
