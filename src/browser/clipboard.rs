//! The clipboard.

use js_sys::JsString;
use wasm_bindgen::{JsCast, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ClipboardEvent, DataTransfer};

use crate::pace::Pace;

/// So many UTF-16 units are copied into the program in one step.
const STEP: u32 = 128 << 10;

/// Puts `text` on the clipboard. False when the browser refuses.
pub async fn copy(text: &str) -> bool {
    let promise = super::window().navigator().clipboard().write_text(text);
    JsFuture::from(promise).await.is_ok()
}

/// The text that is about to be pasted.
#[must_use]
pub fn pasted(event: &ClipboardEvent) -> Option<Pasted> {
    let texts: Texts = event.clipboard_data()?.unchecked_into();
    Some(Pasted(texts.get("text")))
}

#[wasm_bindgen]
extern "C" {
    /// As `DataTransfer`, whose text stays in the browser.
    #[wasm_bindgen(extends = DataTransfer)]
    type Texts;
    #[wasm_bindgen(method, js_name = getData)]
    fn get(this: &Texts, format: &str) -> JsString;
}

/// A text that is pasted, in the browser still: to copy megabytes into the program at once would hold the page up.
#[derive(Debug, Clone)]
pub struct Pasted(JsString);

impl Pasted {
    /// Letters, as UTF-16 counts them.
    #[must_use]
    pub fn length(&self) -> usize {
        self.0.length() as usize
    }

    /// The text; half a pair of surrogates becomes a replacement character.
    pub async fn read(self, pace: &impl Pace) -> String {
        let (length, mut from) = (self.0.length(), 0);
        let mut text = String::with_capacity(length as usize);
        while from < length {
            let end = length.min(from + STEP);
            let is_pair = end < length && is_surrogate(&self.0, end, 0xdc00) && is_surrogate(&self.0, end - 1, 0xd800);
            let end = if is_pair { end - 1 } else { end };
            text += &String::from(self.0.substring(from, end));
            from = end;
            pace.turn().await;
        }
        text
    }
}

impl From<JsString> for Pasted {
    fn from(text: JsString) -> Self {
        Self(text)
    }
}

/// Whether a surrogate stands there, of the half that begins with `first`.
fn is_surrogate(text: &JsString, place: u32, first: u16) -> bool {
    const HALF: u16 = 0x400;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a unit of UTF-16, 0 to 65,535
    let unit = text.char_code_at(place) as u16;
    (first..first + HALF).contains(&unit)
}
