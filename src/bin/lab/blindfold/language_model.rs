//! Models of our own format, from `--lm`.

use std::{error::Error, path::PathBuf};

use kibitz::{
    blindfold::{
        grade::Answer,
        model_player::notation_of,
        notation::Notation,
        perplexity::Logits,
        probe::{Probe, Question},
        ranked::answer,
        run_file::BlindPlayerKind,
        token::Token,
    },
    lm::{Model, ReadError, Reader},
};

use super::super::survey_input::bytes;

/// A model's file, and what it is called where that is not what its header says.
#[derive(Debug, Clone)]
pub struct LmSpec {
    name: Option<String>,
    path: PathBuf,
}

/// Reads `FILE` or `NAME=FILE`.
pub fn lm_spec(text: &str) -> Result<LmSpec, String> {
    let (name, path) = match text.split_once('=') {
        Some((name, path)) => (Some(name.trim().to_owned()), path),
        None => (None, text),
    };
    if path.is_empty() || name.as_deref() == Some("") {
        return Err("a language model is given as FILE or NAME=FILE".to_owned());
    }
    Ok(LmSpec {
        name,
        path: path.into(),
    })
}

/// A model that can be asked. A clone reads for itself.
#[derive(Debug, Clone)]
pub struct LanguageModel {
    /// The name in tables.
    pub name: String,
    /// What it is.
    pub kind: BlindPlayerKind,
    /// How the games were written that it learned from.
    pub notation: Notation,
    reader: Reader,
}

impl LmSpec {
    /// Reads the file and makes the model ready.
    pub fn load(&self) -> Result<LanguageModel, Box<dyn Error>> {
        let file = bytes(&self.path)?;
        let at = |what: &dyn std::fmt::Display| format!("{}: {what}", self.path.display());
        let model = Model::read(&file).map_err(|error| at(&error))?;
        let description = model.description(file.len());
        let notation = notation_of(&description.header).map_err(|error| at(&error))?;
        let kind = BlindPlayerKind::of_model(&description).map_err(|error| at(&error))?;
        let called = [self.name.as_ref(), Some(&description.header.name)];
        let name = called.into_iter().flatten().find(|name| !name.is_empty());
        let name = name.ok_or_else(|| at(&"its header gives no name: give one with NAME=FILE"))?;
        Ok(LanguageModel {
            name: name.clone(),
            kind,
            notation,
            reader: Reader::new(model).map_err(|error| at(&error))?,
        })
    }
}

impl LanguageModel {
    /// Its answer to a question.
    pub fn answer(&mut self, probe: &Probe, question: &Question) -> Result<Answer, ReadError> {
        let tokens = probe.tokens(self.notation, question);
        let next = self.reader.next(&numbers(&tokens))?;
        Ok(answer(&logits(&next)?, question))
    }

    /// What it expects after each token but the last.
    pub fn foresees(&mut self, tokens: &[Token]) -> Result<Vec<Logits>, ReadError> {
        let known = tokens.len().saturating_sub(1);
        let found = self.reader.logits(&numbers(&tokens[..known]), 0)?;
        found.iter().map(|row| logits(row)).collect()
    }
}

fn numbers(tokens: &[Token]) -> Vec<u8> {
    tokens.iter().map(|token| token.number()).collect()
}

/// A model of another vocabulary has been refused by then.
fn logits(row: &[f32]) -> Result<Logits, ReadError> {
    row.try_into().map_err(|_| ReadError::NotNumbers)
}
