//! Streams of chat servers, and what they refuse.

use std::time::SystemTime;

use kibitz::llm::{ChatError, ChatRequest, Message, Provider, Refusals, ReplyStream, Role};
use serde_json::Value;

use super::table::{Case, check};

fn found(case: &Case) -> String {
    match case.file.ends_with(".json") {
        true => refused(&serde_json::from_slice(&case.bytes).expect("the case is JSON")),
        false => streamed(&case.bytes),
    }
}

/// The reply, alike however the bytes come; line ends as ⏎.
fn streamed(bytes: &[u8]) -> String {
    let read = |size: usize| {
        let mut stream = ReplyStream::new(Provider::OpenAi, None);
        for piece in bytes.chunks(size) {
            stream.push(piece);
        }
        match stream.finish() {
            Ok(reply) => {
                let note = reply.note().map(|note| format!(" [{note}]")).unwrap_or_default();
                reply.text.replace('\n', "⏎") + &note
            }
            Err(error) => match error.kept() {
                Some(kept) => format!("broke off after: {}", kept.trim_end()),
                None => format!("no answer: {}", error.kind()),
            },
        }
    };
    let whole = read(bytes.len());
    assert_eq!(read(1), whole);
    whole
}

/// Asks a server that refuses while the request has a field, and asks it again.
fn refused(server: &Value) -> String {
    let (provider, base) = (Provider::OpenAi, "http://127.0.0.1:1/v1");
    let asked = ChatRequest {
        temperature: Some(0.1),
        top_p: Some(0.9),
        max_tokens: Some(500),
        seed: Some(1),
        ..ChatRequest::new(
            "m",
            vec![
                Message::new(Role::System, "Be brief."),
                Message::new(Role::User, "Why?"),
            ],
        )
    };
    let refusal = |request: &ChatRequest| {
        let body: Value = serde_json::from_str(&request.body(provider)).expect("a request is JSON");
        let field = server["while"].as_str().expect("it names a field");
        let there = match field {
            "@system" => body["messages"]
                .as_array()
                .expect("there are messages")
                .iter()
                .any(|message| message["role"] == "system"),
            field => body.get(field).is_some(),
        };
        let said = body["messages"].to_string();
        assert!(
            said.contains("Be brief.") && said.contains("Why?"),
            "nothing is lost: {said}"
        );
        let status = server["status"].as_u64().and_then(|status| u16::try_from(status).ok());
        there.then(|| {
            let body = server["body"].to_string();
            ChatError::from_response(
                status.expect("it has a status"),
                &[],
                body.as_bytes(),
                SystemTime::UNIX_EPOCH,
                None,
            )
        })
    };
    let mut refusals = Refusals::new();
    let mut counts = Vec::new();
    let mut given_up = Vec::new();
    for _ in 0..2 {
        let mut request = refusals.heeded(provider, base, asked.clone());
        let mut count = 0;
        while let Some(error) = refusal(&request) {
            count += 1;
            match refusals.heed(provider, base, &request, &error) {
                Some(next) => request = next,
                None => return error.kind().to_owned(),
            }
        }
        counts.push(count);
        given_up = request.given_up(&asked);
    }
    let given_up = if given_up.is_empty() {
        "nothing".to_owned()
    } else {
        given_up.join(", ")
    };
    match counts[..] {
        [1, 0] => format!("answered after 1 refusal, then at once; gave up {given_up}"),
        _ => format!("refused {counts:?} times; gave up {given_up}"),
    }
}

#[test]
fn streams_are_read_and_refusals_heeded() {
    check("streams.tsv", found);
}
