//! Everything the browser offers, typed: the only place that names `web_sys`. It knows nothing about chess.

pub mod built_in_model;
// It draws what `view` prepared.
#[cfg(feature = "commentary")]
pub mod chessground;
pub mod clipboard;
pub mod clock;
pub mod compiled;
// As `journal`'s, its script is a module.
#[cfg(feature = "modules")]
pub mod courier;
pub mod database;
pub mod document;
pub mod files;
pub mod focus;
pub mod folder;
pub mod held_file;
pub mod http;
// Its script is a module, which the network's worker, a classic one, cannot import.
#[cfg(feature = "modules")]
pub mod journal;
pub mod lifeline;
pub mod location;
pub mod offline;
// As `journal`'s, its script is a module.
#[cfg(feature = "modules")]
pub mod search_store;
// As `journal`'s, its script is a module.
#[cfg(feature = "modules")]
pub mod second_copy;
pub mod slices;
pub mod storage;
pub mod theme;
pub mod turns;
pub mod worker;
#[cfg(feature = "net")]
pub mod worker_scope;

use wasm_bindgen::JsValue;

/// What a thrown JavaScript value says of itself.
#[must_use]
pub fn js_message(value: &JsValue) -> String {
    if let Some(error) = value.dyn_ref::<js_sys::Error>() {
        return String::from(error.message());
    }
    value.as_string().unwrap_or_else(|| format!("{value:?}"))
}

use wasm_bindgen::JsCast;

/// The window. This module is only reached from the page, which has one.
fn window() -> web_sys::Window {
    // Reason for the panic: page code without a window cannot happen, and nothing could be shown without one.
    web_sys::window().expect("the page runs in a window")
}
