//! Where the keyboard is.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Moves the focus to the element with this id.
pub fn focus(id: &str) {
    let element = super::window().document().and_then(|d| d.get_element_by_id(id));
    if let Some(element) = element.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        // An element that takes no focus leaves it where it was.
        let _ = element.focus();
    }
}

/// True when the user is typing, choosing or pressing something, so that plain keys belong to it.
#[must_use]
pub fn in_control() -> bool {
    let active = super::window().document().and_then(|d| d.active_element());
    active.is_some_and(|e| {
        let editable = e.dyn_ref::<HtmlElement>().is_some_and(HtmlElement::is_content_editable);
        editable
            || matches!(
                e.tag_name().as_str(),
                "INPUT" | "TEXTAREA" | "SELECT" | "AUDIO" | "VIDEO"
            )
    })
}
