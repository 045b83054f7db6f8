//! Which engines grade, and where this browser keeps what they say.

use crate::{
    services::{engine::Kind, saved_lines::SavedLines},
    uci::{DEFAULT_NODES, Limit},
};

/// Nodes of each search of the first grader, where nothing else is asked for: the command line's.
pub const GRADE_NODES: u64 = DEFAULT_NODES;
/// Of the second's, at most: it is a script without WebAssembly, and slow.
pub const GRADE_NODES_8: u64 = 200_000;

/// An engine that grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grader {
    /// The page's Stockfish: its grades are the scores'.
    Stockfish,
    /// Stockfish 8, whose grades are held against them.
    Stockfish8,
}

impl Grader {
    /// Both, in the order of the report.
    pub const ALL: [Self; 2] = [Self::Stockfish, Self::Stockfish8];

    /// Where this browser keeps its grades.
    pub(super) const fn saved(self) -> SavedLines {
        SavedLines::new(match self {
            Self::Stockfish => "grades",
            Self::Stockfish8 => "grades-8",
        })
    }

    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Stockfish => Kind::stockfish(),
            Self::Stockfish8 => Kind::stockfish_8(),
        }
    }

    pub(super) fn limit(self, nodes: u64) -> Limit {
        Limit::Nodes(match self {
            Self::Stockfish => nodes.max(1),
            Self::Stockfish8 => nodes.clamp(1, GRADE_NODES_8),
        })
    }
}
