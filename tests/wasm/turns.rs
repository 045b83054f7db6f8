//! `browser::turns`.

use std::{cell::RefCell, rc::Rc};

use kibitz::browser::{clock, turns};
use wasm_bindgen_test::wasm_bindgen_test;

fn work(ms: f64) {
    let start = clock::now();
    while clock::now() - start < ms {}
}

#[wasm_bindgen_test]
async fn a_long_row_of_tasks_leaves_the_browser_its_turn_and_keeps_its_order() {
    let said = Rc::new(RefCell::new(Vec::new()));
    for number in 0..8 {
        let said = Rc::clone(&said);
        turns::spawn(Box::pin(async move {
            work(6.0);
            said.borrow_mut().push(number);
        }));
    }
    // All that is there when the browser has its turn for the first time.
    clock::yield_to_browser().await;
    let first = said.borrow().len();
    assert!((1..8).contains(&first), "{first} of 8");
    turns::settled().await;
    assert_eq!(*said.borrow(), (0..8).collect::<Vec<_>>());
}

#[wasm_bindgen_test]
async fn nothing_left_over_is_settled() {
    turns::settled().await;
    turns::settled().await;
}
