//! What a model declared of its own comment: the claims as data, or why there are none.

use serde_json::Value;

use super::{
    answer::Answer,
    claims::declared::{Declared, Dropped, read, read_entries, schema},
};
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
        match Self::of(read(answer, text)) {
            Self::Unread(_) if cut => Self::Unread("the answer was cut off at the bound on its length".to_owned()),
            declaration => declaration,
        }
    }

    /// Reads what somebody brought from a chat that was asked for the claims of `text`: what the chat thought or said beside its
    /// block of claims is no part of them.
    #[must_use]
    pub fn by_hand(brought: &str, text: &str) -> Self {
        let block = Answer::read(brought).claims;
        Self::read(block.as_deref().unwrap_or(brought), false, text)
    }

    /// Of a list of claims that was found already.
    #[must_use]
    pub fn of_entries(entries: Vec<Value>, text: &str) -> Self {
        Self::of(read_entries(entries, text))
    }

    fn of((claims, dropped): (Vec<Declared>, Vec<Dropped>)) -> Self {
        match dropped.first() {
            Some(why) if claims.is_empty() => Self::Unread(why.to_string()),
            _ => Self::Made { claims, dropped },
        }
    }

    /// Whether claims were declared, maybe none.
    #[must_use]
    pub const fn is_made(&self) -> bool {
        matches!(self, Self::Made { .. })
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
    fn what_a_chat_says_beside_its_claims_is_left_out() {
        let other = CLAIM
            .replace("attacks e5", "attacks")
            .replace("The knight attacks", "The knight");
        for brought in [
            format!("```json\n{{\"claims\": [{CLAIM}]}}\n```"),
            format!("<think>Maybe [{other}]?</think>\n{{\"claims\": [{CLAIM}]}}"),
            format!(
                "A draft:\n```json\n{{\"claims\": [{other}]}}\n```\nBetter:\n```json\n{{\"claims\": [{CLAIM}]}}\n```"
            ),
            format!("[{CLAIM}]"),
        ] {
            let declaration = Declaration::by_hand(&brought, TEXT);
            assert_eq!(declaration.claims().len(), 1, "{brought}");
            assert_eq!(declaration.claims()[0].span, 0..21, "{brought}");
        }
        assert!(Declaration::by_hand("```json\n[]\n```", TEXT).is_made());
        for broken in ["", "I'd rather not.", "```json\n{\"claims\": [{\"words\": \"The kni"] {
            assert!(
                matches!(Declaration::by_hand(broken, TEXT), Declaration::Unread(_)),
                "{broken}"
            );
        }
    }

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
