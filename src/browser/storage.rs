//! Small settings kept between visits (`localStorage`).

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
    if let Some(storage) = local() {
        // Removing from a store that can't be reached changes nothing that could be reported.
        let _ = storage.remove_item(key);
    }
}

fn local() -> Option<web_sys::Storage> {
    super::window().local_storage().ok()?
}
