//! `browser::storage` and `browser::database`: what survives a reload.

use kibitz::browser::{database, storage};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn settings_are_kept_replaced_and_forgotten() {
    assert_eq!(storage::read("test-setting"), None);
    assert!(storage::write("test-setting", "one"));
    assert!(storage::write("test-setting", "♞ two"));
    assert_eq!(storage::read("test-setting").as_deref(), Some("♞ two"));
    storage::remove("test-setting");
    assert_eq!(storage::read("test-setting"), None);
}

#[wasm_bindgen_test]
fn a_tab_keeps_what_it_has_room_for_and_nothing_stale() {
    let name = "test-game";
    assert!(storage::write_in_tab(name, "1. e4 *"));
    assert_eq!(storage::read_in_tab(name).as_deref(), Some("1. e4 *"));
    assert_eq!(storage::read(name), None, "the two stores are apart");
    // More than any browser grants: nothing is kept, not even what stood there.
    assert!(!storage::write_in_tab(name, &"x".repeat(12_000_000)));
    assert_eq!(storage::read_in_tab(name), None);
}

#[wasm_bindgen_test]
async fn bytes_are_kept_replaced_and_forgotten() {
    let name = "a network/with ? and # in its name.pb.gz";
    assert_eq!(database::find(name).await.unwrap(), None);
    let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    database::keep(name, b"first").await.unwrap();
    database::keep(name, &bytes).await.unwrap();
    assert_eq!(database::find(name).await.unwrap(), Some(bytes));
    database::forget(name).await.unwrap();
    assert_eq!(database::find(name).await.unwrap(), None);
    database::keep("empty", &[]).await.unwrap();
    assert_eq!(database::find("empty").await.unwrap(), Some(Vec::new()));
    database::forget("empty").await.unwrap();
}
