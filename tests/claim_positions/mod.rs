//! The positions that labelled claims speak of, with the engine's lines that were recorded for them.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test fails by panicking, and not each uses all"
)]

use std::collections::HashMap;

use kibitz::{
    chess::{Played, read_fen, read_move},
    commentary::{
        FactSheet,
        claim_benchmark::{Origin, RecordedPosition, recorded_positions},
    },
    concepts::Concepts,
};
use serde::Deserialize;

/// Those of the claims by program.
pub const LABELLED: &str = include_str!("../data/claims/positions.jsonl");
/// Those of the sentences by hand.
pub const HANDWRITTEN: &str = include_str!("../data/claims/handwritten-positions.jsonl");

/// Lines of JSON.
pub fn read<T: for<'a> Deserialize<'a>>(lines: &str) -> Vec<T> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

/// A file of positions.
pub fn positions(file: &str) -> (Origin, Vec<RecordedPosition>) {
    recorded_positions(file).unwrap()
}

/// What is known of a position: by the board, the engine, and the concepts where they are given.
pub fn sheet(origin: &Origin, row: &RecordedPosition, concepts: Option<&Concepts>) -> FactSheet {
    let sheet = row.sheet(origin, concepts).unwrap();
    let evaluation = sheet.evaluation().unwrap();
    assert_eq!(evaluation.before.len(), row.before.len(), "{}", row.id);
    assert_eq!(evaluation.after.len(), row.after.len(), "{}", row.id);
    sheet
}

/// The sheets of a file by the positions' names, without concepts.
pub fn sheets(file: &str) -> HashMap<String, FactSheet> {
    let (origin, rows) = positions(file);
    rows.iter()
        .map(|row| (row.id.clone(), sheet(&origin, row, None)))
        .collect()
}

/// What is known of a move in a position by the board alone.
pub fn sheet_of(fen: &str, mv: &str) -> FactSheet {
    let read = read_fen(fen).unwrap();
    let m = read_move(&read.position, read.mode, mv).unwrap();
    FactSheet::new(&Played::new(read.position, m, read.mode, vec![]).unwrap(), None, None)
}
