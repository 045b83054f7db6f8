//! What is said of a model's file once it has been read.

use serde::{Deserialize, Serialize};

use super::header::SearchlessHeader;

/// A model, apart from its weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchlessDescription {
    /// What its file says of it.
    pub header: SearchlessHeader,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// Of the file.
    pub bytes: usize,
}
