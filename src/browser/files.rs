//! Files in and out.

use js_sys::Uint8Array;
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, DragEvent, Event, File, FileList, HtmlAnchorElement, HtmlInputElement, Url};

use super::js_message;

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
        /// Bytes.
        size: u64,
        /// Bytes.
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
    match JsFuture::from(blob.array_buffer()).await {
        Ok(buffer) => Ok(FileBytes {
            name,
            bytes: Uint8Array::new(&buffer).to_vec(),
        }),
        Err(e) => Err(ReadFileError::Unreadable {
            name,
            reason: js_message(&e),
        }),
    }
}

/// Hands `bytes` to the user as a download with this name.
///
/// # Errors
/// When the browser does not play along.
pub fn save(name: &str, media_type: &str, bytes: &[u8]) -> Result<(), SaveError> {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(&Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options)?;
    let address = Url::create_object_url_with_blob(&blob)?;
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
