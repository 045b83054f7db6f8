//! Why a position of king and pawn against king is won or drawn, where a textbook's rule says so.

use shakmaty::{Bitboard, Chess, Color, File, Position, Rank, Square, attacks};

use super::{
    kpk::{self, Kpk},
    opposition::{Reach, opposition},
    square_rule::race,
};
use crate::chess::{names::color_name, pawns};

/// A rule that decides a position of king and pawn against king. It agrees with the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The king doesn't catch the pawn.
    NotCaught(Color),
    /// This side has the opposition; with the other side to move, the result would be another.
    Opposition(Color, Reach),
    /// The pawn's king stands on this key square of the pawn, from where it wins whoever is to move.
    KeySquare(Color, Square),
    /// The pawn is taken.
    PawnFalls(Color),
    /// A rook's pawn, and the defending king on the square where it promotes or beside it.
    Corner(Color),
}

impl Reason {
    /// "White has the opposition".
    #[must_use]
    pub fn in_words(self) -> String {
        match self {
            Self::NotCaught(side) => format!("{}'s king can't catch the pawn", color_name(side.other())),
            Self::Opposition(side, Reach::Direct) => format!("{} has the opposition", color_name(side)),
            Self::Opposition(side, Reach::Distant) => format!("{} has the distant opposition", color_name(side)),
            Self::KeySquare(side, square) => {
                format!(
                    "{}'s king stands on {square}, a key square of its pawn",
                    color_name(side)
                )
            }
            Self::PawnFalls(side) => format!("{} loses the pawn", color_name(side)),
            Self::Corner(side) => format!(
                "it is a rook's pawn and {}'s king has reached the corner",
                color_name(side.other())
            ),
        }
    }
}

/// The squares from which the king of `pawn`'s side wins, the pawn not being lost: for a rook's pawn, the two beside the
/// corner on the next file; for others, the three squares two ranks ahead, and from the fifth rank on those one rank
/// ahead too. None are named for a pawn on the seventh rank.
#[must_use]
pub fn key_squares(pawn: Square, side: Color) -> Bitboard {
    let rank = side.relative_rank(pawn.rank());
    let ranks: &[Rank] = match rank {
        Rank::Second => &[Rank::Fourth],
        Rank::Third => &[Rank::Fifth],
        Rank::Fourth => &[Rank::Sixth],
        Rank::Fifth => &[Rank::Sixth, Rank::Seventh],
        Rank::Sixth => &[Rank::Seventh, Rank::Eighth],
        _ => return Bitboard::EMPTY,
    };
    let (files, ranks): (&[i32], &[Rank]) = match pawn.file() {
        File::A => (&[1], &[Rank::Seventh, Rank::Eighth]),
        File::H => (&[-1], &[Rank::Seventh, Rank::Eighth]),
        _ => (&[-1, 0, 1], ranks),
    };
    files
        .iter()
        .filter_map(|&d| pawn.file().offset(d))
        .flat_map(|file| {
            ranks
                .iter()
                .map(move |&rank| Square::from_coords(file, side.relative_rank(rank)))
        })
        .collect()
}

/// Why `position` comes to what [`kpk::outcome`] says; `None` where no rule here says it, and in other endings.
#[must_use]
pub fn reason(position: &Chess) -> Option<Reason> {
    let kpk = kpk::outcome(position)?;
    let face_to_face = decisive_opposition(position, kpk);
    if kpk.wins {
        not_caught(position, kpk)
            .or(face_to_face)
            .or_else(|| on_key_square(position, kpk))
    } else {
        pawn_falls(position, kpk)
            .or(face_to_face)
            .or_else(|| in_the_corner(position, kpk))
    }
}

fn not_caught(position: &Chess, kpk: Kpk) -> Option<Reason> {
    let race = race(position, kpk.pawn)?;
    (!race.caught).then_some(Reason::NotCaught(kpk.side))
}

/// The opposition, where it serves the side that has it: it would be another result were that side to move.
fn decisive_opposition(position: &Chess, kpk: Kpk) -> Option<Reason> {
    let opposition = opposition(position)?;
    let serves = (opposition.by == kpk.side) == kpk.wins;
    let turned = kpk::outcome(&position.clone().swap_turn().ok()?)?;
    (serves && turned.wins != kpk.wins).then_some(Reason::Opposition(opposition.by, opposition.reach))
}

fn on_key_square(position: &Chess, kpk: Kpk) -> Option<Reason> {
    let king = position.board().king_of(kpk.side)?;
    let turned = position.clone().swap_turn().ok().as_ref().and_then(kpk::outcome);
    // In check the turn can't be passed; then the rule stands by itself.
    let either = turned.is_none_or(|turned| turned.wins);
    (key_squares(kpk.pawn, kpk.side).contains(king) && either).then_some(Reason::KeySquare(kpk.side, king))
}

fn pawn_falls(position: &Chess, kpk: Kpk) -> Option<Reason> {
    let taken = position.turn() != kpk.side && !position.capture_moves().is_empty();
    taken.then_some(Reason::PawnFalls(kpk.side))
}

fn in_the_corner(position: &Chess, kpk: Kpk) -> Option<Reason> {
    let corner = pawns::ahead(kpk.pawn, kpk.side) & Bitboard::CORNERS;
    let corner = corner.single_square()?;
    let king = position.board().king_of(kpk.side.other())?;
    let there = attacks::king_attacks(corner).with(corner).contains(king);
    there.then_some(Reason::Corner(kpk.side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::endings::boards::position;
    use shakmaty::{CastlingMode, FromSetup, Setup};

    #[test]
    fn rules_by_example() {
        for (fen, words) in [
            (
                "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
                Some("White's king stands on e6, a key square of its pawn"),
            ),
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", Some("White has the opposition")),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", Some("Black has the opposition")),
            (
                "8/8/8/8/4p3/4k3/8/4K3 b - - 0 1",
                Some("Black's king stands on e3, a key square of its pawn"),
            ),
            (
                "8/8/8/P6k/8/8/8/K7 w - - 0 1",
                Some("Black's king can't catch the pawn"),
            ),
            ("8/8/8/8/P7/1k6/8/7K b - - 0 1", Some("White loses the pawn")),
            (
                "k7/8/1K6/P7/8/8/8/8 w - - 0 1",
                Some("it is a rook's pawn and Black's king has reached the corner"),
            ),
            ("8/4k3/8/4P3/8/8/8/4K3 w - - 0 1", None),
            ("8/4k3/8/8/8/8/8/4K3 w - - 0 1", None),
        ] {
            assert_eq!(reason(&position(fen)).map(Reason::in_words).as_deref(), words, "{fen}");
        }
    }

    /// From a key square a king wins with either side to move, unless the pawn is taken or it is stalemate. (The king of
    /// a rook's pawn may be too far from it, and one on the sixth rank is near to stalemates.)
    #[test]
    fn key_squares_win() {
        let mut won = 0;
        let ranks = [Rank::Second, Rank::Third, Rank::Fourth, Rank::Fifth];
        let pawns: Bitboard = ranks.into_iter().flat_map(Bitboard::from_rank).collect();
        for pawn in pawns & !Bitboard::from_file(File::A) & !Bitboard::from_file(File::H) {
            for king in key_squares(pawn, Color::White) {
                for defender in Square::ALL {
                    for turn in Color::ALL {
                        let mut setup = Setup::empty();
                        setup.board.set_piece_at(pawn, Color::White.pawn());
                        setup.board.set_piece_at(king, Color::White.king());
                        setup.board.set_piece_at(defender, Color::Black.king());
                        setup.turn = turn;
                        if setup.board.occupied().count() < 3 {
                            continue;
                        }
                        let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard) else {
                            continue;
                        };
                        let wins = kpk::outcome(&position).unwrap().wins;
                        let falls = turn.is_black() && !position.capture_moves().is_empty();
                        assert!(wins || falls, "{:?} {turn}", position.board());
                        won += u32::from(wins);
                    }
                }
            }
        }
        assert!(won > 9_000, "{won}");
    }
}
