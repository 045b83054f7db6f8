//! A question in the words of each API.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::answer_schema::AnswerSchema;
use super::chat::{ChatRequest, LimitName};
use super::message::{Message, Role};
use super::provider::Provider;

/// Anthropic answers nothing without a bound on the reply's tokens: this one where the request sets none.
pub const ANTHROPIC_MAX_TOKENS: u32 = 4096;

impl ChatRequest {
    /// The JSON body for `provider`; empty for the browser's own model, to which no request goes. What is `None` is left
    /// out: `null` is an error to some servers.
    #[must_use]
    pub fn body(&self, provider: Provider) -> String {
        let body = match provider {
            Provider::OpenAi => self.openai(),
            Provider::Anthropic => self.anthropic(),
            Provider::Ollama => self.ollama(),
            Provider::BuiltIn => return String::new(),
        };
        Value::Object(body).to_string()
    }

    /// The temperature within what `provider` takes, by way of its shortest text: 0.01 should not arrive as
    /// 0.009999999776482582.
    fn temperature_for(&self, provider: Provider) -> Option<Value> {
        let most = provider.max_temperature()?;
        Some(shortest(self.temperature.filter(|t| t.is_finite())?.clamp(0.0, most)))
    }

    fn share_of_tokens(&self) -> Option<Value> {
        Some(shortest(self.top_p.filter(|p| p.is_finite())?.clamp(0.0, 1.0)))
    }

    fn openai(&self) -> Map<String, Value> {
        let mut body = Map::new();
        body.insert("model".into(), json!(self.model));
        body.insert("messages".into(), json!(self.placed_messages()));
        if let Some(temperature) = self.temperature_for(Provider::OpenAi) {
            body.insert("temperature".into(), temperature);
        }
        if let Some(share) = self.share_of_tokens() {
            body.insert("top_p".into(), share);
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
        self.add_logprobs(&mut body);
        if let Some(AnswerSchema { name, schema, .. }) = &self.answer {
            let format =
                json!({"type": "json_schema", "json_schema": {"name": name, "strict": true, "schema": schema}});
            body.insert("response_format".into(), format);
        }
        body.insert("stream".into(), json!(self.stream));
        if self.stream && self.count_tokens {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
        body
    }

    /// The system's words apart, the others in turns: two messages of one side in a row become one.
    fn turns(&self) -> (String, Vec<Message>) {
        let (system, others): (Vec<&Message>, Vec<&Message>) =
            self.messages.iter().partition(|message| message.role == Role::System);
        let system: Vec<&str> = system.iter().map(|message| message.content.as_str()).collect();
        let mut turns: Vec<Message> = Vec::new();
        // An empty message is an error there.
        for message in others.into_iter().filter(|message| !message.content.trim().is_empty()) {
            match turns.last_mut().filter(|last| last.role == message.role) {
                Some(last) => {
                    last.content.push_str("\n\n");
                    last.content.push_str(&message.content);
                }
                None => turns.push(message.clone()),
            }
        }
        (system.join("\n\n"), turns)
    }

    /// The messages as they are sent: for a server that takes none of the system, its words begin the user's first, and the
    /// sides take turns.
    fn placed_messages(&self) -> Cow<'_, [Message]> {
        if self.system_apart {
            return Cow::Borrowed(&self.messages);
        }
        let (system, mut turns) = self.turns();
        if !system.is_empty() {
            match turns.first_mut().filter(|first| first.role == Role::User) {
                Some(first) => first.content.insert_str(0, &format!("{system}\n\n")),
                None => turns.insert(0, Message::new(Role::User, system)),
            }
        }
        Cow::Owned(turns)
    }

    /// For the browser's own model: what was said before, the system's words first, and the question itself.
    #[must_use]
    pub fn prompts(&self) -> (Vec<Message>, String) {
        let (system, mut turns) = self.turns();
        let question = turns.pop().map(|message| message.content).unwrap_or_default();
        if !system.is_empty() {
            turns.insert(0, Message::new(Role::System, system));
        }
        (turns, question)
    }

    fn anthropic(&self) -> Map<String, Value> {
        let (system, turns) = if self.system_apart {
            self.turns()
        } else {
            (String::new(), self.placed_messages().into_owned())
        };
        let mut body = Map::new();
        body.insert("model".into(), json!(self.model));
        body.insert(
            "max_tokens".into(),
            json!(self.max_tokens.unwrap_or(ANTHROPIC_MAX_TOKENS)),
        );
        if !system.is_empty() {
            body.insert("system".into(), json!(system));
        }
        body.insert("messages".into(), json!(turns));
        if let Some(temperature) = self.temperature_for(Provider::Anthropic) {
            body.insert("temperature".into(), temperature);
        }
        if let Some(share) = self.share_of_tokens() {
            body.insert("top_p".into(), share);
        }
        // An answer of a given shape is what a tool is called with: this one, which it must call.
        if let Some(AnswerSchema {
            name,
            description,
            schema,
        }) = &self.answer
        {
            let tool = json!({"name": name, "description": description, "input_schema": schema});
            body.insert("tools".into(), json!([tool]));
            body.insert("tool_choice".into(), json!({"type": "tool", "name": name}));
        }
        body.insert("stream".into(), json!(self.stream));
        body
    }

    fn ollama(&self) -> Map<String, Value> {
        let mut options = Map::new();
        if let Some(temperature) = self.temperature_for(Provider::Ollama) {
            options.insert("temperature".into(), temperature);
        }
        if let Some(share) = self.share_of_tokens() {
            options.insert("top_p".into(), share);
        }
        for (name, value) in [
            ("num_predict", self.max_tokens),
            ("seed", self.seed),
            ("num_ctx", self.context),
        ] {
            if let Some(value) = value {
                options.insert(name.into(), json!(value));
            }
        }
        let mut body = Map::new();
        body.insert("model".into(), json!(self.model));
        body.insert("messages".into(), json!(self.placed_messages()));
        self.add_logprobs(&mut body);
        if let Some(AnswerSchema { schema, .. }) = &self.answer {
            body.insert("format".into(), schema.clone());
        }
        body.insert("stream".into(), json!(self.stream));
        // A prompt that does not fit is an error, not cut at its beginning, where the task is.
        body.insert("truncate".into(), json!(false));
        if !options.is_empty() {
            body.insert("options".into(), Value::Object(options));
        }
        body
    }

    fn add_logprobs(&self, body: &mut Map<String, Value>) {
        if let Some(top) = self.top_logprobs {
            body.insert("logprobs".into(), json!(true));
            body.insert("top_logprobs".into(), json!(top));
        }
    }
}

/// A number by way of its shortest text.
fn shortest(number: f32) -> Value {
    let parsed: Option<f64> = number.to_string().parse().ok();
    json!(parsed.unwrap_or(f64::from(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> ChatRequest {
        ChatRequest {
            temperature: Some(0.01),
            max_tokens: Some(200),
            seed: Some(7),
            context: Some(8192),
            top_logprobs: Some(5),
            ..ChatRequest::new(
                "gpt",
                vec![
                    Message::new(Role::System, "Be brief."),
                    Message::new(Role::User, "e4 “why”?\n"),
                    Message::new(Role::User, "And after it?"),
                    Message::new(Role::Assistant, "It opens lines."),
                    Message::new(Role::Assistant, " "),
                    Message::new(Role::System, "Name squares."),
                    Message::new(Role::User, "Which?"),
                ],
            )
        }
    }

    /// `tests/data/llm-wire/requests.json`: the same question to each provider.
    #[test]
    fn bodies_have_the_documented_shapes() {
        let expected: Value = serde_json::from_str(include_str!("../../tests/data/llm-wire/requests.json")).unwrap();
        for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Ollama] {
            let body: Value = serde_json::from_str(&request().body(provider)).unwrap();
            assert_eq!(body, expected[provider.word()], "{}", provider.label());
        }
        assert_eq!(request().body(Provider::BuiltIn), "");
    }

    /// `tests/data/llm-wire/schema-requests.json`: a question whose answer has a shape, to each provider.
    #[test]
    fn each_provider_is_told_the_shape_of_the_answer() {
        let expected: Value =
            serde_json::from_str(include_str!("../../tests/data/llm-wire/schema-requests.json")).unwrap();
        let asked = ChatRequest {
            answer: Some(AnswerSchema {
                name: "claims",
                description: "The claims.",
                schema: json!({"type": "object", "required": ["claims"], "properties": {"claims": {"type": "array"}}}),
            }),
            ..ChatRequest::new("gpt", vec![Message::new(Role::User, "Which claims?")])
        };
        for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Ollama] {
            let body: Value = serde_json::from_str(&asked.body(provider)).unwrap();
            assert_eq!(body, expected[provider.word()], "{}", provider.label());
        }
        assert_eq!(asked.body(Provider::BuiltIn), "");
    }

    #[test]
    fn the_built_in_model_gets_the_question_apart() {
        let (before, question) = request().prompts();
        let before: Vec<(&str, &str)> = before
            .iter()
            .map(|message| (message.role.word(), message.content.as_str()))
            .collect();
        assert_eq!(
            before,
            [
                ("system", "Be brief.\n\nName squares."),
                ("user", "e4 “why”?\n\n\nAnd after it?"),
                ("assistant", "It opens lines.")
            ]
        );
        assert_eq!(question, "Which?");
        assert_eq!(ChatRequest::new("", vec![]).prompts(), (vec![], String::new()));
    }

    #[test]
    fn leaves_out_what_is_not_set() {
        let mut bare = ChatRequest::new("m", vec![]);
        bare.stream = false;
        bare.temperature = Some(f32::NAN);
        let body = |provider| serde_json::from_str::<Value>(&bare.body(provider)).unwrap();
        assert_eq!(
            body(Provider::OpenAi),
            json!({"messages": [], "model": "m", "stream": false})
        );
        assert_eq!(
            body(Provider::Anthropic),
            json!({"messages": [], "model": "m", "stream": false, "max_tokens": 4096})
        );
        assert_eq!(
            body(Provider::Ollama),
            json!({"messages": [], "model": "m", "stream": false, "truncate": false})
        );
    }

    #[test]
    fn temperatures_stay_within_what_is_taken() {
        let hot = ChatRequest {
            temperature: Some(1.5),
            ..ChatRequest::new("m", vec![])
        };
        let sent = |provider| serde_json::from_str::<Value>(&hot.body(provider)).unwrap()["temperature"].clone();
        assert_eq!(sent(Provider::OpenAi), 1.5);
        assert_eq!(sent(Provider::Anthropic), 1.0);
    }
}
