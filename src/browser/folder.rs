//! A folder on the user's machine that the page may look into, where the browser has the File System Access API.

use js_sys::{Function, Promise, Reflect};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::{files::Handle, js_message};

/// How deep folders in folders are looked into.
const DEPTH: usize = 3;

/// A folder could not be looked into.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FolderError {
    /// The browser said so.
    #[error("the folder could not be read: {0}")]
    Unreadable(String),
    /// More than was asked for.
    #[error("the folder has more than {0} files")]
    TooMany(usize),
}

fn unreadable(error: &JsValue) -> FolderError {
    FolderError::Unreadable(js_message(error))
}

/// A folder that the user chose. The page may read it until it is closed.
#[derive(Debug, Clone)]
pub struct Folder(JsValue);

/// Whether the browser lets a page look into folders.
#[must_use]
pub fn available() -> bool {
    method(super::window().as_ref(), "showDirectoryPicker").is_some()
}

/// Lets the user choose a folder; `None` where they thought better of it. Only to be called from a click.
///
/// # Errors
/// When the browser does not play along.
pub async fn choose() -> Result<Option<Folder>, FolderError> {
    match call(super::window().as_ref(), "showDirectoryPicker").await {
        Ok(handle) => Ok(Some(Folder(handle))),
        Err(error) if text(&error, "name").as_deref() == Some("AbortError") => Ok(None),
        Err(error) => Err(unreadable(&error)),
    }
}

impl Folder {
    /// Its name, without what it lies in.
    #[must_use]
    pub fn name(&self) -> String {
        text(&self.0, "name").unwrap_or_default()
    }

    /// The files in it and in its folders whose names `wanted` takes.
    ///
    /// # Errors
    /// When the browser cannot read it, or there are more than `most`.
    pub async fn files(&self, most: usize, wanted: impl Fn(&str) -> bool) -> Result<Vec<Handle>, FolderError> {
        let mut found = Vec::new();
        let mut folders = vec![(self.0.clone(), 1)];
        while let Some((folder, depth)) = folders.pop() {
            let values = method(&folder, "values").ok_or_else(|| FolderError::Unreadable("it has no list".into()))?;
            let entries = values.call0(&folder).map_err(|error| unreadable(&error))?;
            loop {
                let step = call(&entries, "next").await.map_err(|error| unreadable(&error))?;
                if get(&step, "done").is_truthy() {
                    break;
                }
                let entry = get(&step, "value");
                if text(&entry, "kind").as_deref() == Some("directory") {
                    if depth < DEPTH {
                        folders.push((entry, depth + 1));
                    }
                } else if text(&entry, "name").is_some_and(|name| wanted(&name)) {
                    if found.len() == most {
                        return Err(FolderError::TooMany(most));
                    }
                    // A file that is gone by now, or is just being written aside, is not there.
                    if let Ok(file) = call(&entry, "getFile").await {
                        found.push(file.unchecked_into());
                    }
                }
            }
        }
        Ok(found)
    }
}

fn get(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

fn text(of: &JsValue, name: &str) -> Option<String> {
    get(of, name).as_string()
}

fn method(of: &JsValue, name: &str) -> Option<Function> {
    get(of, name).dyn_into().ok()
}

/// Calls a method without arguments, and waits for what it promises.
async fn call(of: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    let method = method(of, name).ok_or_else(|| JsValue::from_str("not in this browser"))?;
    let promise: Promise = method.call0(of)?.dyn_into()?;
    JsFuture::from(promise).await
}
