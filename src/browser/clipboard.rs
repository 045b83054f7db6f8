//! The clipboard.

use wasm_bindgen_futures::JsFuture;

/// Puts `text` on the clipboard. False when the browser refuses.
pub async fn copy(text: &str) -> bool {
    let promise = super::window().navigator().clipboard().write_text(text);
    JsFuture::from(promise).await.is_ok()
}
