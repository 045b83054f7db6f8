//! An instrument: all that raters read and are asked, without the moves and comments. One JSON file,
//! `kibitz-instrument-1`, so that a published questionnaire can be pasted word for word and used in any study.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    criteria::{Criterion, Scale},
    foreign_text::clipped,
    limits::MAX_STUDY_BYTES,
    study::{Comprehension, Consent, FormField, Practice, Section, Study},
    study_file::{Fault, check_texts, placed, sentence},
};

/// The name of the format. Another number means another format, which is refused by name.
pub const INSTRUMENT_SCHEMA: &str = "kibitz-instrument-1";

/// The most faults that one message names.
const SAID: usize = 20;

/// The texts of a study as a file of their own. Its fields are those of a [`Study`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instrument {
    /// [`INSTRUMENT_SCHEMA`].
    pub schema: String,
    /// What raters see at the top.
    pub title: String,
    /// What raters agree to.
    pub consent: Consent,
    /// What raters are asked about themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub form: Vec<FormField>,
    /// What raters read before they begin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<Section>,
    /// Questions on the instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comprehension: Option<Comprehension>,
    /// The rating scales that criteria name.
    pub scales: Vec<Scale>,
    /// What every comment is rated for.
    pub criteria: Vec<Criterion>,
    /// Comments rated for practice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub practice: Vec<Practice>,
    /// The language of the texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// What the page itself says, in that language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub phrases: BTreeMap<String, String>,
}

/// A file that is no instrument to work with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InstrumentError {
    /// More than [`MAX_STUDY_BYTES`].
    #[error("This file has {0} bytes; instruments of at most {MAX_STUDY_BYTES} are read.")]
    TooLarge(usize),
    /// Bytes that are no text.
    #[error("This file is not text.")]
    NotText,
    /// Not JSON, or nested beyond all use.
    #[error("This file is not JSON: {0}.")]
    NotJson(String),
    /// JSON without a `schema`.
    #[error("This file does not say what it is: an instrument has \"schema\": \"{INSTRUMENT_SCHEMA}\".")]
    NoSchema,
    /// Another format.
    #[error("This file is a “{0}”; an instrument is a “{INSTRUMENT_SCHEMA}”.")]
    OtherSchema(String),
    /// A field is missing, unknown or of another type.
    #[error("This instrument cannot be read: {0}.")]
    Shape(String),
    /// It is read, but raters could not be asked it.
    #[error("{}", all(.0))]
    Faults(Vec<Fault>),
}

fn all(faults: &[Fault]) -> String {
    let mut sentences: Vec<String> = faults.iter().take(SAID).map(sentence).collect();
    let more = faults.len().saturating_sub(SAID);
    if more > 0 {
        sentences.push(format!("And {more} more."));
    }
    sentences.join(" ")
}

impl Instrument {
    /// The texts of a study.
    #[must_use]
    pub fn of(study: &Study) -> Self {
        Self {
            schema: INSTRUMENT_SCHEMA.to_owned(),
            title: study.title.clone(),
            consent: study.consent.clone(),
            form: study.form.clone(),
            instructions: study.instructions.clone(),
            comprehension: study.comprehension.clone(),
            scales: study.scales.clone(),
            criteria: study.criteria.clone(),
            practice: study.practice.clone(),
            language: study.language.clone(),
            phrases: study.phrases.clone(),
        }
    }

    /// Puts the texts in the place of a study's own. Its id, items, checks and options stay as they are; a planted check may
    /// then speak of a criterion that is gone, which [`check`](super::study_file::check) says.
    pub fn put_into(self, study: &mut Study) {
        study.title = self.title;
        study.consent = self.consent;
        study.form = self.form;
        study.instructions = self.instructions;
        study.comprehension = self.comprehension;
        study.scales = self.scales;
        study.criteria = self.criteria;
        study.practice = self.practice;
        study.language = self.language;
        study.phrases = self.phrases;
    }

    /// The instrument as a file: indented JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Reason for the fallback: there are only texts and whole numbers in it, so it cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// Reads an instrument and checks it.
///
/// # Errors
/// When it is no instrument of this format, or has faults: all of them with their places.
pub fn read_instrument(bytes: &[u8]) -> Result<Instrument, InstrumentError> {
    #[derive(Deserialize)]
    struct Head {
        schema: Option<serde_json::Value>,
    }
    if bytes.len() > MAX_STUDY_BYTES {
        return Err(InstrumentError::TooLarge(bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| InstrumentError::NotText)?;
    let text = text.trim_start_matches('\u{feff}');
    let head: Head = serde_json::from_str(text).map_err(|error| InstrumentError::NotJson(placed(&error)))?;
    match head.schema {
        None => return Err(InstrumentError::NoSchema),
        Some(serde_json::Value::String(name)) if name == INSTRUMENT_SCHEMA => {}
        Some(serde_json::Value::String(name)) => return Err(InstrumentError::OtherSchema(clipped(&name))),
        Some(other) => return Err(InstrumentError::OtherSchema(clipped(&other.to_string()))),
    }
    let instrument: Instrument = serde_json::from_str(text).map_err(|error| InstrumentError::Shape(placed(&error)))?;
    let mut study = super::preset::paper("instrument", "");
    instrument.clone().put_into(&mut study);
    match check_texts(&study) {
        faults if faults.is_empty() => Ok(instrument),
        faults => Err(InstrumentError::Faults(faults)),
    }
}
