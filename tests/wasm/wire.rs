//! `browser::http` against the server that serves these tests.

use kibitz::browser::http::{self, HttpError, Method};
use kibitz::browser::location;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn an_answer_arrives_in_pieces_and_ends() {
    let mut answer = http::send(Method::Get, &location::origin(), &[], None).await.unwrap();
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-type").unwrap().starts_with("text/html"));
    let mut bytes = Vec::new();
    while let Some(piece) = answer.next().await.unwrap() {
        bytes.extend(piece);
    }
    assert!(String::from_utf8(bytes).unwrap().contains("<html"));
    assert_eq!(answer.next().await.unwrap(), None);
}

#[wasm_bindgen_test]
async fn a_refusal_is_an_answer_and_silence_is_none() {
    let missing = http::send(Method::Get, &format!("{}/no-such-file", location::origin()), &[], None)
        .await
        .unwrap();
    assert_eq!(missing.status, 404);
    // Nothing listens on the discard port, and browsers do not even try it.
    let silence = http::send(
        Method::Post,
        "http://127.0.0.1:9/v1",
        &[("accept", "*/*")],
        Some("{}".into()),
    )
    .await;
    assert!(matches!(silence, Err(HttpError::Blocked(_))), "{silence:?}");
}
