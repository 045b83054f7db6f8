//! `browser::worker`: a worker that answers, one that throws, one that does not load.

use futures_util::StreamExt;
use js_sys::Array;
use kibitz::browser::worker::{Script, Worker, WorkerEvent};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Blob, BlobPropertyBag, Url};

fn script(text: &str) -> String {
    let options = BlobPropertyBag::new();
    options.set_type("text/javascript");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options).unwrap();
    Url::create_object_url_with_blob(&blob).unwrap()
}

async fn first_event(url: &str, message: &str) -> WorkerEvent {
    let (worker, mut events) = Worker::start(url, Script::Classic).unwrap();
    worker.post_text(message).unwrap();
    events.next().await.unwrap()
}

#[wasm_bindgen_test]
async fn a_worker_answers() {
    let url = script("onmessage = ({ data }) => postMessage(`heard ${data}`);");
    match first_event(&url, "isready").await {
        WorkerEvent::Message(value) => assert_eq!(value.as_string().as_deref(), Some("heard isready")),
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test]
async fn a_worker_that_throws_says_so() {
    let url = script("onmessage = () => { throw new Error('CRITICAL ERROR'); };");
    match first_event(&url, "position fen nonsense").await {
        WorkerEvent::Failed(text) => assert!(text.contains("CRITICAL ERROR"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test]
async fn a_worker_that_does_not_load_says_so() {
    assert!(matches!(
        first_event("/no-such-worker.js", "uci").await,
        WorkerEvent::Failed(_)
    ));
}
