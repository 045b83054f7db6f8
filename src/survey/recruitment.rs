//! Raters who come from a recruiting site: by what name they are known, who is asked further, and where they go at the end.
//!
//! A site such as Prolific opens the study's link with the participant's name in it, and pays whoever comes back with the
//! study's code. All of that is in the study file and in the link; no server of ours has a part in it.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{foreign_text::is_hostile, rater_code::read_rater_code};

/// The longest name of a participant, in characters.
pub const MAX_PARTICIPANT: usize = 200;

/// How raters come and where they go.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recruitment {
    /// The parameter of the link that holds the participant's name, such as `PROLIFIC_PID`. The rater types no code then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub participant: Option<String>,
    /// For raters who have answered everything.
    #[serde(skip_serializing_if = "Exit::is_none")]
    pub complete: Exit,
    /// For those whose answers on themselves do not fit the study.
    #[serde(skip_serializing_if = "Exit::is_none")]
    pub screened_out: Exit,
    /// For those who failed the questions on the instructions.
    #[serde(skip_serializing_if = "Exit::is_none")]
    pub failed_comprehension: Exit,
    /// For those who failed more silent checks than the study allows.
    #[serde(skip_serializing_if = "Exit::is_none")]
    pub failed_checks: Exit,
    /// For those who did not agree.
    #[serde(skip_serializing_if = "Exit::is_none")]
    pub declined: Exit,
}

/// What a rater is shown at an end of the study.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Exit {
    /// In place of the page's own words; empty lines part paragraphs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The code that the recruiting site asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Where the rater goes: an address with `{code}`, `{rater}` and `{participant}` in it. It is a link that the rater
    /// follows, once all answers have arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect: Option<String>,
}

/// Why raters cannot be sent to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RedirectError {
    /// It does not begin with `https://`, or `http://` on this machine.
    #[error("raters can only be sent to an address that begins with https://")]
    NotHttps,
    /// There is white space or a quotation mark in it.
    #[error("the address has a blank, a bracket or a quotation mark in it")]
    Letters,
    /// Braces around something else.
    #[error("only {{code}}, {{rater}} and {{participant}} are filled in")]
    Placeholder,
    /// A part that would let one of the placeholders choose the server.
    #[error("the server of the address must be written out")]
    Server,
    /// `{code}` without a code.
    #[error("there is no code to fill in for {{code}}")]
    NoCode,
}

impl Exit {
    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Looks whether raters can be sent there.
    ///
    /// # Errors
    /// Where they cannot.
    pub fn check(&self) -> Result<(), RedirectError> {
        let Some(address) = &self.redirect else { return Ok(()) };
        let local = ["http://127.0.0.1", "http://localhost"]
            .iter()
            .filter_map(|host| address.strip_prefix(host))
            .any(|rest| rest.starts_with([':', '/']));
        if !address.starts_with("https://") && !local {
            return Err(RedirectError::NotHttps);
        }
        let bad = |c: char| c.is_whitespace() || c.is_control() || "\"'<>\\`".contains(c);
        if address.contains(bad) {
            return Err(RedirectError::Letters);
        }
        let server = address.split_once("://").map_or("", |(_, rest)| rest);
        let server = server.split(['/', '?', '#']).next().unwrap_or_default();
        if server.is_empty() || server.contains(['{', '}', '@']) {
            return Err(RedirectError::Server);
        }
        let bare = ["{code}", "{rater}", "{participant}"]
            .iter()
            .fold(address.clone(), |address, name| address.replace(name, ""));
        if bare.contains(['{', '}']) {
            return Err(RedirectError::Placeholder);
        }
        if self.code.is_none() && address.contains("{code}") {
            return Err(RedirectError::NoCode);
        }
        Ok(())
    }

    /// Where this rater goes; `None` where the study sends nobody anywhere, or to no address that it may.
    #[must_use]
    pub fn address(&self, rater: &str, participant: Option<&str>) -> Option<String> {
        self.check().ok()?;
        let quoted = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let filled = [
            ("{code}", self.code.as_deref().unwrap_or_default()),
            ("{rater}", rater),
            ("{participant}", participant.unwrap_or(rater)),
        ];
        // In one walk, so that no value is filled into another.
        let mut rest = self.redirect.as_deref()?;
        let mut address = String::new();
        while let Some(brace) = rest.find('{') {
            address.push_str(&rest[..brace]);
            let (name, value) = filled.iter().find(|(name, _)| rest[brace..].starts_with(name))?;
            address.push_str(&quoted(value));
            rest = &rest[brace + name.len()..];
        }
        Some(address + rest)
    }
}

/// The code of a participant in the results: the participant's name where that can be one, else the beginning of its hash.
/// `None` where the name is empty, too long, or has characters that no name has.
#[must_use]
pub fn participant_code(participant: &str) -> Option<String> {
    let name = participant.trim();
    if name.is_empty() || name.chars().count() > MAX_PARTICIPANT || name.chars().any(is_hostile) || name.contains('\n')
    {
        return None;
    }
    Some(read_rater_code(name).map_or_else(
        |_| {
            let digest = Sha256::digest(name);
            let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            format!("p-{hex}")
        },
        str::to_owned,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit(redirect: &str) -> Exit {
        Exit {
            redirect: Some(redirect.to_owned()),
            code: Some("C1A B/2".to_owned()),
            text: None,
        }
    }

    #[test]
    fn raters_are_sent_to_an_address_of_the_study_alone() {
        let exit_to = |redirect: &str| exit(redirect).address("R1", Some("5f&x=1#{code}"));
        assert_eq!(
            exit_to("https://app.example.org/complete?cc={code}&who={participant}&r={rater}").as_deref(),
            Some("https://app.example.org/complete?cc=C1A%20B%2F2&who=5f%26x%3D1%23%7Bcode%7D&r=R1")
        );
        assert_eq!(
            exit_to("http://127.0.0.1:8/{rater}").as_deref(),
            Some("http://127.0.0.1:8/R1")
        );
        for (address, error) in [
            ("javascript:alert(1)", RedirectError::NotHttps),
            ("http://example.org/", RedirectError::NotHttps),
            ("http://127.0.0.1.example.org/", RedirectError::NotHttps),
            ("data:text/html,x", RedirectError::NotHttps),
            ("https://x.example.org/\"onclick=", RedirectError::Letters),
            ("https://{rater}.example.org/", RedirectError::Server),
            ("https://example.org@evil.example/", RedirectError::Server),
            ("https:///x", RedirectError::Server),
            ("https://example.org/{id}", RedirectError::Placeholder),
        ] {
            assert_eq!(exit(address).check(), Err(error), "{address}");
            assert_eq!(exit_to(address), None);
        }
        let without = Exit {
            code: None,
            ..exit("https://example.org/{code}")
        };
        assert_eq!(without.check(), Err(RedirectError::NoCode));
    }

    #[test]
    fn any_participant_has_a_code() {
        assert_eq!(
            participant_code(" 5f2b8c1d9e0a7b3c4d5e6f70 ").as_deref(),
            Some("5f2b8c1d9e0a7b3c4d5e6f70")
        );
        let hashed = participant_code("ada@example.org").unwrap();
        assert!(hashed.starts_with("p-") && hashed.len() == 18, "{hashed}");
        assert_eq!(participant_code("ada@example.org"), Some(hashed));
        assert!(participant_code("sim-001").is_some_and(|code| code.starts_with("p-")));
        for none in ["", "  ", "a\nb", "a\u{202e}b", &"x".repeat(201)] {
            assert_eq!(participant_code(none), None, "{none}");
        }
    }
}
