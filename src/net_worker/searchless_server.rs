//! The models without search in use, and what they say, apart from how messages travel.

use super::searchless_protocol::{MOST_MODELS, MOST_ROWS, SearchlessReply};
use crate::searchless::{SearchlessModel, SearchlessReader};

/// The worker's models, the last one loaded at the end.
#[derive(Debug, Default)]
pub struct SearchlessServer {
    loaded: Vec<SearchlessReader>,
}

impl SearchlessServer {
    /// Reads a file and puts its model to use; where there are too many the one that was loaded first goes.
    pub fn load(&mut self, bytes: Vec<u8>) -> SearchlessReply {
        let size = bytes.len();
        let model = match SearchlessModel::read(&bytes) {
            Ok(model) => model,
            Err(error) => return refused(&error),
        };
        // Its memory is worth having while the graphs are built.
        drop(bytes);
        let description = Box::new(model.description(size));
        match SearchlessReader::new(model) {
            Ok(reader) => {
                self.loaded.retain(|own| own.model().sha256 != description.sha256);
                if self.loaded.len() >= MOST_MODELS {
                    self.loaded.remove(0);
                }
                self.loaded.push(reader);
                SearchlessReply::Loaded { model: description }
            }
            Err(error) => refused(&error),
        }
    }

    /// What a model says of each row.
    ///
    /// # Errors
    /// When there is no such model, there are too many rows, or one of them can't be read.
    pub fn read(&self, model: &str, rows: &[Vec<u16>]) -> Result<(SearchlessReply, Vec<f32>), String> {
        let reader = self.loaded.iter().find(|own| own.model().sha256 == model);
        let reader = reader.ok_or("this model is not loaded")?;
        if rows.len() > MOST_ROWS {
            return Err(format!("{} rows at once are too many", rows.len()));
        }
        let said = reader.outputs(rows).map_err(|error| error.to_string())?;
        let reply = SearchlessReply::Read {
            model: model.to_owned(),
            outputs: reader.header().outputs,
        };
        Ok((reply, said.concat()))
    }
}

fn refused(error: &dyn std::fmt::Display) -> SearchlessReply {
    let reason = error.to_string();
    SearchlessReply::Refused { reason }
}
