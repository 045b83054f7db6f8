//! WebAssembly that is compiled once on the page and run in several workers.

use std::{cell::RefCell, collections::HashMap};

use js_sys::{Promise, WebAssembly};
use thiserror::Error;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::js_message;

/// The browser could not fetch or compile it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("could not be compiled ({0})")]
pub struct CompileError(String);

/// A compiled program. Copies are of the same one.
#[derive(Debug, Clone)]
pub struct Compiled(JsValue);

impl Compiled {
    /// The value that goes into a message: the program itself is shared.
    #[must_use]
    pub const fn value(&self) -> &JsValue {
        &self.0
    }
}

thread_local! {
    /// What is compiled or being compiled, by its address.
    static KNOWN: RefCell<HashMap<String, Promise>> = RefCell::default();
}

/// Begins to compile the program at `url` (relative to the page), unless that was done before.
fn begin(url: &str) -> Promise {
    KNOWN.with_borrow_mut(|known| {
        let compile = || WebAssembly::compile_streaming(&super::window().fetch_with_str(url));
        known.entry(url.to_owned()).or_insert_with(compile).clone()
    })
}

/// The compiled program. It is compiled in the background: the page goes on, and who starts a worker need not wait for one after the
/// other, where [`fetch`] is called first and awaited later.
///
/// # Errors
/// When it can't be fetched, is sent as something else or can't be compiled; it is tried again by the next call.
pub fn fetch(url: &str) -> impl Future<Output = Result<Compiled, CompileError>> + use<> {
    let (compiling, url) = (JsFuture::from(begin(url)), url.to_owned());
    async move {
        compiling.await.map(Compiled).map_err(|error| {
            KNOWN.with_borrow_mut(|known| known.remove(&url));
            CompileError(js_message(&error))
        })
    }
}
