//! Texts kept between visits that nobody needs to have: IndexedDB behind two typed functions.

use js_sys::Reflect;
use thiserror::Error;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen(module = "/src/browser/search_store.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = find)]
    async fn js_find(key: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = keep)]
    async fn js_keep(key: &str, text: &str, most: u32) -> Result<JsValue, JsValue>;
}

/// Nothing was kept, or nothing can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SearchStoreError {
    /// The disk, or this site's share of it, is full.
    #[error("the disk, or this site's share of it, is full")]
    Full,
    /// The browser keeps nothing here; the name of its error.
    #[error("the browser's store cannot be used ({0})")]
    Unavailable(String),
}

impl From<JsValue> for SearchStoreError {
    fn from(value: JsValue) -> Self {
        let name = Reflect::get(&value, &"name".into()).ok();
        match name.and_then(|name| name.as_string()) {
            Some(name) if name == "QuotaExceededError" => Self::Full,
            name => Self::Unavailable(name.unwrap_or_default()),
        }
    }
}

/// The text under a key.
///
/// # Errors
/// When the store cannot be read.
pub async fn find(key: &str) -> Result<Option<String>, SearchStoreError> {
    Ok(js_find(key).await?.as_string())
}

/// Keeps a text under a key, and at most `most` of all: the oldest go.
///
/// # Errors
/// When it is not kept.
pub async fn keep(key: &str, text: &str, most: u32) -> Result<(), SearchStoreError> {
    js_keep(key, text, most).await?;
    Ok(())
}
