//! Requests to other machines: only ever to the endpoint that the user named, or that a rater agreed to.

use gloo_net::http::{Request, Response};
use js_sys::Uint8Array;
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, ReadableStreamDefaultReader, RequestCredentials, RequestRedirect};

use super::js_message;

/// A request got no answer, or its answer broke off.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HttpError {
    /// The browser would not send it or got nothing that it may show us. It does not say which: a wrong address, a
    /// server that is not running, one that does not allow this page (CORS), no network.
    #[error("no answer that the browser may show ({0})")]
    Blocked(String),
    /// The connection ended in the middle of the answer.
    #[error("the answer broke off ({0})")]
    Broken(String),
}

/// Ends a request when dropped, or when told to.
#[derive(Debug)]
pub struct Abort(AbortController);

impl Abort {
    /// A handle for one request. `None` only in browsers without `AbortController`.
    #[must_use]
    pub fn new() -> Option<Self> {
        AbortController::new().ok().map(Self)
    }

    /// What the browser listens to.
    pub(super) fn signal(&self) -> AbortSignal {
        self.0.signal()
    }
}

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// An answer whose body arrives piece by piece. Dropping it ends the request.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    response: Response,
    reader: Option<ReadableStreamDefaultReader>,
    _abort: Option<Abort>,
}

impl Answer {
    /// A header of the answer, where the server lets this page see it.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        self.response.headers().get(name)
    }

    /// All headers that this page may see, lower-case names.
    #[must_use]
    pub fn headers(&self) -> Vec<(String, String)> {
        self.response.headers().entries().collect()
    }

    /// The next piece of the body; `None` at its end.
    ///
    /// # Errors
    /// [`HttpError::Broken`] when the connection ended early.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, HttpError> {
        let broken = |e: JsValue| HttpError::Broken(js_message(&e));
        if self.reader.is_none() {
            let Some(body) = self.response.body() else {
                return Ok(None);
            };
            self.reader = Some(body.get_reader().unchecked_into());
        }
        let Some(reader) = &self.reader else { return Ok(None) };
        let step = JsFuture::from(reader.read()).await.map_err(broken)?;
        let get = |key: &str| js_sys::Reflect::get(&step, &key.into()).map_err(broken);
        if get("done")?.is_truthy() {
            return Ok(None);
        }
        Ok(Some(Uint8Array::new(&get("value")?).to_vec()))
    }
}

/// Gets a file of the app's own.
///
/// # Errors
/// [`HttpError::Blocked`] when there is no answer the page may see.
pub async fn get(url: &str) -> Result<Answer, HttpError> {
    request(Method::Get, url, &[], None, RequestRedirect::Follow).await
}

/// Sends a request to this address and no other: a redirection is an answer with the status 0. No cookies go along:
/// `credentials: omit`.
///
/// # Errors
/// [`HttpError::Blocked`] when there is no answer the page may see.
pub async fn send(
    method: Method,
    url: &str,
    headers: &[(&str, &str)],
    body: Option<String>,
) -> Result<Answer, HttpError> {
    request(method, url, headers, body, RequestRedirect::Manual).await
}

async fn request(
    method: Method,
    url: &str,
    headers: &[(&str, &str)],
    body: Option<String>,
    redirect: RequestRedirect,
) -> Result<Answer, HttpError> {
    let blocked = |e: gloo_net::Error| HttpError::Blocked(e.to_string());
    let abort = Abort::new();
    let signal = abort.as_ref().map(Abort::signal);
    let mut builder = match method {
        Method::Get => Request::get(url),
        Method::Post => Request::post(url),
    };
    builder = builder
        .credentials(RequestCredentials::Omit)
        .redirect(redirect)
        .abort_signal(signal.as_ref());
    for (name, value) in headers {
        builder = builder.header(name, value);
    }
    let request = match body {
        Some(body) => builder.body(body),
        None => builder.build(),
    };
    let response = request.map_err(blocked)?.send().await.map_err(blocked)?;
    Ok(Answer {
        status: response.status(),
        response,
        reader: None,
        _abort: abort,
    })
}

/// What is asked of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Nothing is sent beside the address.
    Get,
    /// A body is sent.
    Post,
}
