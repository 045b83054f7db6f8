//! A man on the board: a piece or pawn together with the square it stands on.

use std::fmt;

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::names::{color_name, role_name};

/// A piece or pawn on its square. Displays as "White knight on e5".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Man {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
    /// Where it stands.
    pub square: Square,
}

impl Man {
    /// The man on `square`, if one stands there.
    #[must_use]
    pub fn at(board: &Board, square: Square) -> Option<Self> {
        let piece = board.piece_at(square)?;
        Some(Self {
            color: piece.color,
            role: piece.role,
            square,
        })
    }

    /// The men on `squares`, from a1 to h8.
    #[must_use]
    pub fn all(board: &Board, squares: Bitboard) -> Vec<Self> {
        squares
            .into_iter()
            .filter_map(|square| Self::at(board, square))
            .collect()
    }

    /// Its worth in pawns; see [`super::material::value`].
    #[must_use]
    pub const fn value(self) -> i32 {
        super::material::value(self.role)
    }

    /// The same man seen from the other side of the board: colour changed, rank flipped.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self {
            color: self.color.other(),
            role: self.role,
            square: self.square.flip_vertical(),
        }
    }

    /// "knight on e5".
    #[must_use]
    pub fn plain(self) -> String {
        format!("{} on {}", role_name(self.role), self.square)
    }
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} on {}",
            color_name(self.color),
            role_name(self.role),
            self.square
        )
    }
}
