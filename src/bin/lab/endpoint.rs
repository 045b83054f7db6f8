//! A chat endpoint, natively: whole replies instead of streams, the page's errors, advice and retries.

use std::{
    io::Read,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use kibitz::llm::{
    ApiKey, ChatError, ChatRequest, Completion, CompletionRequest, Provider, Reach, Refusals, Reply, ReplyStream,
    RetryPolicy,
    base_url::{self, BaseUrlError},
};
use ureq::{Agent, Body, http::Response};

/// The most bytes read of an error's body, and of a completion of one token.
const SMALL_BODY: u64 = 1 << 20;

/// Where to ask, and with what key.
pub struct Endpoint {
    agent: Agent,
    provider: Provider,
    base: String,
    url: String,
    /// `scheme://host:port`.
    server: String,
    key: Option<ApiKey>,
    timeout: Duration,
    refusals: Mutex<Refusals>,
}

/// The question could not be asked or was not answered.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The base URL cannot be used.
    #[error(transparent)]
    Base(#[from] BaseUrlError),
    /// Nothing answered there.
    #[error("{server} could not be reached: {cause}")]
    Unreachable {
        /// `scheme://host:port`.
        server: String,
        /// What the connection said.
        cause: String,
    },
    /// The exchange failed.
    #[error(transparent)]
    Chat(#[from] ChatError),
}

impl AskError {
    /// A stable word for records.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Base(_) => "base-url",
            Self::Unreachable { .. } => "unreachable",
            Self::Chat(error) => error.kind(),
        }
    }

    /// What to do about it; empty where there is nothing to say.
    pub fn advice(&self) -> String {
        match self {
            Self::Base(_) => String::new(),
            Self::Unreachable { .. } => "Check that the server runs there and that the port is right.".to_owned(),
            Self::Chat(error) => error.advice(),
        }
    }
}

impl Endpoint {
    /// An endpoint at `base`, as the user wrote it, that speaks `provider`'s API; `timeout` bounds each request as a whole.
    pub fn new(provider: Provider, base: &str, key: Option<ApiKey>, timeout: Duration) -> Result<Self, BaseUrlError> {
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            // A key is for the server that was named, not for where that sends us.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(timeout));
        if base_url::reach(base)? == Reach::Loopback {
            // What listens on this computer is not asked for through a proxy.
            config = config.proxy(None);
        }
        Ok(Self {
            agent: config.build().into(),
            provider,
            base: base.to_owned(),
            url: provider.chat_url(base)?,
            server: base_url::server(base)?,
            key,
            timeout,
            refusals: Mutex::default(),
        })
    }

    /// The server: `scheme://host:port`.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Asks, again where that may help.
    pub fn ask(&self, request: ChatRequest) -> Result<Reply, AskError> {
        self.ask_telling(request, |_| ())
    }

    /// The same; `failed` hears of every attempt after which another is made.
    pub fn ask_telling(&self, mut request: ChatRequest, failed: impl FnMut(&ChatError)) -> Result<Reply, AskError> {
        request.stream = false;
        let asked = request.clone();
        request = self.refusals().heeded(self.provider, &self.base, request);
        let ask = || {
            loop {
                match self.attempt(&request) {
                    Err(AskError::Chat(error)) => {
                        let next = self.refusals().heed(self.provider, &self.base, &request, &error);
                        request = next.ok_or(error)?;
                    }
                    result => return result,
                }
            }
        };
        let mut reply = retried(ask, failed)?;
        reply.given_up = request.given_up(&asked);
        Ok(reply)
    }

    fn refusals(&self) -> MutexGuard<'_, Refusals> {
        // What a thread that panicked knew of the server is as true as before.
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What comes after a text, with the probabilities of what is likely; again where that may help. The request is left as
    /// the server took it.
    pub fn complete(&self, request: &mut CompletionRequest) -> Result<Completion, AskError> {
        let url = self.provider.completions_url(&self.base)?;
        let url = url.ok_or(ChatError::NO_PROBABILITIES)?;
        let ask = || {
            loop {
                match self.complete_once(&url, request) {
                    Err(AskError::Chat(error)) => *request = request.adapted(error)?,
                    result => return result,
                }
            }
        };
        retried(ask, |_| ())
    }

    fn complete_once(&self, url: &str, request: &CompletionRequest) -> Result<Completion, AskError> {
        let mut answer = self.send(url, request.body())?;
        let mut body = Vec::new();
        let mut reader = answer.body_mut().as_reader().take(SMALL_BODY);
        match reader.read_to_end(&mut body) {
            Err(error) if is_timeout(&error) => Err(self.timed_out().into()),
            Err(_) => Err(ChatError::BrokenStream {
                received: String::new(),
                cause: None,
            }
            .into()),
            Ok(_) => Ok(Completion::read(&body, self.key.as_ref())?),
        }
    }

    /// An answer with status 2xx.
    fn send(&self, url: &str, body: String) -> Result<Response<Body>, AskError> {
        let mut post = self.agent.post(url).header("content-type", "application/json");
        for (name, value) in self.provider.headers(&self.base, self.key.as_ref()) {
            post = post.header(name, value);
        }
        let mut answer = post.send(body).map_err(|error| self.unanswered(error))?;
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        let headers: Vec<(String, String)> = answer
            .headers()
            .iter()
            .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
            .collect();
        let mut body = Vec::new();
        // What does not come of an error's text is left out: the status tells.
        let _ = answer.body_mut().as_reader().take(SMALL_BODY).read_to_end(&mut body);
        let error = ChatError::from_response(status.as_u16(), &headers, &body, SystemTime::now(), self.key.as_ref());
        Err(error.into())
    }

    /// One request.
    fn attempt(&self, request: &ChatRequest) -> Result<Reply, AskError> {
        let mut answer = self.send(&self.url, request.body(self.provider))?;
        let mut stream = ReplyStream::new(self.provider, self.key.clone());
        let mut body = answer.body_mut().as_reader();
        let mut piece = [0; 16 * 1024];
        while !stream.is_over() {
            match body.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => drop(stream.push(&piece[..read])),
                Err(error) if is_timeout(&error) => return Err(stream.timed_out(self.timeout).into()),
                Err(_) => return Ok(stream.broken()?),
            }
        }
        Ok(stream.finish()?)
    }

    fn unanswered(&self, error: ureq::Error) -> AskError {
        match error {
            ureq::Error::Timeout(_) => self.timed_out().into(),
            error => AskError::Unreachable {
                server: self.server.clone(),
                cause: error.to_string(),
            },
        }
    }

    fn timed_out(&self) -> ChatError {
        ChatError::TimedOut {
            seconds: u32::try_from(self.timeout.as_secs()).unwrap_or(u32::MAX),
            received: String::new(),
        }
    }
}

/// Tries again where that may help; `failed` hears of every attempt after which another is made.
fn retried<T>(
    mut attempt: impl FnMut() -> Result<T, AskError>,
    mut failed: impl FnMut(&ChatError),
) -> Result<T, AskError> {
    let policy = RetryPolicy::default();
    let mut attempts = 0;
    loop {
        attempts += 1;
        let error = match attempt() {
            Err(AskError::Chat(error)) => error,
            result => return result,
        };
        // Programs started together shall not return together.
        let Some(wait) = policy.wait(&error, attempts, u64::from(std::process::id())) else {
            return Err(error.into());
        };
        failed(&error);
        errln!("lab: {error} Trying again in {:.0} s.", wait.as_secs_f64().ceil());
        std::thread::sleep(wait);
    }
}

/// ureq hands its own time-out on as the source of a reader's error.
fn is_timeout(error: &std::io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>());
    error.kind() == std::io::ErrorKind::TimedOut || matches!(inner, Some(ureq::Error::Timeout(_)))
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader, Write},
        net::TcpListener,
    };

    use kibitz::llm::{Message, Role};

    use super::*;

    #[test]
    fn a_key_does_not_go_where_a_server_sends_it() {
        for provider in [Provider::OpenAi, Provider::Anthropic] {
            let (server, other) = (TcpListener::bind("127.0.0.1:0"), TcpListener::bind("127.0.0.1:0"));
            let (server, other) = (server.unwrap(), other.unwrap());
            let elsewhere = other.local_addr().unwrap();
            let base = format!("http://{}/v1", server.local_addr().unwrap());
            let key = ApiKey::new("sk-test-1234567890").unwrap();
            let asked = std::thread::spawn(move || {
                let (mut stream, _) = server.accept().unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap())
                    .lines()
                    .map_while(Result::ok);
                let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
                write!(
                    stream,
                    "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://{elsewhere}/v1/chat/completions\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
                .unwrap();
                head
            });
            let endpoint = Endpoint::new(provider, &base, Some(key), Duration::from_secs(30)).unwrap();
            let question = ChatRequest::new("a model", vec![Message::new(Role::User, "Why?")]);
            let error = endpoint.ask(question).unwrap_err();
            assert_eq!(error.kind(), "redirected", "{error}");
            let head = asked.join().unwrap();
            assert!(head.iter().any(|line| line.contains("sk-test-1234567890")), "{head:?}");
            other.set_nonblocking(true).unwrap();
            assert!(other.accept().is_err(), "nobody came to the other server");
        }
    }
}
