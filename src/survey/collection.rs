//! Where a study's answers are sent: an address that takes files by PUT (WebDAV, S3) or rows by POST (PostgREST).
//!
//! The study file goes to every rater, so nothing in this section is a secret, and the address is one that a stranger may
//! have written: it is read as strictly as the addresses of chat servers are, by the same reader.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::foreign_text::clipped;
use crate::llm::{
    BaseUrlError,
    base_url::{page_may_call, server},
};

/// The name of this section's format, and of the rows that POST sends.
pub const COLLECTION_SCHEMA: &str = "kibitz-collection-1";

/// The name of the records that try an address: nobody's answers.
pub const TRIAL_SCHEMA: &str = "kibitz-trial-1";

/// The header that names a set: the same set has the same one whenever it is sent.
pub const KEY_HEADER: &str = "idempotency-key";

/// The longest address, in bytes; pre-signed ones are long.
pub const MAX_ADDRESS: usize = 4096;

/// The most headers, and the longest value of one in bytes.
pub const MAX_HEADERS: usize = 10;
/// See [`MAX_HEADERS`].
pub const MAX_HEADER: usize = 500;

/// What an address can be filled in with.
pub const PLACEHOLDERS: [&str; 4] = ["study", "rater", "session", "revision"];

/// Where and how answers are sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// [`COLLECTION_SCHEMA`].
    pub schema: String,
    /// The address, with [`PLACEHOLDERS`] in braces behind the host: `https://results.example.org/{study}/{rater}-{session}.json`.
    pub address: String,
    /// What is asked of the server.
    #[serde(default)]
    pub method: Verb,
    /// Headers that the server wants, such as `Prefer`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Unfinished sets are sent after so many pages, at breaks, and when the page is left; 0: only what is finished.
    #[serde(default = "ten")]
    pub every: usize,
}

const fn ten() -> usize {
    10
}

/// What is asked of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Verb {
    /// Keep this file there, in place of an older one: WebDAV, S3.
    #[default]
    #[serde(rename = "PUT")]
    Put,
    /// Take this row: PostgREST.
    #[serde(rename = "POST")]
    Post,
}

/// Why answers cannot be sent there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CollectionError {
    /// Another format.
    #[error("this is a “{0}”; this version of Kibitz sends as “{COLLECTION_SCHEMA}” says")]
    Schema(String),
    /// `http://` to another machine, or something that no page can call.
    #[error("the address must begin with https://, or with http://localhost or http://127.0.0.1 for a trial")]
    NotSafe,
    /// `user:password@host`.
    #[error("the address has a user name or password in it: every rater would have it")]
    Credentials,
    /// More than [`MAX_ADDRESS`].
    #[error("the address is longer than {MAX_ADDRESS} characters")]
    TooLong,
    /// A fragment, or a character that does not belong in an address.
    #[error("the address has a character in it that does not belong there")]
    Character,
    /// Braces around something else than a placeholder, or before the path.
    #[error(
        "“{{{0}}}” cannot be filled in there: use {{study}}, {{rater}}, {{session}} and {{revision}} behind the host"
    )]
    Placeholder(String),
    /// All raters would write one file.
    #[error("the address needs {{session}} or {{rater}} in it, or all raters would write into one file")]
    OneFile,
    /// The host cannot be read.
    #[error("{0}")]
    Host(BaseUrlError),
    /// A header that is ours or the browser's to set.
    #[error("the header “{0}” cannot be set here")]
    Header(String),
    /// A header that carries a secret.
    #[error("the header “{0}” carries a secret: every rater would have it")]
    Secret(String),
    /// Too many headers.
    #[error("there are more than {MAX_HEADERS} headers")]
    Headers,
}

/// What goes into an address unchanged.
pub(super) const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Headers that the browser or this program sets, besides those that begin with `sec-`, `proxy-` or `access-control-`.
const OURS: [&str; 14] = [
    "accept-charset",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "date",
    "dnt",
    "expect",
    "host",
    "idempotency-key",
    "origin",
    "referer",
    "transfer-encoding",
    "via",
];

impl Collection {
    /// Files by PUT to an address.
    #[must_use]
    pub fn put(address: &str) -> Self {
        Self {
            schema: COLLECTION_SCHEMA.to_owned(),
            address: address.to_owned(),
            method: Verb::Put,
            headers: BTreeMap::new(),
            every: ten(),
        }
    }

    /// Whether answers can be sent there.
    ///
    /// # Errors
    /// With the first reason why not.
    pub fn check(&self) -> Result<(), CollectionError> {
        if self.schema != COLLECTION_SCHEMA {
            return Err(CollectionError::Schema(clipped(&self.schema)));
        }
        if self.address.len() > MAX_ADDRESS {
            return Err(CollectionError::TooLong);
        }
        // Filled in with what is surely harmless, it must be an address like any other.
        let filled = fill(self.place(), |_| Some("x".to_owned()))?;
        let (path, query) = filled.split_once('?').unwrap_or((&filled, ""));
        match page_may_call(path) {
            Ok(true) => {}
            Ok(false) | Err(BaseUrlError::PlainHttp { .. } | BaseUrlError::NoScheme | BaseUrlError::Scheme(_)) => {
                return Err(CollectionError::NotSafe);
            }
            Err(BaseUrlError::Credentials) => return Err(CollectionError::Credentials),
            Err(BaseUrlError::TooLong) => return Err(CollectionError::TooLong),
            Err(BaseUrlError::Path | BaseUrlError::Query) => return Err(CollectionError::Character),
            Err(error) => return Err(CollectionError::Host(error)),
        }
        if !query.bytes().all(belongs_in_query) {
            return Err(CollectionError::Character);
        }
        let own = |name: &str| self.address.contains(name);
        // A pre-signed address is for one file; its signature is in the query.
        if self.method == Verb::Put && query.is_empty() && !own("{session}") && !own("{rater}") {
            return Err(CollectionError::OneFile);
        }
        self.check_headers()
    }

    fn check_headers(&self) -> Result<(), CollectionError> {
        if self.headers.len() > MAX_HEADERS {
            return Err(CollectionError::Headers);
        }
        for (name, value) in &self.headers {
            let token = |b: u8| b.is_ascii_alphanumeric() || b"-_".contains(&b);
            let lower = name.to_ascii_lowercase();
            let reserved = OURS.contains(&lower.as_str())
                || ["sec-", "proxy-", "access-control-"]
                    .iter()
                    .any(|start| lower.starts_with(start));
            let readable = !name.is_empty() && name.len() <= 64 && name.bytes().all(token);
            let printable = value.len() <= MAX_HEADER && value.bytes().all(|b| (0x20..0x7f).contains(&b));
            if reserved || !readable || !printable {
                return Err(CollectionError::Header(clipped(name)));
            }
            let scheme = value.split(' ').next().unwrap_or_default().to_ascii_lowercase();
            if ["authorization", "cookie"].contains(&lower.as_str()) || ["basic", "bearer"].contains(&scheme.as_str()) {
                return Err(CollectionError::Secret(clipped(name)));
            }
        }
        Ok(())
    }

    fn place(&self) -> &str {
        self.address.trim()
    }

    /// The server, as raters are shown it: `https://results.example.org`. `None` where the address cannot be used.
    #[must_use]
    pub fn server(&self) -> Option<String> {
        self.check().ok()?;
        let filled = fill(self.place(), |_| Some("x".to_owned())).ok()?;
        server(filled.split('?').next().unwrap_or_default()).ok()
    }

    /// The address of one set; `None` where it cannot be used.
    #[must_use]
    pub fn target(&self, study: &str, rater: &str, session: &str, revision: usize) -> Option<String> {
        self.check().ok()?;
        let values = [study, rater, session, &revision.to_string()].map(str::to_owned);
        fill(self.place(), |name| {
            let value = &values[PLACEHOLDERS.iter().position(|known| *known == name)?];
            // A browser takes “..” in a path for the folder above, in whatever spelling.
            let dots = value.bytes().all(|b| b == b'.');
            (!dots).then(|| utf8_percent_encode(value, PLAIN).to_string())
        })
        .ok()
    }
}

fn belongs_in_query(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:@?".contains(&byte)
}

/// Fills in what stands in braces behind the host.
fn fill(address: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, CollectionError> {
    let behind_scheme = address.find("://").map_or(0, |at| at + 3);
    let path = address[behind_scheme..]
        .find('/')
        .map_or(address.len(), |at| behind_scheme + at);
    let mut filled = String::new();
    let mut rest = address;
    while let Some(open) = rest.find(['{', '}']) {
        let at = address.len() - rest.len() + open;
        let inside = rest[open..].strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let Some((name, behind)) = inside else {
            return Err(CollectionError::Character);
        };
        let wrong = || CollectionError::Placeholder(clipped(name));
        if at < path || !PLACEHOLDERS.contains(&name) {
            return Err(wrong());
        }
        filled.push_str(&rest[..open]);
        filled.push_str(&value(name).ok_or_else(wrong)?);
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}
