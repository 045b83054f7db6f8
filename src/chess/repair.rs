//! What was mended in a FEN, each with a sentence for the user.

use std::fmt;

use shakmaty::{CastlingSide, Color, Square};

use super::{fen_error::FenField, names::color_name};

/// One thing that was mended, because the text had one sensible reading and was not well-formed in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// A label such as `FEN:` before it.
    Label,
    /// Quotes around it.
    Quotes,
    /// Underscores or unusual spaces between the fields.
    Separators,
    /// Typographic dashes for `-`.
    Dashes,
    /// Crazyhouse's `~` marks of promoted pieces.
    PromotedMarks,
    /// Text behind the FEN.
    Ignored(String),
    /// Fields left out, and taken as `-`, `-`, `0` and `1`.
    Missing(Vec<FenField>),
    /// The turn was written in another way than `w` or `b`.
    TurnSpelling(String, Color),
    /// The turn is missing, and only this side can be to move, since its king is in check.
    TurnImplied(Color),
    /// A castling right that cannot be.
    CastlingDropped {
        /// The letter as it was written.
        right: char,
        /// What is not where it must be.
        why: CastlingFault,
    },
    /// A castling right put back, because the move asked about is that castling.
    CastlingRestored(Color, CastlingSide),
    /// An en passant square no pawn can just have stepped over.
    EnPassantDropped(String),
    /// The pawn's own square was given, not the one behind it.
    EnPassantMoved {
        /// As written.
        given: Square,
        /// The square the pawn stepped over.
        read: Square,
    },
    /// A half-move clock no game can have: 75 moves (150 half-moves) end it.
    ClockTooLarge(String),
    /// Move number 0; moves are counted from 1.
    NumberZero,
    /// A move number that no game can have.
    NumberTooLarge(String),
    /// The clock says that more moves were played than the move number does.
    NumberRaised {
        /// As written.
        given: u32,
        /// The smallest number that fits the clock.
        read: u32,
    },
    /// No game leads to this check (three checkers, two knights, …): kept as it stands, since it can be played on.
    ImpossibleCheck,
}

/// Why a castling right cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CastlingFault {
    /// The king is not on its home square.
    King(Color),
    /// No rook of this side stands where the right needs it.
    Rook(Color, CastlingSide),
    /// No rook stands on this square beside a king that could castle with it.
    RookSquare(Square),
    /// Another right for the same wing was read already.
    Twice,
}

impl fmt::Display for CastlingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = |color: Color| color.fold_wb('1', '8');
        match *self {
            Self::King(color) => write!(f, "{}'s king is not on e{}", color_name(color), rank(color)),
            Self::Rook(color, side) => {
                let file = if side.is_king_side() { 'h' } else { 'a' };
                write!(f, "{} has no rook on {file}{}", color_name(color), rank(color))
            }
            Self::RookSquare(square) => write!(f, "there is no rook on {square} that a king could castle with"),
            Self::Twice => f.write_str("that wing was named already"),
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Label => f.write_str("The label before the FEN was left out."),
            Self::Quotes => f.write_str("The quotes around the FEN were left out."),
            Self::Separators => {
                f.write_str("Underscores or unusual spaces were read as the spaces between the fields.")
            }
            Self::Dashes => f.write_str("Typographic dashes were read as “-”."),
            Self::PromotedMarks => f.write_str("The “~” marks of promoted pieces were left out."),
            Self::Ignored(text) => write!(f, "What follows the FEN was left out: “{text}”."),
            Self::Missing(fields) => {
                f.write_str("Missing fields were filled in: ")?;
                for (i, field) in fields.iter().enumerate() {
                    let value = match field {
                        FenField::Castling => "none",
                        FenField::Clock => "0",
                        FenField::Number => "1",
                        FenField::EnPassant | FenField::Placement | FenField::Turn => "none",
                    };
                    write!(f, "{}{field} {value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(".")
            }
            Self::TurnSpelling(text, color) => write!(f, "“{text}” was read as {} to move.", color_name(*color)),
            Self::TurnImplied(color) => {
                write!(
                    f,
                    "The side to move was missing; it can only be {}, whose king is in check.",
                    color_name(*color)
                )
            }
            Self::CastlingDropped { right, why } => write!(f, "The castling right “{right}” was left out: {why}."),
            Self::CastlingRestored(color, side) => {
                let wing = if side.is_king_side() { "kingside" } else { "queenside" };
                write!(
                    f,
                    "{}'s right to castle {wing} was put back, since that is the move given and king and rook are at home.",
                    color_name(*color)
                )
            }
            Self::EnPassantDropped(text) => {
                write!(
                    f,
                    "The en passant square “{text}” was left out: no pawn can have just stepped over it."
                )
            }
            Self::EnPassantMoved { given, read } => {
                write!(
                    f,
                    "The en passant square was read as {read}, the square behind the pawn on {given}."
                )
            }
            Self::ClockTooLarge(text) => {
                write!(f, "The half-move clock {text} was read as 0: a game ends at 150.")
            }
            Self::NumberZero => f.write_str("The move number 0 was read as 1: moves are counted from 1."),
            Self::NumberTooLarge(text) => write!(f, "The move number {text} was read as 1: it is too large."),
            Self::NumberRaised { given, read } => {
                write!(
                    f,
                    "The move number {given} was read as {read}, the smallest that the half-move clock allows."
                )
            }
            Self::ImpossibleCheck => f.write_str("No game can lead to this check; the position was kept as it stands."),
        }
    }
}
