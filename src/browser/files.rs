//! Files in and out.

use js_sys::Uint8Array;
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, DragEvent, Event, File, FileList, HtmlAnchorElement, HtmlInputElement, Url};

use super::js_message;
use crate::{
    file_text::{FileText, NotText, read_text_at},
    pace::Pace,
};

/// A file that was chosen or dropped and not read yet.
pub type Handle = File;

/// A file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadFileError {
    /// It is larger than the reader accepts.
    #[error("{name} has {size} bytes, more than the {limit} that are read")]
    TooLarge {
        /// The file's name.
        name: String,
        /// Its size, in bytes.
        size: u64,
        /// The most that is read, in bytes.
        limit: u64,
    },
    /// The browser could not read it.
    #[error("{name} could not be read: {reason}")]
    Unreadable {
        /// The file's name.
        name: String,
        /// What the browser said.
        reason: String,
    },
    /// It is read, and is no text.
    #[error("{name}: {error}")]
    NotText {
        /// The file's name.
        name: String,
        /// What it is.
        error: NotText,
    },
}

impl ReadFileError {
    /// The file's name.
    #[must_use]
    pub fn file(&self) -> &str {
        match self {
            Self::TooLarge { name, .. } | Self::Unreadable { name, .. } | Self::NotText { name, .. } => name,
        }
    }
}

/// A file could not be handed to the user.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the browser said: {0}")]
pub struct SaveError(String);

impl From<JsValue> for SaveError {
    fn from(value: JsValue) -> Self {
        Self(js_message(&value))
    }
}

/// A file as the user gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileBytes {
    /// Its name, without a folder.
    pub name: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

impl FileBytes {
    /// The text that it is.
    ///
    /// # Errors
    /// When it is none.
    pub async fn text(&self, pace: &impl Pace) -> Result<FileText, ReadFileError> {
        let read = read_text_at(&self.bytes, pace).await;
        read.map_err(|error| ReadFileError::NotText {
            name: self.name.clone(),
            error,
        })
    }
}

/// The file that an `<input type="file">` holds, taken out of it so that the same file can be chosen again.
#[must_use]
pub fn chosen(event: &Event) -> Option<File> {
    let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
    let file = input.files()?.get(0);
    input.set_value("");
    file
}

/// All files that an `<input type="file" multiple>` holds, taken out of it.
#[must_use]
pub fn all_chosen(event: &Event) -> Vec<File> {
    let input: Option<HtmlInputElement> = event.target().and_then(|target| target.dyn_into().ok());
    let Some(input) = input else { return Vec::new() };
    let files = listed(input.files());
    input.set_value("");
    files
}

/// The first file that was dropped.
#[must_use]
pub fn dropped(event: &DragEvent) -> Option<File> {
    event.data_transfer()?.files()?.get(0)
}

/// All files that were dropped; folders are not looked into.
#[must_use]
pub fn all_dropped(event: &DragEvent) -> Vec<File> {
    listed(event.data_transfer().and_then(|transfer| transfer.files()))
}

fn listed(files: Option<FileList>) -> Vec<File> {
    files.map_or_else(Vec::new, |files| {
        (0..files.length()).filter_map(|place| files.get(place)).collect()
    })
}

/// Reads a file whole, up to `limit` bytes.
///
/// # Errors
/// When it is larger, or the browser cannot read it.
pub async fn read(file: &File, limit: u64) -> Result<FileBytes, ReadFileError> {
    let name = file.name();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a file's size is a whole, positive number
    let size = file.size() as u64;
    if size > limit {
        return Err(ReadFileError::TooLarge { name, size, limit });
    }
    let blob: &Blob = file.as_ref();
    let mut bytes = Vec::with_capacity(size as usize);
    // Piece by piece: to copy all of a large file at once would hold the page up.
    while (bytes.len() as u64) < size {
        let from = bytes.len();
        let piece = async {
            let piece = blob.slice_with_f64_and_f64(from as f64, (from + PIECE) as f64)?;
            JsFuture::from(piece.array_buffer()).await
        };
        let piece = piece.await.map(|buffer| Uint8Array::new(&buffer));
        match piece {
            Ok(piece) if piece.length() > 0 => {
                bytes.resize(from + piece.length() as usize, 0);
                piece.copy_to(&mut bytes[from..]);
            }
            Ok(_) => {
                let reason = "it became shorter while it was read".to_owned();
                return Err(ReadFileError::Unreadable { name, reason });
            }
            Err(e) => {
                let reason = js_message(&e);
                return Err(ReadFileError::Unreadable { name, reason });
            }
        }
    }
    Ok(FileBytes { name, bytes })
}

/// Bytes of a file that are read in one go.
const PIECE: usize = 4 << 20;

/// A download that is written piece by piece, so that a large one does not hold the page up.
#[derive(Debug, Default)]
pub struct Pieces(js_sys::Array);

impl Pieces {
    /// Adds what follows.
    ///
    /// # Errors
    /// When the browser has no room for it.
    pub fn add(&self, bytes: &[u8]) -> Result<(), SaveError> {
        let piece = Blob::new_with_u8_array_sequence(&js_sys::Array::of1(&Uint8Array::from(bytes)))?;
        self.0.push(&piece);
        Ok(())
    }

    /// Hands it to the user with this name.
    ///
    /// # Errors
    /// When the browser does not play along.
    pub fn save(&self, name: &str, media_type: &str) -> Result<(), SaveError> {
        let options = BlobPropertyBag::new();
        options.set_type(media_type);
        hand_over(name, &Blob::new_with_blob_sequence_and_options(&self.0, &options)?)
    }
}

/// Hands `bytes` to the user as a download with this name.
///
/// # Errors
/// When the browser does not play along.
pub fn save(name: &str, media_type: &str, bytes: &[u8]) -> Result<(), SaveError> {
    let pieces = Pieces::default();
    pieces.add(bytes)?;
    pieces.save(name, media_type)
}

fn hand_over(name: &str, blob: &Blob) -> Result<(), SaveError> {
    let address = Url::create_object_url_with_blob(blob)?;
    let document = super::window()
        .document()
        .ok_or_else(|| SaveError("there is no page".into()))?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The download has taken hold of the bytes by then.
    gloo_timers::callback::Timeout::new(60_000, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
    Ok(())
}
