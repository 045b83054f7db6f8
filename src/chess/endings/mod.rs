//! Endings with few men: what they are called, and what is known of them for certain or from every textbook.
//!
//! Everything is computed; there are no tables to ship.
//!
//! | file | what is there |
//! |---|---|
//! | [`kind`] | what an ending is called: a rook ending, … |
//! | [`kpk`], `bitbase` | king and pawn against king: who wins, and which moves keep it |
//! | [`reason`] | why that is so: opposition, key squares, … |
//! | [`opposition`] | kings that face each other |
//! | [`square_rule`] | whether a king alone catches a passed pawn |
//! | [`wrong_bishop`] | a bishop that doesn't run on its rook's pawn's corner |
//! | [`opposite_bishops`] | opposite-coloured bishops |
//! | [`dead_draw`] | what is drawn though mate isn't impossible |

use shakmaty::{Chess, Color, Position};

mod bitbase;
#[cfg(test)]
mod boards;
pub mod dead_draw;
pub mod kind;
pub mod kpk;
pub mod opposite_bishops;
pub mod opposition;
pub mod reason;
pub mod square_rule;
pub mod wrong_bishop;

pub use kind::EndingKind;

use dead_draw::DeadDraw;
use kpk::Kpk;
use reason::Reason;
use wrong_bishop::WrongBishop;

/// The most that is known of an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// King and pawn against king, with the rule that decides it where there is one.
    KingAndPawn(Kpk, Option<Reason>),
    /// Bishop and rook's pawn, the bishop on the wrong colour.
    WrongBishop(WrongBishop),
    /// Drawn in practice.
    DeadDraw(EndingKind, DeadDraw),
    /// Nothing more than what it is called.
    Named(EndingKind),
}

/// How an ending comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Known {
    /// This side wins.
    Win(Color),
    /// Nobody does.
    Draw,
}

/// The most specific thing known of `position`; `None` where the ending has no name here, and in mate and stalemate.
#[must_use]
pub fn ending(position: &Chess) -> Option<Ending> {
    if position.legal_moves().is_empty() {
        return None;
    }
    if let Some(kpk) = kpk::outcome(position) {
        return Some(Ending::KingAndPawn(kpk, reason::reason(position)));
    }
    if let Some(wrong) = wrong_bishop::wrong_bishop(position) {
        return Some(Ending::WrongBishop(wrong));
    }
    let kind = EndingKind::of(position.board())?;
    let draw = dead_draw::dead_draw(position);
    Some(draw.map_or(Ending::Named(kind), |draw| Ending::DeadDraw(kind, draw)))
}

impl Ending {
    /// What it is called.
    #[must_use]
    pub const fn kind(&self) -> EndingKind {
        match self {
            Self::KingAndPawn(..) => EndingKind::KingAndPawn,
            Self::WrongBishop(_) => EndingKind::BishopAndRookPawn,
            Self::DeadDraw(kind, _) | Self::Named(kind) => *kind,
        }
    }

    /// How it comes out, where that is known: with the best play of both, and for [`Ending::DeadDraw`] in practice.
    #[must_use]
    pub const fn known(&self) -> Option<Known> {
        match self {
            Self::KingAndPawn(kpk, _) if kpk.wins => Some(Known::Win(kpk.side)),
            Self::WrongBishop(WrongBishop { drawn: false, .. }) | Self::Named(_) => None,
            Self::KingAndPawn(..) | Self::WrongBishop(_) | Self::DeadDraw(..) => Some(Known::Draw),
        }
    }

    /// Why, as a clause: "White has the opposition". For a wrong bishop without a certain draw it says what is wrong.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        match self {
            Self::KingAndPawn(_, reason) => reason.map(Reason::in_words),
            Self::WrongBishop(wrong) => Some(wrong.in_words()),
            Self::DeadDraw(_, draw) => Some(draw.in_words().to_owned()),
            Self::Named(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boards::{mirrored, position};

    #[test]
    fn the_most_specific_thing_is_said() {
        let (win, draw) = (Some(Known::Win(Color::White)), Some(Known::Draw));
        for (fen, kind, known, why) in [
            (
                "8/4k3/8/4K3/4P3/8/8/8 b - - 0 1",
                "an ending of king and pawn against king",
                win,
                Some("White has the opposition"),
            ),
            (
                "k7/8/K7/P7/8/4B3/8/8 w - - 0 1",
                "an ending of bishop and rook's pawn against a bare king",
                draw,
                Some("White's bishop doesn't control a8, where the pawn promotes, and Black's king holds the draw"),
            ),
            (
                "7k/8/8/P7/8/4B3/8/K7 w - - 0 1",
                "an ending of bishop and rook's pawn against a bare king",
                None,
                Some("White's bishop doesn't control a8, where the pawn promotes"),
            ),
            (
                "8/4k3/8/8/8/8/8/1NN1K3 w - - 0 1",
                "an ending of two knights against a bare king",
                draw,
                Some("two knights can't force mate"),
            ),
            ("2r1k3/4p3/8/8/8/8/4P3/2R1K3 w - - 0 1", "a rook ending", None, None),
            ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", "a pawn ending", None, None),
        ] {
            let position = position(fen);
            let found = ending(&position).unwrap();
            assert_eq!(found.kind().in_words(), kind, "{fen}");
            assert_eq!(found.known(), known, "{fen}");
            assert_eq!(found.why().as_deref(), why, "{fen}");
            for other in mirrored(&position) {
                let seen = ending(&other).unwrap();
                assert_eq!(seen.kind(), found.kind(), "{fen}");
                assert_eq!(seen.known().is_some(), known.is_some(), "{fen}");
            }
        }
    }

    #[test]
    fn nothing_is_said_of_other_positions() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            // Stalemate and mate.
            "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
            "R3k3/8/4K3/8/8/8/8/7r b - - 0 1",
        ] {
            assert_eq!(ending(&position(fen)), None, "{fen}");
        }
    }
}
