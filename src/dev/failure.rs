//! How a command ends when it cannot go on: one sentence that says what to do.

use std::path::{Path, PathBuf};

/// Why `cargo dev` stopped.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line was not understood.
    #[error("{0}.\n\n{help}", help = crate::help::HELP)]
    Usage(String),
    /// Something must be installed that we cannot install; the sentence says what and how.
    #[error("{0}")]
    Missing(String),
    /// Another program failed; what it printed last, if it was not already on the screen, follows.
    #[error("`{command}` failed ({how}){output}")]
    Command {
        /// The command line.
        command: String,
        /// Its exit status, or why it could not start.
        how: String,
        /// The end of its output, on lines of its own, or nothing.
        output: String,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Some checks failed; the summary above says which.
    #[error("{0}")]
    Checks(String),
}

impl Failure {
    /// The command line was not understood, because of `reason`.
    pub fn usage(reason: String) -> Failure {
        Failure::Usage(reason)
    }

    /// `path` could not be read or written.
    pub fn file(path: impl AsRef<Path>, source: std::io::Error) -> Failure {
        Failure::File {
            path: path.as_ref().to_owned(),
            source,
        }
    }
}
