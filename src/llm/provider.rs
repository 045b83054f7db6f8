//! The kinds of chat API, and what each wants: addresses, headers, settings.
//!
//! Sources: OpenAI's API reference (chat completions), Anthropic's (Messages), Ollama's `docs/api.md`, and the W3C
//! community group's Prompt API for the browser's own model.

use serde::{Deserialize, Serialize};

use super::base_url::{self, BaseUrlError, Paths, Reach};
use super::key::ApiKey;
use super::support::Support;

/// A kind of chat API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Provider {
    /// Chat completions: OpenAI and the many that took over its shape.
    #[default]
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's Messages.
    #[serde(rename = "anthropic")]
    Anthropic,
    /// Ollama's own `/api/chat`.
    #[serde(rename = "ollama")]
    Ollama,
    /// The model that some browsers bring, `LanguageModel`.
    #[serde(rename = "built-in")]
    BuiltIn,
}

/// The version of Anthropic's API that is spoken; there is no later one.
const ANTHROPIC_VERSION: &str = "2023-06-01";

const OPENAI_PATHS: Paths = Paths {
    chat: "chat/completions",
    completions: Some("completions"),
    models: "models",
    instead_of_none: "/v1",
    typed_along: &["/chat/completions", "/completions", "/models"],
};

const ANTHROPIC_PATHS: Paths = Paths {
    chat: "messages",
    completions: None,
    models: "models",
    instead_of_none: "/v1",
    typed_along: &["/messages", "/models"],
};

const OLLAMA_PATHS: Paths = Paths {
    chat: "api/chat",
    // Its `/api/generate` is of another shape.
    completions: None,
    models: "api/tags",
    instead_of_none: "",
    // `/v1` is what Ollama's other API wants; who has it from there means the same server.
    typed_along: &["/api/chat", "/api/tags", "/api/generate", "/api", "/v1"],
};

impl Provider {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::Anthropic, Self::Ollama, Self::BuiltIn];

    /// Its name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::OpenAi => "OpenAI-compatible",
            Self::Anthropic => "Anthropic Messages",
            Self::Ollama => "Ollama",
            Self::BuiltIn => "The browser’s own model",
        }
    }

    /// A stable word for files, options and storage.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
            Self::BuiltIn => "built-in",
        }
    }

    /// The provider of that [`word`](Self::word).
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.word() == word)
    }

    /// Where it is when nobody says otherwise; empty for the browser's own model, which has no address.
    #[must_use]
    pub fn default_base(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Ollama => "http://localhost:11434",
            Self::BuiltIn => "",
        }
    }

    fn paths(self) -> Result<&'static Paths, BaseUrlError> {
        match self {
            Self::OpenAi => Ok(&OPENAI_PATHS),
            Self::Anthropic => Ok(&ANTHROPIC_PATHS),
            Self::Ollama => Ok(&OLLAMA_PATHS),
            Self::BuiltIn => Err(BaseUrlError::NoAddress),
        }
    }

    /// Where a question goes: `…/chat/completions`, `…/messages`, `…/api/chat` under `base`.
    ///
    /// `base` may end in a slash or in one of the API's own leaves. `/v1` is added only where no path is given: a path
    /// that somebody typed (`/openai/v1`, `/v1beta/openai`) is what the server wants.
    ///
    /// # Errors
    /// When the address cannot be used, or the provider has none.
    pub fn chat_url(self, base: &str) -> Result<String, BaseUrlError> {
        base_url::under(base, self.paths()?, |paths| paths.chat)
    }

    /// Where a text goes that is to be gone on with: `…/completions`; `None` of an API that has no such place.
    ///
    /// # Errors
    /// When the address cannot be used.
    pub fn completions_url(self, base: &str) -> Result<Option<String>, BaseUrlError> {
        let Some(leaf) = self.paths().ok().and_then(|paths| paths.completions) else {
            return Ok(None);
        };
        base_url::under(base, self.paths()?, |_| leaf).map(Some)
    }

    /// Where the list of models is: `…/models`, `…/api/tags`.
    ///
    /// # Errors
    /// As [`chat_url`](Self::chat_url).
    pub fn models_url(self, base: &str) -> Result<String, BaseUrlError> {
        let url = base_url::under(base, self.paths()?, |paths| paths.models)?;
        // Anthropic gives twenty at a time unless asked for more.
        let anthropic = self == Self::Anthropic && base_url::reach(base)? == Reach::Public;
        Ok(if anthropic { format!("{url}?limit=1000") } else { url })
    }

    /// The headers of a request to `base`, besides `content-type`.
    #[must_use]
    pub fn headers(self, base: &str, key: Option<&ApiKey>) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        match self {
            Self::OpenAi if base_url::is_azure(base) => {
                headers.extend(key.map(|key| ("api-key", key.expose().to_owned())));
            }
            Self::OpenAi | Self::Ollama => headers.extend(key.map(|key| ("authorization", key.header_value()))),
            Self::Anthropic => {
                headers.extend(key.map(|key| ("x-api-key", key.expose().to_owned())));
                headers.push(("anthropic-version", ANTHROPIC_VERSION.to_owned()));
                // What Anthropic asks of web pages. A server next door does not, and may not list it among the headers
                // that it allows, which would block the request.
                if base_url::reach(base) == Ok(Reach::Public) {
                    headers.push(("anthropic-dangerous-direct-browser-access", "true".to_owned()));
                }
            }
            Self::BuiltIn => {}
        }
        headers
    }

    /// Whether its API takes a seed.
    #[must_use]
    pub fn takes_seed(self) -> bool {
        matches!(self, Self::OpenAi | Self::Ollama)
    }

    /// Whether its API takes a temperature, and up to which.
    #[must_use]
    pub fn max_temperature(self) -> Option<f32> {
        match self {
            Self::OpenAi | Self::Ollama => Some(2.0),
            Self::Anthropic => Some(1.0),
            // Only extensions may set it.
            Self::BuiltIn => None,
        }
    }

    /// Whether its API takes a bound on the reply's tokens.
    #[must_use]
    pub fn takes_max_tokens(self) -> bool {
        self != Self::BuiltIn
    }

    /// Whether the context's size is set with each request. Ollama's is small unless asked for more.
    #[must_use]
    pub fn takes_context(self) -> bool {
        self == Self::Ollama
    }

    /// Whether the API gives token probabilities at all; [`Support::Unknown`] where it depends on server and model.
    #[must_use]
    pub fn probabilities(self) -> Support {
        match self {
            Self::OpenAi | Self::Ollama => Support::Unknown,
            Self::Anthropic | Self::BuiltIn => Support::No,
        }
    }
}

/// A service or server that people use, with what is known of it beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// Any server that speaks OpenAI's shape.
    #[default]
    Compatible,
    /// OpenAI.
    #[serde(rename = "openai")]
    OpenAi,
    /// OpenRouter.
    #[serde(rename = "openrouter")]
    OpenRouter,
    /// llama.cpp's server.
    #[serde(rename = "llama.cpp")]
    LlamaCpp,
    /// vLLM.
    Vllm,
    /// LM Studio.
    LmStudio,
    /// Anthropic.
    Anthropic,
    /// Ollama, by its own API.
    Ollama,
    /// The browser's own model.
    BuiltIn,
}

impl Preset {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 9] = [
        Self::Compatible,
        Self::OpenAi,
        Self::Anthropic,
        Self::OpenRouter,
        Self::Ollama,
        Self::LlamaCpp,
        Self::LmStudio,
        Self::Vllm,
        Self::BuiltIn,
    ];

    /// Its name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Compatible => "Any OpenAI-compatible server",
            Self::OpenAi => "OpenAI",
            Self::OpenRouter => "OpenRouter",
            Self::LlamaCpp => "llama.cpp server",
            Self::Vllm => "vLLM",
            Self::LmStudio => "LM Studio",
            Self::Anthropic => "Anthropic",
            Self::Ollama => "Ollama",
            Self::BuiltIn => "This browser’s own model",
        }
    }

    /// A stable word for storage and for the page's form.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::OpenAi => "openai",
            Self::OpenRouter => "openrouter",
            Self::LlamaCpp => "llama.cpp",
            Self::Vllm => "vllm",
            Self::LmStudio => "lm-studio",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
            Self::BuiltIn => "built-in",
        }
    }

    /// The preset of that [`word`](Self::word).
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.word() == word)
    }

    /// Which API it speaks.
    #[must_use]
    pub fn provider(self) -> Provider {
        match self {
            Self::Compatible | Self::OpenAi | Self::OpenRouter | Self::LlamaCpp | Self::Vllm | Self::LmStudio => {
                Provider::OpenAi
            }
            Self::Anthropic => Provider::Anthropic,
            Self::Ollama => Provider::Ollama,
            Self::BuiltIn => Provider::BuiltIn,
        }
    }

    /// Its base URL, as its makers document it; empty where there is none to know.
    #[must_use]
    pub fn base(self) -> &'static str {
        match self {
            Self::Compatible => "",
            Self::OpenRouter => "https://openrouter.ai/api/v1",
            Self::LlamaCpp => "http://localhost:8080/v1",
            Self::Vllm => "http://localhost:8000/v1",
            Self::LmStudio => "http://localhost:1234/v1",
            Self::OpenAi | Self::Anthropic | Self::Ollama | Self::BuiltIn => self.provider().default_base(),
        }
    }

    /// Whether it answers nobody without a key.
    #[must_use]
    pub fn wants_key(self) -> bool {
        matches!(self, Self::OpenAi | Self::OpenRouter | Self::Anthropic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tests/data/llm-wire/provider_urls.tsv`: provider, base, where questions go (or the error), where the models are.
    #[test]
    fn calls_each_api_where_it_is() {
        let table = include_str!("../../tests/data/llm-wire/provider_urls.tsv");
        let mut rows = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let provider = Provider::from_word(fields[0]).unwrap();
            match provider.chat_url(fields[1]) {
                Ok(url) => {
                    assert_eq!(url, fields[2], "{line}");
                    assert_eq!(provider.models_url(fields[1]).unwrap(), fields[3], "{line}");
                    assert_eq!(provider.chat_url(&url).unwrap(), url);
                    let completions = provider.completions_url(fields[1]).unwrap();
                    assert_eq!(completions.is_some(), provider == Provider::OpenAi, "{line}");
                    if let Some(completions) = completions.filter(|_| !fields[1].contains("azure")) {
                        assert_eq!(completions, url.replace("/chat/", "/"));
                        assert_eq!(provider.chat_url(&completions).unwrap(), url);
                    }
                }
                Err(error) => assert_eq!(format!("{error:?}"), fields[2], "{line}"),
            }
            rows += 1;
        }
        assert!(rows > 15, "{rows} rows");
    }

    #[test]
    fn the_key_goes_where_the_api_looks_for_it() {
        let key = ApiKey::new("sk-test-0123456789").unwrap();
        let bearer = vec![("authorization", "Bearer sk-test-0123456789".to_owned())];
        for provider in [Provider::OpenAi, Provider::Ollama] {
            assert_eq!(provider.headers("https://x.org", Some(&key)), bearer);
            assert_eq!(provider.headers("https://x.org", None), []);
        }
        let azure = "https://me.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21";
        assert_eq!(
            Provider::OpenAi.headers(azure, Some(&key)),
            [("api-key", "sk-test-0123456789".to_owned())]
        );
        let version = ("anthropic-version", "2023-06-01".to_owned());
        let key_header = ("x-api-key", "sk-test-0123456789".to_owned());
        assert_eq!(
            Provider::Anthropic.headers("https://api.anthropic.com/v1", Some(&key)),
            [
                key_header.clone(),
                version.clone(),
                ("anthropic-dangerous-direct-browser-access", "true".to_owned())
            ]
        );
        assert_eq!(
            Provider::Anthropic.headers("http://localhost:8080/v1", Some(&key)),
            [key_header, version.clone()]
        );
        assert_eq!(Provider::Anthropic.headers("http://localhost:8080", None), [version]);
        assert_eq!(Provider::BuiltIn.headers("https://x.org", Some(&key)), []);
    }

    #[test]
    fn words_lead_back_and_presets_can_be_called() {
        for provider in Provider::ALL {
            assert_eq!(Provider::from_word(provider.word()), Some(provider));
            assert_eq!(serde_json::json!(provider), provider.word());
        }
        for preset in Preset::ALL {
            assert_eq!(Preset::from_word(preset.word()), Some(preset));
            assert_eq!(serde_json::json!(preset), preset.word());
            let called = preset.provider().chat_url(preset.base());
            assert_eq!(
                called.is_ok(),
                !preset.base().is_empty(),
                "{}: {called:?}",
                preset.label()
            );
        }
        assert_eq!(Provider::from_word("gemini"), None);
    }
}
