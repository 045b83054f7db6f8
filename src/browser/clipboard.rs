//! The clipboard.

use wasm_bindgen_futures::JsFuture;
use web_sys::ClipboardEvent;

/// Puts `text` on the clipboard. False when the browser refuses.
pub async fn copy(text: &str) -> bool {
    let promise = super::window().navigator().clipboard().write_text(text);
    JsFuture::from(promise).await.is_ok()
}

/// The text that is about to be pasted.
#[must_use]
pub fn pasted(event: &ClipboardEvent) -> Option<String> {
    event.clipboard_data()?.get_data("text").ok()
}
