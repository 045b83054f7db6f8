//! Why a typed move is not played, in a sentence.

use shakmaty::{CastlingSide, Color, Role, Square};
use thiserror::Error;

use super::names::{color_name, role_name};

/// What keeps a side from castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CastlingBar {
    /// The position gives no right to.
    #[error("the position does not give that right (king or rook has moved, or the FEN's castling field lacks it)")]
    NoRight,
    /// Something stands in the way.
    #[error("{0} is not empty")]
    Blocked(Square),
    /// The king is in check.
    #[error("the king is in check")]
    InCheck,
    /// The king would pass or reach an attacked square.
    #[error("{0} is attacked")]
    Attacked(Square),
}

/// A text that is no legal move here.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// Nothing was typed.
    #[error("Type a move, such as Nf3, exd5 or e2e4.")]
    Empty,
    /// No way of writing a move.
    #[error("“{0}” is not a move; write it as Nf3, exd5, O-O, e8=Q or e2e4.")]
    NotAMove(String),
    /// A pass.
    #[error("“{0}” is a null move, which is not legal.")]
    NullMove(String),
    /// The game has ended.
    #[error("The game is over: {}.", if *.checkmate { format!("{} is checkmated", color_name(*.turn)) } else { format!("{} has no legal move and is not in check (stalemate)", color_name(*.turn)) })]
    GameOver {
        /// Who would be to move.
        turn: Color,
        /// Checkmate, else stalemate.
        checkmate: bool,
    },
    /// The from-square is empty.
    #[error("There is no piece on {0}.")]
    EmptySquare(Square),
    /// The from-square holds something else than the letter says.
    #[error("There is no {} on {square}.", side_role(*.turn, *.role))]
    OtherPiece {
        /// Who is to move.
        turn: Color,
        /// The piece named.
        role: Role,
        /// The square named.
        square: Square,
    },
    /// The piece on the from-square is the opponent's.
    #[error("It is {}'s turn, and the piece on {square} is {}'s.", color_name(*.turn), color_name(!*.turn))]
    NotYours {
        /// Who is to move.
        turn: Color,
        /// The square named.
        square: Square,
    },
    /// The side to move has no such piece.
    #[error("{} has no {}.", color_name(*.turn), role_name(*.role))]
    NoSuchPiece {
        /// Who is to move.
        turn: Color,
        /// The piece named.
        role: Role,
    },
    /// No such piece gets there.
    #[error("No {} can move to {to}: {}.", role_name(*.role), reach(.from, *.role))]
    CannotReach {
        /// The piece named.
        role: Role,
        /// The target.
        to: Square,
        /// Where such pieces stand.
        from: Vec<Square>,
    },
    /// The target holds a piece of one's own.
    #[error("{to} is occupied by {}'s own {}.", color_name(*.turn), role_name(*.role))]
    OwnPiece {
        /// Who is to move.
        turn: Color,
        /// The piece there.
        role: Role,
        /// The target.
        to: Square,
    },
    /// An `x` where nothing is captured.
    #[error("There is nothing to capture on {0}; write the move without the x.")]
    NotACapture(Square),
    /// The king would be, or stay, in check.
    #[error("“{text}” leaves {}'s king on {king} in check{}.", color_name(*.turn), if *.pinned { ": the piece is pinned" } else { "" })]
    LeavesCheck {
        /// The move as typed.
        text: String,
        /// Who is to move.
        turn: Color,
        /// The king's square (the target, where the king moves).
        king: Square,
        /// The king is not in check now, so the piece that would move shields it.
        pinned: bool,
    },
    /// Two or more pieces could be meant.
    #[error("“{text}” is ambiguous: it could be {}.", or_list(.candidates))]
    Ambiguous {
        /// The move as typed.
        text: String,
        /// The legal moves it could be, in SAN.
        candidates: Vec<String>,
    },
    /// A pawn reaches the last rank and nothing says what it becomes.
    #[error("Say what the pawn becomes on {0}, for example {0}=Q.")]
    PromotionMissing(Square),
    /// A promotion where there is none.
    #[error("Nothing is promoted by moving to {0}; write the move without the piece at its end.")]
    NoPromotion(Square),
    /// Castling is not possible.
    #[error("{} cannot castle {}: {bar}.", color_name(*.color), wing(*.side))]
    CannotCastle {
        /// Who is to move.
        color: Color,
        /// Which wing.
        side: CastlingSide,
        /// What is in the way.
        bar: CastlingBar,
    },
}

fn side_role(color: Color, role: Role) -> String {
    format!("{} {}", color.fold_wb("white", "black"), role_name(role))
}

fn wing(side: CastlingSide) -> &'static str {
    if side.is_king_side() { "kingside" } else { "queenside" }
}

fn reach(from: &[Square], role: Role) -> String {
    match from {
        [one] => format!("the {} on {one} does not get there", role_name(role)),
        many => {
            let squares: Vec<String> = many.iter().map(Square::to_string).collect();
            format!("the {}s on {} do not get there", role_name(role), and_list(&squares))
        }
    }
}

fn and_list(items: &[String]) -> String {
    list(items, "and")
}

fn or_list(items: &[String]) -> String {
    list(items, "or")
}

fn list(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
