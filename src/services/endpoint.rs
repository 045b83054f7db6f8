//! A chat endpoint that the user named: streams a reply, can be stopped, gives up in time, tries again where that may
//! help. The key goes to this endpoint and nowhere else.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use futures_channel::oneshot;
use futures_util::future::{Either, select};
use thiserror::Error;

use super::attempt::{FIRST, Patience, Step};
use super::built_in;
use crate::{
    browser::{
        clock,
        http::{self, Answer, HttpError, Method},
        location,
    },
    llm::{
        ApiKey, BaseUrlError, ChatError, ChatRequest, Completion, CompletionRequest, Provider, Refusals, Reply,
        ReplyStream, RetryPolicy, Support, models, probabilities,
    },
};

thread_local! {
    /// What was learnt of servers since the page was opened.
    static REFUSALS: RefCell<Refusals> = const { RefCell::new(Refusals::new()) };
}

/// Where to ask, and with what key.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Which API is spoken there.
    pub provider: Provider,
    /// As the user typed it, such as `https://api.openai.com/v1`.
    pub base: String,
    /// Sent in the header that the API wants it in; local servers need none.
    pub key: Option<ApiKey>,
}

/// The question could not be asked or was not answered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AskError {
    /// The base URL cannot be used.
    #[error(transparent)]
    Base(#[from] BaseUrlError),
    /// The exchange failed.
    #[error("{0}")]
    Chat(#[from] ChatError),
}

impl AskError {
    /// A stable word for records.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Base(_) => "base-url",
            Self::Chat(error) => error.kind(),
        }
    }

    /// Whether somebody stopped it.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        matches!(self, Self::Chat(ChatError::Stopped { .. }))
    }
}

/// Ends a request from outside.
#[derive(Debug)]
pub struct Stop(oneshot::Sender<()>);

impl Stop {
    /// Ends it.
    pub fn now(self) {
        // The request may have ended by itself.
        let _ = self.0.send(());
    }
}

/// The other end of [`Stop`], which a request listens to.
#[derive(Debug)]
pub struct Stopped(oneshot::Receiver<()>);

impl Stopped {
    /// Waits until somebody stops it: forever, where nobody can any more.
    pub async fn heard(self) {
        if self.0.await.is_err() {
            std::future::pending().await
        }
    }
}

/// A way to stop one request.
#[must_use]
pub fn stopper() -> (Stop, Stopped) {
    let (sender, receiver) = oneshot::channel();
    (Stop(sender), Stopped(receiver))
}

impl Endpoint {
    /// Asks, and hands every step to `on_step` as it comes.
    ///
    /// # Errors
    /// When the base URL is unusable, or after the last attempt that made sense.
    pub async fn ask(
        &self,
        request: ChatRequest,
        mut stopped: Stopped,
        silence: Option<Duration>,
        on_step: impl FnMut(Step),
    ) -> Result<Reply, AskError> {
        let url = match self.provider {
            Provider::BuiltIn => String::new(),
            provider => provider.chat_url(&self.base)?,
        };
        let patience = Patience::new(silence);
        let text = Rc::new(Cell::new(String::new()));
        let on_step = RefCell::new(on_step);
        let tell = |step| (on_step.borrow_mut())(step);
        let asked = request.clone();
        let mut request = REFUSALS.with_borrow(|known| known.heeded(self.provider, &self.base, request));
        let attempt = async || {
            loop {
                match self.attempt(&url, &request, patience, &text, &mut &tell).await {
                    Err(error) => request = self.without_refused(&request, error)?,
                    reply => return reply,
                }
            }
        };
        let mut reply = retried(&mut stopped, attempt, || text.take(), tell).await?;
        reply.given_up = request.given_up(&asked);
        Ok(reply)
    }

    /// What comes after a text, with the probabilities of what is likely; again where that may help. The request is left as
    /// the server took it.
    ///
    /// # Errors
    /// When the base URL is unusable, the server gives no probabilities, or after the last attempt that made sense.
    pub async fn complete(
        &self,
        request: &mut CompletionRequest,
        stopped: &mut Stopped,
        silence: Option<Duration>,
    ) -> Result<Completion, AskError> {
        let url = self.provider.completions_url(&self.base)?;
        let url = url.ok_or(ChatError::NO_PROBABILITIES)?;
        let limit = Patience::new(silence).first;
        let attempt = async || {
            loop {
                match self.complete_once(&url, request, limit).await {
                    Err(error) => *request = request.adapted(error)?,
                    completion => return completion,
                }
            }
        };
        Ok(retried(stopped, attempt, String::new, |_| ()).await?)
    }

    async fn complete_once(
        &self,
        url: &str,
        request: &CompletionRequest,
        limit: Duration,
    ) -> Result<Completion, ChatError> {
        let timed_out = || ReplyStream::new(self.provider, None).timed_out(limit);
        let sent = self.send(Method::Post, url, Some(request.body()));
        let answer = clock::within(limit, sent).await.ok_or_else(timed_out)?;
        let mut answer = answer.map_err(|_| self.blocked())?;
        if !(200..300).contains(&answer.status) {
            return Err(self.refusal(&mut answer).await);
        }
        let body = clock::within(limit, read_some(&mut answer))
            .await
            .ok_or_else(timed_out)?;
        Completion::read(&body, self.key.as_ref())
    }

    async fn attempt(
        &self,
        url: &str,
        request: &ChatRequest,
        patience: Patience,
        text: &Rc<Cell<String>>,
        on_step: &mut impl FnMut(Step),
    ) -> Result<Reply, ChatError> {
        if self.provider == Provider::BuiltIn {
            return built_in::attempt(request, patience, text, on_step).await;
        }
        let mut stream = ReplyStream::new(self.provider, self.key.clone());
        let begun = clock::now();
        let Some(answer) = clock::within(
            patience.first,
            self.send(Method::Post, url, Some(request.body(self.provider))),
        )
        .await
        else {
            return Err(stream.timed_out(patience.first));
        };
        let mut answer = answer.map_err(|_| self.blocked())?;
        if !(200..300).contains(&answer.status) {
            return Err(self.refusal(&mut answer).await);
        }
        let mut silence = patience.first;
        while !stream.is_over() {
            if clock::now() - begun > patience.whole.as_secs_f64() * 1000.0 {
                return Err(stream.too_long());
            }
            match clock::within(silence, answer.next()).await {
                None => return Err(stream.timed_out(silence)),
                Some(Err(_)) => return stream.broken(),
                Some(Ok(None)) => break,
                Some(Ok(Some(bytes))) => {
                    for delta in stream.push(&bytes) {
                        on_step(Step::Delta(delta));
                    }
                    text.set(stream.text().to_owned());
                    silence = patience.between;
                }
            }
        }
        stream.finish()
    }

    fn without_refused(&self, request: &ChatRequest, error: ChatError) -> Result<ChatRequest, ChatError> {
        let next = REFUSALS.with_borrow_mut(|known| known.heed(self.provider, &self.base, request, &error));
        next.ok_or(error)
    }

    /// The names of the models that the endpoint offers.
    ///
    /// # Errors
    /// When the base URL is unusable, nothing answered, or the answer is no list.
    pub async fn models(&self) -> Result<Vec<String>, AskError> {
        let url = self.provider.models_url(&self.base)?;
        let limit = Duration::from_secs(15);
        let timed_out = || ReplyStream::new(self.provider, None).timed_out(limit);
        let answer = clock::within(limit, self.send(Method::Get, &url, None))
            .await
            .ok_or_else(timed_out)?;
        let mut answer = answer.map_err(|_| self.blocked())?;
        if !(200..300).contains(&answer.status) {
            return Err(match self.refusal(&mut answer).await {
                // No model was asked for.
                ChatError::NotFound { message, .. } => ChatError::NotFound { model: false, message },
                error => error,
            }
            .into());
        }
        let body = clock::within(limit, read_some(&mut answer))
            .await
            .ok_or_else(timed_out)?;
        models::model_names(&body).ok_or_else(|| ChatError::not_chat(&body, self.key.as_ref()).into())
    }

    /// Whether the endpoint gives token probabilities with `model`: a question of a few tokens shows it.
    ///
    /// # Errors
    /// When the base URL is unusable, nothing answered, or the question was refused for another reason.
    pub async fn probabilities(&self, model: &str) -> Result<Support, AskError> {
        if self.provider.probabilities() != Support::Unknown {
            return Ok(self.provider.probabilities());
        }
        let url = self.provider.chat_url(&self.base)?;
        let mut request = probabilities::probe(model);
        loop {
            let mut stream = ReplyStream::new(self.provider, self.key.clone());
            let sent = self.send(Method::Post, &url, Some(request.body(self.provider)));
            let Some(answer) = clock::within(FIRST, sent).await else {
                return Err(stream.timed_out(FIRST).into());
            };
            let mut answer = answer.map_err(|_| self.blocked())?;
            if (200..300).contains(&answer.status) {
                let Some(body) = clock::within(FIRST, read_some(&mut answer)).await else {
                    return Err(stream.timed_out(FIRST).into());
                };
                stream.push(&body);
                return Ok(stream.support());
            }
            let error = self.refusal(&mut answer).await;
            if probabilities::refused(&error) {
                return Ok(Support::No);
            }
            request = self.without_refused(&request, error)?;
        }
    }

    async fn send(&self, method: Method, url: &str, body: Option<String>) -> Result<Answer, HttpError> {
        let own = self.provider.headers(&self.base, self.key.as_ref());
        let mut headers: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
        if body.is_some() {
            headers.push(("content-type", "application/json"));
        }
        // The key and the prompt are for this server: a redirection would take them along.
        http::send(method, url, &headers, body).await
    }

    fn blocked(&self) -> ChatError {
        ChatError::blocked(&self.base, &location::origin(), location::online())
    }

    async fn refusal(&self, answer: &mut Answer) -> ChatError {
        // A refusal whose text does not arrive is reported by its status alone.
        let body = clock::within(Duration::from_secs(10), read_some(answer))
            .await
            .unwrap_or_default();
        ChatError::from_response(
            answer.status,
            &answer.headers(),
            &body,
            clock::time_of_day(),
            self.key.as_ref(),
        )
    }
}

/// Tries again where that may help, until somebody stops it; `received` is what had come by then.
async fn retried<T>(
    stopped: &mut Stopped,
    mut attempt: impl AsyncFnMut() -> Result<T, ChatError>,
    received: impl Fn() -> String,
    mut on_step: impl FnMut(Step),
) -> Result<T, ChatError> {
    let policy = RetryPolicy::default();
    let mut attempts = 0;
    loop {
        attempts += 1;
        let error = match select(std::pin::pin!(attempt()), &mut stopped.0).await {
            Either::Left((Ok(done), _)) => return Ok(done),
            Either::Left((Err(error), _)) => error,
            Either::Right(_) => return Err(ChatError::Stopped { received: received() }),
        };
        // Seconds of the page's life: enough chance to keep pages from returning together.
        let seed = clock::now() as u64;
        let Some(wait) = policy.wait(&error, attempts, seed) else {
            return Err(error);
        };
        on_step(Step::Waiting {
            kind: error.kind(),
            reason: error.to_string(),
            wait,
        });
        if let Either::Right(_) = select(std::pin::pin!(clock::sleep(wait)), &mut stopped.0).await {
            return Err(ChatError::Stopped {
                received: String::new(),
            });
        }
    }
}

/// The body, up to a megabyte: neither an error, a list of models nor one token is longer.
async fn read_some(answer: &mut Answer) -> Vec<u8> {
    let mut body = Vec::new();
    // What broke off is read as far as it came.
    while let Ok(Some(piece)) = answer.next().await {
        body.extend_from_slice(&piece);
        if body.len() > 1 << 20 {
            break;
        }
    }
    body
}
