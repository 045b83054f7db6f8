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

/// Whether the page is out of sight: another tab, or a minimised window.
#[must_use]
pub fn hidden() -> bool {
    super::window().document().is_some_and(|document| document.hidden())
}
