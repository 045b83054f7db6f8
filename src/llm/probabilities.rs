//! Token probabilities: how likely the model found each token that it wrote, and which others it had in mind.
//!
//! Source: OpenAI's API reference, `choices[].logprobs.content[]`; llama.cpp, vLLM and Ollama took over the shape (Ollama
//! without the `content`). What servers were seen to do: `bytes` is `null`; one alternative more than asked for, where the
//! chosen token is not among the likeliest; probabilities before temperature.

use serde::Serialize;
use serde_json::Value;

use super::chat::ChatRequest;
use super::error::ChatError;
use super::message::{Message, Role};

/// At most this many tokens are kept of one reply.
const MAX_TOKENS: usize = 16 * 1024;
/// At most this many alternatives of one token: of a reply 20 can be asked for, of a completion 200 are.
const MAX_ALTERNATIVES: usize = 256;
/// What a probe asks for: enough to tell alternatives from the token itself.
const PROBED: u8 = 5;

/// A token with its probability.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Token {
    /// Its text, in which bytes that are no whole letter may have become U+FFFD.
    pub text: String,
    /// Its bytes, where the server gives them.
    pub bytes: Option<Vec<u8>>,
    /// The natural logarithm of its probability, 0 or below.
    pub logprob: f64,
}

impl Token {
    /// Its probability, 0 to 1.
    #[must_use]
    pub fn probability(&self) -> f64 {
        self.logprob.exp()
    }

    /// A token of which no bytes are known.
    pub(super) fn of_text(text: &str, logprob: f64) -> Self {
        Self {
            text: text.to_owned(),
            bytes: None,
            // Rounding can leave a sure token a hair above 0.
            logprob: logprob.min(0.0),
        }
    }

    fn read(value: &Value) -> Option<Self> {
        let logprob = value.get("logprob")?.as_f64()?;
        let bytes = value.get("bytes").and_then(Value::as_array).and_then(|bytes| {
            let byte = |value: &Value| value.as_u64().and_then(|byte| u8::try_from(byte).ok());
            bytes.iter().map(byte).collect()
        });
        Some(Self {
            bytes,
            ..Self::of_text(value.get("token")?.as_str()?, logprob)
        })
    }

    fn is(&self, other: &Self) -> bool {
        self.text == other.text && (self.bytes == other.bytes || self.bytes.is_none() || other.bytes.is_none())
    }
}

/// A place in the reply: the token that was written there and those that could have been.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TokenChoice {
    /// What was written.
    pub chosen: Token,
    /// The likeliest tokens at this place, likeliest first, each once. The chosen one is among them where the server lists
    /// it.
    pub alternatives: Vec<Token>,
}

impl TokenChoice {
    /// The probability of all known tokens whose text `fits`, the chosen one included.
    pub fn mass(&self, fits: impl Fn(&str) -> bool) -> f64 {
        let listed = self.alternatives.iter().any(|token| token.is(&self.chosen));
        let unlisted = (!listed).then_some(&self.chosen);
        let fitting = self
            .alternatives
            .iter()
            .chain(unlisted)
            .filter(|token| fits(&token.text));
        fitting.map(Token::probability).sum()
    }

    pub(super) fn read(value: &Value) -> Option<Self> {
        let listed = value.get("top_logprobs").and_then(Value::as_array);
        let listed = listed.into_iter().flatten().filter_map(Token::read).collect();
        Self::of_listed(Some(Token::read(value)?), listed)
    }

    /// The likeliest of these tokens, each once; the very likeliest was chosen where nothing else is known.
    pub(super) fn of_listed(chosen: Option<Token>, listed: Vec<Token>) -> Option<Self> {
        let mut alternatives: Vec<Token> = Vec::new();
        for token in listed {
            if alternatives.len() < MAX_ALTERNATIVES && !alternatives.iter().any(|known| known.is(&token)) {
                alternatives.push(token);
            }
        }
        alternatives.sort_by(|a, b| b.logprob.total_cmp(&a.logprob));
        Some(Self {
            chosen: chosen.or_else(|| alternatives.first().cloned())?,
            alternatives,
        })
    }
}

/// The token probabilities of a reply, in the order of its tokens; thinking may be among them.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct TokenProbabilities {
    /// The places.
    pub tokens: Vec<TokenChoice>,
}

impl TokenProbabilities {
    /// Those of one object of a reply; `list` is the array of tokens.
    pub(super) fn read(list: Option<&Value>) -> Vec<TokenChoice> {
        let list = list.and_then(Value::as_array);
        list.into_iter().flatten().filter_map(TokenChoice::read).collect()
    }

    /// Adds what a later chunk brought.
    pub(super) fn extend(&mut self, more: Vec<TokenChoice>) {
        let room = MAX_TOKENS.saturating_sub(self.tokens.len());
        self.tokens.extend(more.into_iter().take(room));
    }
}

/// A question of a few tokens, whose answer shows whether `model` gives probabilities.
#[must_use]
pub fn probe(model: &str) -> ChatRequest {
    let question = Message::new(Role::User, "Answer with the one word yes.");
    ChatRequest {
        max_tokens: Some(4),
        top_logprobs: Some(PROBED),
        stream: false,
        ..ChatRequest::new(model, vec![question])
    }
}

/// Whether the server refused the request for its asking for probabilities.
#[must_use]
pub fn refused(error: &ChatError) -> bool {
    matches!(error, ChatError::BadRequest { field: Some(field), .. } if matches!(field.as_str(), "logprobs" | "top_logprobs"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn choice() -> TokenChoice {
        TokenChoice::read(&json!({
            "token": "7", "logprob": -3.0, "bytes": null,
            "top_logprobs": [
                {"token": "4", "logprob": -2.0, "bytes": [52]},
                {"token": "5", "logprob": -0.5, "bytes": [53]},
                {"token": " 5", "logprob": -1.5, "bytes": [32, 53]},
                {"token": "5", "logprob": -0.5},
                {"token": "7", "logprob": -3.0, "bytes": [55]},
                {"token": 3, "logprob": -1}
            ]
        }))
        .unwrap()
    }

    #[test]
    fn alternatives_are_ordered_and_counted_once() {
        let choice = choice();
        let texts: Vec<&str> = choice.alternatives.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(texts, ["5", " 5", "4", "7"]);
        let five = choice.mass(|text| text.trim() == "5");
        assert!((five - ((-0.5_f64).exp() + (-1.5_f64).exp())).abs() < 1e-12);
        // The chosen token is listed, though without its bytes there.
        assert!((choice.mass(|text| text == "7") - (-3.0_f64).exp()).abs() < 1e-12);
    }

    #[test]
    fn a_chosen_token_that_is_not_listed_counts() {
        let choice = TokenChoice::read(&json!({"token": "x", "logprob": 1e-9})).unwrap();
        assert_eq!(choice.chosen.logprob, 0.0);
        assert_eq!(choice.alternatives, []);
        assert_eq!(choice.mass(|_| true), 1.0);
    }

    #[test]
    fn what_is_no_token_is_passed_over() {
        let list = json!([{"token": "a"}, 3, {"logprob": -1}, {"token": "b", "logprob": -0.25, "bytes": [300]}]);
        let read = TokenProbabilities::read(Some(&list));
        assert_eq!(read.len(), 1);
        assert_eq!((read[0].chosen.text.as_str(), &read[0].chosen.bytes), ("b", &None));
        assert_eq!(TokenProbabilities::read(None), []);
    }
}
