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
