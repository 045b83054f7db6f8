//! The browser's own files.

use kibitz::browser::second_copy::{all, has_room, read, remove, write};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn files_are_replaced_found_and_removed_by_their_folders() {
    assert_eq!(read("a").await, []);
    write("a", "session", "first").await.unwrap();
    write("a", "000000.jsonl", "line").await.unwrap();
    write("a", "session", "second").await.unwrap();
    write("b", "session", "third").await.unwrap();
    let mut files = read("a").await;
    files.sort();
    let named = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(files, [named("000000.jsonl", "line"), named("session", "second")]);
    let mut sessions = all("session").await;
    sessions.sort();
    assert_eq!(sessions, ["second", "third"]);
    remove("a", Some("session")).await;
    assert_eq!(read("a").await, [named("000000.jsonl", "line")]);
    for folder in ["a", "b", "absent"] {
        remove(folder, None).await;
    }
    assert_eq!(read("a").await, []);
    assert!(all("session").await.is_empty());
}

#[wasm_bindgen_test]
async fn a_little_has_room_and_what_no_disk_holds_has_none() {
    assert!(has_room(1_000).await);
    assert!(!has_room(usize::MAX).await);
    assert!(all("probe").await.is_empty());
}
