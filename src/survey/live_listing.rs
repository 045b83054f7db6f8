//! The list of files at an address: what nginx's `autoindex_format json` sends, or a JSON array of names or addresses.

use percent_encoding::utf8_percent_encode;
use serde::Deserialize;
use thiserror::Error;

use super::{collection::PLAIN, foreign_text::clipped};
use crate::llm::{
    BaseUrlError,
    base_url::{page_may_call, server},
};

/// Files that are fetched at most.
pub const MOST_FILES: usize = 2_000;

/// The largest list that is read, in bytes.
pub const MAX_LISTING_BYTES: usize = 1_000_000;

/// The largest file that is fetched, in bytes: the paper's 250 pages make 0.4 MB.
pub const MAX_FILE_BYTES: usize = 16_000_000;

/// A file at the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name, for people.
    pub name: String,
    /// Where it is.
    pub address: String,
    /// Changes when the file does, where the list says; else `None`, and the file is fetched each time.
    pub version: Option<String>,
}

/// Why there is no list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListingError {
    /// Not an address that this page may call.
    #[error("The address must begin with https://, or with http://localhost or http://127.0.0.1.")]
    Address,
    /// `user:password@host`.
    #[error("The address has a user name or password in it: leave them out.")]
    Credentials,
    /// Not a JSON array of the right kind.
    #[error(
        "The address sends no list: expected a JSON array of names, such as nginx's “autoindex_format json” makes. {0}"
    )]
    Shape(String),
    /// Too many files.
    #[error("The list has {0} files, more than the {MOST_FILES} that are fetched.")]
    TooMany(usize),
    /// A file of another server, or outside the folder.
    #[error("The list names “{0}”, which is not below the address: nothing was fetched.")]
    Elsewhere(String),
}

/// The address of a list as the researcher types it.
///
/// # Errors
/// Where this page may not call it.
pub fn read_address(text: &str) -> Result<String, ListingError> {
    let text = text.trim();
    let path = text.split('?').next().unwrap_or_default();
    match page_may_call(path) {
        Ok(true) if !text.contains(char::is_whitespace) && !text.contains('#') => Ok(text.to_owned()),
        Err(BaseUrlError::Credentials) => Err(ListingError::Credentials),
        _ => Err(ListingError::Address),
    }
}

/// An entry of a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Name(String),
    Nginx {
        name: String,
        #[serde(default, rename = "type")]
        kind: String,
        #[serde(default)]
        mtime: String,
        #[serde(default)]
        size: u64,
    },
}

/// The files in a list that was fetched from `address`: those that end in `.json` or `.jsonl`. Folders are not looked into.
///
/// # Errors
/// Where it is no list, is too long, or names something elsewhere.
pub fn read_listing(text: &str, address: &str) -> Result<Vec<Listed>, ListingError> {
    let shape = |error: serde_json::Error| ListingError::Shape(clipped(&error.to_string()));
    let entries: Vec<Entry> = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(shape)?;
    if entries.len() > MOST_FILES {
        return Err(ListingError::TooMany(entries.len()));
    }
    let mut files = Vec::new();
    for entry in entries {
        let (name, version) = match entry {
            Entry::Nginx { kind, .. } if kind == "directory" => continue,
            Entry::Nginx { name, mtime, size, .. } => (name, (!mtime.is_empty()).then(|| format!("{mtime} {size}"))),
            Entry::Name(name) => (name, None),
        };
        let path = name.split('?').next().unwrap_or_default().to_ascii_lowercase();
        if path.ends_with(".json") || path.ends_with(".jsonl") {
            files.push(Listed {
                address: beside(address, &name)?,
                name: clipped(name.rsplit('/').next().unwrap_or_default()),
                version,
            });
        }
    }
    Ok(files)
}

/// The address of a file that a list at `address` names.
fn beside(address: &str, name: &str) -> Result<String, ListingError> {
    let elsewhere = || ListingError::Elsewhere(clipped(name));
    let path = |address: &str| address.split('?').next().unwrap_or_default().to_owned();
    if name.contains("://") {
        let own = read_address(name).map_err(|_| elsewhere())?;
        let same = server(&path(&own))
            .ok()
            .is_some_and(|found| Some(found) == server(&path(address)).ok());
        return same.then_some(own).ok_or_else(elsewhere);
    }
    let mut parts = Vec::new();
    for part in name.split('/') {
        // A browser takes “..” in a path for the folder above.
        if part.is_empty() || part.bytes().all(|byte| byte == b'.') {
            return Err(elsewhere());
        }
        parts.push(utf8_percent_encode(part, PLAIN).to_string());
    }
    let path = path(address);
    let scheme = path.find("://").map_or(0, |at| at + 3);
    let folder = match path[scheme..].rfind('/') {
        Some(at) => &path[..=scheme + at],
        None => &path,
    };
    let slash = if folder.ends_with('/') { "" } else { "/" };
    Ok(format!("{folder}{slash}{}", parts.join("/")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const AT: &str = "https://results.example.org/study-1/";

    fn addresses(text: &str) -> Result<Vec<String>, ListingError> {
        Ok(read_listing(text, AT)?.into_iter().map(|file| file.address).collect())
    }

    #[test]
    fn lists_of_nginx_and_of_names_are_read() {
        let nginx = r#"[
            {"name": "old", "type": "directory", "mtime": "Mon, 23 Nov 2026 10:00:00 GMT"},
            {"name": "R1-a b.json", "type": "file", "mtime": "Mon, 23 Nov 2026 10:00:00 GMT", "size": 812},
            {"name": "notes.txt", "type": "file", "mtime": "Mon, 23 Nov 2026 10:00:00 GMT", "size": 3}
        ]"#;
        let found = read_listing(nginx, AT).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].address, "https://results.example.org/study-1/R1-a%20b.json");
        assert_eq!(found[0].version.as_deref(), Some("Mon, 23 Nov 2026 10:00:00 GMT 812"));
        assert_eq!(
            addresses(r#"["R1.json", "sub/R2.jsonl", "https://results.example.org/elsewhere/R3.json?v=1"]"#),
            Ok(vec![
                format!("{AT}R1.json"),
                format!("{AT}sub/R2.jsonl"),
                "https://results.example.org/elsewhere/R3.json?v=1".to_owned()
            ])
        );
        let index = "https://results.example.org/list.json?x=1";
        assert_eq!(
            read_listing(r#"["a.json"]"#, index).unwrap()[0].address,
            "https://results.example.org/a.json"
        );
        let bare = read_listing(r#"["a.json"]"#, "http://localhost:8081").unwrap();
        assert_eq!(bare[0].address, "http://localhost:8081/a.json");
    }

    #[test]
    fn no_list_leads_elsewhere() {
        for name in [
            "../R1.json",
            "a/../../b.json",
            "/etc/x.json",
            "https://evil.example/R1.json",
            "ftp://x/y.json",
            "//evil.example/x.json",
        ] {
            assert_eq!(
                addresses(&format!("[{name:?}]")),
                Err(ListingError::Elsewhere(name.to_owned())),
                "{name}"
            );
        }
        assert!(matches!(addresses("<html>"), Err(ListingError::Shape(_))));
        assert!(matches!(addresses("{\"a\": 1}"), Err(ListingError::Shape(_))));
        let many = format!("[{}]", vec!["\"a.json\""; MOST_FILES + 1].join(","));
        assert_eq!(addresses(&many), Err(ListingError::TooMany(MOST_FILES + 1)));
    }

    #[test]
    fn addresses_are_those_that_the_page_may_call() {
        for good in [AT, "http://localhost:8081/x/", "http://127.0.0.1/index.json?t=1"] {
            assert_eq!(read_address(&format!(" {good} ")), Ok(good.to_owned()));
        }
        for bad in [
            "",
            "results/",
            "ftp://x.org/",
            "http://results.example.org/",
            "javascript:alert(1)",
            "https://a b/",
        ] {
            assert_eq!(read_address(bad), Err(ListingError::Address), "{bad}");
        }
        assert_eq!(read_address("https://me:secret@x.org/"), Err(ListingError::Credentials));
    }

    proptest! {
        #[test]
        fn whatever_is_listed_is_below_the_server(text in r#"(?s)[\[\]{}"a-z:/.,?#@% ]{0,60}"#, name in "[a-z./:@%?#]{0,30}") {
            let _ = read_listing(&text, AT);
            if let Ok(found) = read_listing(&format!("[{name:?}]"), AT) {
                for file in found {
                    prop_assert!(file.address.starts_with("https://results.example.org/"), "{}", file.address);
                }
            }
        }
    }
}
