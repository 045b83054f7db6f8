//! One JSON object of Ollama's `/api/chat`: a line of the stream, or the whole reply, which is such a line with everything
//! in it. Source: Ollama's `docs/api.md`, "Generate a chat completion".

use serde_json::Value;

use super::chunk::Chunk;
use super::complaint::Complaint;
use super::error::ChatError;
use super::finish::Finish;
use super::key::ApiKey;
use super::probabilities::TokenProbabilities;
use super::server_text::clean;
use super::usage::Usage;

impl Chunk {
    /// Reads the object.
    pub(super) fn read_ollama(value: &Value, key: Option<&ApiKey>) -> Result<Self, ChatError> {
        if value.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Complaint::read(value, key).into_stream_error());
        }
        let message = value.get("message").filter(|message| message.is_object());
        let text = |name: &str| {
            let text = message.and_then(|message| message.get(name)).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let done = value.get("done").and_then(Value::as_bool);
        let ended = done == Some(true);
        Ok(Self {
            text: text("content"),
            thinking: text("thinking"),
            model: value
                .get("model")
                .and_then(Value::as_str)
                .map(|model| clean(model, key))
                .filter(|model| !model.is_empty()),
            finish: value
                .get("done_reason")
                .and_then(Value::as_str)
                .filter(|_| ended)
                .and_then(|word| Finish::read(word, key)),
            usage: ended.then(|| Usage::read_ollama(value)).flatten(),
            probabilities: TokenProbabilities::read(value.get("logprobs")),
            of_chat: message.is_some() || done.is_some(),
            done: ended,
            ..Self::default()
        })
    }
}

impl Usage {
    /// A prompt that was in the cache is not counted in some versions.
    fn read_ollama(value: &Value) -> Option<Self> {
        let count = |name: &str| value.get(name).and_then(Value::as_u64);
        let (prompt, completion) = (count("prompt_eval_count"), count("eval_count"));
        (prompt.is_some() || completion.is_some()).then(|| Self {
            prompt: prompt.unwrap_or(0),
            completion: completion.unwrap_or(0),
            thinking: None,
        })
    }
}
