//! The forward pass of language models against PyTorch's, with and without what was remembered; and files that are none.

use kibitz::{
    lm::{FileError, Model, ReadError, Reader},
    tensors::file::TensorFileError,
};
use serde::Deserialize;

/// What `training/blindfold/fixture.py` wrote.
#[derive(Deserialize)]
struct Expected {
    tokens: Vec<Vec<u8>>,
    logits: Vec<Vec<Vec<f32>>>,
}

const MODELS: [(&str, &[u8], &str); 3] = [
    (
        "transformer",
        include_bytes!("data/lm/tiny-transformer.safetensors"),
        include_str!("data/lm/tiny-transformer.json"),
    ),
    (
        "window",
        include_bytes!("data/lm/tiny-window.safetensors"),
        include_str!("data/lm/tiny-window.json"),
    ),
    (
        "lstm",
        include_bytes!("data/lm/tiny-lstm.safetensors"),
        include_str!("data/lm/tiny-lstm.json"),
    ),
];

fn models() -> impl Iterator<Item = (&'static str, Reader, Expected)> {
    MODELS.into_iter().map(|(name, bytes, expected)| {
        let model = Model::read(bytes).expect("the fixture is a model");
        let reader = Reader::new(model).expect("the fixture can be run");
        (
            name,
            reader,
            serde_json::from_str(expected).expect("the logits are JSON"),
        )
    })
}

fn assert_near(name: &str, found: &[f32], wanted: &[f32]) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-4, "{name}: {found} for {wanted}");
    }
}

#[test]
fn logits_are_those_of_pytorch() {
    for (name, mut reader, expected) in models() {
        for (tokens, wanted) in expected.tokens.iter().zip(&expected.logits) {
            let found = reader.logits(tokens, 0).unwrap();
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(wanted) {
                assert_near(name, found, wanted);
            }
        }
    }
}

#[test]
fn what_is_remembered_changes_nothing() {
    for (name, mut reader, expected) in models() {
        let (tokens, wanted) = (&expected.tokens[2], &expected.logits[2]);
        // Token by token; then back to any length, as when several questions follow the same beginning.
        for length in (1..=tokens.len()).chain([40, 41, 7, 60, 60, 1]) {
            let found = reader.logits(&tokens[..length], length - 1).unwrap();
            assert_near(name, &found[0], &wanted[length - 1]);
        }
        // A sequence that leaves the one before in its middle, and back.
        let mut other = tokens.clone();
        other[30] = (other[30] + 1) % 77;
        let turned = reader.logits(&other, 0).unwrap();
        assert_near(name, &turned[29], &wanted[29]);
        let far = turned[30].iter().zip(&wanted[30]).any(|(a, b)| (a - b).abs() > 1e-2);
        assert!(far, "{name}: another token says the same");
        assert_near(name, &reader.logits(tokens, 59).unwrap()[0], &wanted[59]);
    }
}

#[test]
fn shares_add_up_to_one() {
    for (name, mut reader, expected) in models() {
        let tokens = &expected.tokens[1];
        let next = reader.next(tokens).unwrap();
        let sum: f32 = next.iter().map(|share| share.exp()).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{name}: {sum}");
        let logits = &expected.logits[1][16];
        let of = |values: &[f32]| (0..77).max_by(|&a, &b| values[a].total_cmp(&values[b]));
        assert_eq!(of(&next), of(logits));
    }
}

#[test]
fn what_cannot_be_read_is_said_and_does_no_harm() {
    for (name, mut reader, expected) in models() {
        let tokens = &expected.tokens[1];
        assert_eq!(reader.next(&[]), Err(ReadError::Nothing));
        assert_eq!(
            reader.next(&[1; 65]),
            Err(ReadError::TooLong { found: 65, context: 64 })
        );
        assert_eq!(reader.next(&[1, 77]), Err(ReadError::NoToken(77)));
        let after = reader.logits(tokens, 16).unwrap();
        assert_near(name, &after[0], &expected.logits[1][16]);
    }
}

/// A model's file with another header.
pub fn with_header(bytes: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let length = u64::from_le_bytes(*bytes.first_chunk().expect("the fixture has a list")) as usize;
    let list = std::str::from_utf8(&bytes[8..8 + length]).expect("the list is text");
    let changed = change(list);
    assert_ne!(list, changed);
    let mut file = (changed.len() as u64).to_le_bytes().to_vec();
    file.extend(changed.as_bytes());
    file.extend(&bytes[8 + length..]);
    file
}

#[test]
fn files_that_are_no_models_are_refused_by_name() {
    let (_, bytes, _) = MODELS[0];
    let refused = |file: &[u8]| Model::read(file).unwrap_err().to_string();
    // Cut short anywhere: never a panic, always refused.
    for length in (0..bytes.len()).step_by(97) {
        refused(&bytes[..length]);
    }
    let mut huge = bytes.to_vec();
    huge[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(matches!(
        Model::read(&huge),
        Err(FileError::File(TensorFileError::List { length: u64::MAX, .. }))
    ));
    let cases = [
        (r#"\"width\": 16"#, r#"\"width\": 18"#, "shape"),
        (r#"\"layers\": 2"#, r#"\"layers\": 3"#, "blocks.2.norm1.weight"),
        (r#"\"layers\": 2"#, r#"\"layers\": 1"#, "blocks.1."),
        (r#"\"layers\": 2"#, r#"\"layers\": 999999999"#, "layers"),
        (r#"\"heads\": 2"#, r#"\"heads\": 5"#, "5 heads"),
        (r#"\"context\": 64"#, r#"\"context\": 65"#, "position"),
        ("kibitz-lm-1", "kibitz-lm-9", "kibitz-lm-9"),
        ("\"kibitz-lm\"", "\"someone-lm\"", "no entry"),
        (
            r#"\"kind\": \"transformer\""#,
            r#"\"kind\": \"mamba\""#,
            "header can't be read",
        ),
        (
            r#"\"kind\": \"transformer\""#,
            r#"\"kind\": \"lstm\""#,
            "lstm.weight_ih_l0",
        ),
    ];
    for (from, to, said) in cases {
        let error = refused(&with_header(bytes, |list| list.replacen(from, to, 1)));
        assert!(error.contains(said), "{to}: {error}");
    }
    let mut not_numbers = bytes.to_vec();
    let end = not_numbers.len();
    not_numbers[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(matches!(
        Model::read(&not_numbers),
        Err(FileError::File(TensorFileError::NotNumbers(_)))
    ));
}

/// The file's own list of tensors, as hostile as may be.
#[test]
fn any_byte_of_a_list_may_be_wrong() {
    let (_, bytes, _) = MODELS[0];
    let length = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    for at in (0..8 + length).step_by(3) {
        let mut file = bytes.to_vec();
        file[at] ^= 0x15;
        // Read or refused, without a panic.
        let _ = Model::read(&file);
    }
}
