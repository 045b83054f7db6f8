//! What a model goes on with after a text: the likeliest next tokens, with their probabilities.
//!
//! Sources: OpenAI's API reference (completions: `logprobs.top_logprobs`, one object of tokens a place), whose shape vLLM has
//! too; llama.cpp's server, whose `/v1/completions` answers with `logprobs.content` as chat completions do and whose own
//! `/completion` has `completion_probabilities`, in older versions with `probs` of `tok_str` and `prob`. How many tokens are
//! listed is capped: by OpenAI at 5, by vLLM at 20, by llama.cpp at what is asked for.

use serde_json::{Value, json};

use super::{
    chunk::Chunk,
    error::ChatError,
    json,
    key::ApiKey,
    probabilities::{self, Token, TokenChoice},
    usage::Usage,
};

/// How many of the likeliest tokens are asked for: the first number that the server takes.
const LISTED: [u16; 3] = [200, 20, 5];

/// Probabilities of different tokens sum to 1 at most, and rounding may add this much.
const ROUNDING: f64 = 1e-3;

/// A text that a model is to go on with, by one token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionRequest {
    /// The model's name. Servers with a single model ignore it.
    pub model: String,
    /// The text.
    pub prompt: String,
    /// How many of the likeliest tokens are asked for.
    listed: u16,
}

impl CompletionRequest {
    /// Asks for as many tokens as any server lists.
    pub fn new(model: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            prompt: prompt.into(),
            listed: LISTED[0],
        }
    }

    /// The JSON body. The temperature does not matter to what is read, but to which token is the chosen one.
    #[must_use]
    pub fn body(&self) -> String {
        json!({
            "model": self.model,
            "prompt": self.prompt,
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": self.listed,
            "stream": false,
        })
        .to_string()
    }

    /// The same question for fewer tokens, where the server refused that many.
    ///
    /// # Errors
    /// The error itself where it is about something else; where the server lists not even the fewest, that it gives no
    /// probabilities.
    pub fn adapted(&self, error: ChatError) -> Result<Self, ChatError> {
        if !is_about_listing(&error) {
            return Err(error);
        }
        let fewer = LISTED.into_iter().find(|count| *count < self.listed);
        let listed = fewer.ok_or(ChatError::NO_PROBABILITIES)?;
        Ok(Self { listed, ..self.clone() })
    }
}

/// Whether a request was refused for the number of tokens that it wants listed, or for wanting any.
fn is_about_listing(error: &ChatError) -> bool {
    let in_words = |message: &str| message.to_lowercase().contains("logprob");
    probabilities::refused(error) || matches!(error, ChatError::BadRequest { message, .. } if in_words(message))
}

/// The next token, and those that could have been it.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    /// What is likely.
    pub next: TokenChoice,
    /// The model that answered, where the server says.
    pub model: Option<String>,
    /// Tokens that were used, where the server says.
    pub usage: Option<Usage>,
}

impl Completion {
    /// Reads the body of an answer with status 200. `key` must not be in what an error says.
    ///
    /// # Errors
    /// What the body complains of; that there are no probabilities in it, or none that can be probabilities; that it is no
    /// completion at all.
    pub fn read(body: &[u8], key: Option<&ApiKey>) -> Result<Self, ChatError> {
        let value = json::read(body).map_err(|_| ChatError::not_chat(body, key))?;
        let chunk = Chunk::read_openai(&value, key)?;
        let native = value.get("completion_probabilities");
        if !chunk.of_chat && native.is_none() && value.get("content").is_none() {
            return Err(ChatError::not_chat(body, key));
        }
        let mut places = chunk.probabilities.into_iter();
        let next = places
            .next()
            .or_else(|| legacy(value.pointer("/choices/0/logprobs")?))
            .or_else(|| llamacpp(native?.get(0)?))
            .filter(|next| !next.alternatives.is_empty())
            .ok_or(ChatError::NO_PROBABILITIES)?;
        if next.mass(|_| true) > 1.0 + ROUNDING {
            return Err(ChatError::NoProbabilities {
                what: "returns log-probabilities of different tokens that sum to more than 1",
            });
        }
        Ok(Self {
            next,
            model: chunk.model,
            usage: chunk.usage,
        })
    }
}

/// OpenAI's older shape: an object of tokens for each place.
fn legacy(logprobs: &Value) -> Option<TokenChoice> {
    let listed = logprobs.pointer("/top_logprobs/0")?.as_object()?;
    let listed = listed
        .iter()
        .filter_map(|(text, logprob)| Some(Token::of_text(text, logprob.as_f64()?)))
        .collect();
    let chosen = || {
        let text = logprobs.pointer("/tokens/0")?.as_str()?;
        Some(Token::of_text(text, logprobs.pointer("/token_logprobs/0")?.as_f64()?))
    };
    TokenChoice::of_listed(chosen(), listed)
}

/// A place of llama.cpp's own shape.
fn llamacpp(place: &Value) -> Option<TokenChoice> {
    TokenChoice::read(place).or_else(|| {
        let listed = place.get("probs")?.as_array()?.iter().filter_map(|one| {
            let probability = one.get("prob")?.as_f64()?;
            Some(Token::of_text(one.get("tok_str")?.as_str()?, probability.max(0.0).ln()))
        });
        TokenChoice::of_listed(None, listed.collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str) -> Completion {
        Completion::read(file.as_bytes(), None).unwrap()
    }

    /// `tests/data/llm-wire/completion-*.json`; its README says where they are from.
    #[test]
    fn every_shape_is_read_alike() {
        let recorded = read(include_str!("../../tests/data/llm-wire/completion-llamacpp.json"));
        assert_eq!(recorded.model.as_deref(), Some("SmolLM2-135M-Instruct"));
        let used = recorded.usage.map(|usage| (usage.prompt, usage.completion));
        assert_eq!(used, Some((29, 1)));
        let texts: Vec<&str> = recorded
            .next
            .alternatives
            .iter()
            .map(|token| token.text.as_str())
            .collect();
        assert_eq!(texts, ["2", "e", "4", "1", "f"]);
        for file in [
            include_str!("../../tests/data/llm-wire/completion-legacy.json"),
            include_str!("../../tests/data/llm-wire/completion-llamacpp-own.json"),
            include_str!("../../tests/data/llm-wire/completion-llamacpp-old.json"),
        ] {
            let Completion { next, .. } = read(file);
            let mass = |text: &str| next.mass(|own| own == text);
            assert_eq!(next.alternatives.len(), 3, "{file}");
            assert!((mass("b") - 0.5).abs() < 1e-3, "{file}");
            assert!(
                (mass("e4") - 0.25).abs() < 1e-3 && (mass(" ") - 0.125).abs() < 1e-3,
                "{file}"
            );
        }
    }

    #[test]
    fn what_gives_no_probabilities_says_so() {
        let kind = |body: Value| Completion::read(body.to_string().as_bytes(), None).unwrap_err().kind();
        let choice = |logprobs: Value| json!({"choices": [{"index": 0, "text": "b", "logprobs": logprobs}]});
        for logprobs in [
            Value::Null,
            json!({}),
            json!({"content": []}),
            json!({"content": [{"token": "b", "logprob": null}]}),
            // The chosen token alone: nothing is known of the others.
            json!({"content": [{"token": "b", "logprob": -0.1, "top_logprobs": []}]}),
            json!({"tokens": ["b"], "token_logprobs": [-0.1], "top_logprobs": null}),
            json!({"tokens": ["b"], "token_logprobs": [-0.1], "top_logprobs": [null]}),
            json!({"top_logprobs": [{"b": "NaN", "e": null}]}),
            // All of them sure.
            json!({"top_logprobs": [{"b": 0.0, "e": 1e300, "f": -0.5}]}),
        ] {
            assert_eq!(kind(choice(logprobs.clone())), "no-probabilities", "{logprobs}");
        }
        assert_eq!(kind(json!({"content": "b"})), "no-probabilities");
        assert_eq!(kind(json!({"choices": []})), "no-probabilities");
        assert_eq!(kind(json!({"hello": 1})), "not-chat");
        assert_eq!(kind(json!({"error": {"message": "no", "code": 400}})), "bad-request");
        for body in [
            "",
            "<html>",
            "{\"choices\":[{\"logprobs\":{\"top_logprobs\":[{\"b\":1e999}]}}]}",
            "{\"choices\"",
        ] {
            let error = Completion::read(body.as_bytes(), None).unwrap_err();
            assert_eq!(error.kind(), "not-chat", "{body}");
        }
        // So unlikely that it is 0, and one of which nothing is known.
        let far = choice(json!({"top_logprobs": [{"b": -1e300, "e": -0.5, "f": {}}]}));
        let read = Completion::read(far.to_string().as_bytes(), None).unwrap();
        assert_eq!(read.next.mass(|text| text == "b"), 0.0);
        assert_eq!(read.next.alternatives.len(), 2);
    }

    #[test]
    fn a_server_that_lists_fewer_is_asked_for_fewer() {
        let refused = |message: &str, field: Option<&str>| ChatError::BadRequest {
            message: message.to_owned(),
            field: field.map(str::to_owned),
        };
        let cap = "Requested sample logprobs of 200, which is greater than max allowed: 20";
        let first = CompletionRequest::new("m", "e2e4 e7");
        let body = |request: &CompletionRequest| serde_json::from_str::<Value>(&request.body()).unwrap();
        assert_eq!(
            body(&first),
            json!({
                "model": "m", "prompt": "e2e4 e7", "max_tokens": 1, "temperature": 0, "logprobs": 200, "stream": false
            })
        );
        let second = first.adapted(refused(cap, None)).unwrap();
        let third = second.adapted(refused("at most 5", Some("logprobs"))).unwrap();
        assert_eq!(
            (&body(&second)["logprobs"], &body(&third)["logprobs"]),
            (&json!(20), &json!(5))
        );
        let none = third.adapted(refused("This model does not support logprobs", None));
        assert_eq!(none, Err(ChatError::NO_PROBABILITIES));
        let other = refused("no such model", Some("model"));
        assert_eq!(first.adapted(other.clone()), Err(other));
    }
}
