//! The user's key. It goes to the endpoint the user named and nowhere else.

use std::fmt;

/// An API key. `Debug` and `Display` never show it, and it does not serialise: whoever stores it must ask for
/// [`ApiKey::expose`] by name.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// Why a text is not a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Nothing but blanks. A server that needs no key is called without one.
    #[error("The key is empty. Leave the field blank if the server needs none.")]
    Empty,
    /// More than [`MAX_BYTES`] bytes.
    #[error("That is too long for a key ({MAX_BYTES} characters at most).")]
    TooLong,
    /// Something that cannot stand in a header, or a blank inside.
    #[error("The key has a blank, a line break or a letter outside ASCII in it. Copy it again, the key alone.")]
    Characters,
}

/// The longest key that is taken, in bytes.
pub const MAX_BYTES: usize = 4096;

/// Keys from this length on are taken out of a text wherever they stand; shorter ones (`none`, `x`: what people type
/// for a local server) only as a word of their own, or messages would become unreadable.
pub(super) const LONG: usize = 8;

/// What stands in a key's place.
pub(super) const HIDDEN: &str = "[key]";

impl ApiKey {
    /// Takes what a user pasted: blanks around it and a leading `Bearer` are dropped.
    pub fn new(pasted: &str) -> Result<Self, KeyError> {
        let mut key = pasted.trim();
        if let Some((scheme, rest)) = key.split_once(char::is_whitespace)
            && scheme.eq_ignore_ascii_case("bearer")
        {
            key = rest.trim_start();
        }
        if key.is_empty() {
            return Err(KeyError::Empty);
        }
        if key.len() > MAX_BYTES {
            return Err(KeyError::TooLong);
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::Characters);
        }
        Ok(Self(key.to_owned()))
    }

    /// The value of the `authorization` header.
    #[must_use]
    pub fn header_value(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// The key itself, for the one place that keeps it where the user asked for that.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// `text` without the key, should a server have sent it back.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        if self.0.len() >= LONG {
            return text.replace(&self.0, HIDDEN);
        }
        let mut clean = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(&self.0) {
            let end = at + self.0.len();
            let joined = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let before = rest[..at].chars().next_back().or_else(|| clean.chars().next_back());
            if joined(before) || joined(rest[end..].chars().next()) {
                clean.push_str(&rest[..end]);
            } else {
                clean.push_str(&rest[..at]);
                clean.push_str(HIDDEN);
            }
            rest = &rest[end..];
        }
        clean.push_str(rest);
        clean
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey([key])")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_is_pasted() {
        for pasted in [
            "sk-abc12345",
            "  sk-abc12345\n",
            "Bearer sk-abc12345",
            "bearer\tsk-abc12345 ",
        ] {
            assert_eq!(ApiKey::new(pasted).unwrap().header_value(), "Bearer sk-abc12345");
        }
    }

    #[test]
    fn refuses_what_cannot_stand_in_a_header() {
        assert_eq!(ApiKey::new(" \n"), Err(KeyError::Empty));
        assert_eq!(ApiKey::new("sk-a\r\nx-evil: 1"), Err(KeyError::Characters));
        assert_eq!(ApiKey::new("sk-a\u{0}b"), Err(KeyError::Characters));
        assert_eq!(ApiKey::new("sk-“abc”"), Err(KeyError::Characters));
        assert_eq!(ApiKey::new(&"k".repeat(MAX_BYTES + 1)), Err(KeyError::TooLong));
    }

    #[test]
    fn is_not_shown() {
        let key = ApiKey::new("sk-abc12345").unwrap();
        assert_eq!(format!("{key} {key:?} {:#?}", Some(&key)).matches("abc").count(), 0);
    }

    #[test]
    fn is_taken_out_of_texts() {
        let long = ApiKey::new("sk-abc12345").unwrap();
        assert_eq!(long.redact("bad 'sk-abc12345', xsk-abc12345y"), "bad '[key]', x[key]y");
        let short = ApiKey::new("one").unwrap();
        assert_eq!(short.redact("none: one, oneone «one»"), "none: [key], oneone «[key]»");
    }
}
