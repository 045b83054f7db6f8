//! The document that holds the page.

/// The `content` of the `<meta>` with this name.
#[must_use]
pub fn meta(name: &str) -> Option<String> {
    let element = super::window()
        .document()?
        .query_selector(&format!("meta[name=\"{name}\"]"))
        .ok()??;
    element.get_attribute("content")
}

/// Removes the element with this id, if it is there.
pub fn remove(id: &str) {
    if let Some(element) = super::window().document().and_then(|d| d.get_element_by_id(id)) {
        element.remove();
    }
}
