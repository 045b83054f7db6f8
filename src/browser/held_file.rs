//! A file whose bytes the browser holds, on a disk as a rule: it is handed on without being read, and read piece by piece.

use js_sys::{ArrayBuffer, Uint8Array};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

use super::js_message;

/// The browser could not give a file's bytes: it was changed or removed since, or there is no memory for it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the file could not be read ({0})")]
pub struct HeldFileError(String);

impl From<JsValue> for HeldFileError {
    fn from(value: JsValue) -> Self {
        Self(js_message(&value))
    }
}

/// A file that is not read yet. Copies are of the same bytes.
#[derive(Debug, Clone)]
pub struct HeldFile(Blob);

impl From<&File> for HeldFile {
    fn from(file: &File) -> Self {
        let blob: &Blob = file.as_ref();
        Self(blob.clone())
    }
}

impl HeldFile {
    /// Hands bytes over to the browser.
    ///
    /// # Errors
    /// When it has no room for them.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, HeldFileError> {
        let parts = js_sys::Array::of1(&Uint8Array::from(bytes));
        Ok(Self(Blob::new_with_u8_array_sequence(&parts)?))
    }

    /// What a message brought; `None` where it is something else.
    #[cfg(feature = "net")]
    pub(super) fn of_value(value: JsValue) -> Option<Self> {
        value.dyn_into().ok().map(Self)
    }

    pub(super) fn of_blob(blob: Blob) -> Self {
        Self(blob)
    }

    pub(super) const fn blob(&self) -> &Blob {
        &self.0
    }

    /// The value that goes into a message: the bytes stay where they are.
    #[must_use]
    pub fn value(&self) -> JsValue {
        self.0.clone().into()
    }

    /// Its size, in bytes.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a whole, positive number
    pub fn size(&self) -> u64 {
        self.0.size() as u64
    }

    /// All of it, outside our own memory.
    ///
    /// # Errors
    /// When the browser cannot read it.
    pub async fn buffer(&self) -> Result<ArrayBuffer, HeldFileError> {
        Ok(JsFuture::from(self.0.array_buffer()).await?.unchecked_into())
    }

    /// Up to `length` bytes from `from` on; fewer at its end.
    ///
    /// # Errors
    /// When the browser cannot read it.
    #[allow(clippy::cast_precision_loss)] // no file is that long
    pub async fn piece(&self, from: u64, length: u64) -> Result<Vec<u8>, HeldFileError> {
        let piece = self.0.slice_with_f64_and_f64(from as f64, (from + length) as f64)?;
        let buffer = JsFuture::from(piece.array_buffer()).await?;
        Ok(Uint8Array::new(&buffer).to_vec())
    }
}
