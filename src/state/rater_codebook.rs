//! The codebook beside a rater's own files. It is made by the part of the page in which studies are made: few raters ask for
//! it, and the others do without that code.

use std::sync::Arc;

use leptos::wasm_split::{SplitLoaderError, wasm_split};

use crate::survey::{Study, codebook::Codebook};

/// The codebook of a study, as CSV or as Markdown.
///
/// # Errors
///
/// When its code could not be fetched.
#[wasm_split(study, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn fetch_codebook(study: Arc<Study>, csv: bool) -> Result<String, SplitLoaderError> {
    let book = Codebook::from(&*study);
    Ok(if csv { book.to_csv() } else { book.to_markdown() })
}
