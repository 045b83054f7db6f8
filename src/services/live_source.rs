//! Where the results of a running study lie: a folder on this machine, files, or an address that lists them.

use std::time::Duration;

use thiserror::Error;

use super::{preflight::PreflightError, shipped::fetch_up_to};
use crate::{
    browser::{
        clock,
        files::{self, Handle, ReadFileError},
        folder::{Folder, FolderError},
    },
    survey::live_listing::{
        Listed, ListingError, MAX_FILE_BYTES, MAX_LISTING_BYTES, MOST_FILES, read_address, read_listing,
    },
};

/// How long a server may take for one file.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why nothing could be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceError {
    /// The folder.
    #[error("{0}.")]
    Folder(#[from] FolderError),
    /// The list.
    #[error("{0}")]
    Listing(#[from] ListingError),
    /// The address.
    #[error("{0}. The server must allow this page to read (CORS), and may want no password.")]
    Fetch(#[from] PreflightError),
    /// The server takes its time.
    #[error("{0} did not arrive within {secs} seconds.", secs = PATIENCE.as_secs())]
    Slow(String),
    /// A file.
    #[error("{0}.")]
    File(#[from] ReadFileError),
}

/// Where the results lie.
#[derive(Debug, Clone)]
pub enum Source {
    /// A folder.
    Folder(Folder),
    /// Files that were chosen.
    Files(Vec<Handle>),
    /// The address of a list.
    Address(String),
}

/// A file there, not read yet.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// Changes when the file does; `None` where that isn't known.
    pub version: Option<String>,
    place: Place,
}

#[derive(Debug, Clone)]
enum Place {
    Here(Handle),
    There(String),
}

impl Source {
    /// The address of a list, as it is typed.
    ///
    /// # Errors
    /// Where this page may not call it.
    pub fn address(text: &str) -> Result<Self, SourceError> {
        Ok(Self::Address(read_address(text)?))
    }

    /// Its name, for people.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Folder(folder) => format!("the folder “{}”", folder.name()),
            Self::Files(files) => format!("{} files", files.len()),
            Self::Address(address) => address.clone(),
        }
    }

    /// Whether it can be looked into again: chosen files are what they were.
    #[must_use]
    pub const fn changes(&self) -> bool {
        !matches!(self, Self::Files(_))
    }

    /// What lies there now.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn look(&self) -> Result<Vec<Found>, SourceError> {
        let here = |file: Handle| Found {
            name: file.name(),
            version: Some(format!("{} {}", file.last_modified(), file.size())),
            place: Place::Here(file),
        };
        match self {
            Self::Folder(folder) => {
                let results = |name: &str| name.ends_with(".json") || name.ends_with(".jsonl");
                let files = folder.files(MOST_FILES, results).await?;
                Ok(files.into_iter().map(here).collect())
            }
            Self::Files(files) => Ok(files.iter().take(MOST_FILES).cloned().map(here).collect()),
            Self::Address(address) => {
                let bytes = fetched(MAX_LISTING_BYTES, address).await?;
                let text = String::from_utf8_lossy(&bytes);
                let there = |Listed { name, address, version }| Found {
                    name,
                    version,
                    place: Place::There(address),
                };
                Ok(read_listing(&text, address)?.into_iter().map(there).collect())
            }
        }
    }
}

impl Found {
    /// What tells it from the other files there.
    #[must_use]
    pub fn key(&self) -> String {
        match &self.place {
            Place::Here(file) => file.name(),
            Place::There(address) => address.clone(),
        }
    }

    /// Reads it, up to [`MAX_FILE_BYTES`].
    ///
    /// # Errors
    /// Where it is gone, larger, or does not arrive.
    pub async fn read(&self) -> Result<Vec<u8>, SourceError> {
        match &self.place {
            Place::Here(file) => Ok(files::read(file, MAX_FILE_BYTES as u64).await?.bytes),
            Place::There(address) => fetched(MAX_FILE_BYTES, address).await,
        }
    }
}

async fn fetched(limit: usize, address: &str) -> Result<Vec<u8>, SourceError> {
    match clock::within(PATIENCE, fetch_up_to(limit, address, |_, _| ())).await {
        Some(bytes) => Ok(bytes?),
        None => Err(SourceError::Slow(address.to_owned())),
    }
}
