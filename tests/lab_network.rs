//! The built `lab` on networks: PyTorch's weights in, an Lc0 file out. Run with `--features lab`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(feature = "lab")]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::net_expected::{data, game};
use kibitz::net::{Planes, Runner, read_network};
use serde::Deserialize;

/// See tests/data/prepare/torch_expected.py.
#[derive(Deserialize)]
struct Expected {
    about: String,
    positions: Vec<Position>,
}

#[derive(Deserialize)]
struct Position {
    fen: String,
    moves: String,
    policy: Vec<f32>,
    value: Vec<f32>,
}

/// What the prepared file leaves out of the policy.
const POLICY_STEP: usize = 31;

fn lab(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A file of this test's own.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn pack(weights: &Path, out: &Path) -> Output {
    let (weights, out) = (weights.to_str().unwrap(), out.to_str().unwrap());
    lab(&["network", "pack", "--weights", weights, "--out", out])
}

#[test]
fn a_packed_network_says_what_pytorch_says() {
    let file = scratch("torch.pb.gz");
    let packed = pack(&data("net-torch.safetensors"), &file);
    assert!(packed.status.success(), "{}", text(&packed.stderr));
    let network = read_network(&std::fs::read(&file).unwrap()).unwrap();
    let said = text(&packed.stdout);
    assert!(
        said.contains(&network.sha256) && said.contains("4 filters, 2 blocks"),
        "{said}"
    );
    let shown = lab(&["network", "show", file.to_str().unwrap()]);
    assert_eq!(text(&shown.stdout), said);

    let expected: Expected =
        serde_json::from_str(&std::fs::read_to_string(data("net-torch-expected.json")).unwrap()).unwrap();
    assert!(expected.about.contains("torch_expected.py") && expected.positions.len() >= 6);
    let runner = Runner::new(&network).unwrap();
    let mut largest: f32 = 0.0;
    for position in &expected.positions {
        let (history, now) = game(&position.fen, &position.moves);
        let raw = runner.run(&Planes::new(&history, &now)).unwrap();
        let policy: Vec<f32> = raw.policy.iter().copied().step_by(POLICY_STEP).collect();
        assert_eq!((policy.len(), raw.value.len()), (position.policy.len(), 3));
        let pairs = policy
            .iter()
            .chain(&raw.value)
            .zip(position.policy.iter().chain(&position.value));
        largest = pairs.map(|(a, b)| (a - b).abs()).fold(largest, f32::max);
    }
    eprintln!("{} positions: largest difference {largest}", expected.positions.len());
    // Sixteen bits a weight.
    assert!(largest < 1e-3, "{largest}");
}

/// Bytes of the prepared file after a change to its header, a JSON object behind its length.
fn with_header(change: impl Fn(&str) -> String) -> Vec<u8> {
    let bytes = std::fs::read(data("net-torch.safetensors")).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = change(std::str::from_utf8(&bytes[8..8 + length]).unwrap());
    let mut changed = (header.len() as u64).to_le_bytes().to_vec();
    changed.extend(header.as_bytes());
    changed.extend(&bytes[8 + length..]);
    changed
}

#[test]
fn weights_of_another_network_are_refused_by_name() {
    for (i, (from, to, said)) in [
        (
            "policy.bn1.running_var",
            "policy.bn1.var",
            "there is no tensor \"policy.bn1.running_var\"",
        ),
        (
            "[8,2]",
            "[2,8]",
            "the tensor \"blocks.0.se.excite.weight\" is [2, 8] where [8, 2] is needed",
        ),
        (
            "value.conv.weight\":{\"dtype\":\"F32\"",
            "value.conv.weight\":{\"dtype\":\"I32\"",
            "the tensor \"value.conv.weight\" is I32; save it as float32",
        ),
        (
            "blocks.1.se.squeeze.bias",
            "blocks.1.se.squeeze.extra",
            "there is no tensor \"blocks.1.se.squeeze.bias\"",
        ),
        (
            "blocks.1.bn1.num_batches_tracked",
            "moves_left.weight",
            "the tensor \"moves_left.weight\" is I64; save it as float32",
        ),
        ("{", "", " is not a safetensors file: "),
    ]
    .into_iter()
    .enumerate()
    {
        let weights = scratch(&format!("refused-{i}.safetensors"));
        let changed = with_header(|header| {
            assert!(header.contains(from), "{from}: {header}");
            header.replace(from, to)
        });
        std::fs::write(&weights, changed).unwrap();
        let out = scratch(&format!("refused-{i}.pb.gz"));
        let refused = pack(&weights, &out);
        let error = text(&refused.stderr);
        assert!(!refused.status.success() && error.contains(said), "{error}");
        assert!(!out.exists());
    }
}
