//! Small things kept by the browser: settings between visits (`localStorage`), and what a page that is loaded again in
//! its tab takes up where it was (`sessionStorage`).

use web_sys::Storage;

/// The value kept under `key`, if any and if the browser lets us look.
#[must_use]
pub fn read(key: &str) -> Option<String> {
    local()?.get_item(key).ok()?
}

/// Keeps `value` under `key`. False when the browser does not keep things (private mode, full disk).
pub fn write(key: &str, value: &str) -> bool {
    local().is_some_and(|s| s.set_item(key, value).is_ok())
}

/// Forgets `key`.
pub fn remove(key: &str) {
    forget(local(), key);
}

/// As [`read`], of what this tab keeps until it is closed.
#[must_use]
pub fn read_in_tab(key: &str) -> Option<String> {
    in_tab()?.get_item(key).ok()?
}

/// Keeps `value` under `key` until the tab is closed. Where that fails, as for want of room, nothing is kept: neither this nor
/// what was there before. True when it is kept.
pub fn write_in_tab(key: &str, value: &str) -> bool {
    let kept = in_tab().is_some_and(|s| s.set_item(key, value).is_ok());
    if !kept {
        forget(in_tab(), key);
    }
    kept
}

fn forget(storage: Option<Storage>, key: &str) {
    if let Some(storage) = storage {
        // Removing from a store that can't be reached changes nothing that could be reported.
        let _ = storage.remove_item(key);
    }
}

fn local() -> Option<Storage> {
    super::window().local_storage().ok()?
}

fn in_tab() -> Option<Storage> {
    super::window().session_storage().ok()?
}
