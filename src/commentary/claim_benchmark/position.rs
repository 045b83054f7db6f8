//! The positions that labelled comments speak of, each with a move and the engine's recorded lines.

use std::collections::HashMap;

use serde::Deserialize;
use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

use crate::{
    chess::Played,
    commentary::{AssembleError, Evaluation, FactSheet},
    concepts::Concepts,
    uci::{Limit, Search, SearchResult, UciLine},
};

/// The first line of a file of positions.
#[derive(Debug, Clone, Deserialize)]
pub struct Origin {
    /// What the engine calls itself.
    pub engine: String,
    /// The limit of each search, in nodes.
    pub nodes: u64,
}

/// A position with the move that is spoken of and the engine's lines.
#[derive(Debug, Clone, Deserialize)]
pub struct RecordedPosition {
    /// Its name.
    pub id: String,
    /// The set that it belongs to.
    #[serde(default)]
    pub half: String,
    /// The position before the move.
    pub fen: String,
    /// The move, in UCI notation.
    #[serde(rename = "move")]
    pub uci: String,
    /// Nodes searched, in both searches.
    pub nodes: u64,
    /// Lines before the move, best first.
    pub before: Vec<RecordedLine>,
    /// Lines after it, best first; empty where the game is over.
    pub after: Vec<RecordedLine>,
}

/// One line of the engine, the view of the side to move where it starts.
#[derive(Debug, Clone, Deserialize)]
pub struct RecordedLine {
    /// "cp 13", "mate -2".
    pub score: String,
    /// Plies searched.
    pub depth: u32,
    /// Its moves, in UCI notation.
    pub pv: String,
}

/// What is wrong with a file of positions.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    /// A line that is no position.
    #[error("line {0}: {1}")]
    Line(usize, serde_json::Error),
    /// A position or move that can't be.
    #[error("{0}: “{1}” can't be read, or can't be played")]
    Chess(String, String),
    /// Lines of the engine that don't fit.
    #[error("{0}: {1}")]
    Lines(String, AssembleError),
}

impl RecordedPosition {
    /// What is known of it: by the board, the engine's lines, and the concepts where they are given.
    ///
    /// # Errors
    /// Where position, move or lines can't be.
    pub fn sheet(&self, origin: &Origin, concepts: Option<&Concepts>) -> Result<FactSheet, PositionError> {
        let odd = |what: &str| PositionError::Chess(self.id.clone(), what.to_owned());
        let fen: Fen = self.fen.parse().map_err(|_| odd(&self.fen))?;
        let before: Chess = fen.into_position(CastlingMode::Standard).map_err(|_| odd(&self.fen))?;
        let uci: UciMove = self.uci.parse().map_err(|_| odd(&self.uci))?;
        let mv = uci.to_move(&before).map_err(|_| odd(&self.uci))?;
        let played = Played::new(before, mv, CastlingMode::Standard, vec![]).ok_or_else(|| odd(&self.uci))?;
        let after = (!self.after.is_empty()).then(|| search(&self.after, self.nodes));
        let evaluation = Evaluation::assemble(
            &played,
            &origin.engine,
            Limit::Nodes(origin.nodes),
            &search(&self.before, self.nodes),
            after.as_ref(),
        )
        .map_err(|error| PositionError::Lines(self.id.clone(), error))?;
        Ok(FactSheet::new(&played, Some(&evaluation), concepts))
    }
}

/// What the engine said, put through the same reader as its text.
fn search(lines: &[RecordedLine], nodes: u64) -> SearchResult {
    let mut search = Search::new(lines.len());
    for (RecordedLine { score, depth, pv }, number) in lines.iter().zip(1..) {
        let line = format!("info depth {depth} multipv {number} score {score} nodes {nodes} pv {pv}");
        search.on_line(&UciLine::parse(&line));
    }
    search.into_result()
}

/// Reads a file of positions: its first line says where they come from, the engine and the nodes of a search; then a position a
/// line.
///
/// # Errors
/// The first line that is none.
pub fn recorded_positions(file: &str) -> Result<(Origin, Vec<RecordedPosition>), PositionError> {
    let (head, rows) = file.split_once('\n').unwrap_or((file, ""));
    let origin = serde_json::from_str(head).map_err(|error| PositionError::Line(1, error))?;
    let rows = rows.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let rows = rows.map(|(i, line)| serde_json::from_str(line).map_err(|error| PositionError::Line(i + 2, error)));
    Ok((origin, rows.collect::<Result<_, _>>()?))
}

/// The positions of a file, as sheets by their names. No concepts are on them.
#[derive(Debug)]
pub struct Positions(HashMap<String, FactSheet>);

impl Positions {
    /// Reads a file, as [`recorded_positions`].
    ///
    /// # Errors
    /// The first line or position that can't be read.
    pub fn read(file: &str) -> Result<Self, PositionError> {
        let (origin, rows) = recorded_positions(file)?;
        let sheets = rows.into_iter().map(|row| {
            let sheet = row.sheet(&origin, None)?;
            Ok((row.id, sheet))
        });
        Ok(Self(sheets.collect::<Result<_, PositionError>>()?))
    }

    /// The sheet of a position.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FactSheet> {
        self.0.get(name)
    }
}
