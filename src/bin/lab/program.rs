//! Which program made a file.

/// This program with its version, and the commit where the build was told it (`KIBITZ_COMMIT`, as container builds do).
pub fn program() -> String {
    let version = concat!("kibitz ", env!("CARGO_PKG_VERSION"));
    match option_env!("KIBITZ_COMMIT").filter(|commit| !commit.is_empty()) {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    }
}
