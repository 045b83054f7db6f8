//! Real networks against Lc0's own evaluator. Needs ../shared/nets; without it each test says so and passes.
#![cfg(feature = "net")]
#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use std::time::Instant;

use crate::net_expected::{compare, maia, read};
use kibitz::net::{NetworkError, Planes, Runner, Taps, network::Description, read_network};

/// What the issue asks for, of probabilities and of expected results.
const TOLERANCE: f32 = 1e-3;

fn agrees(rating: u16, at_least: usize) {
    let Some(bytes) = maia(rating) else { return };
    let network = read_network(&bytes).unwrap();
    let (header, positions) = read(&format!("net-maia-{rating}-expected.jsonl"));
    assert_eq!(network.sha256, header.sha256, "the numbers are of another network");
    assert!(positions.len() >= at_least);
    let runner = Runner::new(&network).unwrap();
    let deviation = compare(&network, &runner, &positions);
    eprintln!("maia-{rating}, {} positions: largest {deviation:?}", positions.len());
    assert!(deviation.probability < TOLERANCE && deviation.wdl < TOLERANCE && deviation.q < TOLERANCE);
    assert!(deviation.logit < 5e-3);
}

#[test]
fn maia_1500_agrees_with_lc0() {
    agrees(1500, 150);
}

#[test]
fn maia_1100_agrees_with_lc0() {
    agrees(1100, 30);
}

#[test]
fn maia_1900_agrees_with_lc0() {
    agrees(1900, 30);
}

#[test]
fn maia_is_read_as_what_it_is() {
    let Some(bytes) = maia(1500) else { return };
    let Description {
        filters,
        blocks,
        se_ratio,
        ..
    } = read_network(&bytes).unwrap().description();
    assert_eq!((filters, blocks, se_ratio), (64, 6, Some(8)));
}

/// A probe reads the last block; the laboratory every one.
#[test]
fn all_taps_end_with_the_last() {
    let Some(bytes) = maia(1500) else { return };
    let network = read_network(&bytes).unwrap();
    let planes = Planes::new(&[], &shakmaty::Chess::default());
    let last = Runner::new(&network).unwrap().run(&planes).unwrap();
    let all = Runner::with_taps(&network, Taps::All).unwrap().run(&planes).unwrap();
    assert_eq!(all.activations.len(), 6);
    assert!(all.activations.iter().all(|a| a.len() == network.activations()));
    let differ = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(differ(&all.activations[5], &last.activations[0]) < 1e-4);
    assert!(differ(&all.activations[4], &last.activations[0]) > 0.1);
}

/// Every length that ends inside the gzip stream is refused, and most say where.
#[test]
fn every_truncation_of_a_real_file_is_refused() {
    let Some(bytes) = maia(1900) else { return };
    let mut places = std::collections::BTreeSet::new();
    // Two hundred lengths, the ends among them; 6131 is prime, so they don't fall into step with the layers.
    for length in (0..bytes.len()).step_by(6131).chain([1, 2, 10, 18, bytes.len() - 1]) {
        match read_network(&bytes[..length]) {
            Err(NetworkError::Ends(place)) => {
                places.insert(place.to_string());
            }
            Err(NetworkError::Empty | NetworkError::NotANetwork | NetworkError::GzipEnds) => {}
            other => panic!("{length} bytes: {:?}", other.map(|n| n.description())),
        }
    }
    assert!(places.contains("block 3") && places.len() > 5, "{places:?}");
}

/// `cargo test --release --features net --test suite -- net_lc0:: --ignored --nocapture time_per_position`
#[test]
#[ignore = "a measurement"]
fn time_per_position() {
    let Some(bytes) = maia(1500) else { return };
    let start = Instant::now();
    let network = read_network(&bytes).unwrap();
    let read = start.elapsed();
    let start = Instant::now();
    let runner = Runner::new(&network).unwrap();
    let built = start.elapsed();
    let games: Vec<_> = crate::net_expected::read("net-maia-1500-expected.jsonl")
        .1
        .iter()
        .map(|e| e.game())
        .collect();
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..10 {
        for (history, position) in &games {
            let start = Instant::now();
            runner.evaluate(history, position).unwrap();
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    times.sort_by(f64::total_cmp);
    println!(
        "read {read:.0?}, build and optimise {built:.0?}, ms per position: median {:.2}, 90 % {:.2} ({} runs)",
        times[times.len() / 2],
        times[times.len() * 9 / 10],
        times.len()
    );
}
