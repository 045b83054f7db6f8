//! The forward pass of models without search against PyTorch's; the rows that they read against those of independent code; and
//! files that are none.
#![cfg(feature = "lab")]

use std::time::Instant;

use kibitz::{
    chess::read_fen,
    chessbench::{model_rows::ModelRows, prediction::Said, predictor::Predictor},
    searchless::{
        SearchlessModel, SearchlessReader, file::SearchlessFileError, header::Target, reader::SearchlessReadError,
    },
    tensors::file::TensorFileError,
};
use serde::Deserialize;
use shakmaty::Chess;

use crate::lm::with_header;

/// What `training/searchless/fixture.py` wrote.
#[derive(Deserialize)]
struct Expected {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    fen: String,
    #[serde(rename = "move")]
    mv: Option<String>,
    symbols: Vec<u16>,
    outputs: Vec<f32>,
}

const MODELS: [(&str, &[u8], &str); 4] = [
    (
        "av",
        include_bytes!("data/searchless/tiny-av.safetensors"),
        include_str!("data/searchless/tiny-av.json"),
    ),
    (
        "av-l2",
        include_bytes!("data/searchless/tiny-av-l2.safetensors"),
        include_str!("data/searchless/tiny-av-l2.json"),
    ),
    (
        "sv",
        include_bytes!("data/searchless/tiny-sv.safetensors"),
        include_str!("data/searchless/tiny-sv.json"),
    ),
    (
        "bc",
        include_bytes!("data/searchless/tiny-bc.safetensors"),
        include_str!("data/searchless/tiny-bc.json"),
    ),
];

fn models() -> impl Iterator<Item = (&'static str, SearchlessReader, Expected)> {
    MODELS.into_iter().map(|(name, bytes, expected)| {
        let model = SearchlessModel::read(bytes).expect("the fixture is a model");
        let reader = SearchlessReader::new(model).expect("the fixture can be run");
        (
            name,
            reader,
            serde_json::from_str(expected).expect("the outputs are JSON"),
        )
    })
}

fn position(fen: &str) -> Chess {
    read_fen(fen).expect("the fixture's FENs are right").position
}

#[test]
fn outputs_are_those_of_pytorch_one_by_one_and_together() {
    for (name, reader, expected) in models() {
        let rows: Vec<Vec<u16>> = expected.cases.iter().map(|case| case.symbols.clone()).collect();
        let near = |found: &[f32], wanted: &[f32]| {
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-4, "{name}: {found} for {wanted}");
            }
        };
        for case in &expected.cases {
            let found = reader.outputs(std::slice::from_ref(&case.symbols)).unwrap();
            near(&found[0], &case.outputs);
        }
        // More than are read at once, and not a multiple of it.
        let many: Vec<Vec<u16>> = rows.iter().cycle().take(19).cloned().collect();
        let found = reader.outputs(&many).unwrap();
        assert_eq!(found.len(), 19);
        for (found, case) in found.iter().zip(expected.cases.iter().cycle()) {
            near(found, &case.outputs);
        }
        assert_eq!(reader.outputs(&[]), Ok(Vec::new()));
    }
}

#[test]
fn rows_are_those_of_independent_code() {
    for (name, reader, expected) in models() {
        for case in &expected.cases {
            let rows = ModelRows::new(reader.header(), &position(&case.fen)).unwrap();
            let at = match &case.mv {
                None => 0,
                Some(mv) => {
                    let named = |action: &kibitz::chessbench::action::Action| action.to_string() == *mv;
                    rows.legal().iter().position(named).expect("the move is legal")
                }
            };
            assert_eq!(rows.rows()[at], case.symbols, "{name}: {}", case.fen);
        }
    }
}

#[test]
fn every_kind_predicts_every_legal_move() {
    for (name, mut reader, expected) in models() {
        let kind = reader.header().kind;
        for case in &expected.cases {
            let position = position(&case.fen);
            let legal = kibitz::chessbench::action::legal_actions(&position, shakmaty::CastlingMode::Standard);
            let prediction = reader.predict(&[], &position).unwrap();
            assert_eq!(prediction.scores.len(), legal.len(), "{name}");
            match (&prediction.said, kind) {
                (Said::Bins(rows), Target::ActionValue | Target::StateValue) => {
                    for row in rows {
                        let sum: f64 = row.iter().map(|log| log.exp()).sum();
                        assert!((sum - 1.0).abs() < 1e-6, "{name}: {sum}");
                    }
                    assert!(prediction.scores.iter().all(|score| (0.0..=1.0).contains(score)));
                }
                (Said::Values(values), Target::ActionValue) => assert_eq!(name, "av-l2", "{values:?}"),
                (Said::Moves(logs), Target::BehavioralCloning) => {
                    let sum: f64 = logs.iter().map(|log| log.exp()).sum();
                    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
                    assert!(prediction.unmasked.is_some());
                }
                other => panic!("{name}: {other:?}"),
            }
            assert_eq!(prediction.state.is_some(), kind == Target::StateValue);
        }
    }
}

#[test]
fn rows_that_do_not_fit_are_refused_and_do_no_harm() {
    for (_, reader, expected) in models() {
        let case = &expected.cases[0];
        let before = reader.outputs(std::slice::from_ref(&case.symbols)).unwrap();
        let mut wrong = case.symbols.clone();
        wrong[5] = 1968;
        assert_eq!(reader.outputs(&[wrong]), Err(SearchlessReadError::NoSymbol(1968)));
        let needed = case.symbols.len();
        assert_eq!(
            reader.outputs(&[case.symbols.clone(), Vec::new()]),
            Err(SearchlessReadError::Length { found: 0, needed })
        );
        assert_eq!(reader.outputs(std::slice::from_ref(&case.symbols)).unwrap(), before);
    }
}

#[test]
fn files_that_are_no_models_are_refused_by_name() {
    let (_, bytes, _) = MODELS[0];
    let refused = |file: &[u8]| SearchlessModel::read(file).unwrap_err().to_string();
    // Cut short anywhere: never a panic, always refused.
    for length in (0..bytes.len()).step_by(97) {
        refused(&bytes[..length]);
    }
    let mut huge = bytes.to_vec();
    huge[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(matches!(
        SearchlessModel::read(&huge),
        Err(SearchlessFileError::File(TensorFileError::List {
            length: u64::MAX,
            ..
        }))
    ));
    let cases = [
        (r#"\"width\": 8"#, r#"\"width\": 6"#, "shape"),
        (r#"\"layers\": 2"#, r#"\"layers\": 3"#, "blocks.2.norm1"),
        (r#"\"layers\": 2"#, r#"\"layers\": 1"#, "blocks.1."),
        (r#"\"layers\": 2"#, r#"\"layers\": 999999999"#, "layers"),
        (r#"\"heads\": 2"#, r#"\"heads\": 5"#, "5 heads"),
        (r#"\"hidden\": 32"#, r#"\"hidden\": 33"#, "gate"),
        (r#"\"symbols\": 79"#, r#"\"symbols\": 78"#, "symbols"),
        (r#"\"outputs\": 16"#, r#"\"outputs\": 17"#, "outputs"),
        ("kibitz-searchless-1", "kibitz-searchless-9", "kibitz-searchless-9"),
        ("\"kibitz-searchless\"", "\"someone-searchless\"", "no entry"),
        (
            r#"\"kind\": \"action_value\""#,
            r#"\"kind\": \"oracle\""#,
            "header can't be read",
        ),
    ];
    for (from, to, said) in cases {
        let error = refused(&with_header(bytes, |list| list.replacen(from, to, 1)));
        assert!(error.contains(said), "{to}: {error}");
    }
    let mut not_numbers = bytes.to_vec();
    let end = not_numbers.len();
    // Half precision: the last two bytes are a weight.
    not_numbers[end - 2..].copy_from_slice(&[0xff, 0x7f]);
    assert!(matches!(
        SearchlessModel::read(&not_numbers),
        Err(SearchlessFileError::File(TensorFileError::NotNumbers(_)))
    ));
    let lm = include_bytes!("data/lm/tiny-transformer.safetensors");
    assert!(refused(lm).contains("no entry"), "a language model is none");
}

#[test]
fn any_byte_of_a_list_may_be_wrong() {
    let (_, bytes, _) = MODELS[0];
    let length = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    for at in (0..8 + length).step_by(3) {
        let mut file = bytes.to_vec();
        file[at] ^= 0x15;
        // Read or refused, without a panic.
        let _ = SearchlessModel::read(&file);
    }
}

/// A position of 35 moves is read within a moment even without optimisation of the crate.
#[test]
fn many_moves_are_read_together() {
    let (_, mut reader, _) = models().next().unwrap();
    let position = position("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8");
    let begun = Instant::now();
    let prediction = reader.predict(&[], &position).unwrap();
    assert!(prediction.scores.len() >= 35, "{}", prediction.scores.len());
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
