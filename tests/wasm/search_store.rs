//! The store of searches in the browser's own IndexedDB.

use kibitz::browser::search_store::{find, keep};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn the_oldest_texts_go_when_there_are_too_many() {
    assert_eq!(find("absent").await, Ok(None));
    keep("a", "first", 10).await.unwrap();
    keep("a", "second", 10).await.unwrap();
    assert_eq!(find("a").await, Ok(Some("second".to_owned())));
    for number in 0..12 {
        keep(&format!("n{number}"), "text", 10).await.unwrap();
    }
    let mut left = 0;
    for number in 0..12 {
        left += usize::from(find(&format!("n{number}")).await.unwrap().is_some());
    }
    assert!((9..=10).contains(&left), "{left}");
    assert_eq!(find("n11").await, Ok(Some("text".to_owned())));
}
