//! One JSON object of a reply: a chunk of a stream, or the whole reply at once.

use serde_json::Value;

use super::complaint::Complaint;
use super::error::ChatError;
use super::finish::Finish;
use super::key::ApiKey;
use super::probabilities::{TokenChoice, TokenProbabilities};
use super::provider::Provider;
use super::server_text::clean;
use super::usage::Usage;

/// What one object brings; empty where it brings nothing.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Chunk {
    pub(super) text: String,
    pub(super) thinking: String,
    pub(super) refusal: String,
    pub(super) finish: Option<Finish>,
    pub(super) usage: Option<Usage>,
    pub(super) model: Option<String>,
    pub(super) probabilities: Vec<TokenChoice>,
    /// Whether the object is of a chat reply (in OpenAI's shape: has `choices`, be they empty).
    pub(super) of_chat: bool,
    /// Whether it says that nothing follows it.
    pub(super) done: bool,
}

impl Chunk {
    /// Reads an object that `provider` sent.
    pub(super) fn read(provider: Provider, value: &Value, key: Option<&ApiKey>) -> Result<Self, ChatError> {
        match provider {
            Provider::OpenAi => Self::read_openai(value, key),
            Provider::Anthropic => Self::read_anthropic(value, key),
            Provider::Ollama => Self::read_ollama(value, key),
            // It sends text, never objects.
            Provider::BuiltIn => Ok(Self::default()),
        }
    }

    /// Reads an object of OpenAI's shape, of which only choice 0 counts.
    pub(super) fn read_openai(value: &Value, key: Option<&ApiKey>) -> Result<Self, ChatError> {
        let choices = value.get("choices").and_then(Value::as_array);
        let choice = choices.into_iter().flatten().find(|choice| {
            choice
                .get("index")
                .is_none_or(|index| index.is_null() || index == 0 || index == "0")
        });
        let has_error = |value: &Value| value.get("error").is_some_and(|error| !error.is_null());
        // Google's error comes as a list of one.
        if has_error(value)
            || value.get("object").is_some_and(|name| name == "error")
            || value.get(0).is_some_and(has_error)
        {
            return Err(Complaint::read(value, key).into_stream_error());
        }
        if let Some(choice) = choice.filter(|choice| has_error(choice)) {
            return Err(Complaint::read(choice, key).into_stream_error());
        }
        let mut chunk = Self {
            of_chat: choices.is_some(),
            model: value
                .get("model")
                .and_then(Value::as_str)
                .map(|m| clean(m, key))
                .filter(|m| !m.is_empty()),
            usage: value.get("usage").and_then(Usage::read),
            ..Self::default()
        };
        if let Some(choice) = choice {
            // Some servers send `"message": null` beside a delta.
            let said = ["delta", "message"]
                .iter()
                .find_map(|name| choice.get(name).filter(|said| said.is_object()));
            chunk.add_content(said.and_then(|said| said.get("content")).or_else(|| choice.get("text")));
            let string = |name: &str| {
                said.and_then(|said| said.get(name))
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            };
            // Three names for one thing; a server that sends several sends the same text as often.
            let names = ["reasoning_content", "reasoning", "thinking"];
            let thinking = names.into_iter().map(string).find(|text| !text.is_empty());
            chunk.thinking.push_str(thinking.unwrap_or_default());
            chunk.refusal.push_str(string("refusal"));
            chunk.probabilities = TokenProbabilities::read(choice.pointer("/logprobs/content"));
            chunk.finish = choice
                .get("finish_reason")
                .and_then(Value::as_str)
                .and_then(|word| Finish::read(word, key));
        }
        Ok(chunk)
    }

    /// Adds a content: a text, `null`, or a list of parts.
    fn add_content(&mut self, content: Option<&Value>) {
        match content {
            Some(Value::String(text)) => self.text.push_str(text),
            Some(Value::Array(parts)) => {
                for part in parts {
                    let text = |name: &str| part.get(name).and_then(Value::as_str).unwrap_or_default();
                    match part.get("type").and_then(Value::as_str) {
                        Some("text" | "output_text") | None => {
                            self.text.push_str(part.as_str().unwrap_or(text("text")))
                        }
                        Some("refusal") => self.refusal.push_str(text("refusal")),
                        Some("thinking" | "reasoning") => match part.get("thinking") {
                            Some(Value::Array(thoughts)) => {
                                let texts = thoughts.iter().filter_map(|thought| thought.get("text")?.as_str());
                                self.thinking.extend(texts);
                            }
                            _ => self
                                .thinking
                                .push_str(part.get("thinking").and_then(Value::as_str).unwrap_or(text("text"))),
                        },
                        Some(_) => {}
                    }
                }
            }
            _ => {}
        }
    }
}

impl Usage {
    fn read(value: &Value) -> Option<Self> {
        let count = |name: &str| value.get(name).and_then(Value::as_u64);
        let (prompt, completion) = (count("prompt_tokens"), count("completion_tokens"));
        let thinking = value
            .pointer("/completion_tokens_details/reasoning_tokens")
            .and_then(Value::as_u64);
        (prompt.is_some() || completion.is_some()).then_some(Self {
            prompt: prompt.unwrap_or(0),
            completion: completion.unwrap_or(0),
            thinking,
        })
    }
}

impl Finish {
    /// The words of all providers; none means two things.
    pub(super) fn read(word: &str, key: Option<&ApiKey>) -> Option<Self> {
        Some(match word {
            "" => return None,
            "stop" | "eos" | "end_turn" | "stop_sequence" | "tool_use" => Self::Stop,
            "length" | "max_tokens" | "model_context_window_exceeded" => Self::Length,
            "content_filter" | "refusal" => Self::ContentFilter,
            other => Self::Other(clean(other, key)),
        })
    }
}
