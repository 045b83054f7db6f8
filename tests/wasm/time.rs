//! `browser::clock`.

use std::future::{pending, ready};
use std::time::Duration;

use kibitz::browser::clock;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn waits_as_long_as_it_was_told() {
    let start = clock::now();
    clock::sleep(Duration::from_millis(50)).await;
    // Browsers round their clocks to protect their users.
    assert!(clock::now() - start >= 48.0, "{} ms", clock::now() - start);
}

#[wasm_bindgen_test]
async fn does_not_wait_for_ever() {
    assert_eq!(clock::within(Duration::from_millis(20), pending::<()>()).await, None);
    assert_eq!(clock::within(Duration::from_secs(60), ready(7)).await, Some(7));
}

#[wasm_bindgen_test]
fn knows_the_time_of_day() {
    let since_2026 = clock::time_of_day().duration_since(std::time::UNIX_EPOCH + Duration::from_secs(1_767_225_600));
    assert!(since_2026.is_ok());
}
