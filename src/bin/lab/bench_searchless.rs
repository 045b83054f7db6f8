//! How long a model without search takes for all moves of a position: the page's benchmark reads the same positions.

use std::{error::Error, path::Path, time::Instant};

use kibitz::{
    chess::fen::read_fen,
    chessbench::model_rows::ModelRows,
    searchless::{SearchlessModel, SearchlessReader},
    view::bench::{POSITIONS, Spread},
};
use serde::Serialize;

use super::bench_fit::Seconds;

/// A model's predictions.
#[derive(Debug, Serialize)]
pub struct SearchlessReport {
    /// The model, as its file calls it.
    pub name: String,
    /// Positions that were read, one thread.
    pub positions: usize,
    /// Rows of symbols, one for each move, that a position has on average.
    pub rows: f64,
    /// Seconds that a position takes.
    pub seconds: Seconds,
}

/// Reads with the model in `file`; `None` where there is no such file.
pub fn measure(file: &Path) -> Result<Option<SearchlessReport>, Box<dyn Error>> {
    if !file.exists() {
        return Ok(None);
    }
    let bytes = std::fs::read(file).map_err(|error| format!("{} can't be read: {error}", file.display()))?;
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let model = SearchlessModel::read(&bytes).map_err(|error| at(&error))?;
    let name = model.header.name.clone();
    let reader = SearchlessReader::new(model).map_err(|error| at(&error))?;
    let (mut times, mut all) = (Vec::new(), 0);
    for (fen, _) in POSITIONS {
        let position = read_fen(fen)?.position;
        let clock = Instant::now();
        let rows = ModelRows::new(reader.header(), &position)?;
        let outputs = reader.outputs(rows.rows())?;
        rows.prediction(&outputs)?;
        times.push(clock.elapsed().as_secs_f64());
        all += rows.rows().len();
    }
    let positions = times.len();
    Ok(Spread::of(&times).map(|spread| SearchlessReport {
        name,
        positions,
        rows: all as f64 / positions as f64,
        seconds: Seconds::of(spread),
    }))
}
