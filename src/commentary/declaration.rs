//! What a model declared of its own comment: the claims as data, or why there are none.

use super::claims::declared::{Declared, Dropped, read, schema};
use crate::llm::AnswerSchema;

/// The fewest tokens that an answer must have room for: a comment of three sentences makes a dozen claims of a hundred tokens.
pub const DECLARATION_TOKENS: u32 = 4000;

/// What came of asking for a comment's claims as data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Declaration {
    /// Nobody asked: the comment is checked by its words.
    #[default]
    Unasked,
    /// The model declared these, maybe none; our own reader reads the words that none stands for.
    Made {
        /// What could be read, in the order of the answer.
        claims: Vec<Declared>,
        /// What could not.
        dropped: Vec<Dropped>,
    },
    /// It was asked, and nothing came of it: why, half a sentence. The comment is checked by its words.
    Unread(String),
}

impl Declaration {
    /// Reads a model's answer about `text`; `cut` where the bound on its length ended it.
    #[must_use]
    pub fn read(answer: &str, cut: bool, text: &str) -> Self {
        let (claims, dropped) = read(answer, text);
        match dropped.first() {
            Some(why) if claims.is_empty() => Self::Unread(if cut {
                "the answer was cut off at the bound on its length".to_owned()
            } else {
                why.to_string()
            }),
            _ => Self::Made { claims, dropped },
        }
    }

    /// Of a question that failed: `what` happened, in a sentence.
    #[must_use]
    pub fn failed(what: &str) -> Self {
        let what = what.trim().trim_end_matches('.');
        let mut letters = what.chars();
        let first = letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
        Self::Unread(format!("{first}{}", letters.as_str()))
    }

    /// The claims that were read.
    #[must_use]
    pub fn claims(&self) -> &[Declared] {
        match self {
            Self::Made { claims, .. } => claims,
            Self::Unasked | Self::Unread(_) => &[],
        }
    }

    /// What the reader of the comment is told where not all went well.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        match self {
            Self::Unasked => None,
            Self::Unread(why) => Some(format!(
                "The model's claims could not be read: {why}; the comment is checked by its words alone."
            )),
            Self::Made { dropped, .. } => match dropped.as_slice() {
                [] => None,
                [why] => Some(format!("One claim that the model declared is left out: {why}.")),
                [why, more @ ..] => Some(format!(
                    "{} claims that the model declared are left out: {why}; and {} more.",
                    dropped.len(),
                    more.len()
                )),
            },
        }
    }
}

/// The shape of the answer that is asked for.
#[must_use]
pub fn answer_schema() -> AnswerSchema {
    AnswerSchema {
        name: "claims",
        description: "The checkable claims of the text, in its order.",
        schema: schema(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The knight attacks e5.";
    const CLAIM: &str =
        r#"{"words": "The knight attacks e5", "predicate": "attacks", "subject": "white knight", "squares": ["e5"]}"#;

    #[test]
    fn what_went_wrong_is_told() {
        let note = |answer: &str, cut| Declaration::read(answer, cut, TEXT).note();
        assert_eq!(note(&format!("[{CLAIM}]"), false), None);
        assert_eq!(note(r#"{"claims": []}"#, false), None);
        assert_eq!(
            note("I'd rather not.", false).as_deref(),
            Some(
                "The model's claims could not be read: the answer is no list of claims; the comment is checked by its \
                 words alone."
            )
        );
        assert!(note(&format!("[{CLAIM}, {{\"wor"), true).is_some_and(|note| note.contains("cut off")));
        assert_eq!(
            note(&format!("[{CLAIM}, {{}}]"), false).as_deref(),
            Some("One claim that the model declared is left out: claim 2 has another shape than was asked for.")
        );
        let two = note(&format!("[{CLAIM}, {{}}, {{}}]"), false);
        assert!(two.is_some_and(|note| note.starts_with("2 claims") && note.ends_with("; and 1 more.")));
        assert_eq!(
            Declaration::failed("The server sent nothing for 5 seconds."),
            Declaration::Unread("the server sent nothing for 5 seconds".to_owned())
        );
    }
}
