//! What an engine prints, parsed once at the edge.

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use super::Score;

/// How long a search may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// Plies.
    Depth(u32),
    /// Nodes: the only limit that gives the same result on every machine.
    Nodes(u64),
    /// Milliseconds.
    Time(u32),
}

/// One `info … pv …` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    /// Plies searched.
    pub depth: u32,
    /// 1 for the best line, 2 for the second best, …
    pub multipv: u32,
    /// From the side to move's view.
    pub score: Score,
    /// True where the score is only a lower or upper bound.
    pub bound: bool,
    /// Win, draw, loss per mille for the side to move, where the engine says.
    pub wdl: Option<[u16; 3]>,
    /// Nodes searched so far, all lines together.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Milliseconds since `go`.
    pub time: u64,
    /// The principal variation.
    pub pv: Vec<UciMove>,
}

/// A line of engine output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UciLine {
    /// `id name …`
    Name(String),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info … score … pv …`
    Info(Box<Info>),
    /// `bestmove …`; `None` for `(none)` or `0000`, when the game is over.
    BestMove(Option<UciMove>),
    /// A complaint that ends the engine's usefulness (`CRITICAL ERROR …`, `ERROR …`).
    Fatal(String),
    /// Anything else.
    Other(String),
}
