//! The error objects that servers send, as the body of a status or inside a stream.

use serde_json::Value;

use super::error::ChatError;
use super::key::ApiKey;
use super::server_text::clean;

/// What an error object says, whatever its shape.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Complaint {
    /// In the server's words: cleaned, without the key, shortened.
    pub(super) message: String,
    /// The status that the object itself names.
    status: Option<u16>,
    /// Type and code words, lower case, separated by blanks.
    words: String,
    field: Option<String>,
}

impl Complaint {
    /// Reads an error object: `{"error": {...}}`, `{"error": "..."}`, vLLM's `{"object":"error", ...}`, FastAPI's
    /// `{"detail": ...}`, Google's list of one.
    pub(super) fn read(value: &Value, key: Option<&ApiKey>) -> Self {
        let root = value.get(0).unwrap_or(value);
        let error = root.get("error").filter(|error| !error.is_null()).unwrap_or(root);
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let message = error
            .as_str()
            .map(str::to_owned)
            .or_else(|| text(error, "message"))
            .or_else(|| text(root, "message"))
            .or_else(|| text(root, "detail"))
            .or_else(|| root.pointer("/detail/0/msg").and_then(Value::as_str).map(str::to_owned))
            .unwrap_or_default();
        let status = ["code", "status"].iter().find_map(|name| {
            let code = error.get(name)?;
            let number = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
            u16::try_from(number).ok().filter(|number| (400..600).contains(number))
        });
        let words: Vec<String> = ["code", "type", "status"]
            .iter()
            .filter_map(|name| text(error, name))
            .collect();
        let named = text(error, "param").or_else(|| {
            let place = root.pointer("/detail/0/loc")?.as_array()?;
            place.last()?.as_str().map(str::to_owned)
        });
        Self {
            message: clean(&message, key),
            status,
            words: words.join(" ").to_ascii_lowercase(),
            field: refused_role(&message.to_lowercase())
                .map(str::to_owned)
                .or_else(|| {
                    let field = named.filter(|field| !field.is_empty() && field.len() <= 64)?;
                    Some(clean(&field, key))
                })
                .or_else(|| refused_field(&message).map(str::to_owned)),
        }
    }

    /// A body that is no JSON: its words, or nothing where it is a web page.
    pub(super) fn read_text(body: &[u8], key: Option<&ApiKey>) -> Self {
        let text = String::from_utf8_lossy(body);
        let page = text.trim_start_matches('\u{FEFF}').trim_start().starts_with('<');
        Self {
            message: if page {
                "(a web page)".to_owned()
            } else {
                clean(&text, key)
            },
            ..Self::default()
        }
    }

    /// The error that an object inside a stream of status 200 stands for.
    pub(super) fn into_stream_error(self) -> ChatError {
        let has = |word: &str| self.words.contains(word);
        let status = self.status.unwrap_or_else(|| {
            if has("insufficient_quota") || has("billing") {
                402
            } else if has("rate_limit") || has("resource_exhausted") {
                429
            } else if has("overloaded") || has("unavailable") {
                503
            } else if has("authentication") || has("invalid_api_key") || has("permission") {
                401
            } else if has("not_found") {
                404
            } else if has("request_too_large") {
                413
            } else if has("timeout_error") {
                504
            } else if has("invalid_request") || has("exceed_context") || has("context_length") {
                400
            } else {
                500
            }
        });
        self.into_error(status)
    }

    /// The error that this and an HTTP status stand for, without any waiting time.
    pub(super) fn into_error(self, status: u16) -> ChatError {
        let Self {
            message, words, field, ..
        } = self;
        let lower = message.to_lowercase();
        let says = |parts: &[&str]| parts.iter().any(|part| lower.contains(part) || words.contains(part));
        let overflow = says(&[
            "context_length_exceeded",
            "exceed_context_size",
            "context length",
            "maximum context",
            "context size",
            "context window",
            "prompt is too long",
            "exceed context limit",
            "exceeds the context",
            "too many tokens",
        ]);
        match status {
            // Google says 400 for a wrong key.
            400 if says(&["api key not valid", "api_key_invalid", "invalid_api_key"]) => {
                ChatError::Unauthorised { status, message }
            }
            400 | 413 | 422 if overflow || status == 413 => ChatError::ContextOverflow { message },
            400 if says(&["credit balance is too low"]) => ChatError::OutOfCredit { message },
            400 if says(&["model_not_found"]) => ChatError::NotFound { model: true, message },
            400 | 422 => ChatError::BadRequest { message, field },
            401 | 403 => ChatError::Unauthorised { status, message },
            402 => ChatError::OutOfCredit { message },
            429 if says(&["insufficient_quota", "exceeded your current quota", "billing"]) => {
                ChatError::OutOfCredit { message }
            }
            429 => ChatError::RateLimited {
                retry_after: None,
                message,
            },
            404 | 405 => ChatError::NotFound {
                model: words.contains("model") || (lower.contains("model") && !lower.contains("url")),
                message,
            },
            503 | 529 => ChatError::Overloaded {
                loading: lower.contains("loading"),
                retry_after: None,
                message,
            },
            // llama.cpp says 500 for a schema of which it can make no grammar.
            500 if says(&["grammar", "json schema"]) || field.as_deref() == Some(SYSTEM_ROLE) => {
                ChatError::BadRequest { message, field }
            }
            // llama.cpp says 500 for a prompt that does not fit when it notices late.
            500 if overflow => ChatError::ContextOverflow { message },
            // A browser that may not follow a redirection gives it the status 0.
            0 | 300..=399 => ChatError::Redirected,
            _ => ChatError::Server { status, text: message },
        }
    }
}

/// The field that stands for the system's messages.
pub(super) const SYSTEM_ROLE: &str = "system";

/// [`SYSTEM_ROLE`] where a server takes no messages of the system: in the words of OpenAI, Google, of the templates of Gemma and
/// Mistral, and of servers that check roles.
fn refused_role(lower: &str) -> Option<&'static str> {
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let by_template = says(&[
        "only user and assistant roles",
        "roles must alternate user/assistant",
        "developer instruction is not enabled",
    ]);
    let of_role = lower.contains("role") && lower.contains("system");
    let refuses = says(&[
        "not support",
        "unsupported",
        "not allowed",
        "not permitted",
        "invalid role",
        "unknown role",
        "unexpected role",
        "unrecognized role",
        "must be one of",
        "not one of",
        "should be 'user' or 'assistant'",
    ]);
    (by_template || of_role && refuses).then_some(SYSTEM_ROLE)
}

/// The setting that a server refuses by its words alone, as Anthropic and many others do. Only settings without which the
/// question stays the same question.
fn refused_field(message: &str) -> Option<&'static str> {
    let lower = message.to_lowercase();
    let refuses = [
        "not support",
        "unsupported",
        "deprecated",
        "not permitted",
        "not allowed",
        "unknown",
        "unrecognized",
        "invalid option",
        "requires",
        "unexpected",
        "not accept",
        "cannot both",
        "cannot be used",
        "can't be used",
    ];
    if let Some(field) = refused_answer(&lower) {
        return Some(field);
    }
    // "Your organization must be verified to stream this model."
    if lower.contains("verified to stream") || (lower.contains("streaming") && lower.contains("not support")) {
        return Some("stream");
    }
    let instead = lower.contains("max_completion_tokens") && lower.contains("instead");
    if !instead && !refuses.iter().any(|word| lower.contains(word)) {
        return None;
    }
    // Where two are named, the first is refused and the other what to use instead; of temperature and `top_p` the second is
    // the one that can be missed.
    let names = [
        "top_logprobs",
        "logprobs",
        "temperature",
        "top_p",
        "seed",
        "stream_options",
        "max_tokens",
        "max_completion_tokens",
        "num_ctx",
    ];
    let mut named = lower
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter_map(|word| names.into_iter().find(|name| *name == word));
    let first = named.next()?;
    let both = first == "temperature" && lower.contains("both") && named.any(|name| name == "top_p");
    Some(if both { "top_p" } else { first })
}

/// The field for the shape of the answer, where a server can do nothing with it. Words as OpenAI, DeepSeek, Anthropic,
/// llama.cpp and Ollama use them; a request without such a field is never changed by it.
fn refused_answer(lower: &str) -> Option<&'static str> {
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let names = says(&[
        "response_format",
        "json_schema",
        "json schema",
        "grammar",
        "structured output",
        "chatrequest.format",
        "invalid format",
        "tool_choice",
        "input_schema",
        "does not support tools",
    ]);
    let refuses = says(&[
        "not",
        "unsupported",
        "unavailable",
        "unknown",
        "unrecognized",
        "invalid",
        "fail",
        "must be",
    ]);
    (names && refuses).then_some("response_format")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_setting_is_known_by_its_name() {
        for (message, field) in [
            ("temperature: Extra inputs are not permitted", Some("temperature")),
            ("`temperature` is deprecated for this model.", Some("temperature")),
            ("This model does not support logprobs", Some("logprobs")),
            ("top_logprobs requires logprobs to be set to true", Some("top_logprobs")),
            ("This response_format type is unavailable now", Some("response_format")),
            ("Invalid schema for response_format 'claims'", Some("response_format")),
            ("Failed to parse grammar", Some("response_format")),
            (
                "json: cannot unmarshal object into Go struct field ChatRequest.format of type string",
                Some("response_format"),
            ),
            (
                "registry.ollama.ai/library/gemma does not support tools",
                Some("response_format"),
            ),
            (
                "tools.0.custom.input_schema: JSON schema is invalid",
                Some("response_format"),
            ),
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                Some("max_tokens"),
            ),
            (
                "Unrecognized request argument supplied: max_completion_tokens",
                Some("max_completion_tokens"),
            ),
            (
                "Please use max_completion_tokens instead of max_tokens.",
                Some("max_completion_tokens"),
            ),
            (
                "Your organization must be verified to stream this model.",
                Some("stream"),
            ),
            ("This model does not support streaming", Some("stream")),
            ("got an unexpected keyword argument 'seed'", Some("seed")),
            (
                "Unrecognized request argument supplied: stream_options",
                Some("stream_options"),
            ),
            ("top_p is not supported with this model", Some("top_p")),
            (
                "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
                Some("top_p"),
            ),
            ("max_tokens is too large: 99999. This model supports at most 8192", None),
            ("max_tokens: 99999 > 8192, the maximum", None),
            ("the temperature must be at most 1", None),
            ("unknown error at high temperatures", None),
        ] {
            assert_eq!(refused_field(message), field, "{message}");
        }
    }

    #[test]
    fn a_refused_role_is_known_by_its_name() {
        for (message, refused) in [
            (
                "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                true,
            ),
            ("Jinja Exception: System role not supported", true),
            (
                "Error rendering prompt with jinja template: \"Only user and assistant roles are supported!\"",
                true,
            ),
            (
                "Conversation roles must alternate user/assistant/user/assistant/...",
                true,
            ),
            ("Developer instruction is not enabled for models/gemma-3-27b-it", true),
            (
                "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter",
                true,
            ),
            ("Invalid role: system", true),
            ("The system is overloaded", false),
            ("Your role does not allow this model", false),
        ] {
            assert_eq!(refused_role(&message.to_lowercase()).is_some(), refused, "{message}");
        }
    }
}
