//! Small made-up networks of every kind, end to end: against a reference in doubles, and against Lc0's own evaluator.
#![cfg(feature = "net")]
#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use crate::net_expected::{Expected, compare, data, read};
use crate::net_reference::{KINDS, Kind, ONNX_KINDS, evaluate, network};
use kibitz::net::{
    Encoding, NetworkOutput, Planes, RunError, Runner, Taps, evaluation::OutputError, network::Body, read_network,
    write_network, writer::gzip,
};
use prost::Message;
use sha2::{Digest, Sha256};
use shakmaty::Chess;

fn games() -> Vec<(Vec<Chess>, Chess)> {
    // The positions of any of the files; what is expected there is not used.
    read("net-synthetic-se-expected.jsonl")
        .1
        .iter()
        .map(Expected::game)
        .collect()
}

fn largest(ours: &[f32], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    ours.iter()
        .zip(theirs)
        .map(|(a, b)| (f64::from(*a) - b).abs())
        .fold(0.0, f64::max)
}

/// To the last bit; with the weights kept and with the weights gone.
#[test]
fn positions_are_run_together_as_one_by_one() {
    for kind in KINDS {
        let network = read_network(&network(kind).encode_to_vec()).unwrap();
        let runner = Runner::with_taps(&network, Taps::All).unwrap();
        let mut built = Vec::new();
        let blocks = network.blocks();
        let spent = Runner::from_network(network, Taps::All, |done, all| built.push((done, all))).unwrap();
        assert_eq!(built, (1..=blocks).map(|done| (done, blocks)).collect::<Vec<_>>());
        let games = games();
        let planes: Vec<Planes> = games
            .iter()
            .take(5)
            .map(|(history, position)| runner.planes(history, position))
            .collect();
        let alone: Vec<_> = planes.iter().map(|planes| runner.run(planes).unwrap()).collect();
        assert_eq!(runner.run_together(&planes).unwrap(), alone, "{}", kind.name);
        assert_eq!(spent.run_together(&planes).unwrap(), alone, "{}", kind.name);
        assert_eq!(runner.run_together(&[]), Ok(Vec::new()));
    }
}

#[test]
fn every_kind_agrees_with_the_reference() {
    for kind in KINDS {
        let file = network(kind);
        let runner = Runner::new(&read_network(&file.encode_to_vec()).unwrap()).unwrap();
        let mut seen: Option<Vec<f64>> = None;
        let mut moved: f64 = 0.0;
        for (history, position) in games().iter().take(6) {
            let planes = runner.planes(history, position);
            let raw = runner.run(&planes).unwrap();
            let [policy, value, activations] = evaluate(kind, &file, &planes.values());
            let worst = [
                largest(&raw.policy, &policy),
                largest(&raw.value, &value),
                largest(&raw.activations[0], &activations),
            ];
            assert!(worst.iter().all(|&w| w < 2e-4), "{}: {worst:?}", kind.name);
            let change = |a: &[f64]| a.iter().zip(&policy).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            moved = moved.max(seen.as_deref().map_or(0.0, change));
            seen = Some(policy);
        }
        assert!(
            moved > 0.05,
            "{}: the policy hardly depends on the position ({moved})",
            kind.name
        );
    }
}

/// One plane, one number: where a graph's optimiser could trip over an axis of length one.
#[test]
fn the_narrowest_networks_agree_with_the_reference() {
    for kind in KINDS {
        for sizes in [[1, 1, 1, 1], [3, 1, 1, 5], [1, 7, 5, 3]] {
            let kind = Kind { sizes, ..kind };
            let file = network(kind);
            let runner = Runner::with_taps(&read_network(&file.encode_to_vec()).unwrap(), Taps::All).unwrap();
            let planes = runner.planes(&[], &Chess::default());
            let raw = runner.run(&planes).unwrap();
            let [policy, value, activations] = evaluate(kind, &file, &planes.values());
            let worst = [
                largest(&raw.policy, &policy),
                largest(&raw.value, &value),
                largest(&raw.activations[1], &activations),
            ];
            assert!(worst.iter().all(|&w| w < 2e-4), "{} {sizes:?}: {worst:?}", kind.name);
        }
    }
}

/// Number 0 is what the first block reads.
#[test]
fn chosen_blocks_are_tapped_in_their_order() {
    let network = read_network(&network(KINDS[3]).encode_to_vec()).unwrap();
    let run = |taps: Taps| {
        let runner = Runner::with_taps(&network, taps).unwrap();
        runner.run(&runner.planes(&[], &Chess::default())).unwrap().activations
    };
    let all = run(Taps::All);
    assert_eq!(run(Taps::Blocks([2].into_iter().collect())), all[1..]);
    assert_eq!(run(Taps::Blocks([1, 2].into_iter().collect())), all);
    assert_eq!(run(Taps::Blocks([9999].into_iter().collect())), Vec::<Vec<f32>>::new());
    let with_input = run(Taps::Blocks([1, 0].into_iter().collect()));
    assert_eq!((with_input.len(), &with_input[1]), (2, &all[0]));
    assert!(with_input[0].len() == network.activations() && with_input[0] != all[0]);
}

#[test]
fn every_kind_agrees_with_lc0() {
    for kind in KINDS {
        let network = read_network(&network(kind).encode_to_vec()).unwrap();
        let (header, positions) = read(&format!("net-{}-expected.jsonl", kind.name));
        assert_eq!(
            network.sha256, header.sha256,
            "{}: the numbers are of another network",
            kind.name
        );
        let runner = Runner::new(&network).unwrap();
        let deviation = compare(&network, &runner, &positions);
        eprintln!("{}, {} positions: largest {deviation:?}", kind.name, positions.len());
        assert!(
            deviation.probability < 1e-3 && deviation.q < 1e-3 && deviation.wdl < 1e-3,
            "{}",
            kind.name
        );
        let output = runner.evaluate(&[], &Chess::default()).unwrap();
        assert_eq!(output.wdl.is_some(), kind.wdl);
    }
}

/// Puts the files where lc0_expected.py can read them.
#[test]
#[ignore = "prepares data"]
fn write_synthetic() {
    let folder = std::env::temp_dir().join("kibitz-synthetic");
    std::fs::create_dir_all(&folder).unwrap();
    for kind in KINDS.into_iter().chain(ONNX_KINDS) {
        let path = folder.join(format!("{}.pb", kind.name));
        std::fs::write(&path, network(kind).encode_to_vec()).unwrap();
        println!("{}", path.display());
    }
}

#[test]
fn a_file_and_its_gzip_are_one_network() {
    let plain = network(KINDS[3]).encode_to_vec();
    let a = read_network(&plain).unwrap();
    assert_eq!(read_network(&gzip(&plain)).unwrap(), a);
    let digest: String = Sha256::digest(&plain).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(a.sha256, digest);
}

#[test]
fn a_written_network_is_read_back() {
    for kind in KINDS {
        let original = read_network(&network(kind).encode_to_vec()).unwrap();
        let written = write_network(&original, Encoding::Float32);
        let mut again = read_network(&written).unwrap();
        assert_ne!(again.sha256, original.sha256);
        again.sha256.clone_from(&original.sha256);
        assert_eq!(again, original, "{}", kind.name);

        // The lossy encodings come close: the same first move, nearly the same value.
        let evaluate = |bytes: &[u8]| -> NetworkOutput {
            Runner::new(&read_network(bytes).unwrap())
                .unwrap()
                .evaluate(&[], &Chess::default())
                .unwrap()
        };
        let exact = evaluate(&written);
        for (encoding, tolerance) in [
            (Encoding::Linear16, 1e-3),
            (Encoding::Float16, 5e-3),
            (Encoding::BFloat16, 5e-2),
        ] {
            let close = evaluate(&write_network(&original, encoding));
            assert!(
                (close.q - exact.q).abs() < tolerance,
                "{} {encoding:?}: {} {}",
                kind.name,
                close.q,
                exact.q
            );
            let (mv, p) = close.policy[0];
            let before = exact.policy.iter().find(|e| e.0 == mv).unwrap().1;
            assert!(
                (p - before).abs() < tolerance * 2.0,
                "{} {encoding:?}: {p} {before}",
                kind.name
            );
        }
    }
}

#[test]
fn planes_of_another_format_are_refused() {
    let network = read_network(&network(KINDS[9]).encode_to_vec()).unwrap();
    let runner = Runner::new(&network).unwrap();
    let error = runner.run(&Planes::new(&[], &Chess::default())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the network reads the input format CanonicalV2, these planes are Classical"
    );
    assert!(runner.run(&runner.planes(&[], &Chess::default())).is_ok());
}

#[test]
fn outputs_that_are_no_numbers_are_an_error() {
    let mut network = read_network(&network(KINDS[1]).encode_to_vec()).unwrap();
    let Body::Residual { blocks, .. } = &mut network.body else {
        panic!("an attention body");
    };
    for block in blocks {
        block.second.weights.fill(1e30);
        block.first.weights.fill(1e30);
    }
    let result = Runner::new(&network).unwrap().evaluate(&[], &Chess::default());
    assert_eq!(result, Err(RunError::Output(OutputError::NotNumbers)));
}

#[test]
fn the_expected_files_name_their_origin() {
    for entry in std::fs::read_dir(data("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.starts_with("net-") && name.ends_with("-expected.jsonl") {
            let text = std::fs::read_to_string(data(&name)).unwrap();
            let origin = text.lines().next().unwrap();
            assert!(
                ["lc0_expected.py", "lc0_formats.py", "lc0_attention.py"]
                    .iter()
                    .any(|script| origin.contains(script)),
                "{name}"
            );
        }
    }
}
