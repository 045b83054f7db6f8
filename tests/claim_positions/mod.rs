//! The positions that labelled claims speak of, with the engine's lines that were recorded for them.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test fails by panicking, and not each uses all"
)]

use std::collections::HashMap;

use kibitz::{
    chess::Played,
    commentary::{Evaluation, FactSheet},
    concepts::Concepts,
    uci::{Limit, Search, SearchResult, UciLine},
};
use serde::Deserialize;
use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

/// Those of the claims by program.
pub const LABELLED: &str = include_str!("../data/claims/positions.jsonl");
/// Those of the sentences by hand.
pub const HANDWRITTEN: &str = include_str!("../data/claims/handwritten-positions.jsonl");

/// The first line of a file of positions.
#[derive(Deserialize)]
pub struct Origin {
    pub engine: String,
    pub nodes: u64,
}

/// A position with the move that is spoken of and the engine's lines.
#[derive(Deserialize)]
pub struct Row {
    pub id: String,
    pub half: String,
    pub fen: String,
    #[serde(rename = "move")]
    pub uci: String,
    pub nodes: u64,
    pub before: Vec<Searched>,
    pub after: Vec<Searched>,
}

/// One line of the engine, the view of the side to move where it starts.
#[derive(Deserialize)]
pub struct Searched {
    pub score: String,
    pub depth: u32,
    pub pv: String,
}

/// Lines of JSON.
pub fn read<T: for<'a> Deserialize<'a>>(lines: &str) -> Vec<T> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

/// A file of positions.
pub fn positions(file: &str) -> (Origin, Vec<Row>) {
    let (head, rows) = file.split_once('\n').unwrap();
    (serde_json::from_str(head).unwrap(), read(rows))
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

/// What is known of a position: by the board, the engine, and the concepts where they are given.
pub fn sheet(origin: &Origin, row: &Row, concepts: Option<&Concepts>) -> FactSheet {
    let before: Chess = row
        .fen
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    let mv = row.uci.parse::<UciMove>().unwrap().to_move(&before).unwrap();
    let played = Played::new(before, mv, CastlingMode::Standard, vec![]).unwrap();
    let after = (!row.after.is_empty()).then(|| search(&row.after, row.nodes));
    let evaluation = Evaluation::assemble(
        &played,
        &origin.engine,
        Limit::Nodes(origin.nodes),
        &search(&row.before, row.nodes),
        after.as_ref(),
    )
    .unwrap();
    assert_eq!(evaluation.before.len(), row.before.len(), "{}", row.id);
    assert_eq!(evaluation.after.len(), row.after.len(), "{}", row.id);
    FactSheet::new(&played, Some(&evaluation), concepts)
}

/// The sheets of a file by the positions' names, without concepts.
pub fn sheets(file: &str) -> HashMap<String, FactSheet> {
    let (origin, rows) = positions(file);
    rows.iter()
        .map(|row| (row.id.clone(), sheet(&origin, row, None)))
        .collect()
}
