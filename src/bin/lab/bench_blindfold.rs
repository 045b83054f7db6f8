//! How fast a language model answers questions about the board: the page's benchmark asks the same ones.

use std::{error::Error, path::Path, time::Instant};

use kibitz::{
    blindfold::{
        model_player::notation_of,
        timed::{AT_A_TIME, seconds_a_thousand, timed_questions},
    },
    lm::{Model, Reader},
    pace::{AtOnce, at_once},
    view::bench::Spread,
};
use serde::Serialize;

use super::bench_fit::Seconds;

/// A model's answers.
#[derive(Debug, Serialize)]
pub struct BlindfoldReport {
    /// The model, as its file calls it.
    pub name: String,
    /// Questions that were asked, one thread.
    pub questions: usize,
    /// Seconds that a thousand take, by the batches that were asked.
    pub seconds_a_thousand: Seconds,
}

/// Asks the model in `file`; `None` where there is no such file.
pub fn measure(file: &Path) -> Result<Option<BlindfoldReport>, Box<dyn Error>> {
    if !file.exists() {
        return Ok(None);
    }
    let bytes = std::fs::read(file).map_err(|error| format!("{} can't be read: {error}", file.display()))?;
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let model = Model::read(&bytes).map_err(|error| at(&error))?;
    let notation = notation_of(&model.header).map_err(|error| at(&error))?;
    let name = model.header.name.clone();
    let mut reader = Reader::new(model).map_err(|error| at(&error))?;
    let questions = at_once(timed_questions(notation, &AtOnce));
    let mut times = Vec::new();
    for batch in questions.chunks(AT_A_TIME) {
        let clock = Instant::now();
        for tokens in batch {
            reader.next(tokens).map_err(|error| at(&error))?;
        }
        times.push(seconds_a_thousand(clock.elapsed().as_secs_f64(), batch.len()));
    }
    Ok(Spread::of(&times).map(|spread| BlindfoldReport {
        name,
        questions: questions.len(),
        seconds_a_thousand: Seconds::of(spread),
    }))
}
