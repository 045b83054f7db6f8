//! One JSON object of Anthropic's Messages: an event of the stream, or the whole message. Source: Anthropic's API
//! reference, "Streaming Messages" and "Messages"; llama.cpp's server sends the same shapes.

use serde_json::Value;

use super::chunk::Chunk;
use super::complaint::Complaint;
use super::error::ChatError;
use super::finish::Finish;
use super::key::ApiKey;
use super::server_text::clean;
use super::usage::Usage;

impl Chunk {
    /// Reads the object. Kinds of events, of deltas and of content that are not known bring nothing: there may be more of
    /// them some day, says the reference.
    pub(super) fn read_anthropic(value: &Value, key: Option<&ApiKey>) -> Result<Self, ChatError> {
        let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
        if kind == "error" || value.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Complaint::read(value, key).into_stream_error());
        }
        let mut chunk = Self::default();
        match kind {
            "message" => {
                chunk.add_message(value, key);
                for block in value.get("content").and_then(Value::as_array).into_iter().flatten() {
                    chunk.add_block(block);
                    chunk.add_input(block, true);
                }
                chunk.done = true;
            }
            "message_start" => {
                if let Some(message) = value.get("message") {
                    chunk.add_message(message, key);
                }
            }
            "content_block_start" => {
                if let Some(block) = value.get("content_block") {
                    chunk.add_block(block);
                    chunk.add_input(block, false);
                }
            }
            "content_block_delta" => {
                if let Some(delta) = value.get("delta") {
                    chunk.add_block(delta);
                }
            }
            "message_delta" => {
                chunk.usage = value.get("usage").and_then(Usage::read_anthropic);
                chunk.finish = value
                    .pointer("/delta/stop_reason")
                    .and_then(Value::as_str)
                    .and_then(|word| Finish::read(word, key));
            }
            "message_stop" => chunk.done = true,
            "content_block_stop" | "ping" => {}
            _ => return Ok(chunk),
        }
        chunk.of_chat = true;
        Ok(chunk)
    }

    fn add_message(&mut self, message: &Value, key: Option<&ApiKey>) {
        let model = message
            .get("model")
            .and_then(Value::as_str)
            .map(|model| clean(model, key));
        self.model = model.filter(|model| !model.is_empty());
        self.usage = message.get("usage").and_then(Usage::read_anthropic);
        self.finish = message
            .get("stop_reason")
            .and_then(Value::as_str)
            .and_then(|word| Finish::read(word, key));
    }

    /// A block of content or a piece of one: what is text or thinking in it.
    fn add_block(&mut self, block: &Value) {
        let text = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "text" | "text_delta" => self.text.push_str(text("text")),
            "thinking" | "thinking_delta" => self.thinking.push_str(text("thinking")),
            "input_json_delta" => self.text.push_str(text("partial_json")),
            _ => {}
        }
    }

    /// What a tool is called with, which is the answer where the request gave a schema: as JSON, as its pieces come. A
    /// stream begins it with an empty object, which stands for nothing; a whole message has it all.
    fn add_input(&mut self, block: &Value, whole: bool) {
        if block.get("type").is_none_or(|kind| kind != "tool_use") {
            return;
        }
        match block.get("input") {
            Some(Value::Object(input)) if input.is_empty() && !whole => {}
            Some(Value::String(input)) => self.text.push_str(input),
            Some(input @ (Value::Object(_) | Value::Array(_))) => self.text.push_str(&input.to_string()),
            _ => {}
        }
    }
}

impl Usage {
    /// Counts so far: the stream's later ones replace the earlier. What was read from or written to the cache was part of
    /// the prompt.
    fn read_anthropic(value: &Value) -> Option<Self> {
        let count = |name: &str| value.get(name).and_then(Value::as_u64);
        let prompt = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].map(count);
        let completion = count("output_tokens");
        (prompt[0].is_some() || completion.is_some()).then(|| Self {
            prompt: prompt.into_iter().flatten().fold(0, u64::saturating_add),
            completion: completion.unwrap_or(0),
            thinking: None,
        })
    }
}
