//! The text of files that people made; what there is to know of how it was read goes to standard error.

use std::path::Path;

use kibitz::file_text::{NotText, read_text};

/// The text that bytes of a file are.
pub fn text_of(path: &Path, bytes: &[u8]) -> Result<String, NotText> {
    let read = read_text(bytes)?;
    if let Some(notice) = read.notice_on(&path.display().to_string()) {
        errln!("lab: {notice}");
    }
    Ok(read.text)
}
