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

impl Line {
    /// What follows the first move, with the same score; `None` where nothing does.
    #[must_use]
    pub fn continued(&self) -> Option<Self> {
        (self.moves.len() > 1).then(|| Self {
            score: self.score,
            wdl: self.wdl,
            depth: self.depth.saturating_sub(1),
            moves: self.moves[1..].to_vec(),
            san: self.san[1..].to_vec(),
        })
    }
}

/// How far an evaluation can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Trust {
    /// From the first two searches alone.
    #[default]
    FirstLook,
    /// Searches of different kinds agree.
    Settled,
    /// The budget was spent before they did.
    Open,
}

/// The engine's searches before and after the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The engine's name as it gave it.
    pub engine: String,
    /// The limit of the search before the move and of the one after it.
    pub limit: Limit,
    /// Nodes searched, all searches together.
    pub nodes: u64,
    /// How far it can be trusted.
    pub trust: Trust,
    /// The best lines in the position before the move, best first; never empty (a legal move exists). Where the played
    /// move is among them its score is [`played`](Self::played).
    pub before: Vec<Line>,
    /// The score of the played move, never above that of `before[0]`.
    pub played: Score,
    /// The best lines for the opponent in the position after the move, in **the mover's view** of the score, best for
    /// the opponent first; empty when the move ended the game. `after[0].moves[0]` is the expected reply.
    pub after: Vec<Line>,
    /// Where the move offers a man that the expected reply does not take: the line in which it is taken, beginning with the
    /// capture; **the mover's view** of the score.
    pub accepted: Option<Line>,
}
