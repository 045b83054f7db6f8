//! Fact sheets of moves that a search for a question looked at.

use std::fmt::Write as _;

use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use super::super::{Evaluation, FactSheet, Line, Trust, ranked};
use crate::{
    chess::Played,
    uci::{Limit, SearchResult},
};

/// A position that a question's search looked at.
pub struct Root<'a> {
    /// Positions that led there, oldest first.
    pub history: Vec<Chess>,
    /// The position.
    pub position: Chess,
    /// How castling is written.
    pub mode: CastlingMode,
    /// What the engine calls itself.
    pub engine: &'a str,
}

impl<'a> Root<'a> {
    /// The position before a move.
    pub fn before(played: &Played, engine: &'a str) -> Self {
        Self {
            history: played.history.clone(),
            position: played.before.clone(),
            mode: played.mode,
            engine,
        }
    }

    /// The lines of a search of this position, **the view of the side to move**, best first, cut where they can't be played.
    pub fn lines(&self, result: &SearchResult) -> Vec<Line> {
        let first = result
            .lines
            .iter()
            .find_map(|info| info.pv.first()?.to_move(&self.position).ok());
        first
            .and_then(|mv| self.played(mv))
            .map(|played| Evaluation::lines_before(&played, result))
            .unwrap_or_default()
    }

    /// A move here.
    pub fn played(&self, mv: Move) -> Option<Played> {
        Played::new(self.position.clone(), mv, self.mode, self.history.clone())
    }

    /// The sheet of the first move of `line`, judged against `lines`, which are best first.
    pub fn sheet(&self, line: &Line, lines: &[Line], nodes: u64) -> Option<FactSheet> {
        let mv = line.moves.first()?.to_move(&self.position).ok()?;
        let played = self.played(mv)?;
        let evaluation = Evaluation {
            engine: self.engine.to_owned(),
            limit: Limit::Nodes(nodes.max(1)),
            nodes,
            trust: Trust::FirstLook,
            ranking: ranked(lines),
            before: lines.to_vec(),
            played: line.score,
            after: line.continued().into_iter().collect(),
            accepted: None,
        };
        Some(FactSheet::new(&played, Some(&evaluation), None))
    }
}

/// A line with move numbers: "12...Bxh4 13.gxh4".
pub fn numbered(position: &Chess, san: &[String]) -> String {
    let mut text = String::new();
    let mut number = position.fullmoves().get();
    let mut turn = position.turn();
    for (i, san) in san.iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        match turn {
            Color::White => {
                let _ = write!(text, "{number}.");
            }
            Color::Black if i == 0 => {
                let _ = write!(text, "{number}...");
            }
            Color::Black => {}
        }
        text.push_str(san);
        if turn == Color::Black {
            number = number.saturating_add(1);
        }
        turn = turn.other();
    }
    text
}
