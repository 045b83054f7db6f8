//! A declaration as a long run keeps it: who was asked for the claims of a text, and what was answered. The answer is kept word
//! for word, so that what it declares can be judged again.

use serde::{Deserialize, Serialize};

use super::{
    FactSheet,
    claims::{
        Checked, check,
        declared::{Declared, check_declared_alone},
    },
    declaration::{DECLARATION_TOKENS, Declaration, answer_schema},
    prompt::declaration,
};
use crate::{
    llm::{ChatRequest, Reply},
    long_run::{count::several, tokens::Tokens},
};

/// A model that declares claims. Its key is in no file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declarer {
    /// Its name in files and tables.
    pub name: String,
    /// The API that is spoken, a [`Provider`](crate::llm::Provider)'s word.
    pub provider: String,
    /// The server: `scheme://host:port`, without path, key or query.
    pub server: String,
    /// The model that is asked for.
    pub model: String,
}

impl Declarer {
    /// The question for the claims of `text` on the sheet's move, at temperature 0.
    #[must_use]
    pub fn request(&self, sheet: &FactSheet, text: &str) -> ChatRequest {
        ChatRequest {
            temperature: Some(0.0),
            max_tokens: Some(DECLARATION_TOKENS),
            answer: Some(answer_schema()),
            stream: false,
            ..ChatRequest::new(&self.model, declaration(sheet, text))
        }
    }

    /// Who it is, for the reader: `gpt (gpt-4o at https://api.openai.com)`.
    #[must_use]
    pub fn words(&self) -> String {
        match self.model.is_empty() {
            true => format!("{} (at {})", self.name, self.server),
            false => format!("{} ({} at {})", self.name, self.model, self.server),
        }
    }
}

/// What a declarer answered about one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDeclaration {
    /// Who was asked.
    pub by: Declarer,
    /// The answer, word for word.
    pub answer: String,
    /// Whether the bound on its length ended it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The model that answered, where the server says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_answered: Option<String>,
    /// Tokens of the question and its answer, where the server counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
    /// Fields of the request that the server refused, so that it was asked without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<String>,
}

impl KeptDeclaration {
    /// A declarer's reply.
    #[must_use]
    pub fn new(by: &Declarer, reply: &Reply) -> Self {
        Self {
            by: by.clone(),
            answer: reply.text.clone(),
            cut: reply.is_cut(),
            model_answered: reply.model.clone(),
            tokens: reply.usage.map(Tokens::from),
            given_up: reply.given_up.iter().map(|field| (*field).to_owned()).collect(),
        }
    }

    /// What it declares of `text`, the text that was asked about.
    #[must_use]
    pub fn read(&self, text: &str) -> Declaration {
        Declaration::read(&self.answer, self.cut, text)
    }

    /// The claims that it declares of `text`, maybe none; `None` where the answer can't be read.
    #[must_use]
    pub fn claims(&self, text: &str) -> Option<Vec<Declared>> {
        match self.read(text) {
            Declaration::Made { claims, .. } => Some(claims),
            Declaration::Unasked | Declaration::Unread(_) => None,
        }
    }
}

/// Checks a text by what was declared of it, and by nothing else; by our own reader where nothing was, or the answer can't be read.
#[must_use]
pub fn checked(sheet: &FactSheet, text: &str, kept: Option<&KeptDeclaration>) -> Checked {
    match kept.and_then(|kept| kept.claims(text)) {
        Some(claims) => check_declared_alone(sheet, text, &claims),
        None => check(sheet, text),
    }
}

/// By whom the claims of texts were found, in sentences; `unit` is what a text is called, such as `comment`.
#[must_use]
pub fn by_whom<'a>(unit: &str, texts: impl IntoIterator<Item = (&'a str, Option<&'a KeptDeclaration>)>) -> String {
    let mut by: Vec<(&Declarer, usize)> = Vec::new();
    let (mut all, mut declared, mut unread, mut dropped) = (0, 0, 0, 0);
    for (text, kept) in texts {
        all += 1;
        match kept.map(|kept| (kept, kept.read(text))) {
            Some((kept, Declaration::Made { dropped: lost, .. })) => {
                declared += 1;
                dropped += lost.len();
                match by.iter_mut().find(|(known, _)| **known == kept.by) {
                    Some((_, count)) => *count += 1,
                    None => by.push((&kept.by, 1)),
                }
            }
            Some((_, Declaration::Unread(_))) => unread += 1,
            Some((_, Declaration::Unasked)) | None => {}
        }
    }
    let mut said: Vec<String> = by
        .iter()
        .map(|(declarer, count)| {
            format!(
                "Claims are declared by {} in {count} of {}.",
                declarer.words(),
                several(all, unit)
            )
        })
        .collect();
    if dropped > 0 {
        said.push(format!(
            "{} among them could not be read and {} left out.",
            several(dropped, "declared claim"),
            if dropped == 1 { "is" } else { "are" }
        ));
    }
    if unread > 0 {
        said.push(format!(
            "{} of a declarer could not be read.",
            several(unread, "answer")
        ));
    }
    said.push(match all - declared {
        0 if all > 0 => "Our own reader has read none.".to_owned(),
        own => format!("Our own reader has read {own} of {}.", several(all, unit)),
    });
    said.join(" ")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// What a declarer of tests answers.
    pub fn kept(answer: &str) -> KeptDeclaration {
        KeptDeclaration {
            by: Declarer {
                name: "d".to_owned(),
                provider: "openai".to_owned(),
                server: "http://127.0.0.1:1".to_owned(),
                model: "m".to_owned(),
            },
            answer: answer.to_owned(),
            cut: false,
            model_answered: None,
            tokens: None,
            given_up: Vec::new(),
        }
    }

    #[test]
    fn it_is_said_by_whom() {
        let of = |all: &[Option<KeptDeclaration>]| {
            by_whom(
                "comment",
                all.iter().map(|kept| ("The knight attacks e5.", kept.as_ref())),
            )
        };
        assert_eq!(of(&[None]), "Our own reader has read 1 of 1 comment.");
        let made = Some(kept(r#"{"claims": []}"#));
        let lost = Some(kept(
            r#"{"claims": [{"words": "The knight attacks e5", "predicate": "empty", "squares": ["e4"]}, {}]}"#,
        ));
        assert_eq!(
            of(&[made.clone(), made.clone()]),
            "Claims are declared by d (m at http://127.0.0.1:1) in 2 of 2 comments. Our own reader has read none."
        );
        assert_eq!(
            of(&[made, lost, Some(kept("I'd rather not.")), None]),
            "Claims are declared by d (m at http://127.0.0.1:1) in 2 of 4 comments. 1 declared claim among them could not be read \
             and is left out. 1 answer of a declarer could not be read. Our own reader has read 2 of 4 comments."
        );
    }

    #[test]
    fn it_is_written_without_what_is_not_known() {
        let text = serde_json::to_string(&kept("[]")).unwrap();
        assert_eq!(
            text,
            r#"{"by":{"name":"d","provider":"openai","server":"http://127.0.0.1:1","model":"m"},"answer":"[]"}"#
        );
        assert_eq!(serde_json::from_str::<KeptDeclaration>(&text).unwrap(), kept("[]"));
    }
}
