//! A dedicated worker from the inside: messages in and out.
//!
//! A message is an object `{ text, data }`: a string, and bytes or floats that are transferred with it.

use js_sys::{Array, ArrayBuffer, Float32Array, Object, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::held_file::HeldFile;

#[wasm_bindgen]
extern "C" {
    /// A message as JavaScript has it. Its fields are read and set without a string for their names, each of which would be
    /// decoded anew for each message.
    type Message;

    #[wasm_bindgen(method, getter, catch)]
    fn text(this: &Message) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, setter)]
    fn set_text(this: &Message, text: &str);
    #[wasm_bindgen(method, getter, catch)]
    fn data(this: &Message) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, setter)]
    fn set_data(this: &Message, data: &Float32Array);
}

/// The worker this code runs in; `None` on a page.
fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// What comes with a message.
#[derive(Debug, Clone, Default)]
pub enum Handed {
    /// Nothing that is known here.
    #[default]
    Nothing,
    /// Bytes that were transferred.
    Bytes(Vec<u8>),
    /// A file that is not read yet.
    File(HeldFile),
}

impl Handed {
    /// The bytes; none of a file.
    #[must_use]
    pub fn bytes(self) -> Option<Vec<u8>> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Nothing | Self::File(_) => None,
        }
    }
}

/// Calls `receive` with the text of every message and what comes with it from now on. A message of another shape arrives as
/// an empty text. False on a page, where there is nothing to listen to.
pub fn listen(mut receive: impl FnMut(String, Handed) + 'static) -> bool {
    let Some(scope) = scope() else { return false };
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let message: Message = event.data().unchecked_into();
        let text = message
            .text()
            .ok()
            .and_then(|text| text.as_string())
            .unwrap_or_default();
        let handed = match message.data().map(JsCast::dyn_into::<ArrayBuffer>) {
            Ok(Ok(buffer)) => Handed::Bytes(Uint8Array::new(&buffer).to_vec()),
            Ok(Err(other)) => HeldFile::of_value(other).map_or(Handed::Nothing, Handed::File),
            Err(_) => Handed::Nothing,
        };
        receive(text, handed);
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
    let message: Message = Object::new().unchecked_into();
    let transfer = Array::new();
    message.set_text(text);
    if let Some(floats) = floats {
        let array = Float32Array::from(floats);
        transfer.push(&array.buffer());
        message.set_data(&array);
    }
    scope.post_message_with_transfer(&message, &transfer).is_ok()
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
