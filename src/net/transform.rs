//! The board's symmetries, by which the canonical input formats bring our king to one corner of the board.
//!
//! With castling rights the board stays as it is; with pawns only its files may be mirrored; without either our king
//! always stands in the triangle between e1, h1 and e4.

use shakmaty::{Bitboard, Chess, Color, Position, Role, Square};

/// Files e to h, where our king is brought to.
const KING_SIDE: Bitboard = Bitboard(0xf0f0_f0f0_f0f0_f0f0);
/// The upper half.
const FAR: Bitboard = Bitboard(0xffff_ffff_0000_0000);
/// Squares of the lower right quarter above its diagonal from e4 to h1.
const ABOVE_DIAGONAL: Bitboard = Bitboard(0xe0c0_8000);
/// That diagonal.
const DIAGONAL: Bitboard = Bitboard(0x1020_4080);

/// A symmetry of the board, applied in the order of its fields. The board is the one the side to move sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Transform {
    /// Swap left and right: a1 becomes h1.
    pub files: bool,
    /// Swap near and far: a1 becomes a8.
    pub ranks: bool,
    /// Swap along the diagonal from a8 to h1: a1 becomes h8.
    pub diagonal: bool,
}

impl Transform {
    /// The board as it is.
    pub const NONE: Self = Self {
        files: false,
        ranks: false,
        diagonal: false,
    };

    /// What a canonical format does to `position`.
    #[must_use]
    pub fn canonical(position: &Chess) -> Self {
        Self::canonical_for(position, position.turn())
    }

    /// The same as `us` sees the board, whoever is to move.
    #[must_use]
    pub fn canonical_for(position: &Chess, us: Color) -> Self {
        let mut transform = Self::NONE;
        if !position.castles().is_empty() {
            return transform;
        }
        let board = position.board();
        let seen = |squares: Bitboard| us.fold_wb(squares, squares.flip_vertical());
        let mut king = seen(board.by_color(us) & board.by_role(Role::King));
        if (king & KING_SIDE).is_empty() {
            transform.files = true;
            king = king.flip_horizontal();
        }
        if board.by_role(Role::Pawn).any() {
            return transform;
        }
        if (king & FAR).any() {
            transform.ranks = true;
            king = king.flip_vertical();
        }
        if (king & ABOVE_DIAGONAL).any() {
            transform.diagonal = true;
        } else if (king & DIAGONAL).any() {
            // The side of the diagonal that gives the smaller number, by the first of these that is not symmetrical.
            let sets = [
                board.occupied(),
                board.by_color(us),
                board.by_role(Role::King),
                board.by_role(Role::Queen),
                board.by_role(Role::Rook),
                board.by_role(Role::Knight),
                board.by_role(Role::Bishop),
            ];
            let decisive = sets
                .into_iter()
                .map(|set| Bitboard(transform.mask(seen(set).0)))
                .find(|set| *set != set.flip_anti_diagonal());
            transform.diagonal = decisive.is_some_and(|set| set.0 > set.flip_anti_diagonal().0);
        }
        transform
    }

    /// Where a plane's bits go.
    #[must_use]
    pub fn mask(self, mask: u64) -> u64 {
        let mut squares = Bitboard(mask);
        if self.files {
            squares = squares.flip_horizontal();
        }
        if self.ranks {
            squares = squares.flip_vertical();
        }
        if self.diagonal {
            squares = squares.flip_anti_diagonal();
        }
        squares.0
    }

    /// Where a square goes.
    #[must_use]
    pub fn square(self, mut square: Square) -> Square {
        if self.files {
            square = square.flip_horizontal();
        }
        if self.ranks {
            square = square.flip_vertical();
        }
        if self.diagonal {
            square = square.flip_anti_diagonal();
        }
        square
    }

    /// Where a square goes that `us` sees from its side: for Black the ranks are flipped first.
    #[must_use]
    pub fn seen(self, square: Square, us: Color) -> Square {
        self.square(us.fold_wb(square, square.flip_vertical()))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, CastlingMode, Setup, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().unwrap();
        fen.into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn castling_rights_and_pawns_hold_the_board() {
        let castling = position("4k2r/8/8/8/8/8/8/2K5 w k - 0 1");
        assert_eq!(Transform::canonical(&castling), Transform::NONE);
        let pawn = Transform::canonical(&position("4k3/8/2K5/8/8/8/P7/8 w - - 0 1"));
        assert_eq!((pawn.files, pawn.ranks, pawn.diagonal), (true, false, false));
        let kings_own_side = Transform::canonical(&position("4k3/8/6K1/8/8/8/P7/8 w - - 0 1"));
        assert_eq!(kings_own_side, Transform::NONE);
    }

    #[test]
    fn without_pawns_the_king_goes_to_its_corner() {
        use Square::{E1, E2, E3, E4, F1, F2, F3, G1, G2, H1};
        for king in Square::ALL {
            for us in Color::ALL {
                let them = [Square::A1, Square::H8].into_iter().find(|far| king.distance(*far) > 1);
                let mut board = Board::empty();
                board.set_piece_at(king, us.king());
                board.set_piece_at(them.unwrap(), (!us).king());
                let setup = Setup {
                    board,
                    turn: us,
                    ..Setup::empty()
                };
                let position: Chess = setup.position(CastlingMode::Standard).unwrap();
                let seen = Transform::canonical(&position).seen(king, us);
                let corner = [E1, F1, G1, H1, E2, F2, G2, E3, F3, E4];
                assert!(corner.contains(&seen), "{king} of {us}: {seen}");
            }
        }
    }

    #[test]
    fn squares_go_where_their_bits_go() {
        for n in 0..8u8 {
            let transform = Transform {
                files: n & 1 == 1,
                ranks: n & 2 == 2,
                diagonal: n & 4 == 4,
            };
            for square in Square::ALL {
                let bit = Bitboard::from(square).0;
                assert_eq!(transform.mask(bit), Bitboard::from(transform.square(square)).0);
            }
        }
    }
}
