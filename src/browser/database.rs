//! Larger things kept between visits: network files, in the browser's cache storage, which holds bytes under names and
//! is there offline.

use js_sys::{Reflect, Uint8Array};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, CacheStorage, Response};

use super::{held_file::HeldFile, js_message};

/// Keeping, finding or forgetting something failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the browser's storage said: {0}")]
pub struct StorageError(String);

impl From<JsValue> for StorageError {
    fn from(value: JsValue) -> Self {
        Self(js_message(&value))
    }
}

const STORE: &str = "kibitz-kept";

async fn store() -> Result<Cache, StorageError> {
    let window = super::window();
    // Absent outside secure contexts, where the binding would throw.
    if !Reflect::has(&window, &"caches".into()).unwrap_or(false) {
        return Err(StorageError(
            "not available on this address (it needs https or localhost)".into(),
        ));
    }
    let caches: CacheStorage = window.caches()?;
    Ok(JsFuture::from(caches.open(STORE)).await?.unchecked_into())
}

fn address(name: &str) -> String {
    format!("/kept/{}", js_sys::encode_uri_component(name))
}

/// Keeps `bytes` under `name`, replacing what was there.
///
/// # Errors
/// When the browser keeps nothing (private mode) or its disk share is full.
pub async fn keep(name: &str, bytes: &[u8]) -> Result<(), StorageError> {
    let body = Uint8Array::from(bytes);
    let response = Response::new_with_opt_buffer_source(Some(&body.buffer()))?;
    JsFuture::from(store().await?.put_with_str(&address(name), &response)).await?;
    Ok(())
}

/// Keeps a file under `name`, replacing what was there, without reading it here.
///
/// # Errors
/// As [`keep`].
pub async fn keep_file(name: &str, file: &HeldFile) -> Result<(), StorageError> {
    let response = Response::new_with_opt_blob(Some(file.blob()))?;
    JsFuture::from(store().await?.put_with_str(&address(name), &response)).await?;
    Ok(())
}

/// The file that is kept under `name`, if any, not read yet.
///
/// # Errors
/// As [`find`].
pub async fn find_file(name: &str) -> Result<Option<HeldFile>, StorageError> {
    let found = JsFuture::from(store().await?.match_with_str(&address(name))).await?;
    let Ok(response) = found.dyn_into::<Response>() else {
        return Ok(None);
    };
    let blob = JsFuture::from(response.blob()?).await?;
    Ok(Some(HeldFile::of_blob(blob.unchecked_into())))
}

/// What is kept under `name`, if anything.
///
/// # Errors
/// When the browser's storage cannot be read.
pub async fn find(name: &str) -> Result<Option<Vec<u8>>, StorageError> {
    let found = JsFuture::from(store().await?.match_with_str(&address(name))).await?;
    let Ok(response) = found.dyn_into::<Response>() else {
        return Ok(None);
    };
    let buffer = JsFuture::from(response.array_buffer()?).await?;
    Ok(Some(Uint8Array::new(&buffer).to_vec()))
}

/// Forgets what is kept under `name`.
///
/// # Errors
/// When the browser's storage cannot be written.
pub async fn forget(name: &str) -> Result<(), StorageError> {
    JsFuture::from(store().await?.delete_with_str(&address(name))).await?;
    Ok(())
}
