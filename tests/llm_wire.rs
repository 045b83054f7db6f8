//! What is made of the bytes in `tests/data/llm-wire`, and of any others.
#![allow(clippy::unwrap_used, reason = "a test that unwraps fails as it should")]

use std::{path::Path, time::Duration};

use kibitz::llm::{ApiKey, ChatError, Delta, Finish, Provider, Reply, ReplyStream};
use proptest::prelude::*;
use serde_json::{Map, Value};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/llm-wire"))
}

/// Each recording: its name, whose shape it is, its bytes, what is expected of it.
fn cases() -> Vec<(String, Provider, Vec<u8>, Value)> {
    let expected = std::fs::read_to_string(folder().join("expected.json")).unwrap();
    let expected: Map<String, Value> = serde_json::from_str(&expected).unwrap();
    let read = |name: &str| std::fs::read(folder().join(name)).unwrap();
    let provider = |outcome: &Value| Provider::from_word(outcome["provider"].as_str().unwrap_or("openai")).unwrap();
    expected
        .into_iter()
        .map(|(name, outcome)| (name.clone(), provider(&outcome), read(&name), outcome))
        .collect()
}

/// The outcome and, joined, the text and the thinking that were delivered before it.
fn read<'a>(
    provider: Provider,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Result<Reply, ChatError>, String, String) {
    let mut stream = ReplyStream::new(provider, Some(ApiKey::new("sk-test-0123456789").unwrap()));
    let (mut text, mut thinking) = (String::new(), String::new());
    for piece in pieces {
        for delta in stream.push(piece) {
            match delta {
                Delta::Text(more) => text.push_str(&more),
                Delta::Thinking(more) => thinking.push_str(&more),
                Delta::Recalled => thinking.push_str(&std::mem::take(&mut text)),
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
    assert!(cases.len() > 80, "{} cases", cases.len());
    for (name, provider, bytes, expected) in &cases {
        let (outcome, text, thinking) = read(*provider, [bytes.as_slice()]);
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
                if name.ends_with(".sse") || name.ends_with(".ndjson") && !name.contains("no-last") {
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
    for (name, provider, bytes, _) in cases() {
        let whole = read(provider, [bytes.as_slice()]);
        assert_eq!(read(provider, bytes.chunks(1)), whole, "{name}");
        // Every place in the short ones.
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 1500) {
            let halves = [&bytes[..at], &bytes[at..]];
            assert_eq!(read(provider, halves), whole, "{name} split at {at}");
        }
    }
}

/// To the standard, ` data` with a blank before it is another field: also where the blank comes alone.
#[test]
fn a_blank_before_the_first_field_counts() {
    let event = "data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\n";
    let bytes = format!(" {event}{}data: [DONE]\n\n", event.replace('A', "B"));
    let whole = read(Provider::OpenAi, [bytes.as_bytes()]);
    assert_eq!(whole.1, "B");
    assert_eq!(read(Provider::OpenAi, bytes.as_bytes().chunks(1)), whole);
}

/// Wherever a stream is cut, nothing that was not sent is read, and a reply is told for whole only when its end was sent.
#[test]
fn a_cut_stream_is_never_taken_for_whole() {
    for (provider, name) in [
        (Provider::OpenAi, "openai.sse"),
        (Provider::OpenAi, "llamacpp.sse"),
        (Provider::OpenAi, "think-tags.sse"),
        (Provider::OpenAi, "bom-crlf.sse"),
        (Provider::Anthropic, "anthropic.sse"),
        (Provider::Anthropic, "anthropic-thinking.sse"),
        (Provider::Anthropic, "anthropic-tool.sse"),
        (Provider::Anthropic, "llamacpp-messages.sse"),
        (Provider::Ollama, "ollama.ndjson"),
        (Provider::Ollama, "ollama-think-tags.ndjson"),
    ] {
        let bytes = std::fs::read(folder().join(name)).unwrap();
        let whole = read(provider, [bytes.as_slice()]).0.unwrap();
        for end in 0..bytes.len() {
            match read(provider, [&bytes[..end]]).0 {
                Ok(reply) if reply.finish == Some(Finish::Unmarked) => {
                    assert!(
                        reply.note().is_some() && whole.text.starts_with(&reply.text),
                        "{name} cut at {end}"
                    );
                }
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
    for (provider, piece) in [
        (
            Provider::OpenAi,
            "data: {\"choices\":[{\"delta\":{\"content\":\"♞♞♞ forever \"}}]}\n\n",
        ),
        (
            Provider::Anthropic,
            "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"♞♞♞ forever \"}}\n\n",
        ),
        (
            Provider::Ollama,
            "{\"message\":{\"content\":\"♞♞♞ forever \"},\"done\":false}\n",
        ),
    ] {
        let chunk = piece.repeat(100);
        let mut stream = ReplyStream::new(provider, None);
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
}

/// The browser's own model: text without wrapping, bounded and parted from thinking like any other.
#[test]
fn bare_text_is_a_reply() {
    let mut stream = ReplyStream::new(Provider::BuiltIn, None);
    let mut deltas = Vec::new();
    for piece in ["<think>Nf3", "?</think> It dev", "elops ♞."] {
        deltas.extend(stream.push_text(piece));
    }
    assert_eq!(
        deltas,
        [
            Delta::Thinking("Nf3".into()),
            Delta::Thinking("?".into()),
            Delta::Text("It dev".into()),
            Delta::Text("elops ♞.".into())
        ]
    );
    let reply = stream.finish_text().unwrap();
    assert_eq!(
        (reply.text.as_str(), reply.thinking.as_str()),
        ("It develops ♞.", "Nf3?")
    );
    assert_eq!(
        ReplyStream::new(Provider::BuiltIn, None)
            .finish_text()
            .unwrap_err()
            .kind(),
        "empty"
    );
    let mut endless = ReplyStream::new(Provider::BuiltIn, None);
    while !endless.is_over() {
        endless.push_text(&"forever ".repeat(1000));
    }
    assert_eq!(endless.finish_text().unwrap_err().kind(), "endless");
}

#[test]
fn token_probabilities_are_read_where_they_are_given() {
    let read = |provider, name: &str| {
        let bytes = std::fs::read(folder().join(name)).unwrap();
        read(provider, [bytes.as_slice()]).0.unwrap().probabilities
    };
    let streamed = read(Provider::OpenAi, "llamacpp-logprobs.sse").unwrap();
    assert_eq!(
        Some(&streamed),
        read(Provider::OpenAi, "llamacpp-logprobs.json").as_ref()
    );
    let places: Vec<(&str, f64, usize)> = streamed
        .tokens
        .iter()
        .map(|place| {
            (
                place.chosen.text.as_str(),
                place.chosen.logprob,
                place.alternatives.len(),
            )
        })
        .collect();
    // As the recording has them.
    assert_eq!(
        places,
        [
            ("One", -1.392_849_445_343_017_6, 3),
            (" of", -1.347_127_914_428_711, 3),
            (" the", -0.322_139_412_164_688_1, 3)
        ]
    );
    assert_eq!(streamed.tokens[0].alternatives[2].bytes.as_deref(), Some(&b"A"[..]));
    let ollama = read(Provider::Ollama, "ollama-logprobs.ndjson").unwrap();
    assert!((ollama.tokens[0].mass(|text| text == "No") - (-1.75_f64).exp()).abs() < 1e-12);
    assert_eq!(read(Provider::OpenAi, "openai.sse"), None);
    assert_eq!(read(Provider::Anthropic, "anthropic.sse"), None);
}

/// Bytes without a line end, without text, without anything: each kind comes to an end.
#[test]
fn endless_bytes_are_cut_off() {
    for (provider, filler) in [
        (Provider::OpenAi, "data: x"),
        (Provider::OpenAi, " "),
        (Provider::OpenAi, "{\"a\":["),
        (Provider::OpenAi, ": ping\n\n"),
        (Provider::OpenAi, "data: {\"choices\":[]}\n\n"),
        (Provider::OpenAi, "\n"),
        (Provider::Anthropic, "event: ping\ndata: {\"type\":\"ping\"}\n\n"),
        (Provider::Ollama, "{\"message\":{\"content\":\"\"},\"done\":false}\n"),
        (Provider::Ollama, "{\"a\":["),
        (Provider::Ollama, "{\"a\":1}\n"),
    ] {
        let block = filler.repeat(64 * 1024 / filler.len());
        let mut stream = ReplyStream::new(provider, None);
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
        let mut stream = ReplyStream::new(Provider::OpenAi, None);
        stream.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"White is\"}}]}\n\n");
        stream
    };
    assert_eq!(begun().stopped().kept(), Some("White is"));
    let late = begun().timed_out(Duration::from_secs(30));
    assert_eq!(
        (late.kept(), late.to_string()),
        (Some("White is"), "The server sent nothing for 30 seconds.".to_owned())
    );
    assert_eq!(begun().broken().unwrap_err().kept(), Some("White is"));
    let mut ended = begun();
    ended.push(b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
    assert_eq!(ended.broken().unwrap().text, "White is");
}

fn split<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    at.sort_unstable();
    at.push(bytes.len());
    let mut from = 0;
    at.iter()
        .map(|&to| &bytes[std::mem::replace(&mut from, to)..to])
        .collect()
}

fn cuts() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    proptest::collection::vec(any::<prop::sample::Index>(), 0..8)
}

proptest! {
    #[test]
    fn any_bytes_are_read_alike_however_split(
        bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..300),
            "(data: |error: |event: error|\\{\"(choices|error|delta|content|index|usage|model|finish_reason|message|done|type|text)\":|\"(message|message_stop|text_delta)\"|\\[|\\]|\\{|\\}|\"|,|null|true|1|x|<think>|\n|\r\n){0,60}"
                .prop_map(String::into_bytes),
            "(data: \\{\"choices\":\\[\\{\"(delta|message)\":\\{\"(content|refusal|reasoning)\":(\"[a-z</>]{0,9}\"|null|\\[\"x\"\\]|1)\\}(,\"finish_reason\":(\"stop\"|\"\"|null|3))?\\}\\]\\}\n\n){0,6}"
                .prop_map(String::into_bytes),
            "(data: \\{\"type\":\"(content_block_delta|content_block_start|message_delta|message_stop|message|ping|error)\",\"(delta|content_block|content)\":\\{\"type\":\"(text|text_delta|thinking_delta)\",\"(text|thinking|stop_reason)\":(\"[a-z</>]{0,9}\"|null|1)\\}\\}\n\n){0,6}"
                .prop_map(String::into_bytes),
            "(\\{\"message\":\\{\"(content|thinking)\":(\"[a-z</>]{0,9}\"|null|1)\\}(,\"done\":(true|false|3))?(,\"done_reason\":\"(stop|length)\")?(\\}|\\})(\n|\r\n|\n\n)|\\{\"error\":\"x\"\\}\n|half\n){0,6}"
                .prop_map(String::into_bytes),
        ],
        provider in proptest::sample::select(Provider::ALL.to_vec()),
        cuts in cuts(),
    ) {
        let whole = read(provider, [bytes.as_slice()]);
        prop_assert_eq!(&read(provider, split(&bytes, &cuts)), &whole);
        prop_assert_eq!(&read(provider, bytes.chunks(1)), &whole);
        match whole.0 {
            Ok(reply) => prop_assert!(!reply.text.trim().is_empty()),
            Err(error) => prop_assert!(!error.to_string().is_empty() && !error.advice().is_empty()),
        }
    }

    #[test]
    fn any_split_of_a_recording_is_read_alike(case in proptest::sample::select(cases()), cuts in cuts()) {
        let (name, provider, bytes, _) = case;
        prop_assert_eq!(read(provider, split(&bytes, &cuts)), read(provider, [bytes.as_slice()]), "{}", name);
    }
}
