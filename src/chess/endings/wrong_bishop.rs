//! The wrong bishop: it doesn't run on the colour of the square where its side's rook's pawn promotes.
//!
//! A bare king on that corner square or beside it is never driven out: to guard the corner, the other king would have to
//! stand beside it, next to the defending one; the bishop can't reach it; and a pawn that promotes there is taken.

use shakmaty::{Bitboard, Board, Chess, Color, File, Position, Rank, Square, attacks};

use super::kpk;
use crate::chess::names::color_name;

/// A king, a bishop and pawns on one edge of the board against a bare king, the bishop on the wrong colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WrongBishop {
    /// The side with the bishop.
    pub side: Color,
    /// Where the bishop stands.
    pub bishop: Square,
    /// Where the pawns promote.
    pub corner: Square,
    /// True where the draw is certain: the bare king stands on the corner or beside it, or gets there within two moves
    /// whatever is done against it. False says nothing.
    pub drawn: bool,
}

impl WrongBishop {
    /// "White's bishop doesn't control a8, where the pawn promotes"
    #[must_use]
    pub fn in_words(&self) -> String {
        let (side, other) = (color_name(self.side), color_name(self.side.other()));
        let holds = if self.drawn {
            format!(", and {other}'s king holds the draw")
        } else {
            String::new()
        };
        format!(
            "{side}'s bishop doesn't control {}, where the pawn promotes{holds}",
            self.corner
        )
    }
}

/// How many moves of the defender are looked ahead.
const STEPS: u32 = 2;

/// The wrong bishop in `position`, if that is what it is about.
#[must_use]
pub fn wrong_bishop(position: &Chess) -> Option<WrongBishop> {
    let (side, bishop, corner) = men(position.board())?;
    Some(WrongBishop {
        side,
        bishop,
        corner,
        drawn: (0..=STEPS).any(|steps| held(position, side, corner, steps)),
    })
}

fn men(board: &Board) -> Option<(Color, Square, Square)> {
    let bishop = board.bishops().single_square()?;
    let side = board.color_at(bishop)?;
    let file = board.pawns().first()?.file();
    let corner = Square::from_coords(file, side.relative_rank(Rank::Eighth));
    let right = matches!(file, File::A | File::H)
        && board.occupied() == board.kings() | board.pawns() | board.bishops()
        && board.by_color(side.other()).count() == 1
        && board.pawns().is_subset(Bitboard::from_file(file))
        && corner.is_light() != bishop.is_light();
    right.then_some((side, bishop, corner))
}

/// The corner and what is beside it.
fn refuge(corner: Square) -> Bitboard {
    attacks::king_attacks(corner).with(corner)
}

/// True when the bare king is certain to hold: it is in its refuge, or gets there or takes what is dangerous within
/// `steps` moves of its own, against every defence. `attacker` has the bishop.
fn held(position: &Chess, attacker: Color, corner: Square, steps: u32) -> bool {
    let board = position.board();
    let Some(king) = board.king_of(attacker.other()) else {
        return false;
    };
    if let Some(kpk) = kpk::outcome(position) {
        return !kpk.wins;
    }
    let harmless = board.occupied() == board.kings() | board.bishops();
    if harmless || (men(board).is_some() && refuge(corner).contains(king)) {
        return true;
    }
    let far = refuge(corner).into_iter().all(|square| king.distance(square) > steps);
    if far && attacks::king_attacks(king).is_disjoint(board.by_color(attacker)) {
        return false;
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.is_stalemate();
    }
    let after = |m, steps| {
        let mut next = position.clone();
        next.play_unchecked(m);
        held(&next, attacker, corner, steps)
    };
    if position.turn() == attacker {
        moves.into_iter().all(|m| after(m, steps))
    } else {
        steps > 0 && moves.into_iter().any(|m| after(m, steps - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::endings::boards::{mirrored, position};
    use shakmaty::{CastlingMode, FromSetup, Move, Setup};

    #[test]
    fn textbook_positions() {
        for (fen, drawn) in [
            // In the corner, beside it, and on the way.
            ("k7/8/K7/P7/8/4B3/8/8 w - - 0 1", Some(true)),
            ("8/1k6/8/PK6/8/4B3/8/8 w - - 0 1", Some(true)),
            ("8/8/3k4/P7/8/4B3/8/7K b - - 0 1", Some(true)),
            ("2k5/8/8/P7/8/4B3/8/7K w - - 0 1", Some(true)),
            // Shut out.
            ("2k5/8/1K6/P7/5B2/8/8/8 b - - 0 1", Some(false)),
            // Too far away to say.
            ("7k/8/8/P7/8/4B3/8/K7 w - - 0 1", Some(false)),
            // Two pawns on the file are no more than one.
            ("k7/8/K7/P7/P7/4B3/8/8 w - - 0 1", Some(true)),
            // The right bishop, another file, a pawn against it.
            ("k7/8/K7/P7/8/3B4/8/8 w - - 0 1", None),
            ("k7/8/K7/1P6/8/4B3/8/8 w - - 0 1", None),
            ("k7/8/K7/P6p/8/4B3/8/8 w - - 0 1", None),
            ("7k/8/8/7P/8/3B4/8/K7 b - - 0 1", Some(true)),
            ("7k/8/8/7P/8/4B3/8/K7 b - - 0 1", None),
        ] {
            let position = position(fen);
            assert_eq!(wrong_bishop(&position).map(|w| w.drawn), drawn, "{fen}");
            for other in mirrored(&position) {
                assert_eq!(wrong_bishop(&other).map(|w| w.drawn), drawn, "{fen}");
            }
        }
    }

    /// With the king in its refuge and to move: a move that keeps it there or takes, or stalemate. With the other side to
    /// move: no mate, and no promotion that stays. So it lasts.
    #[test]
    fn the_refuge_holds() {
        let corner = Square::A8;
        let mut seen = 0;
        for pawn in Bitboard::from_file(File::A) & !Bitboard::BACKRANKS {
            for bishop in Bitboard::DARK_SQUARES {
                for king in Square::ALL {
                    for defender in refuge(corner) {
                        for turn in Color::ALL {
                            let mut setup = Setup::empty();
                            setup.board.set_piece_at(pawn, Color::White.pawn());
                            setup.board.set_piece_at(bishop, Color::White.bishop());
                            setup.board.set_piece_at(king, Color::White.king());
                            setup.board.set_piece_at(defender, Color::Black.king());
                            setup.turn = turn;
                            if setup.board.occupied().count() < 4 {
                                continue;
                            }
                            let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard) else {
                                continue;
                            };
                            seen += 1;
                            if turn.is_black() {
                                assert!(stays(&position, corner), "{:?}", position.board());
                            }
                            for m in position.promotion_moves() {
                                let mut next = position.clone();
                                next.play_unchecked(m);
                                let taken = |m: Move| m.to() == corner && m.is_capture();
                                assert!(next.legal_moves().into_iter().any(taken), "{:?}", position.board());
                            }
                        }
                    }
                }
            }
        }
        assert!(seen > 50_000, "{seen}");
    }

    fn stays(position: &Chess, corner: Square) -> bool {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position.is_stalemate();
        }
        moves.into_iter().any(|m| refuge(corner).contains(m.to()))
    }
}
