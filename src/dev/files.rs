//! Files read, written, listed and digested. Errors name the file.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// The repository's root, where every command runs.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// All files below `root` (or `root`, if it is one), sorted by path.
pub fn files(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    if root.is_file() {
        return Ok(vec![root.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(root).map_err(|source| Failure::file(root, source))? {
        let path = entry.map_err(|source| Failure::file(root, source))?.path();
        found.extend(files(&path)?);
    }
    found.sort();
    Ok(found)
}

/// The address of a file below `root`: its path from there, with slashes.
pub fn address(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

/// The SHA-256 of `contents` in hexadecimal.
pub fn digest(contents: &[u8]) -> String {
    hexadecimal(&Sha256::digest(contents))
}

/// Reads a file; the error names it.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|source| Failure::file(path, source))
}

/// Writes a file; the error names it.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|source| Failure::file(path, source))
}

/// Bytes as lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
