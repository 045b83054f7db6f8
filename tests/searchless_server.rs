//! What the network's worker answers about models without search, natively; `tests/e2e/searchless_predict.test.mjs` looks at the
//! same in the browser.
#![cfg(feature = "net")]

use kibitz::net_worker::{
    searchless_protocol::{MOST_MODELS, MOST_ROWS, SearchlessReply},
    searchless_server::SearchlessServer,
};
use serde::Deserialize;

/// What `training/searchless/fixture.py` wrote.
#[derive(Deserialize)]
struct Expected {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    symbols: Vec<u16>,
    outputs: Vec<f32>,
}

const FILES: [(&[u8], &str); 3] = [
    (
        include_bytes!("data/searchless/tiny-av.safetensors"),
        include_str!("data/searchless/tiny-av.json"),
    ),
    (
        include_bytes!("data/searchless/tiny-sv.safetensors"),
        include_str!("data/searchless/tiny-sv.json"),
    ),
    (
        include_bytes!("data/searchless/tiny-bc.safetensors"),
        include_str!("data/searchless/tiny-bc.json"),
    ),
];

fn load(server: &mut SearchlessServer, bytes: &[u8]) -> String {
    match server.load(bytes.to_vec()) {
        SearchlessReply::Loaded { model } => {
            assert_eq!((model.bytes, model.sha256.len()), (bytes.len(), 64));
            model.sha256
        }
        other => panic!("the fixture is a model: {other:?}"),
    }
}

#[test]
fn several_models_answer_beside_each_other() {
    let mut server = SearchlessServer::default();
    let names = FILES.map(|(bytes, _)| load(&mut server, bytes));
    for (name, (_, expected)) in names.iter().zip(FILES) {
        let expected: Expected = serde_json::from_str(expected).expect("the outputs are JSON");
        let rows: Vec<_> = expected.cases.iter().map(|case| case.symbols.clone()).collect();
        let (said, numbers) = server.read(name, &rows).unwrap();
        let outputs = expected.cases[0].outputs.len();
        assert_eq!(
            said,
            SearchlessReply::Read {
                model: name.clone(),
                outputs
            }
        );
        for (found, case) in numbers.chunks(outputs).zip(&expected.cases) {
            for (found, wanted) in found.iter().zip(&case.outputs) {
                assert!((found - wanted).abs() < 1e-4, "{found} for {wanted}");
            }
        }
    }
    // Loaded twice it is there once; beyond the limit the first goes.
    for _ in 0..2 * MOST_MODELS {
        load(&mut server, FILES[2].0);
    }
    assert!(server.read(&names[0], &[]).is_ok());
}

#[test]
fn what_does_not_fit_is_refused_and_the_models_stay() {
    let mut server = SearchlessServer::default();
    assert!(server.read("ab", &[]).unwrap_err().contains("not loaded"));
    let (bytes, expected) = FILES[0];
    let name = load(&mut server, bytes);
    let expected: Expected = serde_json::from_str(expected).expect("the outputs are JSON");
    let row = &expected.cases[0].symbols;
    let before = server.read(&name, std::slice::from_ref(row)).unwrap();
    for (bytes, why) in [
        (&bytes[..1000], "safetensors"),
        (&b"no model at all"[..], "not a model without search"),
    ] {
        let SearchlessReply::Refused { reason } = server.load(bytes.to_vec()) else {
            panic!("{bytes:?} is a model");
        };
        assert!(reason.contains(why), "{reason}");
    }
    for (rows, why) in [
        (vec![vec![0; 3]], "3 symbols"),
        (vec![vec![2000; 79]], "symbol 2000"),
        (vec![row.clone(); MOST_ROWS + 1], "too many"),
    ] {
        let reason = server.read(&name, &rows).unwrap_err();
        assert!(reason.contains(why), "{reason}");
    }
    assert_eq!(server.read(&name, std::slice::from_ref(row)).unwrap(), before);
}
