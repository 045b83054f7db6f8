//! The shape that an answer must have.

use serde_json::Value;

/// What an answer must look like: each provider is told in its own words ([`super::ChatRequest::body`]). Whoever asks reads
/// the answer as carefully as any other: a server may ignore the schema, or refuse it and be asked again without it.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerSchema {
    /// What the answer is called: letters and underscores, as all providers take it.
    pub name: &'static str,
    /// What it is, in a sentence for the model.
    pub description: &'static str,
    /// Its JSON schema, an object's.
    pub schema: Value,
}
