//! What the network's worker answers about language models, natively; `tests/e2e/language_model.test.mjs` holds the browser
//! against the same logits.
#![cfg(feature = "net")]

use kibitz::net_worker::{
    lm_protocol::{LmReply, MOST_SEQUENCES},
    lm_server::LmServer,
};
use serde::Deserialize;

/// What `training/blindfold/fixture.py` wrote.
#[derive(Deserialize)]
struct Expected {
    tokens: Vec<Vec<u8>>,
    logits: Vec<Vec<Vec<f32>>>,
}

const TRANSFORMER: &[u8] = include_bytes!("data/lm/tiny-transformer.safetensors");
const LSTM: &[u8] = include_bytes!("data/lm/tiny-lstm.safetensors");

fn expected(text: &str) -> Expected {
    serde_json::from_str(text).expect("the logits are JSON")
}

fn log_shares(logits: &[f32]) -> Vec<f32> {
    let sum: f64 = logits.iter().map(|logit| f64::from(*logit).exp()).sum();
    logits.iter().map(|logit| logit - sum.ln() as f32).collect()
}

fn assert_near(found: &[f32], wanted: &[f32]) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-4, "{found} for {wanted}");
    }
}

#[test]
fn answers_come_in_the_order_of_the_questions() {
    let models = [
        (TRANSFORMER, expected(include_str!("data/lm/tiny-transformer.json"))),
        (LSTM, expected(include_str!("data/lm/tiny-lstm.json"))),
    ];
    for (bytes, expected) in models {
        let mut server = LmServer::default();
        let LmReply::Loaded { model } = server.load(bytes.to_vec()) else {
            panic!("the fixture is a model");
        };
        assert_eq!((model.bytes, model.sha256.len()), (bytes.len(), 64));
        let (tokens, logits) = (&expected.tokens[2], &expected.logits[2]);
        let lengths = [60, 3, 17, 60, 1];
        let sequences = lengths.map(|length| tokens[..length].to_vec());
        let (said, numbers) = server.next(&sequences).unwrap();
        let vocabulary = 77;
        let wanted = LmReply::Next {
            model: model.sha256,
            vocabulary,
        };
        assert_eq!(said, wanted);
        assert_eq!(numbers.len(), lengths.len() * vocabulary);
        for (found, length) in numbers.chunks(vocabulary).zip(lengths) {
            assert_near(found, &log_shares(&logits[length - 1]));
        }
        assert_eq!(server.next(&[]).unwrap().1, Vec::<f32>::new());
    }
}

#[test]
fn what_does_not_fit_is_refused_and_the_model_stays() {
    let mut server = LmServer::default();
    let nothing = server.next(&[vec![1]]).unwrap_err();
    assert!(nothing.contains("no language model"), "{nothing}");
    server.load(TRANSFORMER.to_vec());
    let before = server.next(&[vec![1]]).unwrap();
    for (bytes, why) in [
        (&TRANSFORMER[..1000], "safetensors"),
        (&b"no model at all"[..], "not a language model"),
        (&[][..], "safetensors"),
    ] {
        let LmReply::Refused { reason } = server.load(bytes.to_vec()) else {
            panic!("{bytes:?} is a model");
        };
        assert!(reason.contains(why), "{reason}");
    }
    for (sequences, why) in [
        (vec![vec![1], Vec::new()], "no tokens"),
        (vec![vec![1, 77]], "token 77"),
        (vec![vec![1; 65]], "65 tokens"),
        (vec![vec![1]; MOST_SEQUENCES + 1], "too many"),
    ] {
        let reason = server.next(&sequences).unwrap_err();
        assert!(reason.contains(why), "{reason}");
    }
    assert_eq!(server.next(&[vec![1]]).unwrap(), before);
}
