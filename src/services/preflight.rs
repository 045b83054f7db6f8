//! Fetching a worker's files before it is started. A worker whose script or WebAssembly comes with the wrong type, or
//! not at all, mostly hangs in silence; fetching them first finds the cause, and the worker then takes them from the
//! browser's cache.

use thiserror::Error;

use crate::browser::{
    http::{self, Answer, HttpError},
    location,
};

/// Why a worker cannot be started from its files.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PreflightError {
    /// The server did not answer.
    #[error("{path} could not be fetched: {cause}")]
    Unreachable {
        /// The file.
        path: String,
        /// What was seen.
        cause: HttpError,
    },
    /// It is not there.
    #[error("{path} is not on the server (status {status})")]
    Missing {
        /// The file.
        path: String,
        /// The HTTP status.
        status: u16,
    },
    /// It is there, but as something that the browser will not run.
    #[error("the server sends {path} as \"{found}\", and browsers run it only as \"{wanted}\"")]
    WrongType {
        /// The file.
        path: String,
        /// What its `Content-Type` says.
        found: String,
        /// What it must be.
        wanted: &'static str,
    },
    /// More comes than such a file may hold.
    #[error("{path} is larger than {} MB", limit / 1_000_000)]
    TooLarge {
        /// The file.
        path: String,
        /// The most, in bytes.
        limit: usize,
    },
}

/// What a file must be sent as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileType {
    /// JavaScript.
    Script,
    /// WebAssembly.
    Wasm,
}

impl FileType {
    const fn wanted(self) -> &'static str {
        match self {
            Self::Script => "text/javascript",
            Self::Wasm => "application/wasm",
        }
    }

    fn fits(self, found: &str) -> bool {
        let essence = found.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match self {
            Self::Script => matches!(
                essence.as_str(),
                "text/javascript" | "application/javascript" | "application/x-javascript"
            ),
            Self::Wasm => essence == "application/wasm",
        }
    }
}

/// Asks for `path`; the answer's body is still to come.
///
/// # Errors
/// When it is missing or the server does not answer.
pub(super) async fn ask(path: &str) -> Result<Answer, PreflightError> {
    let answer = http::get(&location::absolute(path))
        .await
        .map_err(|cause| unreachable(path, cause))?;
    if !(200..300).contains(&answer.status) {
        return Err(PreflightError::Missing {
            path: path.to_owned(),
            status: answer.status,
        });
    }
    Ok(answer)
}

/// The error of an answer that stays away or ends.
pub(super) fn unreachable(path: &str, cause: HttpError) -> PreflightError {
    PreflightError::Unreachable {
        path: path.to_owned(),
        cause,
    }
}

/// Fetches `path` whole and checks what it is. Returns its size in bytes.
///
/// # Errors
/// When it is missing, unreachable, or sent as the wrong type.
pub async fn fetch(path: &str, kind: FileType) -> Result<u64, PreflightError> {
    let mut answer = ask(path).await?;
    let found = answer.header("content-type").unwrap_or_default();
    if !kind.fits(&found) {
        return Err(PreflightError::WrongType {
            path: path.to_owned(),
            found,
            wanted: kind.wanted(),
        });
    }
    let mut size = 0;
    while let Some(piece) = answer.next().await.map_err(|cause| unreachable(path, cause))? {
        size += piece.len() as u64;
    }
    Ok(size)
}
