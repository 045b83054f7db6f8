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

/// The element that has the keyboard; none where that is the page as a whole.
#[must_use]
pub fn at() -> Option<web_sys::Element> {
    let active = super::window().document().and_then(|d| d.active_element());
    active.filter(|e| e.tag_name() != "BODY")
}

/// True when the element with this id has the keyboard.
#[must_use]
pub fn is_at(id: &str) -> bool {
    at().is_some_and(|element| element.id() == id)
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

/// True when the user is typing text or choosing from a list, so that letters and digits belong to that.
#[must_use]
pub fn in_text() -> bool {
    let active = super::window().document().and_then(|d| d.active_element());
    active.is_some_and(|e| match e.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => !matches!(e.get_attribute("type").as_deref(), Some("radio" | "checkbox")),
        _ => e.dyn_ref::<HtmlElement>().is_some_and(HtmlElement::is_content_editable),
    })
}

/// True when the keyboard has brought the focus where it is: after a click it belongs to the mouse.
#[must_use]
pub fn by_keyboard() -> bool {
    let active = super::window().document().and_then(|d| d.active_element());
    // A browser that does not know the pseudo-class shows every focus.
    active.is_some_and(|e| e.matches(":focus-visible").unwrap_or(true))
}

/// True when Enter belongs to what has the keyboard: a button, a link or a fold.
#[must_use]
pub fn on_button() -> bool {
    let active = super::window().document().and_then(|d| d.active_element());
    active.is_some_and(|e| matches!(e.tag_name().as_str(), "BUTTON" | "A" | "SUMMARY"))
}
