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

/// This program with its version and the commit that it was built from, as results name it: `kibitz 0.1.0 (1a2b3c4d5e6f)`.
#[must_use]
pub fn program() -> String {
    let version = concat!("kibitz ", env!("CARGO_PKG_VERSION"));
    match meta("kibitz:commit").filter(|commit| !commit.is_empty()) {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    }
}

/// Whether the page is out of sight: another tab, or a minimised window.
#[must_use]
pub fn hidden() -> bool {
    super::window().document().is_some_and(|document| document.hidden())
}
