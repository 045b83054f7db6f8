//! Why a FEN cannot be read: the field and the reason, in a sentence.

use std::fmt;

use shakmaty::{Color, Square};
use thiserror::Error;

use super::names::color_name;

/// The six fields of a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FenField {
    /// Where the pieces stand.
    Placement,
    /// Whose turn it is.
    Turn,
    /// Who may still castle where.
    Castling,
    /// The square a pawn has just stepped over.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    Clock,
    /// The move number.
    Number,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placement => "piece placement",
            Self::Turn => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en passant square",
            Self::Clock => "half-move clock",
            Self::Number => "move number",
        })
    }
}

/// A FEN that has no one sensible reading.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FenError {
    /// Nothing was given.
    #[error("There is no FEN here: it starts with the piece placement, such as 8/8/8/8/8/8/8/8.")]
    Empty,
    /// More text than any FEN has.
    #[error("This is too long for a FEN ({0} bytes).")]
    TooLong(usize),
    /// Not eight rows.
    #[error("Piece placement: there are {0} rows between the slashes, and a board has 8.")]
    Rows(usize),
    /// A row that is not eight squares wide.
    #[error("Piece placement: row {row} (rank {rank}, “{text}”) has {squares} squares, not 8.", rank = 9 - row)]
    RowWidth {
        /// 1 is the first row of the text: rank 8.
        row: usize,
        /// The row as it was written.
        text: String,
        /// How many squares it describes.
        squares: usize,
    },
    /// A character that is neither a piece nor a count.
    #[error(
        "Piece placement: “{letter}” in row {row} (rank {rank}) is neither a piece (KQRBNP, kqrbnp) nor a number of empty squares from 1 to 8.",
        rank = 9 - row
    )]
    Letter {
        /// 1 is the first row of the text: rank 8.
        row: usize,
        /// The character.
        letter: char,
    },
    /// Pieces in hand: another game.
    #[error("Piece placement: it holds pieces in hand (Crazyhouse), which is another game.")]
    PiecesInHand,
    /// A side has no king.
    #[error("Piece placement: {} has no king.", color_name(*.0))]
    NoKing(Color),
    /// A side has two or more kings.
    #[error("Piece placement: {} has {kings} kings.", color_name(*.color))]
    Kings {
        /// The side that it is about.
        color: Color,
        /// Kings that the side has.
        kings: usize,
    },
    /// The kings stand side by side.
    #[error("Piece placement: the kings on {0} and {1} stand next to each other.")]
    KingsTouch(Square, Square),
    /// A pawn where none can be.
    #[error("Piece placement: there is a pawn on {0}, and pawns never stand on the first or the last rank.")]
    PawnOnBackRank(Square),
    /// More than sixteen pieces or eight pawns.
    #[error(
        "Piece placement: {} has {pieces} pieces and pawns, {pawns} of them pawns; at most 16 and 8 are possible.", color_name(*.color)
    )]
    TooMany {
        /// The side that it is about.
        color: Color,
        /// King, pieces and pawns together.
        pieces: usize,
        /// Pawns alone.
        pawns: usize,
    },
    /// More promoted pieces than pawns are missing.
    #[error(
        "Piece placement: {} has {pawns} pawns, and pieces that only {promoted} promotions can explain: more than 8 pawns in all. Engines refuse such a position.", color_name(*.color)
    )]
    TooManyPromoted {
        /// The side that it is about.
        color: Color,
        /// Pawns on the board.
        pawns: usize,
        /// Pieces beyond a queen, two rooks, two knights and a bishop of each colour.
        promoted: usize,
    },
    /// The turn is not given and both sides could be to move.
    #[error("Side to move: it is missing, and either side could be to move; add w or b after the piece placement.")]
    NoTurn,
    /// The turn is something else than `w` or `b`.
    #[error("Side to move: the turn must be w or b, not “{0}”.")]
    Turn(String),
    /// The side that has just moved left its king in check.
    #[error(
        "Side to move: it is {side}'s turn, but {other}'s king on {king} is in check{hint}.",
        side = color_name(*.turn), other = color_name(!*.turn),
        hint = if *.swappable { format!("; with {} to move the position would be legal", color_name(!*.turn)) } else { String::new() }
    )]
    OtherSideInCheck {
        /// Whose turn it is.
        turn: Color,
        /// The king that could be taken.
        king: Square,
        /// Whether the position is legal with the other side to move.
        swappable: bool,
    },
    /// Something that names no castling rights.
    #[error("Castling rights: “{0}” must be - or some of KQkq (or rook files such as HAha in Chess960).")]
    Castling(String),
    /// Something that names no square.
    #[error("En passant square: “{0}” must be - or a square on rank 3 or 6, such as e3.")]
    EnPassant(String),
    /// A counter that is not a number.
    #[error("{}: “{text}” is not a whole number.", capitalised(.field))]
    Counter {
        /// Clock or Number.
        field: FenField,
        /// What stands there.
        text: String,
    },
    /// Text after the last field.
    #[error("After the FEN there is more that is not part of it: “{0}”.")]
    Trailing(String),
    /// The rules library refuses for a reason not foreseen above.
    #[error("The position is not legal: {0}.")]
    Illegal(String),
}

impl FenError {
    /// The field at fault; `None` where it is the text as a whole.
    #[must_use]
    pub fn field(&self) -> Option<FenField> {
        Some(match self {
            Self::Empty | Self::TooLong(_) | Self::Trailing(_) | Self::Illegal(_) => return None,
            Self::Rows(_)
            | Self::RowWidth { .. }
            | Self::Letter { .. }
            | Self::PiecesInHand
            | Self::NoKing(_)
            | Self::Kings { .. }
            | Self::KingsTouch(..)
            | Self::PawnOnBackRank(_)
            | Self::TooMany { .. }
            | Self::TooManyPromoted { .. } => FenField::Placement,
            Self::NoTurn | Self::Turn(_) | Self::OtherSideInCheck { .. } => FenField::Turn,
            Self::Castling(_) => FenField::Castling,
            Self::EnPassant(_) => FenField::EnPassant,
            Self::Counter { field, .. } => *field,
        })
    }
}

fn capitalised(field: &FenField) -> String {
    let name = field.to_string();
    name[..1].to_uppercase() + &name[1..]
}
