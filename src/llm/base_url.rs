//! The address a user types for a chat server, turned into the addresses that are called.
//!
//! The reader is stricter than a browser's: only characters that every URL reader understands alike are let through, so
//! that the host judged here is the host the browser calls.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why a base URL was refused. Never repeats what stood before an `@`, in a query or in a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// The browser's own model is called without one.
    #[error("The browser’s own model has no address.")]
    NoAddress,
    /// Nothing but blanks.
    #[error("The address is empty. Give the server's base URL, such as https://api.openai.com/v1.")]
    Empty,
    /// More than [`MAX_BYTES`] bytes.
    #[error("The address is longer than {MAX_BYTES} characters.")]
    TooLong,
    /// `host/path` without `https://`.
    #[error("The address must begin with https://, or with http:// for a server on this computer or network.")]
    NoScheme,
    /// Neither http nor https.
    #[error("An address that begins with {0}:// cannot be called from a web page. Use https:// or http://.")]
    Scheme(String),
    /// `user:password@host`.
    #[error("The address has a user name or password in it. Remove the part before the @; the key has its own field.")]
    Credentials,
    /// A `?query` or `#fragment`, but for Azure's `?api-version=…`.
    #[error("The address has a ? or # in it. Give only the part before it (of Azure’s, only ?api-version= may stay).")]
    Query,
    /// No host, or one that is not plainly a name or an IP address.
    #[error(
        "The address has no readable host name. Write it in ASCII (xn--… for other scripts), or as a full IP address."
    )]
    Host,
    /// A port that is not 1–65535.
    #[error("The port in the address is not a number from 1 to 65535.")]
    Port,
    /// A blank, a backslash or another character that does not belong in a path.
    #[error("The path of the address has a character that does not belong there (a blank, a backslash or the like).")]
    Path,
    /// Plain http to a host that is not on this computer or network.
    #[error("http://{host} would carry your key and text unencrypted across the internet. Use https://{host}.")]
    PlainHttp {
        /// The host, without port.
        host: String,
    },
}

/// The longest base URL that is read, in bytes.
pub const MAX_BYTES: usize = 2048;

/// How far away a host is, by its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// This computer: `localhost`, 127.0.0.0/8, `::1`, and the "any" addresses that servers print when they start.
    Loopback,
    /// This network: private, link-local and carrier-shared (100.64.0.0/10, overlay networks) addresses, names without
    /// a dot, and the suffixes `.local`, `.lan`, `.internal`, `.home.arpa`.
    Private,
    /// Anything else.
    Public,
}

/// What an API has below its base URL. Without slashes where nothing else is said.
pub(super) struct Paths {
    /// Where questions go.
    pub(super) chat: &'static str,
    /// Where texts go that are to be gone on with, where the API has such a place.
    pub(super) completions: Option<&'static str>,
    /// Where the models are listed.
    pub(super) models: &'static str,
    /// The path, with its slash, where the user typed none.
    pub(super) instead_of_none: &'static str,
    /// Ends, with their slash, that people type along and that are taken off again.
    pub(super) typed_along: &'static [&'static str],
}

/// The address of one of the `paths` under `base`.
pub(super) fn under(base: &str, paths: &Paths, leaf: impl Fn(&Paths) -> &'static str) -> Result<String, BaseUrlError> {
    let base = Base::read(base)?;
    let trimmed = trimmed_path(base.path, paths.typed_along);
    let (path, leaf) = (trimmed, leaf(paths));
    let (path, version) = match base.azure() {
        None => (if path.is_empty() { paths.instead_of_none } else { path }, None),
        // The way of 2025, without versions and with the model in the body.
        Some(_) if base.version.is_none() && paths.completions.is_some() && matches!(path, "" | "/openai") => {
            ("/openai/v1", None)
        }
        Some(Azure::Deployment) => (
            // The models are the resource's, not the deployment's.
            path.find(DEPLOYMENTS)
                .filter(|_| leaf == paths.models)
                .map_or(path, |at| &path[..at + "/openai".len()]),
            Some(base.version.unwrap_or(AZURE_VERSION)),
        ),
        Some(Azure::Host) if base.path.trim_end_matches('/') == "/models" => ("/models", base.version),
        Some(Azure::Host) => (path, base.version),
    };
    let query = version
        .map(|version| format!("?{API_VERSION}{version}"))
        .unwrap_or_default();
    Ok(format!("{}://{}{path}/{leaf}{query}", base.scheme, base.authority))
}

/// Whether the server is Azure's, which wants the key in a header of its own.
pub(super) fn is_azure(base: &str) -> bool {
    Base::read(base).is_ok_and(|base| base.azure().is_some())
}

/// The one query that is let through: a key never stands in an address.
const API_VERSION: &str = "api-version=";
/// The version of Azure's API that is asked for where none was typed: the last one of the way with deployments.
const AZURE_VERSION: &str = "2024-10-21";
/// What stands in the path before a deployment's name.
const DEPLOYMENTS: &str = "/openai/deployments/";

/// What shows that a server is Azure's. Source: Azure OpenAI's REST API reference.
enum Azure {
    /// Its path, behind whatever gateway.
    Deployment,
    /// Its host.
    Host,
}

/// How far away the host of `base` is.
pub fn reach(base: &str) -> Result<Reach, BaseUrlError> {
    Ok(Base::read(base)?.reach)
}

/// `scheme://host:port` of `base`, for messages.
pub fn server(base: &str) -> Result<String, BaseUrlError> {
    let base = Base::read(base)?;
    Ok(format!("{}://{}", base.scheme, base.authority))
}

/// Whether the page's policy (`connect-src` in `src/dev/headers.rs`) lets it call the host of `base`: any over https,
/// over plain http only this computer by its two usual names. A policy cannot name private networks or IPv6 addresses.
pub fn page_may_call(base: &str) -> Result<bool, BaseUrlError> {
    let base = Base::read(base)?;
    let (host, _) = split_port(&base.authority)?;
    Ok(base.scheme == "https" || matches!(host, "localhost" | "127.0.0.1"))
}

struct Base<'a> {
    scheme: &'static str,
    authority: String,
    path: &'a str,
    /// Azure's `api-version`.
    version: Option<&'a str>,
    reach: Reach,
}

impl<'a> Base<'a> {
    fn azure(&self) -> Option<Azure> {
        let host = split_port(&self.authority).map_or("", |(host, _)| host);
        let hosts = [
            ".openai.azure.com",
            ".services.ai.azure.com",
            ".cognitiveservices.azure.com",
        ];
        if self.path.contains(DEPLOYMENTS) {
            Some(Azure::Deployment)
        } else if hosts.iter().any(|end| host.ends_with(end)) {
            Some(Azure::Host)
        } else {
            None
        }
    }

    fn read(base: &'a str) -> Result<Self, BaseUrlError> {
        let base = base.trim();
        if base.is_empty() {
            return Err(BaseUrlError::Empty);
        }
        if base.len() > MAX_BYTES {
            return Err(BaseUrlError::TooLong);
        }
        let (scheme, rest) = base.split_once("://").ok_or(BaseUrlError::NoScheme)?;
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "https" => "https",
            "http" => "http",
            other if !other.is_empty() && other.len() <= 12 && other.bytes().all(|b| b.is_ascii_alphabetic()) => {
                return Err(BaseUrlError::Scheme(other.to_owned()));
            }
            _ => return Err(BaseUrlError::NoScheme),
        };
        let (rest, version) = match rest.split_once('?') {
            None => (rest, None),
            Some((rest, query)) => {
                let version = query.strip_prefix(API_VERSION).ok_or(BaseUrlError::Query)?;
                let plain = version
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
                let short = (1..=24).contains(&version.len());
                (rest, Some(version).filter(|_| plain && short))
            }
        };
        if rest.contains('#') || (base.contains('?') && version.is_none()) {
            return Err(BaseUrlError::Query);
        }
        let (authority, path) = rest.split_at(rest.find(['/', '\\']).unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err(BaseUrlError::Credentials);
        }
        if !path.bytes().all(belongs_in_path) {
            return Err(BaseUrlError::Path);
        }
        let authority = authority.to_ascii_lowercase();
        let (host, port) = split_port(&authority)?;
        if port.is_some_and(|port| !matches!(port.parse::<u16>(), Ok(1..)) || !port.bytes().all(|b| b.is_ascii_digit()))
        {
            return Err(BaseUrlError::Port);
        }
        let reach = host_reach(host)?;
        if scheme == "http" && reach == Reach::Public {
            return Err(BaseUrlError::PlainHttp { host: host.to_owned() });
        }
        Ok(Self {
            scheme,
            path,
            version,
            reach,
            authority,
        })
    }
}

fn belongs_in_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:@".contains(&byte)
}

fn trimmed_path<'a>(path: &'a str, typed_along: &[&str]) -> &'a str {
    let path = path.trim_end_matches('/');
    let stem = typed_along.iter().find_map(|end| path.strip_suffix(end));
    stem.map_or(path, |stem| stem.trim_end_matches('/'))
}

/// Splits `host:port`, minding the colons of a bracketed IPv6 address.
fn split_port(authority: &str) -> Result<(&str, Option<&str>), BaseUrlError> {
    let colon = match authority.strip_prefix('[') {
        Some(inner) => {
            let end = inner.find(']').ok_or(BaseUrlError::Host)? + 2;
            match authority.as_bytes().get(end) {
                None => None,
                Some(b':') => Some(end),
                Some(_) => return Err(BaseUrlError::Host),
            }
        }
        None => authority.find(':'),
    };
    Ok(match colon {
        Some(at) => (&authority[..at], Some(&authority[at + 1..])),
        None => (authority, None),
    })
}

fn host_reach(host: &str) -> Result<Reach, BaseUrlError> {
    if let Some(inner) = host.strip_prefix('[') {
        let address: Ipv6Addr = inner.trim_end_matches(']').parse().map_err(|_| BaseUrlError::Host)?;
        return Ok(address_reach(address.to_canonical()));
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    let well_formed = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    if !name.split('.').all(well_formed) {
        return Err(BaseUrlError::Host);
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    // Browsers read a host whose last label is a number as IPv4 in odd spellings (127.1, 0x7f.1): only the plain one.
    if last.bytes().all(|b| b.is_ascii_digit()) || last.starts_with("0x") {
        let address: Ipv4Addr = host.parse().map_err(|_| BaseUrlError::Host)?;
        return Ok(address_reach(IpAddr::V4(address)));
    }
    let under = |suffix: &str| name.strip_suffix(suffix).is_some_and(|stem| stem.ends_with('.'));
    Ok(if name == "localhost" || under("localhost") {
        Reach::Loopback
    } else if !name.contains('.') || ["local", "lan", "internal", "home.arpa"].into_iter().any(under) {
        Reach::Private
    } else {
        Reach::Public
    })
}

fn address_reach(address: IpAddr) -> Reach {
    let private = match address {
        IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            v4.is_private() || v4.is_link_local() || (a == 100 && (64..128).contains(&b))
        }
        IpAddr::V6(v6) => v6.is_unique_local() || v6.is_unicast_link_local(),
    };
    if address.is_loopback() || address.is_unspecified() {
        Reach::Loopback
    } else if private {
        Reach::Private
    } else {
        Reach::Public
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Provider;
    use proptest::prelude::*;

    /// `tests/data/llm-wire/base_urls.tsv`: base, what `chat_url` makes of it or the error's variant, reach.
    #[test]
    fn reads_the_addresses_people_type() {
        let table = include_str!("../../tests/data/llm-wire/base_urls.tsv");
        let mut rows = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let (base, expected, far) = (
                fields.next().unwrap(),
                fields.next().unwrap(),
                fields.next().unwrap_or("-"),
            );
            match Provider::OpenAi.chat_url(base) {
                Ok(url) => {
                    assert_eq!(url, expected, "{base}");
                    assert_eq!(format!("{:?}", reach(base).unwrap()), far, "{base}");
                    // What came out goes in again unchanged.
                    assert_eq!(Provider::OpenAi.chat_url(&url).unwrap(), url);
                    let models = Provider::OpenAi.models_url(base).unwrap();
                    if !is_azure(base) {
                        assert_eq!(models.strip_suffix("models"), url.strip_suffix("chat/completions"));
                        assert_eq!(Provider::OpenAi.chat_url(&models).unwrap(), url);
                    }
                }
                Err(error) => {
                    let name = format!("{error:?}");
                    assert_eq!(name.split([' ', '(']).next().unwrap(), expected, "{base}: {error}");
                }
            }
            rows += 1;
        }
        assert!(rows > 40, "{rows} rows");
    }

    #[test]
    fn plain_http_says_why() {
        let error = Provider::OpenAi.chat_url("http://llm.example.org:8080/v1").unwrap_err();
        assert_eq!(
            error.to_string(),
            "http://llm.example.org would carry your key and text unencrypted across the internet. \
             Use https://llm.example.org."
        );
    }

    #[test]
    fn errors_do_not_repeat_secrets() {
        for base in [
            "https://me:sk-secret@x.org",
            "https://x.org/v1?key=sk-secret",
            "https://x.org/v1?api-version=1&key=sk-secret",
            "https://x.org/v1?api-key=sk-secret",
            "https://x.org/v1?api-version=sk-secret-that-is-longer-than-any-version",
            "sk-secret",
            "sk-secret://x",
        ] {
            let error = Provider::OpenAi.chat_url(base).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
        }
    }

    #[test]
    fn the_page_may_call_what_its_policy_names() {
        for (base, may) in [
            ("https://192.168.1.5:8080", true),
            ("http://localhost:8080/v1", true),
            ("http://127.0.0.1", true),
            ("http://192.168.1.5:8080", false),
            ("http://box.local:8080", false),
            ("http://[::1]:8080", false),
            ("http://0.0.0.0:8080", false),
        ] {
            assert_eq!(page_may_call(base), Ok(may), "{base}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(base in ".*", host in "[a-z0-9.:\\[\\]%@\\\\-]{0,20}") {
            let _ = Provider::OpenAi.chat_url(&base);
            let _ = Provider::OpenAi.models_url(&format!("http://{host}/v1"));
        }

        #[test]
        fn plain_http_never_reaches_a_public_address(a: u8, b: u8, c: u8, d: u8) {
            let address = Ipv4Addr::new(a, b, c, d);
            let result = Provider::OpenAi.chat_url(&format!("http://{address}:8080"));
            let near = [10, 127].contains(&a) || [a, b] == [192, 168] || [a, b] == [169, 254]
                || (a == 172 && b & 0xf0 == 16) || (a == 100 && b & 0xc0 == 64) || address.is_unspecified();
            prop_assert_eq!(result.is_ok(), near);
        }
    }
}
