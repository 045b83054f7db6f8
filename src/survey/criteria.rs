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
