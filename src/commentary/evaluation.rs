//! What the engine thinks of a move. **Every score here is the mover's view.**

use shakmaty::uci::UciMove;

use crate::uci::{Limit, Score};

/// One line the engine would play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The mover's view.
    pub score: Score,
    /// Win, draw, loss per mille, the mover's view, where the engine says.
    pub wdl: Option<[u16; 3]>,
    /// Plies searched.
    pub depth: u32,
    /// Legal moves from the position the line starts in, at least one.
    pub moves: Vec<UciMove>,
    /// The same in SAN, as many.
    pub san: Vec<String>,
}

/// The engine's searches before and after the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The engine's name as it gave it.
    pub engine: String,
    /// The limit of each of the two searches.
    pub limit: Limit,
    /// Nodes searched, both searches together.
    pub nodes: u64,
    /// The best lines in the position before the move, best first; never empty (a legal move exists).
    pub before: Vec<Line>,
    /// The score of the played move: that of the position after it, turned to the mover's view.
    pub played: Score,
    /// The best lines for the opponent in the position after the move, in **the mover's view** of the score, best for
    /// the opponent first; empty when the move ended the game. `after[0].moves[0]` is the expected reply.
    pub after: Vec<Line>,
}
