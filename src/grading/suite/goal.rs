//! What an answer is held against, beside the engine's grade.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Move, Position};

/// What is asked of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "goal", rename_all = "lowercase")]
pub enum Goal {
    /// A good move: an engine grades it.
    #[default]
    Grade,
    /// Mate at once, by any move.
    Mate,
    /// A puzzle: the solver's and the opponent's moves in turn (UCI), the solver's first. Any mate solves it too.
    Line {
        /// The moves.
        line: Vec<String>,
    },
    /// Moves with points, 100 for the best; others have none.
    Points {
        /// By the move in UCI notation.
        points: BTreeMap<String, u16>,
    },
    /// Moves that solve it, or moves that do not (UCI).
    Best {
        /// One of these; empty for any that is not to be avoided.
        best: Vec<String>,
        /// None of these.
        avoid: Vec<String>,
    },
}

/// What comes after a legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing more: there is nothing to solve.
    Played,
    /// The goal is reached: the position counts as solved.
    Solved,
    /// The move misses the goal.
    Missed,
    /// Right so far; the opponent answers with this move, and the player moves again.
    GoOn(Move),
}

impl Goal {
    /// What a legal move comes to, the player's `turn`-th (from 0) in this position.
    #[must_use]
    pub fn verdict(&self, position: &Chess, mode: CastlingMode, mv: Move, turn: usize) -> Verdict {
        let uci = mv.to_uci(mode).to_string();
        let mates = || {
            let mut after = position.clone();
            after.play_unchecked(mv);
            after.is_checkmate()
        };
        let solved = |yes: bool| if yes { Verdict::Solved } else { Verdict::Missed };
        match self {
            Self::Grade => Verdict::Played,
            Self::Mate => solved(mates()),
            Self::Points { points } => {
                let most = points.values().max().copied().unwrap_or_default();
                solved(points.get(&uci).is_some_and(|own| *own == most))
            }
            Self::Best { best, avoid } => solved((best.is_empty() || best.contains(&uci)) && !avoid.contains(&uci)),
            Self::Line { line } => {
                if mates() {
                    return Verdict::Solved;
                }
                if line.get(2 * turn) != Some(&uci) {
                    return Verdict::Missed;
                }
                let mut after = position.clone();
                after.play_unchecked(mv);
                let reply = line.get(2 * turn + 1).and_then(|reply| {
                    let reply: shakmaty::uci::UciMove = reply.parse().ok()?;
                    reply.to_move(&after).ok()
                });
                // A last reply of the opponent's asks for nothing more.
                match reply.filter(|_| line.len() > 2 * turn + 2) {
                    Some(reply) => Verdict::GoOn(reply),
                    None => Verdict::Solved,
                }
            }
        }
    }

    /// The points of a move, of 100; `None` where the goal has none.
    #[must_use]
    pub fn points(&self, uci: &str) -> Option<u16> {
        match self {
            Self::Points { points } => Some(points.get(uci).copied().unwrap_or_default()),
            _ => None,
        }
    }

    /// Whether an answer can solve it, without an engine.
    #[must_use]
    pub const fn can_be_solved(&self) -> bool {
        !matches!(self, Self::Grade)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{read_fen, read_move};

    fn verdict(goal: &Goal, fen: &str, mv: &str, turn: usize) -> Verdict {
        let read = read_fen(fen).unwrap();
        let mv = read_move(&read.position, read.mode, mv).unwrap();
        goal.verdict(&read.position, read.mode, mv, turn)
    }

    #[test]
    fn puzzles_go_on_line_by_line_and_other_mates_count() {
        let fen = "6k1/5ppp/8/8/8/8/1Q6/R3K3 w - - 0 1";
        let goal = Goal::Line {
            line: ["a1a8", "g8f8", "b2b8"].map(str::to_owned).into(),
        };
        // Both mates count, the one in the line and the other.
        assert_eq!(verdict(&goal, fen, "Ra8#", 0), Verdict::Solved);
        assert_eq!(verdict(&goal, fen, "Qb8#", 0), Verdict::Solved);
        assert_eq!(verdict(&goal, fen, "Ra7", 0), Verdict::Missed);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let goal = Goal::Line {
            line: ["e2e4", "e7e5", "g1f3"].map(str::to_owned).into(),
        };
        let read = read_fen(start).unwrap();
        let mv = read_move(&read.position, read.mode, "e4").unwrap();
        let Verdict::GoOn(reply) = goal.verdict(&read.position, read.mode, mv, 0) else {
            panic!()
        };
        assert_eq!(reply.to_uci(read.mode).to_string(), "e7e5");
        let last = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(verdict(&goal, last, "Nf3", 1), Verdict::Solved);
        assert_eq!(verdict(&goal, last, "Nc3", 1), Verdict::Missed);
    }

    #[test]
    fn points_and_best_moves() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let goal = Goal::Points {
            points: [("e2e4".to_owned(), 100), ("d2d4".to_owned(), 60)].into(),
        };
        assert_eq!(verdict(&goal, start, "e4", 0), Verdict::Solved);
        assert_eq!(verdict(&goal, start, "d4", 0), Verdict::Missed);
        assert_eq!((goal.points("d2d4"), goal.points("a2a3")), (Some(60), Some(0)));
        let goal = Goal::Best {
            best: Vec::new(),
            avoid: vec!["f2f3".to_owned()],
        };
        assert_eq!(verdict(&goal, start, "f3", 0), Verdict::Missed);
        assert_eq!(verdict(&goal, start, "a3", 0), Verdict::Solved);
        let text = serde_json::to_string(&goal).unwrap();
        assert_eq!(serde_json::from_str::<Goal>(&text).unwrap(), goal);
    }
}
