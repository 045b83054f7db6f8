//! How fast boards are annotated: the page's benchmark does the same with the same boards.

use std::{error::Error, time::Instant};

use kibitz::{
    chessbench::{board::Board, record::ActionSearch},
    uci::Limit,
    view::bench::{ANNOTATED_NODES, POSITIONS, Spread},
};
use serde::Serialize;

use super::{chessbench::annotate::annotate, engine::Engine};

/// Annotated boards.
#[derive(Debug, Serialize)]
pub struct AnnotationReport {
    /// Boards, one engine.
    pub boards: usize,
    /// Nodes of each search.
    pub nodes: u64,
    /// Annotated actions a second: the fewest of a board.
    pub lowest: f64,
    /// The median of the boards.
    pub median: f64,
    /// The most of a board.
    pub highest: f64,
}

/// Annotates the benchmark's boards; `None` without an engine.
pub fn measure(engine: Option<&mut Engine>) -> Result<Option<AnnotationReport>, Box<dyn Error>> {
    let Some(engine) = engine else { return Ok(None) };
    let mut rates = Vec::new();
    for (fen, _) in POSITIONS {
        let board = Board::read(fen)?;
        let clock = Instant::now();
        let row = annotate(engine, &board, Limit::Nodes(ANNOTATED_NODES), ActionSearch::EachMove)?;
        let actions = row.record().map_or(0, |record| record.actions.len());
        rates.push(actions as f64 / clock.elapsed().as_secs_f64());
    }
    let round = |rate: f64| (rate * 10.0).round() / 10.0;
    Ok(Spread::of(&rates).map(|spread| AnnotationReport {
        boards: rates.len(),
        nodes: ANNOTATED_NODES,
        lowest: round(spread.low),
        median: round(spread.median),
        highest: round(spread.high),
    }))
}
