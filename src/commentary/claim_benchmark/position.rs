//! The positions that labelled comments speak of, each with a move and the engine's recorded lines.

use std::collections::HashMap;

use serde::Deserialize;
use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

use crate::{
    chess::Played,
    commentary::{Evaluation, FactSheet},
    uci::{Limit, Search, SearchResult, UciLine},
};

/// The positions of a file, as sheets by their names. No concepts are on them.
#[derive(Debug)]
pub struct Positions(HashMap<String, FactSheet>);

/// What is wrong with a file of positions.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    /// A line that is no position.
    #[error("line {0}: {1}")]
    Line(usize, serde_json::Error),
    /// A position or move that can't be.
    #[error("line {0}: “{1}” can't be read, or can't be played")]
    Chess(usize, String),
    /// Lines of the engine that don't fit.
    #[error("line {0}: {1}")]
    Lines(usize, crate::commentary::AssembleError),
}

#[derive(Deserialize)]
struct Origin {
    engine: String,
    nodes: u64,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    fen: String,
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
    before: Vec<Searched>,
    after: Vec<Searched>,
}

/// One line of the engine, the view of the side to move where it starts.
#[derive(Deserialize)]
struct Searched {
    score: String,
    depth: u32,
    pv: String,
}

impl Positions {
    /// Reads a file: its first line says where the positions come from, the engine and the nodes of a search; then a position
    /// a line.
    ///
    /// # Errors
    /// The first line that can't be read.
    pub fn read(file: &str) -> Result<Self, PositionError> {
        let mut lines = file.lines().enumerate().map(|(i, line)| (i + 1, line));
        let mut origin = Origin {
            engine: String::new(),
            nodes: 0,
        };
        if let Some((number, line)) = lines.next() {
            origin = serde_json::from_str(line).map_err(|error| PositionError::Line(number, error))?;
        }
        let mut sheets = HashMap::new();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let row: Row = serde_json::from_str(line).map_err(|error| PositionError::Line(number, error))?;
            sheets.insert(row.id.clone(), sheet(&origin, &row, number)?);
        }
        Ok(Self(sheets))
    }

    /// The sheet of a position.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FactSheet> {
        self.0.get(name)
    }
}

fn sheet(origin: &Origin, row: &Row, number: usize) -> Result<FactSheet, PositionError> {
    let odd = |what: &str| PositionError::Chess(number, what.to_owned());
    let fen: Fen = row.fen.parse().map_err(|_| odd(&row.fen))?;
    let before: Chess = fen.into_position(CastlingMode::Standard).map_err(|_| odd(&row.fen))?;
    let uci: UciMove = row.mv.parse().map_err(|_| odd(&row.mv))?;
    let mv = uci.to_move(&before).map_err(|_| odd(&row.mv))?;
    let played = Played::new(before, mv, CastlingMode::Standard, vec![]).ok_or_else(|| odd(&row.mv))?;
    let after = (!row.after.is_empty()).then(|| search(&row.after, row.nodes));
    let evaluation = Evaluation::assemble(
        &played,
        &origin.engine,
        Limit::Nodes(origin.nodes),
        &search(&row.before, row.nodes),
        after.as_ref(),
    )
    .map_err(|error| PositionError::Lines(number, error))?;
    Ok(FactSheet::new(&played, Some(&evaluation), None))
}

/// What the engine said, put through the same reader as its text.
fn search(lines: &[Searched], nodes: u64) -> SearchResult {
    let mut search = Search::new(lines.len());
    for (Searched { score, depth, pv }, number) in lines.iter().zip(1..) {
        let line = format!("info depth {depth} multipv {number} score {score} nodes {nodes} pv {pv}");
        search.on_line(&UciLine::parse(&line));
    }
    search.into_result()
}
