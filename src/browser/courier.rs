//! Requests that are not lost with the page that makes them.

use std::time::Duration;

use js_sys::Array;
use thiserror::Error;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen(module = "/src/browser/courier.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = deliver)]
    async fn js_deliver(method: &str, url: &str, headers: Array, body: &str, limit: f64) -> Result<JsValue, JsValue>;
}

/// What the server said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// The HTTP status; 0 for a redirection, which is not followed.
    pub status: u16,
    /// `Retry-After`, where the server lets this page see it.
    pub retry_after: Option<String>,
    /// The media type of its answer, or nothing.
    pub media_type: String,
    /// The first words of a refusal, or of what may be a web page (status 200).
    pub words: String,
}

/// There was no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CourierError {
    /// None in time.
    #[error("no answer in time")]
    TimedOut,
    /// None that the browser may show; it does not say why.
    #[error("no answer that the browser may show")]
    Blocked,
}

/// Sends a body to this address and no other, without cookies, and goes on though the page is closed meanwhile: always where
/// the service worker looks after the page, else where the body is small.
///
/// # Errors
/// When no answer came.
pub async fn deliver(
    method: &str,
    url: &str,
    headers: &[(String, String)],
    body: &str,
    limit: Duration,
) -> Result<Delivered, CourierError> {
    let fields: Array = headers
        .iter()
        .flat_map(|(name, value)| [name, value])
        .map(|text| JsValue::from_str(text))
        .collect();
    #[allow(clippy::cast_precision_loss)] // minutes, in milliseconds
    let answer = js_deliver(method, url, fields, body, limit.as_millis() as f64).await;
    let answer = answer.map_err(|name| match name.as_string().as_deref() {
        Some("TimeoutError") => CourierError::TimedOut,
        _ => CourierError::Blocked,
    })?;
    let answer = Array::from(&answer);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a status has three digits
    Ok(Delivered {
        status: answer.get(0).as_f64().unwrap_or_default() as u16,
        retry_after: answer.get(1).as_string(),
        media_type: answer.get(2).as_string().unwrap_or_default(),
        words: answer.get(3).as_string().unwrap_or_default(),
    })
}
