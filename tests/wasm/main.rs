//! Tests of the browser layer in a headless browser: `cargo dev test --only wasm`. Natively this is empty.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);

mod clipboard;
mod convolution;
#[path = "../convolution_bits.rs"]
mod convolution_bits;
mod files;
mod journal;
mod search_store;
mod second_copy;
mod storage;
mod time;
mod turns;
mod wire;
mod workers;
