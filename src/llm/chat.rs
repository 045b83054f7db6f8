//! What is asked of a chat endpoint.

use super::answer_schema::AnswerSchema;
use super::complaint::SYSTEM_ROLE;
use super::error::ChatError;
use super::message::Message;
use super::provider::Provider;

/// What the server calls the bound on the reply's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LimitName {
    /// `max_tokens`: nearly every server.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`: OpenAI's reasoning models, which refuse the other.
    MaxCompletionTokens,
}

/// A question to a model, for any provider: [`ChatRequest::body`] puts it in its words.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// The model's name. Servers with a single model ignore it; what answered is in [`super::Reply::model`].
    pub model: String,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// 0 to what the provider takes; left out where `None` or not finite.
    pub temperature: Option<f32>,
    /// The share of the likeliest tokens that the next one is drawn from, 0 to 1; left out where `None` or not finite.
    pub top_p: Option<f32>,
    /// The most tokens the reply may have, thinking included.
    pub max_tokens: Option<u32>,
    /// How that bound is named in OpenAI's shape.
    pub limit_name: LimitName,
    /// The sampler's seed; servers promise little about it, and Anthropic takes none.
    pub seed: Option<u32>,
    /// The tokens of prompt and reply together that Ollama makes room for.
    pub context: Option<u32>,
    /// How many of the likeliest tokens are asked for at each place of the reply, 0 to 20; `None` asks for no
    /// probabilities. Anthropic has none to give.
    pub top_logprobs: Option<u8>,
    /// The shape that the answer must have; `None` leaves it free.
    pub answer: Option<AnswerSchema>,
    /// Whether the reply comes piece by piece.
    pub stream: bool,
    /// Whether the system's words stand in messages of their own; else they begin the first message of the user.
    pub system_apart: bool,
    /// Whether a stream is asked to end with its token counts (OpenAI's `stream_options`; the others always do).
    pub count_tokens: bool,
}

impl ChatRequest {
    /// A streamed request with the server's own sampling.
    pub fn new(model: impl Into<String>, messages: Vec<Message>) -> Self {
        Self {
            model: model.into(),
            messages,
            temperature: None,
            top_p: None,
            max_tokens: None,
            limit_name: LimitName::default(),
            seed: None,
            context: None,
            top_logprobs: None,
            answer: None,
            stream: true,
            system_apart: true,
            count_tokens: true,
        }
    }

    /// Which of the fields that decide how a reply is drawn `asked` had and this request has given up.
    #[must_use]
    pub fn given_up(&self, asked: &Self) -> Vec<&'static str> {
        [
            ("temperature", asked.temperature.is_some() && self.temperature.is_none()),
            ("top_p", asked.top_p.is_some() && self.top_p.is_none()),
            ("seed", asked.seed.is_some() && self.seed.is_none()),
            ("max_tokens", asked.max_tokens.is_some() && self.max_tokens.is_none()),
            ("logprobs", asked.top_logprobs.is_some() && self.top_logprobs.is_none()),
            ("schema", asked.answer.is_some() && self.answer.is_none()),
            ("system", asked.system_apart && !self.system_apart),
        ]
        .into_iter()
        .filter_map(|(field, gone)| gone.then_some(field))
        .collect()
    }

    /// The same question without the field that `provider` refused, `None` where `error` is of another kind or naming
    /// the field would change nothing. Each step gives something up, so repeating it comes to an end.
    #[must_use]
    pub fn adapted(&self, provider: Provider, error: &ChatError) -> Option<Self> {
        match error {
            ChatError::BadRequest { field: Some(field), .. } => self.without(provider, field),
            _ => None,
        }
    }

    /// The same question without a field; `None` where that would change nothing.
    pub(super) fn without(&self, provider: Provider, field: &str) -> Option<Self> {
        let mut next = self.clone();
        match field {
            "max_tokens" | "max_completion_tokens" if self.limit_name == LimitName::MaxTokens => {
                next.limit_name = LimitName::MaxCompletionTokens;
            }
            "max_completion_tokens" => next.max_tokens = None,
            "temperature" => next.temperature = None,
            "top_p" => next.top_p = None,
            "seed" => next.seed = None,
            "logprobs" | "top_logprobs" => next.top_logprobs = None,
            "num_ctx" => next.context = None,
            SYSTEM_ROLE => next.system_apart = false,
            field if field.starts_with("messages") && field.ends_with("role") => next.system_apart = false,
            field if of_answer(field) => next.answer = None,
            "stream" => next.stream = false,
            "stream_options" | "stream_options.include_usage" => next.count_tokens = false,
            _ => return None,
        }
        let changed = match provider {
            // It is sent no body.
            Provider::BuiltIn => next.answer != self.answer,
            _ => next.body(provider) != self.body(provider),
        };
        changed.then_some(next)
    }
}

/// Whether a field of a request says what its answer must look like; servers name a place within it as well.
fn of_answer(field: &str) -> bool {
    let root = field.split('.').next().unwrap_or(field);
    [
        "response_format",
        "json_schema",
        "format",
        "tools",
        "tool_choice",
        "input_schema",
        "responseConstraint",
    ]
    .contains(&root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Role;
    use serde_json::{Value, json};

    fn request() -> ChatRequest {
        ChatRequest {
            temperature: Some(0.01),
            top_p: Some(1.0),
            max_tokens: Some(200),
            seed: Some(7),
            top_logprobs: Some(3),
            answer: Some(AnswerSchema {
                name: "moves",
                description: "The moves.",
                schema: json!({"type": "object"}),
            }),
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
    fn gives_up_refused_fields_one_by_one() {
        let refused = |field: &str| ChatError::BadRequest {
            message: String::new(),
            field: Some(field.to_owned()),
        };
        let mut now = request();
        for field in [
            "max_tokens",
            "temperature",
            "top_p",
            "seed",
            "top_logprobs",
            "response_format.json_schema",
            "stream_options",
            "messages[0].role",
            "stream",
            "max_completion_tokens",
        ] {
            now = now.adapted(Provider::OpenAi, &refused(field)).expect(field);
            assert_eq!(now.adapted(Provider::OpenAi, &refused(field)), None, "{field} twice");
        }
        assert_eq!(
            now.given_up(&request()),
            [
                "temperature",
                "top_p",
                "seed",
                "max_tokens",
                "logprobs",
                "schema",
                "system"
            ]
        );
        assert!(request().given_up(&request()).is_empty());
        let body: Value = serde_json::from_str(&now.body(Provider::OpenAi)).unwrap();
        assert_eq!(
            body,
            json!({
                "messages": [{"role": "user", "content": "Be brief.\n\ne4 “why”?\n"}],
                "model": "gpt",
                "stream": false,
            })
        );
        for (provider, field) in [
            (Provider::Anthropic, "tools.0.custom.input_schema"),
            (Provider::Anthropic, "tool_choice"),
            (Provider::Ollama, "format"),
            (Provider::BuiltIn, "responseConstraint"),
        ] {
            let next = request().adapted(provider, &refused(field)).expect(field);
            assert_eq!((next.answer.is_none(), next.seed), (true, Some(7)), "{field}");
            assert_eq!(next.adapted(provider, &refused(field)), None, "{field} twice");
        }
        let stopped = ChatError::Stopped {
            received: String::new(),
        };
        assert_eq!(request().adapted(Provider::OpenAi, &refused("messages")), None);
        assert_eq!(request().adapted(Provider::OpenAi, &stopped), None);
        // Anthropic always wants this one, by whatever name: there is nothing to give up.
        assert_eq!(request().adapted(Provider::Anthropic, &refused("max_tokens")), None);
    }
}
