//! What is asked of a chat endpoint.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::error::ChatError;

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Sets the task.
    System,
    /// Asks.
    User,
    /// The model.
    Assistant,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said, plain text.
    pub content: String,
}

impl Message {
    /// A message of `role`.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
        }
    }
}

/// What the server calls the bound on the reply's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LimitName {
    /// `max_tokens`: nearly every server.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`: OpenAI's reasoning models, which refuse the other.
    MaxCompletionTokens,
}

/// A question to `/chat/completions`.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// The model's name. Servers with a single model ignore it; what answered is in [`super::Reply::model`].
    pub model: String,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// 0 to 2; left out where `None` or not finite.
    pub temperature: Option<f32>,
    /// The most tokens the reply may have, thinking included.
    pub max_tokens: Option<u32>,
    /// How that bound is named.
    pub limit_name: LimitName,
    /// The sampler's seed; servers promise little about it.
    pub seed: Option<u32>,
    /// Whether the reply comes as server-sent events.
    pub stream: bool,
    /// Whether a stream is asked to end with its token counts (`stream_options`).
    pub count_tokens: bool,
}

impl ChatRequest {
    /// A streamed request with the server's own sampling.
    pub fn new(model: impl Into<String>, messages: Vec<Message>) -> Self {
        Self {
            model: model.into(),
            messages,
            temperature: None,
            max_tokens: None,
            limit_name: LimitName::default(),
            seed: None,
            stream: true,
            count_tokens: true,
        }
    }

    /// The JSON body. What is `None` is left out: `null` is an error to some servers.
    #[must_use]
    pub fn body(&self) -> String {
        let mut body = Map::new();
        body.insert("model".into(), json!(self.model));
        body.insert("messages".into(), json!(self.messages));
        if let Some(temperature) = self.temperature.filter(|t| t.is_finite()) {
            // By way of its shortest text: 0.01 should not arrive as 0.009999999776482582.
            let shortest: f64 = temperature.to_string().parse().unwrap_or(f64::from(temperature));
            body.insert("temperature".into(), json!(shortest));
        }
        if let Some(limit) = self.max_tokens {
            let name = match self.limit_name {
                LimitName::MaxTokens => "max_tokens",
                LimitName::MaxCompletionTokens => "max_completion_tokens",
            };
            body.insert(name.into(), json!(limit));
        }
        if let Some(seed) = self.seed {
            body.insert("seed".into(), json!(seed));
        }
        body.insert("stream".into(), json!(self.stream));
        if self.stream && self.count_tokens {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
        Value::Object(body).to_string()
    }

    /// The same question without the field that the server refused, `None` where `error` is of another kind or naming
    /// the field would change nothing. Each step gives something up, so repeating it comes to an end.
    #[must_use]
    pub fn adapted(&self, error: &ChatError) -> Option<Self> {
        let ChatError::BadRequest { field: Some(field), .. } = error else {
            return None;
        };
        let mut next = self.clone();
        match field.as_str() {
            "max_tokens" if self.limit_name == LimitName::MaxTokens => next.limit_name = LimitName::MaxCompletionTokens,
            "max_completion_tokens" => next.max_tokens = None,
            "temperature" => next.temperature = None,
            "seed" => next.seed = None,
            "stream_options" | "stream_options.include_usage" => next.count_tokens = false,
            _ => return None,
        }
        (next.body() != self.body()).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> ChatRequest {
        ChatRequest {
            temperature: Some(0.01),
            max_tokens: Some(200),
            seed: Some(7),
            ..ChatRequest::new(
                "gpt",
                vec![
                    Message::new(Role::System, "Be brief."),
                    Message::new(Role::User, "e4 “why”?\n"),
                ],
            )
        }
    }

    #[test]
    fn body_has_the_documented_shape() {
        let body: Value = serde_json::from_str(&request().body()).unwrap();
        let expected = include_str!("../../tests/data/llm-wire/request.json");
        assert_eq!(body, serde_json::from_str::<Value>(expected).unwrap());
    }

    #[test]
    fn leaves_out_what_is_not_set() {
        let mut bare = ChatRequest::new("m", vec![]);
        bare.stream = false;
        bare.temperature = Some(f32::NAN);
        let body: Value = serde_json::from_str(&bare.body()).unwrap();
        assert_eq!(body, json!({"messages": [], "model": "m", "stream": false}));
    }

    #[test]
    fn gives_up_refused_fields_one_by_one() {
        let refused = |field: &str| ChatError::BadRequest {
            message: String::new(),
            field: Some(field.to_owned()),
        };
        let mut now = request();
        for field in [
            "max_tokens",
            "temperature",
            "seed",
            "stream_options",
            "max_completion_tokens",
        ] {
            now = now.adapted(&refused(field)).expect(field);
            assert_eq!(now.adapted(&refused(field)), None, "{field} twice");
        }
        let body: Value = serde_json::from_str(&now.body()).unwrap();
        assert_eq!(
            body,
            json!({"messages": request().messages, "model": "gpt", "stream": true})
        );
        assert_eq!(request().adapted(&refused("messages")), None);
        assert_eq!(
            request().adapted(&ChatError::Stopped {
                received: String::new()
            }),
            None
        );
    }
}
