//! The options that name a chat server and a model, and how its replies are drawn.

use std::{error::Error, time::Duration};

use kibitz::commentary::declaration::{DECLARATION_TOKENS, answer_schema};
use kibitz::llm::{ApiKey, ChatRequest, Message, Provider};
use serde::Serialize;

use super::endpoint::Endpoint;

/// Which model is asked, and where.
#[derive(Debug, Clone, clap::Args)]
pub struct EndpointArgs {
    /// The base URL of a chat server, such as http://localhost:8080/v1.
    #[arg(long, value_name = "URL", requires = "model_name")]
    endpoint: Option<String>,
    /// Which API it speaks: openai, anthropic or ollama.
    #[arg(long, value_name = "NAME", requires = "endpoint", default_value = "openai", value_parser = provider)]
    provider: Provider,
    /// The model to ask for.
    #[arg(long = "model", value_name = "NAME", requires = "endpoint", id = "model_name")]
    model: Option<String>,
    /// The environment variable that holds the key, where the server wants one.
    #[arg(long, value_name = "VAR", requires = "endpoint")]
    key_env: Option<String>,
    /// The sampling temperature: the paper says 0.1, its authors' notebook 0.01.
    #[arg(long, default_value_t = 0.1, value_parser = temperature)]
    temperature: f32,
    /// The most tokens of a reply.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: u32,
    /// The sampler's seed, where the server takes one.
    #[arg(long)]
    seed: Option<u32>,
    /// The longest wait for a reply, in seconds.
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,
}

fn provider(word: &str) -> Result<Provider, String> {
    Provider::from_word(word)
        .filter(|provider| *provider != Provider::BuiltIn)
        .ok_or_else(|| format!("`{word}` is neither openai, anthropic nor ollama"))
}

fn temperature(word: &str) -> Result<f32, String> {
    let value: f32 = word.parse().map_err(|_| format!("`{word}` is no number"))?;
    if (0.0..=2.0).contains(&value) {
        Ok(value)
    } else {
        Err("a temperature is between 0 and 2".to_owned())
    }
}

impl EndpointArgs {
    /// Whether a server was named.
    pub fn is_some(&self) -> bool {
        self.endpoint.is_some()
    }

    /// The model that was named.
    pub fn model(&self) -> &str {
        self.model.as_deref().unwrap_or_default()
    }

    /// How replies are to be drawn.
    pub fn sampling(&self) -> Sampling {
        Sampling {
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            seed: self.seed,
        }
    }

    /// The server that was named.
    pub fn endpoint(&self) -> Result<Option<Endpoint>, Box<dyn Error>> {
        let Some(base) = &self.endpoint else { return Ok(None) };
        let key = match &self.key_env {
            Some(name) => {
                let value = std::env::var(name).map_err(|_| format!("--key-env: there is no variable {name}"))?;
                Some(ApiKey::new(&value).map_err(|error| format!("--key-env {name}: {error}"))?)
            }
            None => None,
        };
        let timeout = Duration::from_secs(self.timeout.into());
        let endpoint = Endpoint::new(self.provider, base, key, timeout);
        Ok(Some(endpoint.map_err(|error| format!("--endpoint: {error}"))?))
    }
}

/// How replies are drawn.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Sampling {
    temperature: f32,
    max_tokens: u32,
    seed: Option<u32>,
}

impl Sampling {
    /// A question to `model`.
    pub fn request(self, model: &str, messages: Vec<Message>) -> ChatRequest {
        ChatRequest {
            temperature: Some(self.temperature),
            max_tokens: Some(self.max_tokens),
            seed: self.seed,
            ..ChatRequest::new(model, messages)
        }
    }
}

/// The question as one for the claims of a comment.
pub fn claims_request(request: ChatRequest) -> ChatRequest {
    ChatRequest {
        max_tokens: request.max_tokens.map(|most| most.max(DECLARATION_TOKENS)),
        answer: Some(answer_schema()),
        ..request
    }
}
