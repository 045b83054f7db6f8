//! The demonstration for raters. Its comments are the narrator's, whose code a rater's page does without until then.

use leptos::wasm_split::{SplitLoaderError, wasm_split};
use thiserror::Error;

use crate::survey::{Study, demonstration::demonstration, study::ShownError};

/// There is no demonstration.
#[derive(Debug, Error)]
pub enum NoDemonstration {
    /// Its code did not come.
    #[error("The demonstration could not be fetched. Is the network there? Try again.")]
    NotFetched,
    /// Its own positions are not right.
    #[error(transparent)]
    Faulty(#[from] ShownError),
}

impl From<SplitLoaderError> for NoDemonstration {
    fn from(_: SplitLoaderError) -> Self {
        Self::NotFetched
    }
}

/// Makes it.
///
/// # Errors
///
/// When its code could not be fetched.
#[wasm_split(study, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn fetch_demonstration() -> Result<Study, NoDemonstration> {
    Ok(demonstration()?)
}
