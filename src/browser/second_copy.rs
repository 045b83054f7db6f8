//! Files of the browser's own, for what is kept a second time: another store than [`journal`](super::journal)'s, which is not
//! lost with it. Not every browser has it.

use js_sys::Array;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::journal::{JournalError, texts};

#[wasm_bindgen(module = "/src/browser/second_copy.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = write)]
    async fn js_write(folder: &str, name: &str, text: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = read)]
    async fn js_read(folder: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = all)]
    async fn js_all(name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = remove)]
    async fn js_remove(folder: &str, name: Option<&str>) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = hasRoom)]
    async fn js_has_room(bytes: f64) -> Result<JsValue, JsValue>;
}

/// Keeps a text in a file of a folder, in place of the one before; returns when it was read back.
///
/// # Errors
/// When it is not kept; the one before is still there then.
pub async fn write(folder: &str, name: &str, text: &str) -> Result<(), JournalError> {
    js_write(folder, name, text).await?;
    Ok(())
}

/// The files of a folder, names and texts; none where there is no such folder, or no such store.
pub async fn read(folder: &str) -> Vec<(String, String)> {
    let found = texts(&js_read(folder).await.unwrap_or_else(|_| Array::new().into()));
    let mut found = found.into_iter();
    std::iter::from_fn(|| Some((found.next()?, found.next()?))).collect()
}

/// The texts of the files with this name, of all folders.
pub async fn all(name: &str) -> Vec<String> {
    texts(&js_all(name).await.unwrap_or_else(|_| Array::new().into()))
}

/// Removes a file of a folder, or all of it. What cannot be removed can't be read either, or is not there.
pub async fn remove(folder: &str, name: Option<&str>) {
    let _ = js_remove(folder, name).await;
}

/// Whether so many bytes have room; true where that cannot be tried.
pub async fn has_room(bytes: usize) -> bool {
    #[allow(clippy::cast_precision_loss)] // some megabytes
    js_has_room(bytes as f64).await.is_ok_and(|room| room.is_truthy())
}
