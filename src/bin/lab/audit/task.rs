//! A move that is audited.

use std::{error::Error, path::Path};

use kibitz::chess::Played;
use serde::Deserialize;

use super::super::{
    input::{Input, InputError},
    setup::read_text,
};

/// A line of a sample.
#[derive(Debug, Clone, Deserialize)]
pub struct AuditTask {
    /// Of the sample alone.
    pub id: String,
    /// Where the move comes from: `puzzles`, or the name of a file.
    pub source: String,
    fen: Option<String>,
    pgn: Option<String>,
    #[serde(rename = "move")]
    mv: String,
}

impl AuditTask {
    /// The move in its position.
    pub fn played(&self) -> Result<Played, InputError> {
        let input = match (&self.pgn, &self.fen) {
            (Some(pgn), _) => Input::read_after(pgn, &self.mv),
            (None, fen) => Input::read(fen.as_deref().unwrap_or_default(), &self.mv),
        };
        Ok(input?.played)
    }
}

/// The moves of a sample.
pub fn tasks(path: &Path) -> Result<Vec<AuditTask>, Box<dyn Error>> {
    let text = read_text(path, "--in")?;
    let mut tasks = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        tasks
            .push(serde_json::from_str(line).map_err(|error| format!("line {number} of {}: {error}", path.display()))?);
    }
    Ok(tasks)
}
