//! What is made of the bytes in `tests/data/llm-wire`, and of any others.
#![allow(clippy::unwrap_used, reason = "a test that unwraps fails as it should")]

use std::path::Path;

use kibitz::llm::{ApiKey, ChatError, Delta, Finish, Reply, ReplyStream};
use proptest::prelude::*;
use serde_json::{Map, Value};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/llm-wire"))
}

fn cases() -> Vec<(String, Vec<u8>, Value)> {
    let expected = std::fs::read_to_string(folder().join("expected.json")).unwrap();
    let expected: Map<String, Value> = serde_json::from_str(&expected).unwrap();
    let read = |name: &str| std::fs::read(folder().join(name)).unwrap();
    expected
        .into_iter()
        .map(|(name, outcome)| (name.clone(), read(&name), outcome))
        .collect()
}

/// The outcome and, joined, the text and the thinking that were delivered before it.
fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Result<Reply, ChatError>, String, String) {
    let mut stream = ReplyStream::new(Some(ApiKey::new("sk-test-0123456789").unwrap()));
    let (mut text, mut thinking) = (String::new(), String::new());
    for piece in pieces {
        for delta in stream.push(piece) {
            match delta {
                Delta::Text(more) => text.push_str(&more),
                Delta::Thinking(more) => thinking.push_str(&more),
            }
        }
        assert_eq!(stream.text(), text);
        if stream.is_over() {
            break;
        }
    }
    (stream.finish(), text, thinking)
}

#[test]
fn every_recording_is_read_as_expected() {
    let cases = cases();
    assert!(cases.len() > 35, "{} cases", cases.len());
    for (name, bytes, expected) in &cases {
        let (outcome, text, thinking) = read([bytes.as_slice()]);
        match outcome {
            Ok(reply) => {
                assert_eq!(Some(reply.text.as_str()), expected["text"].as_str(), "{name}");
                assert_eq!(Some(reply.thinking.as_str()), expected["thinking"].as_str(), "{name}");
                let finish = reply.finish.as_ref().map(|finish| format!("{finish:?}"));
                assert_eq!(finish.as_deref(), expected["finish"].as_str(), "{name}");
                assert_eq!(reply.is_cut(), reply.finish == Some(Finish::Length), "{name}");
                assert_eq!(reply.model.as_deref(), expected["model"].as_str(), "{name}");
                let usage = reply
                    .usage
                    .map(|u| serde_json::json!([u.prompt, u.completion, u.thinking]));
                assert_eq!(usage.unwrap_or_default(), expected["usage"], "{name}");
                if name.ends_with(".sse") {
                    assert_eq!((text, thinking), (reply.text, reply.thinking), "{name}");
                }
            }
            Err(error) => {
                assert_eq!(Some(error.kind()), expected["error"].as_str(), "{name}: {error:?}");
                assert_eq!(Some(error.to_string().as_str()), expected["shows"].as_str(), "{name}");
                assert_eq!(error.kept(), expected["kept"].as_str(), "{name}");
            }
        }
    }
}

#[test]
fn every_recording_is_read_alike_byte_by_byte() {
    for (name, bytes, _) in cases() {
        let (whole, single) = (read([bytes.as_slice()]), read(bytes.chunks(1)));
        assert_eq!(whole, single, "{name}");
        for at in 0..bytes.len() {
            assert_eq!(read([&bytes[..at], &bytes[at..]]), whole, "{name} split at {at}");
        }
    }
}

/// To the standard, ` data` with a blank before it is another field: also where the blank comes alone.
#[test]
fn a_blank_before_the_first_field_counts() {
    let event = "data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\n";
    let bytes = format!(" {event}{}data: [DONE]\n\n", event.replace('A', "B"));
    let whole = read([bytes.as_bytes()]);
    assert_eq!(whole.1, "B");
    assert_eq!(read(bytes.as_bytes().chunks(1)), whole);
}

/// Wherever a stream is cut, nothing that was not sent is read, and a reply is whole only when its end was sent.
#[test]
fn a_cut_stream_is_never_taken_for_whole() {
    for name in ["openai.sse", "llamacpp.sse", "think-tags.sse", "bom-crlf.sse"] {
        let bytes = std::fs::read(folder().join(name)).unwrap();
        let whole = read([bytes.as_slice()]).0.unwrap();
        for end in 0..bytes.len() {
            match read([&bytes[..end]]).0 {
                Ok(reply) => assert_eq!(reply.text, whole.text, "{name} cut at {end}"),
                Err(ChatError::Empty { .. }) => {}
                Err(error) => {
                    assert_eq!(error.kind(), "broken-stream", "{name} cut at {end}");
                    assert!(
                        whole.text.starts_with(error.kept().unwrap_or_default()),
                        "{name} cut at {end}"
                    );
                }
            }
        }
    }
}

#[test]
fn endless_output_is_cut_off() {
    let chunk = "data: {\"choices\":[{\"delta\":{\"content\":\"♞♞♞ forever \"}}]}\n\n".repeat(100);
    let mut stream = ReplyStream::new(None);
    let mut pushes = 0;
    while !stream.is_over() {
        stream.push(chunk.as_bytes());
        pushes += 1;
        assert!(pushes < 1000);
    }
    let error = stream.finish().unwrap_err();
    assert_eq!(error.kind(), "endless");
    let kept = error.kept().unwrap().len();
    assert!((64 * 1024 - 3..=64 * 1024).contains(&kept), "{kept}");
}

/// Bytes without a line end, without text, without anything: each kind comes to an end.
#[test]
fn endless_bytes_are_cut_off() {
    for filler in [
        "data: x",
        " ",
        "{\"a\":[",
        ": ping\n\n",
        "data: {\"choices\":[]}\n\n",
        "\n",
    ] {
        let block = filler.repeat(64 * 1024 / filler.len());
        let mut stream = ReplyStream::new(None);
        let mut pushes = 0;
        while !stream.is_over() {
            assert!(stream.push(block.as_bytes()).is_empty());
            pushes += 1;
            assert!(pushes < 1000, "{filler}");
        }
        assert_eq!(stream.finish().unwrap_err().kind(), "endless", "{filler}");
    }
}

#[test]
fn what_was_read_is_kept_when_stopped_or_late_or_broken() {
    let begun = || {
        let mut stream = ReplyStream::new(None);
        stream.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"White is\"}}]}\n\n");
        stream
    };
    assert_eq!(begun().stopped().kept(), Some("White is"));
    let late = begun().timed_out(30);
    assert_eq!(
        (late.kept(), late.to_string()),
        (Some("White is"), "The server sent nothing for 30 seconds.".to_owned())
    );
    assert_eq!(begun().broken().unwrap_err().kept(), Some("White is"));
    let mut ended = begun();
    ended.push(b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
    assert_eq!(ended.broken().unwrap().text, "White is");
}

proptest! {
    #[test]
    fn any_bytes_are_read_alike_however_split(
        bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..300),
            "(data: |error: |event: error|\\{\"(choices|error|delta|content|index|usage|model|finish_reason)\":|\\[|\\]|\\{|\\}|\"|,|null|1|x|<think>|\n|\r\n){0,60}"
                .prop_map(String::into_bytes),
            "(data: \\{\"choices\":\\[\\{\"(delta|message)\":\\{\"(content|refusal|reasoning)\":(\"[a-z</>]{0,9}\"|null|\\[\"x\"\\]|1)\\}(,\"finish_reason\":(\"stop\"|\"\"|null|3))?\\}\\]\\}\n\n){0,6}"
                .prop_map(String::into_bytes),
        ],
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        at.sort_unstable();
        at.push(bytes.len());
        let mut from = 0;
        let pieces: Vec<&[u8]> = at.iter().map(|&to| &bytes[std::mem::replace(&mut from, to)..to]).collect();
        let whole = read([bytes.as_slice()]);
        prop_assert_eq!(&read(pieces), &whole);
        prop_assert_eq!(&read(bytes.chunks(1)), &whole);
        match whole.0 {
            Ok(reply) => prop_assert!(!reply.text.trim().is_empty()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
