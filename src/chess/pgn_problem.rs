//! What could not be read in a PGN text, or was read otherwise than it stands there.

use std::fmt;

use thiserror::Error;

use super::{
    epd::EpdError,
    fen_error::FenError,
    game::{MAX_DEPTH, MAX_NODES},
    typed_move::TypedMoveError,
};

/// Something in a PGN text that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnProblem {
    /// Which game of the text, from 1.
    pub game: usize,
    /// Which line of the text, from 1.
    pub line: usize,
    /// What it is.
    pub kind: ProblemKind,
    /// How many more of the kind the text has; 0 where [each](ProblemKind::is_lone) is told.
    pub more: usize,
}

/// What can be wrong in a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProblemKind {
    /// Something that is not a move, or not a legal one. The line ends before it; the rest is a comment.
    #[error("{number} {text} was not read, and the line ends before it: {error}")]
    Move {
        /// `12.` or `12…`.
        number: String,
        /// As it was written.
        text: String,
        /// What is wrong with the move.
        error: TypedMoveError,
    },
    /// A move with a piece letter of another language, which can only be one move. It is played.
    #[error("{number} {text} has a piece letter of another language, and was read as {san}")]
    OtherLanguage {
        /// `12.` or `12…`.
        number: String,
        /// As it was written.
        text: String,
        /// As English writes it.
        san: String,
    },
    /// Words that are no moves. They are a comment.
    #[error("“{0}” is no move, and was kept as a comment")]
    StrayWords(String),
    /// Moves in the numbers of correspondence chess. They are a comment.
    #[error(
        "“{0}” are moves in numbers (ICCF), which Kibitz does not read (write e2-e4 for 5254), and were kept as a comment"
    )]
    NumericMoves(String),
    /// Words or a variation behind a result. They belong to the game before it.
    #[error("{0} after the result was kept with the game")]
    AfterResult(String),
    /// A move with an x that captures nothing. It is played.
    #[error("{number} {text} captures nothing, and was read without the x")]
    SuperfluousCapture {
        /// `12.` or `12…`.
        number: String,
        /// As it was written.
        text: String,
    },
    /// A tag that stands twice with different values. The first one counts.
    #[error("the tag {0} stands twice, and the first was kept")]
    RepeatedTag(String),
    /// A FEN tag that says that the position is not known. The usual start is taken.
    #[error("the FEN tag says “{0}”, and the game was read from the usual start")]
    UnknownStart(String),
    /// The FEN tag. The game is left out.
    #[error("the FEN tag cannot be read, and the game was left out. {0}")]
    Fen(FenError),
    /// A line in a list of positions. It is left out.
    #[error("the position cannot be read, and was left out. {0}")]
    Position(EpdError),
    /// The Variant tag names another game. It is left out.
    #[error("this is a game of {0}, which is not chess as Kibitz knows it, and was left out.")]
    Variant(String),
    /// A variation before any move. It is a comment.
    #[error("a variation stands where there is no move to vary, and was kept as a comment")]
    StrayVariation,
    /// `)` without `(`.
    #[error("a closing parenthesis has no opening one, and was passed over")]
    StrayClose,
    /// Deeper nesting than [`MAX_DEPTH`]. What is deeper is a comment.
    #[error("variations are nested more than {MAX_DEPTH} deep; the deeper ones were kept as a comment")]
    TooDeep,
    /// More moves than [`MAX_NODES`]. The rest is a comment.
    #[error("the game has more than {MAX_NODES} moves; the rest was kept as a comment")]
    TooManyMoves,
    /// A comment that is not closed: it takes all the rest.
    #[error("a comment that opens with {{ is not closed; the rest of the text was taken for it.")]
    UnclosedComment,
}

impl ProblemKind {
    /// Whether moves or games of the text are missing, so that a position may not be the one that was meant.
    #[must_use]
    pub fn leaves_out(&self) -> bool {
        match self {
            Self::Move { .. }
            | Self::NumericMoves(_)
            | Self::Fen(_)
            | Self::Position(_)
            | Self::Variant(_)
            | Self::StrayVariation
            | Self::TooDeep
            | Self::TooManyMoves
            | Self::UnclosedComment => true,
            Self::StrayWords(_)
            | Self::AfterResult(_)
            | Self::OtherLanguage { .. }
            | Self::SuperfluousCapture { .. }
            | Self::RepeatedTag(_)
            | Self::UnknownStart(_)
            | Self::StrayClose => false,
        }
    }

    /// Whether each is told of by itself, because each says something else. Of other kinds the first is told, and how many
    /// more there are.
    #[must_use]
    pub fn is_lone(&self) -> bool {
        matches!(
            self,
            Self::Move { .. } | Self::Fen(_) | Self::Position(_) | Self::Variant(_) | Self::UnclosedComment
        )
    }
}

impl PgnProblem {
    /// What it is, and how many more there are.
    #[must_use]
    pub fn said(&self) -> String {
        match (self.more, self.kind.is_lone()) {
            (_, true) => self.kind.to_string(),
            (0, _) => format!("{}.", self.kind),
            (1, _) => format!("{}; so was 1 more.", self.kind),
            (more, _) => format!("{}; so were {more} more.", self.kind),
        }
    }
}

impl fmt::Display for PgnProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game {}, line {}: {}", self.game, self.line, self.said())
    }
}
