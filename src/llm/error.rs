//! What can go wrong between a question and its reply: what happened, what to do, and what was kept.

use std::time::Duration;

use super::base_url::{self, Reach};
use super::server_text::clean;

/// One failed attempt. `Display` says what happened and [`ChatError::advice`] what to do. Texts from the server are
/// shortened and stripped of the key before they get in here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChatError {
    /// 401 or 403: the key is missing, wrong, or may not use this model.
    #[error("The server refused the key ({status}).{}", said(.message))]
    Unauthorised {
        /// The HTTP status.
        status: u16,
        /// The server's words, may be empty.
        message: String,
    },
    /// 402, or 429 for want of credit: waiting does not help.
    #[error("The account behind this key has no credit left.{}", said(.message))]
    OutOfCredit {
        /// The server's words, may be empty.
        message: String,
    },
    /// 429: too many requests or tokens for now.
    #[error("The server takes no more requests for now.{}", said(.message))]
    RateLimited {
        /// How long the server asks to wait. Browsers hide the header where the server does not expose it.
        retry_after: Option<Duration>,
        /// The server's words, may be empty.
        message: String,
    },
    /// 503 or 529: too busy, or a local server that still loads its model.
    #[error("{}{}", if *.loading { "The server is still loading its model." } else { "The server is too busy." }, said(.message))]
    Overloaded {
        /// Whether it said that it is loading.
        loading: bool,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
        /// The server's words, may be empty.
        message: String,
    },
    /// 400, 413, 422: the server does not accept the request.
    #[error("The server did not accept the request.{}", said(.message))]
    BadRequest {
        /// The server's words, may be empty.
        message: String,
        /// The request's field that the server named, such as `max_tokens`. See [`super::ChatRequest::adapted`].
        field: Option<String>,
    },
    /// The prompt and the reply do not fit the model's context.
    #[error("The prompt is longer than this model can read.{}", said(.message))]
    ContextOverflow {
        /// The server's words, may be empty.
        message: String,
    },
    /// 404 or 405: nothing there, or no such model.
    #[error("{}{}", if *.model { "The server does not have this model." } else { "There is no chat endpoint at this address." }, said(.message))]
    NotFound {
        /// Whether the server spoke of the model rather than of the address.
        model: bool,
        /// The server's words, may be empty.
        message: String,
    },
    /// 3xx, or what a browser makes of it: the server wants the request sent to another address. It was not: key and
    /// prompt are for the address that the user gave.
    #[error(
        "The server wants the question sent to another address. It was not: the key and the question stay with the one you gave."
    )]
    Redirected,
    /// Any other status.
    #[error("The server failed ({status}).{}", said(.text))]
    Server {
        /// The HTTP status.
        status: u16,
        /// The server's words, may be empty.
        text: String,
    },
    /// 200, but what came is no chat reply (a web page, another API's JSON).
    #[error("What answered is not a chat server.{}", said(.text))]
    NotChat {
        /// How the answer begins, may be empty.
        text: String,
    },
    /// Log-probabilities are wanted, and there are none.
    #[error("The server {what}.")]
    NoProbabilities {
        /// What it does instead, with the verb.
        what: &'static str,
    },
    /// The browser did not let the request through, or nothing answered: it does not say which.
    #[error("{}", .why.what(.server))]
    Blocked {
        /// What is most likely.
        why: Blockage,
        /// `scheme://host:port` of the server.
        server: String,
        /// The page's origin, which the server must allow.
        page: String,
    },
    /// The browser's own model failed, or is not there.
    #[error("The browser’s own model did not answer.{}", said(.message))]
    BuiltIn {
        /// The browser's words, may be empty.
        message: String,
    },
    /// The stream ended, or said an error, before the reply did.
    #[error("The reply broke off{}.{}", if .received.is_empty() { " before its first word" } else { "" }, because(.cause))]
    BrokenStream {
        /// The text that had arrived.
        received: String,
        /// The error that the stream said.
        cause: Option<Box<ChatError>>,
    },
    /// A reply without a word.
    #[error("The model sent an empty reply{}.", if *.thinking { ": it used up its words on thinking" } else { "" })]
    Empty {
        /// Whether it thought, though it said nothing.
        thinking: bool,
    },
    /// More text, bytes or time than any reply takes.
    #[error("{}", if .received.trim().is_empty() {
        "The server went on and on without a word of a reply."
    } else {
        "The model did not stop writing; the reply was cut off."
    })]
    Endless {
        /// The text up to the bound.
        received: String,
    },
    /// The model or the provider's filter declined.
    #[error("The model declined to answer.{}", said(.message))]
    Refused {
        /// The refusal, may be empty.
        message: String,
        /// The text that had arrived.
        received: String,
    },
    /// Our own bound on the time without an answer or between two words of it.
    #[error("The server sent nothing for {seconds} seconds.")]
    TimedOut {
        /// The bound.
        seconds: u32,
        /// The text that had arrived.
        received: String,
    },
    /// The user pressed stop.
    #[error("Stopped.")]
    Stopped {
        /// The text that had arrived.
        received: String,
    },
}

/// Why a request may not have got through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Blockage {
    /// The browser says that there is no network.
    Offline,
    /// A page loaded over https called plain http on another machine.
    MixedContent,
    /// A page that is itself on plain http called plain http on another machine, which its policy does not allow.
    Policy,
    /// A server on this computer or network: not running, or it does not allow this page.
    Local,
    /// A server on the internet: down, or it does not allow web pages.
    Remote,
}

impl Blockage {
    fn what(self, server: &str) -> String {
        match self {
            Self::Offline => "This device is offline.".to_owned(),
            Self::MixedContent => {
                format!("The browser does not let a page loaded over https call {server}, which is plain http.")
            }
            Self::Policy => {
                format!("This page may call plain http only on this computer, as localhost or 127.0.0.1: not {server}.")
            }
            Self::Local => format!("{server} did not answer, or does not allow this page to read its answers."),
            Self::Remote => format!("{server} could not be reached, or does not allow web pages to read its answers."),
        }
    }
}

fn said(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(" It says: “{message}”")
    }
}

fn because(cause: &Option<Box<ChatError>>) -> String {
    cause.as_ref().map_or(String::new(), |cause| format!(" {cause}"))
}

impl ChatError {
    /// None are in its answer.
    pub const NO_PROBABILITIES: Self = Self::NoProbabilities {
        what: "returns no log-probabilities with this model",
    };

    /// The error of a fetch that failed without an answer. `base` is the user's base URL, `page` the page's origin
    /// (`https://host`), `online` what the browser says of the network.
    #[must_use]
    pub fn blocked(base: &str, page: &str, online: bool) -> Self {
        let reach = base_url::reach(base).unwrap_or(Reach::Public);
        let server = base_url::server(base).unwrap_or_else(|_| "The server".to_owned());
        let why = if reach == Reach::Public && !online {
            Blockage::Offline
        } else if reach != Reach::Loopback && page.starts_with("https:") && server.starts_with("http:") {
            Blockage::MixedContent
        } else if base_url::page_may_call(base) == Ok(false) {
            Blockage::Policy
        } else if reach == Reach::Public {
            Blockage::Remote
        } else {
            Blockage::Local
        };
        Self::Blocked {
            why,
            server,
            page: page.to_owned(),
        }
    }

    /// The error of the browser's own model, by the exception that it threw after `received`. Source: the Prompt API's
    /// specification, section "Errors" of the Writing Assistance APIs.
    #[must_use]
    pub fn of_built_in(name: &str, message: &str, received: &str) -> Self {
        let received = received.to_owned();
        let message = clean(message, None);
        match name {
            "QuotaExceededError" => Self::ContextOverflow { message },
            // What the model wrote was filtered out.
            "NotReadableError" => Self::Refused { message, received },
            _ if received.is_empty() => Self::BuiltIn { message },
            _ => Self::BrokenStream {
                received,
                cause: Some(Box::new(Self::BuiltIn { message })),
            },
        }
    }

    /// What the user can do about it, one to a few sentences; empty where there is nothing to say.
    #[must_use]
    pub fn advice(&self) -> String {
        match self {
            Self::Unauthorised { .. } => {
                "Check that the key is whole, belongs to this server and may use this model.".to_owned()
            }
            Self::OutOfCredit { .. } => "Add credit at the provider, or use another model or key.".to_owned(),
            Self::RateLimited { retry_after, .. }
            | Self::Overloaded {
                retry_after,
                loading: false,
                ..
            } => match retry_after {
                Some(wait) => format!("Try again in {}.", human(*wait)),
                None => "Wait a little and try again.".to_owned(),
            },
            Self::Overloaded { .. } => "Try again when it has finished.".to_owned(),
            Self::BadRequest { field: Some(field), .. } => format!("This model does not take the setting {field}."),
            Self::BadRequest { .. } => "Check the model's name and the settings.".to_owned(),
            Self::ContextOverflow { .. } => "Choose a model with a longer context, or start the local server with one \
                (llama.cpp: -c 8192; Ollama: OLLAMA_CONTEXT_LENGTH=8192)."
                .to_owned(),
            Self::NotFound { model: true, .. } => {
                "Choose a model from the server's list; with Ollama, pull it first.".to_owned()
            }
            Self::NotFound { .. } | Self::NotChat { .. } => {
                "Check the provider and the base URL: for most servers it ends in /v1, such as http://localhost:8080/v1; \
                 for Ollama’s own API it has no path."
                    .to_owned()
            }
            Self::Redirected => {
                "If you trust where it leads, give that address as the base URL; some servers only want https, or no slash at \
                 the end."
                    .to_owned()
            }
            Self::Server { .. } => "Try again; if it stays, look into the server's log or status page.".to_owned(),
            Self::NoProbabilities { .. } => "Ask it instead of scoring it.".to_owned(),
            Self::Blocked { why, page, .. } => why.advice(page),
            Self::BuiltIn { .. } => "Try again, restart the browser, or connect another model.".to_owned(),
            Self::BrokenStream { cause: Some(cause), .. } => cause.advice(),
            Self::BrokenStream { .. } => "Try again.".to_owned(),
            Self::Empty { thinking: true } => "Allow longer replies, or turn the model's thinking off.".to_owned(),
            Self::Empty { .. } => "Try again, or choose another model.".to_owned(),
            Self::Endless { received } if received.trim().is_empty() => {
                "Check that this is a chat server, or choose another model.".to_owned()
            }
            Self::Endless { .. } => "Choose another model, or set a bound on the reply's length.".to_owned(),
            Self::Refused { .. } => {
                "Try again, or choose another model: the question was about a move and nothing else.".to_owned()
            }
            Self::TimedOut { .. } => {
                "A large local model can take long over its first word: allow more time, or choose a smaller one."
                    .to_owned()
            }
            Self::Stopped { .. } => String::new(),
        }
    }

    /// The text that had arrived before the error, `None` where there was none. It is part of a reply, unchecked.
    #[must_use]
    pub fn kept(&self) -> Option<&str> {
        match self {
            Self::BrokenStream { received, .. }
            | Self::Endless { received }
            | Self::Refused { received, .. }
            | Self::TimedOut { received, .. }
            | Self::Stopped { received } => Some(received.as_str()).filter(|text| !text.trim().is_empty()),
            _ => None,
        }
    }

    /// How long the server asked to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Overloaded { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// A stable word for exports and tests.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unauthorised { .. } => "unauthorised",
            Self::OutOfCredit { .. } => "out-of-credit",
            Self::RateLimited { .. } => "rate-limited",
            Self::Overloaded { .. } => "overloaded",
            Self::BadRequest { .. } => "bad-request",
            Self::ContextOverflow { .. } => "context-overflow",
            Self::NotFound { .. } => "not-found",
            Self::Redirected => "redirected",
            Self::Server { .. } => "server",
            Self::NotChat { .. } => "not-chat",
            Self::NoProbabilities { .. } => "no-probabilities",
            Self::Blocked { .. } => "blocked",
            Self::BuiltIn { .. } => "built-in",
            Self::BrokenStream { .. } => "broken-stream",
            Self::Empty { .. } => "empty",
            Self::Endless { .. } => "endless",
            Self::Refused { .. } => "refused",
            Self::TimedOut { .. } => "timed-out",
            Self::Stopped { .. } => "stopped",
        }
    }
}

impl Blockage {
    /// Sources: llama.cpp pull request 25655 (`--cors-origins`), Ollama's FAQ (`OLLAMA_ORIGINS`), `lms server start
    /// --cors`, Chrome's Local Network Access permission (Chrome 142).
    fn advice(self, page: &str) -> String {
        match self {
            Self::Offline => {
                "Reconnect, or use a server on this computer. Commentary without a model works offline.".to_owned()
            }
            Self::MixedContent => "Run the model on this computer and use http://localhost, give the server https, or \
                open this page over http. If the browser asks for access to your local network, allow it."
                .to_owned(),
            Self::Policy => "Give the server https, or bring its port to this computer (ssh -L 11434:localhost:11434 \
                the-machine) and use http://localhost and that port."
                .to_owned(),
            Self::Local => format!(
                "Check that it is running and the port is right, and that it allows the origin {page}. \
                 Ollama: start it with OLLAMA_ORIGINS={page}. LM Studio: lms server start --cors. \
                 llama.cpp: allows every page unless told otherwise; then --cors-origins {page}. \
                 If the browser asks for access to your local network, allow it; Safari lets no https page call http."
            ),
            Self::Remote => "Check the base URL and your connection. Some providers allow no calls from web pages: \
                then use one that does, or a server on this computer."
                .to_owned(),
        }
    }
}

/// A wait in words, rounded up.
fn human(wait: Duration) -> String {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    match seconds {
        0 | 1 => "a second".to_owned(),
        2..=119 => format!("{seconds} seconds"),
        120..=7199 => format!("{} minutes", seconds.div_ceil(60)),
        _ => format!("{} hours", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_fetch_is_told_apart() {
        let why = |base: &str, page: &str, online| match ChatError::blocked(base, page, online) {
            ChatError::Blocked { why, .. } => why,
            other => panic!("{other:?}"),
        };
        let (secure, plain) = ("https://kibitz.example", "http://localhost:8080");
        assert_eq!(why("https://api.openai.com/v1", secure, false), Blockage::Offline);
        assert_eq!(why("https://api.openai.com/v1", secure, true), Blockage::Remote);
        assert_eq!(why("http://192.168.1.5:8080", secure, true), Blockage::MixedContent);
        assert_eq!(why("http://192.168.1.5:8080", plain, true), Blockage::Policy);
        assert_eq!(why("http://[::1]:8080", secure, true), Blockage::Policy);
        assert_eq!(why("https://box.local", secure, true), Blockage::Local);
        // A server on this computer needs no network.
        assert_eq!(why("http://localhost:11434", secure, false), Blockage::Local);
    }

    #[test]
    fn advice_names_the_switches() {
        let error = ChatError::blocked("http://localhost:11434/v1", "https://kibitz.example", true);
        assert_eq!(
            error.to_string(),
            "http://localhost:11434 did not answer, or does not allow this page to read its answers."
        );
        let advice = error.advice();
        for word in [
            "OLLAMA_ORIGINS=https://kibitz.example",
            "--cors-origins https://kibitz.example",
            "start --cors.",
        ] {
            assert!(advice.contains(word), "{word}");
        }
    }

    #[test]
    fn keeps_only_what_has_words() {
        let stopped = |received: &str| ChatError::Stopped {
            received: received.to_owned(),
        };
        assert_eq!(stopped("White ").kept(), Some("White "));
        assert_eq!(stopped(" \n").kept(), None);
        assert_eq!(ChatError::Empty { thinking: false }.kept(), None);
    }

    #[test]
    fn what_the_built_in_model_throws_is_told_apart() {
        let kind = |name, received| ChatError::of_built_in(name, "no", received).kind();
        assert_eq!(kind("QuotaExceededError", ""), "context-overflow");
        assert_eq!(kind("NotReadableError", "White"), "refused");
        assert_eq!(kind("UnknownError", ""), "built-in");
        let broken = ChatError::of_built_in("UnknownError", "a crash", "White");
        assert_eq!(
            (broken.kind(), broken.kept(), broken.to_string().as_str()),
            (
                "broken-stream",
                Some("White"),
                "The reply broke off. The browser’s own model did not answer. It says: “a crash”"
            )
        );
    }

    #[test]
    fn waits_are_rounded_up() {
        let wait = |millis| human(Duration::from_millis(millis));
        assert_eq!(wait(200), "a second");
        assert_eq!(wait(6_270), "7 seconds");
        assert_eq!(wait(121_000), "3 minutes");
        assert_eq!(wait(u64::MAX), "5124095576031 hours");
    }
}
