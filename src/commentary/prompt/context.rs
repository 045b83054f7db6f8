//! How the board is given to a model.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the board is given (the paper's appendix F).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Context {
    /// The position before the move.
    #[default]
    Fen,
    /// The moves of the game up to the move; the position where no earlier move is known.
    Pgn,
}

impl Context {
    /// Both, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Fen, Self::Pgn];

    /// One lower-case word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::Pgn => "pgn",
        }
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
