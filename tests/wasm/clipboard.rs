//! `browser::clipboard`.

use js_sys::JsString;
use kibitz::{browser::clipboard::Pasted, pace::AtOnce};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn a_long_text_comes_whole() {
    // Each begins at another place, so that steps of whatever power of two part a letter of two units.
    for shift in 0..2 {
        let text = "x".repeat(shift) + &"♞😀".repeat(200_000);
        let pasted = Pasted::from(JsString::from(text.as_str()));
        assert_eq!(pasted.length(), shift + 600_000);
        assert!(pasted.read(&AtOnce).await == text);
    }
    assert_eq!(Pasted::from(JsString::from("")).read(&AtOnce).await, "");
}

#[wasm_bindgen_test]
async fn half_a_letter_is_replaced() {
    let halves = JsString::from_char_code(&[0x61, 0xd83d, 0x62, 0xde00]);
    assert_eq!(Pasted::from(halves).read(&AtOnce).await, "a\u{fffd}b\u{fffd}");
}
