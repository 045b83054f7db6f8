//! The files that `lab survey` reads and writes.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use kibitz::{
    file_text::NotText,
    survey::{
        Study, StudyError,
        analysis::material::ScoresError,
        merge::{Merged, Pilots, ResultsError, merge_with, read_results},
        read_study,
    },
};

use super::file_text::text_of;

/// A file that does not do.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    #[error("{path}: {error}")]
    NotText { path: PathBuf, error: NotText },
    #[error("{path}: {error}")]
    Results { path: PathBuf, error: ResultsError },
    #[error("{path}: {error}")]
    Scores { path: PathBuf, error: ScoresError },
    #[error("{path}: {error}")]
    Study { path: PathBuf, error: StudyError },
}

/// A file's bytes.
pub fn bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(|error| FileError::Io {
        path: path.to_owned(),
        error,
    })
}

/// A file's text.
pub fn text(path: &Path) -> Result<String, FileError> {
    text_of(path, &bytes(path)?).map_err(|error| FileError::NotText {
        path: path.to_owned(),
        error,
    })
}

/// The study in a file.
pub fn study(path: &Path) -> Result<Study, FileError> {
    read_study(text(path)?.as_bytes()).map_err(|error| FileError::Study {
        path: path.to_owned(),
        error,
    })
}

/// The results in files, put together.
pub fn merged(files: &[PathBuf], pilots: Pilots) -> Result<Merged, FileError> {
    let mut read = Vec::new();
    for path in files {
        let results = read_results(text(path)?.as_bytes()).map_err(|error| FileError::Results {
            path: path.clone(),
            error,
        })?;
        read.push((path.display().to_string(), results));
    }
    Ok(merge_with(read, pilots))
}

/// What an option says of pilot sessions.
pub const fn pilots(included: bool) -> Pilots {
    if included { Pilots::Included } else { Pilots::LeftOut }
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), FileError> {
    fs::write(path, text).map_err(|error| FileError::Io {
        path: path.to_owned(),
        error,
    })
}
