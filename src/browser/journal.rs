//! Journals that outlive the page: IndexedDB behind a few typed functions, and the lock that lets one tab write.

use js_sys::{Array, Function, Reflect};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};

#[wasm_bindgen(module = "/src/browser/journal.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = append)]
    async fn js_append(journal: &str, first: f64, head: &str, last: &str, entries: Array) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = entries)]
    async fn js_entries(journal: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = journals)]
    async fn js_journals() -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = discard)]
    async fn js_discard(journal: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = put)]
    async fn js_put(name: &str, text: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = get)]
    async fn js_get(name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = drop)]
    async fn js_drop(name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = list)]
    async fn js_list(prefix: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = hold)]
    async fn js_hold(name: &str, by_force: bool, lost: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = borrow)]
    async fn js_borrow(name: &str) -> JsValue;
    /// Asks the browser to keep this site's data when space runs low. Firefox asks its user then; nobody waits for the
    /// answer.
    pub fn persist();
}

/// Something was not kept, or not found again.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JournalError {
    /// The disk, or this site's share of it, is full.
    #[error("the disk, or this site's share of it, is full")]
    Full,
    /// The journal is not as this page left it.
    #[error("it is not as this page left it")]
    Changed,
    /// No answer in time.
    #[error("the browser's store does not answer")]
    Silent,
    /// The browser keeps nothing here; the name of its error.
    #[error("the browser does not let this page keep anything ({0})")]
    Unavailable(String),
    /// Something else, by the name of its error.
    #[error("the browser's store failed ({0})")]
    Other(String),
}

impl From<JsValue> for JournalError {
    fn from(value: JsValue) -> Self {
        let name = Reflect::get(&value, &"name".into())
            .ok()
            .and_then(|name| name.as_string())
            .unwrap_or_default();
        match name.as_str() {
            "QuotaExceededError" => Self::Full,
            "ConstraintError" => Self::Changed,
            "SecurityError" | "InvalidStateError" | "ReferenceError" | "TypeError" => Self::Unavailable(name),
            _ => Self::Other(name),
        }
    }
}

/// Adds all but the first `first` of these entries to a journal that has those; returns when they are on the disk and were
/// read back. Either all are added or none.
///
/// # Errors
/// When they are not kept; [`JournalError::Changed`] where the journal does not end with the entry before them, or does not
/// begin as these do.
pub async fn append(journal: &str, first: usize, entries: &[String]) -> Result<(), JournalError> {
    let new: Array = entries[first..].iter().map(|entry| JsValue::from_str(entry)).collect();
    let (head, last) = if first > 0 {
        (&*entries[0], &*entries[first - 1])
    } else {
        ("", "")
    };
    #[allow(clippy::cast_precision_loss)] // numbers of events
    js_append(journal, first as f64, head, last, new).await?;
    Ok(())
}

/// All entries of a journal in their order; none where there is no such journal.
///
/// # Errors
/// When the store cannot be read.
pub async fn entries(journal: &str) -> Result<Vec<String>, JournalError> {
    Ok(texts(&js_entries(journal).await?))
}

/// The names of the journals that have entries.
///
/// # Errors
/// When the store cannot be read.
pub async fn journals() -> Result<Vec<String>, JournalError> {
    Ok(texts(&js_journals().await?))
}

/// Removes a journal.
///
/// # Errors
/// When the store cannot be written.
pub async fn discard(journal: &str) -> Result<(), JournalError> {
    js_discard(journal).await?;
    Ok(())
}

/// Keeps a record, replacing the one with its name.
///
/// # Errors
/// When it is not kept.
pub async fn put(name: &str, text: &str) -> Result<(), JournalError> {
    js_put(name, text).await?;
    Ok(())
}

/// The record with this name.
///
/// # Errors
/// When the store cannot be read.
pub async fn get(name: &str) -> Result<Option<String>, JournalError> {
    Ok(js_get(name).await?.as_string())
}

/// Removes a record.
///
/// # Errors
/// When the store cannot be written.
pub async fn drop_record(name: &str) -> Result<(), JournalError> {
    js_drop(name).await?;
    Ok(())
}

/// All records whose names begin with `prefix`.
///
/// # Errors
/// When the store cannot be read.
pub async fn list(prefix: &str) -> Result<Vec<String>, JournalError> {
    Ok(texts(&js_list(prefix).await?))
}

/// Takes a lock until it is dropped or the page is left; `None` when another tab has it and `by_force` is not asked for.
/// `lost` is called when another tab takes it by force.
pub async fn hold(name: &str, by_force: bool, lost: impl Fn() + 'static) -> Option<Lease> {
    // May be called as long as the page lives.
    let lost = Closure::<dyn Fn()>::new(lost).into_js_value();
    js_hold(name, by_force, &lost).await.dyn_into().ok().map(Lease)
}

/// A lock that is given back when dropped.
#[derive(Debug)]
pub struct Lease(Function);

impl Drop for Lease {
    fn drop(&mut self) {
        // It settles a promise: there is nothing that could fail.
        let _ = self.0.call0(&JsValue::UNDEFINED);
    }
}

/// Takes a lock for a while; `None` when another tab has it.
pub async fn borrow(name: &str) -> Option<Lease> {
    js_borrow(name).await.dyn_into().ok().map(Lease)
}

pub(super) fn texts(found: &JsValue) -> Vec<String> {
    Array::from(found)
        .iter()
        .filter_map(|entry| entry.as_string())
        .collect()
}
