//! The address: its fragment holds the position, so that a link restores the view.

use wasm_bindgen::{JsCast, closure::Closure};

/// The fragment, with its `#`; empty when there is none.
#[must_use]
pub fn hash() -> String {
    super::window().location().hash().unwrap_or_default()
}

/// What stands before the fragment, with its `?`; empty when there is none. Recruiting sites write their raters' names here.
#[must_use]
pub fn search() -> String {
    super::window().location().search().unwrap_or_default()
}

/// Replaces the fragment without adding to the history and without an event.
pub fn replace_hash(hash: &str) {
    if let Ok(history) = super::window().history() {
        // A browser that refuses (it limits the rate) leaves an older address: harmless.
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(hash));
    }
}

/// Puts another fragment behind the one that is shown: the browser's Back leads to that. No event comes of it.
pub fn push_hash(hash: &str) {
    if let Ok(history) = super::window().history() {
        // A browser that refuses (it limits the rate) leaves an older address: harmless.
        let _ = history.push_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(hash));
    }
}

/// The whole address without its fragment.
#[must_use]
pub fn base() -> String {
    let href = super::window().location().href().unwrap_or_default();
    href.split('#').next().unwrap_or_default().to_owned()
}

/// `path` made absolute against the page's address, wherever the page is served.
#[must_use]
pub fn absolute(path: &str) -> String {
    web_sys::Url::new_with_base(path, &base()).map_or_else(|_| path.to_owned(), |url| url.href())
}

/// Calls `f` with the new fragment whenever the user changes it. Lasts as long as the page.
pub fn on_hash_change(f: impl Fn(String) + 'static) {
    let listener = Closure::<dyn Fn()>::new(move || f(hash()));
    super::window().set_onhashchange(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
}

/// The page's origin, such as `https://example.org`.
#[must_use]
pub fn origin() -> String {
    super::window().location().origin().unwrap_or_default()
}

/// What the browser says of the network; true where it does not say.
#[must_use]
pub fn online() -> bool {
    super::window().navigator().on_line()
}

/// Loads the page anew.
pub fn reload() {
    // A browser that does not reload leaves the page as it is: nothing is lost by that.
    let _ = super::window().location().reload();
}

/// Goes to another fragment, as a click on a link does.
pub fn go(hash: &str) {
    // A fragment is always accepted.
    let _ = super::window().location().set_hash(hash);
}
