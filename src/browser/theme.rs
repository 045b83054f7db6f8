//! Light and dark.

/// Sets `data-theme` on the root element; `None` follows the system.
pub fn set_theme(theme: Option<&str>) {
    let Some(root) = super::window().document().and_then(|d| d.document_element()) else {
        return;
    };
    // Attributes of the root element can always be set.
    let _ = match theme {
        Some(name) => root.set_attribute("data-theme", name),
        None => root.remove_attribute("data-theme"),
    };
}

/// Whether the user asked for less movement.
#[must_use]
pub fn reduced_motion() -> bool {
    super::window()
        .match_media("(prefers-reduced-motion: reduce)")
        .ok()
        .flatten()
        .is_some_and(|m| m.matches())
}
