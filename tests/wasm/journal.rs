//! Journals in the browser's own IndexedDB.

use kibitz::browser::journal::{JournalError, append, discard, drop_record, entries, get, hold, list, put};
use wasm_bindgen_test::wasm_bindgen_test;

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

/// A journal with these entries from the first on.
async fn keep(journal: &str, all: &[&str]) -> Vec<String> {
    let all = texts(all);
    append(journal, 0, &all).await.unwrap();
    all
}

#[wasm_bindgen_test]
async fn entries_are_added_once_and_in_order() {
    keep("one", &["a", "b"]).await;
    append("one", 2, &texts(&["a", "b", "c"])).await.unwrap();
    keep("two", &["x"]).await;
    assert_eq!(entries("one").await.unwrap(), ["a", "b", "c"]);
    // A number that is taken: nothing of it is added, not what is free either.
    let again = append("one", 2, &texts(&["a", "b", "d", "e"])).await;
    assert_eq!(again, Err(JournalError::Changed));
    assert_eq!(entries("one").await.unwrap(), ["a", "b", "c"]);
    discard("one").await.unwrap();
    assert_eq!(entries("one").await.unwrap(), Vec::<String>::new());
    assert_eq!(entries("two").await.unwrap(), ["x"]);
    discard("two").await.unwrap();
}

#[wasm_bindgen_test]
async fn a_journal_that_has_become_another_one_takes_nothing() {
    let mut all = keep("three", &["a", "b", "c"]).await;
    all.push("d".to_owned());
    // The browser has opened an empty store in its place, or lost its end.
    discard("three").await.unwrap();
    assert_eq!(append("three", 3, &all).await, Err(JournalError::Changed));
    assert_eq!(entries("three").await.unwrap(), Vec::<String>::new());
    keep("three", &["a", "b"]).await;
    assert_eq!(append("three", 3, &all).await, Err(JournalError::Changed));
    // Another session has as many entries.
    discard("three").await.unwrap();
    for others in [["x", "b", "c"], ["a", "b", "x"]] {
        keep("three", &others).await;
        assert_eq!(append("three", 3, &all).await, Err(JournalError::Changed));
        assert_eq!(entries("three").await.unwrap(), others);
        discard("three").await.unwrap();
    }
    // From its beginning it can be written anew.
    append("three", 0, &all).await.unwrap();
    assert_eq!(entries("three").await.unwrap(), all);
    discard("three").await.unwrap();
}

#[wasm_bindgen_test]
async fn more_than_ten_entries_stay_in_order() {
    let all: Vec<String> = (0..120).map(|n| n.to_string()).collect();
    append("long", 0, &all).await.unwrap();
    assert_eq!(entries("long").await.unwrap(), all);
    discard("long").await.unwrap();
}

#[wasm_bindgen_test]
async fn records_are_kept_by_name() {
    put("session a", "1").await.unwrap();
    put("session b", "2").await.unwrap();
    put("study", "3").await.unwrap();
    put("session a", "4").await.unwrap();
    assert_eq!(get("session a").await.unwrap().as_deref(), Some("4"));
    assert_eq!(list("session ").await.unwrap(), ["4", "2"]);
    for name in ["session a", "session b", "study"] {
        drop_record(name).await.unwrap();
    }
    assert_eq!(get("study").await.unwrap(), None);
}

#[wasm_bindgen_test]
async fn one_page_holds_a_lock() {
    let first = hold("lock", false, || ()).await;
    assert!(first.is_some());
    assert!(hold("lock", false, || ()).await.is_none());
    let second = hold("lock", true, || ()).await;
    assert!(second.is_some());
    drop(second);
    assert!(hold("lock", false, || ()).await.is_some());
}
