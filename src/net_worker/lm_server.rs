//! The language model in use, and what it answers, apart from how messages travel.

use super::lm_protocol::{LmReply, MOST_SEQUENCES};
use crate::lm::{LanguageModelDescription, Model, Reader};

/// The worker's language model.
#[derive(Debug, Default)]
pub struct LmServer {
    loaded: Option<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    reader: Reader,
    description: LanguageModelDescription,
}

impl LmServer {
    /// Reads a file and puts its model to use; a file that is refused leaves the model in use where it is.
    pub fn load(&mut self, bytes: Vec<u8>) -> LmReply {
        match Loaded::read(bytes) {
            Ok(loaded) => {
                let model = Box::new(loaded.description.clone());
                self.loaded = Some(loaded);
                LmReply::Loaded { model }
            }
            Err(reason) => LmReply::Refused { reason },
        }
    }

    /// What comes after each sequence.
    ///
    /// # Errors
    /// When there is no model, there are too many sequences, or one of them can't be read.
    pub fn next(&mut self, sequences: &[Vec<u8>]) -> Result<(LmReply, Vec<f32>), String> {
        let loaded = self.loaded.as_mut().ok_or("no language model is loaded yet")?;
        if sequences.len() > MOST_SEQUENCES {
            return Err(format!("{} texts at once are too many", sequences.len()));
        }
        let vocabulary = loaded.description.header.vocabulary;
        let mut all = Vec::with_capacity(sequences.len() * vocabulary);
        for sequence in sequences {
            all.extend(loaded.reader.next(sequence).map_err(|error| error.to_string())?);
        }
        let model = loaded.description.sha256.clone();
        Ok((LmReply::Next { model, vocabulary }, all))
    }
}

impl Loaded {
    fn read(bytes: Vec<u8>) -> Result<Self, String> {
        let model = Model::read(&bytes).map_err(|error| error.to_string())?;
        let description = model.description(bytes.len());
        // Its memory is worth having while the graph is built.
        drop(bytes);
        let reader = Reader::new(model).map_err(|error| error.to_string())?;
        Ok(Self { reader, description })
    }
}
