//! What a comment is rated for, and on which scale.

use serde::{Deserialize, Serialize};

/// An ordered scale. Its points count from 1; a rating is the number of a point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// The name that criteria use.
    pub id: String,
    /// The points' labels from the lowest to the highest; an empty one shows its number alone. At least two points, at
    /// most nine: each has a key.
    pub points: Vec<String>,
}

/// Something that every comment is rated for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Its name in the results.
    pub id: String,
    /// What raters see: "Correctness".
    pub title: String,
    /// What raters agree or disagree with.
    pub statement: String,
    /// The id of its scale.
    pub scale: String,
    /// What is asked further after some ratings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUp>,
}

/// A question asked after some ratings only, of which several answers may be ticked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowUp {
    /// Its name in the results, one row for each kind ticked.
    pub id: String,
    /// The question.
    pub question: String,
    /// After these ratings it is asked.
    pub when: Vec<u8>,
    /// After these an answer is needed before one can go on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<u8>,
    /// What can be ticked.
    pub kinds: Vec<Kind>,
    /// Whether there is an "other" with free text. It is recorded as the kind [`OTHER`].
    #[serde(default)]
    pub other: bool,
}

/// The kind under which "other" is recorded; its text is a row of its own, see [`FollowUp::text_id`].
pub const OTHER: &str = "other";

impl FollowUp {
    /// The name in the results of what was written under "other".
    #[must_use]
    pub fn text_id(&self) -> String {
        format!("{}_text", self.id)
    }

    /// Whether this kind can be ticked.
    #[must_use]
    pub fn has(&self, kind: &str) -> bool {
        (self.other && kind == OTHER) || self.kinds.iter().any(|k| k.id == kind)
    }
}

/// Something that can be ticked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// Its name in the results.
    pub id: String,
    /// What raters see.
    pub label: String,
}

impl Kind {
    /// Kinds as lines to edit, `id: label`.
    #[must_use]
    pub fn to_lines(kinds: &[Self]) -> String {
        let lines: Vec<String> = kinds
            .iter()
            .map(|kind| format!("{}: {}", kind.id, kind.label))
            .collect();
        lines.join("\n")
    }

    /// Reads lines like that; a line without a name gets one from its first words.
    #[must_use]
    pub fn from_lines(text: &str) -> Vec<Self> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines
            .map(|line| match line.split_once(':') {
                Some((id, label)) if !id.trim().contains(' ') => Self {
                    id: id.trim().to_owned(),
                    label: label.trim().to_owned(),
                },
                _ => Self {
                    id: short_name(line),
                    label: line.to_owned(),
                },
            })
            .collect()
    }
}

/// A name for the results, from the first three words of a text.
fn short_name(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.take(3).map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_edited_as_lines() {
        let kinds = Kind::from_lines(
            "tactical: It misses, or invents, tactics\n\n Something: else: here \nIt names a wrong square: e4",
        );
        let found: Vec<(&str, &str)> = kinds
            .iter()
            .map(|kind| (kind.id.as_str(), kind.label.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("tactical", "It misses, or invents, tactics"),
                ("Something", "else: here"),
                ("it-names-a", "It names a wrong square: e4"),
            ]
        );
        assert_eq!(Kind::from_lines(&Kind::to_lines(&kinds)), kinds);
    }
}
