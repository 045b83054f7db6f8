//! A dedicated worker from the inside: messages in and out.
//!
//! A message is an object `{ text, data }`: a string, and bytes or floats that are transferred with it.

use js_sys::{Array, ArrayBuffer, Float32Array, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// The worker this code runs in; `None` on a page.
fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// Calls `receive` with the text and the bytes of every message from now on. A message of another shape arrives as an
/// empty text. False on a page, where there is nothing to listen to.
pub fn listen(mut receive: impl FnMut(String, Option<Vec<u8>>) + 'static) -> bool {
    let Some(scope) = scope() else { return false };
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let message = event.data();
        let get = |name: &str| Reflect::get(&message, &JsValue::from_str(name)).ok();
        let text = get("text").and_then(|t| t.as_string()).unwrap_or_default();
        let data = get("data").and_then(|d| d.dyn_into::<ArrayBuffer>().ok());
        receive(text, data.map(|buffer| Uint8Array::new(&buffer).to_vec()));
    });
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // The worker listens for as long as it lives.
    listener.forget();
    true
}

/// Posts `text` to the page, and `floats` as a `Float32Array` whose memory is handed over. False when it could not be
/// posted: on a page, or out of memory.
pub fn post(text: &str, floats: Option<&[f32]>) -> bool {
    let Some(scope) = scope() else { return false };
    let message = Object::new();
    let transfer = Array::new();
    let mut done = Reflect::set(&message, &"text".into(), &text.into()).is_ok();
    if let Some(floats) = floats {
        let array = Float32Array::from(floats);
        transfer.push(&array.buffer());
        done &= Reflect::set(&message, &"data".into(), &array).is_ok();
    }
    done && scope.post_message_with_transfer(&message, &transfer).is_ok()
}

/// Milliseconds of some clock that doesn't stop.
#[must_use]
pub fn now() -> f64 {
    js_sys::Date::now()
}

/// Lets messages that have arrived be heard before going on.
pub async fn yield_now() {
    gloo_timers::future::TimeoutFuture::new(0).await;
}
