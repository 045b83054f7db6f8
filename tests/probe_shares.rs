//! The shares of the board's squares in what the shipped probes say, on positions that the app ships.
#![cfg(feature = "net")]
#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use std::{fs, path::Path};

use kibitz::{
    chess::fen::read_fen,
    concepts::{Concept, Men, ProbeSet, Rule, sampled},
    net::{Runner, Taps, read_network},
    random::Rng,
};
use shakmaty::{Chess, Color, Position};

/// Positions that are looked at.
const POSITIONS: usize = 100;
/// What a sum may be off.
const LEAST: f64 = 1e-4;

fn shipped(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("public/networks").join(name);
    fs::read(path).unwrap()
}

fn positions() -> Vec<Chess> {
    let bytes = shipped("positions.tsv.gz");
    let text = sampled::text(&bytes).unwrap();
    let mut all: Vec<_> = sampled::pieces(&text)
        .unwrap()
        .into_iter()
        .enumerate()
        .flat_map(|(number, piece)| sampled::read(piece, number))
        .collect();
    let mut rng = Rng::new(17);
    (0..POSITIONS)
        .map(|_| read_fen(&all.swap_remove(rng.below(all.len())).fen).unwrap().position)
        .collect()
}

#[test]
fn shares_sum_to_the_decision_value_on_a_hundred_positions() {
    let network = read_network(&shipped("kibitz-64x6.pb.gz")).unwrap();
    let probes = ProbeSet::read(&shipped("kibitz-64x6.probes")).unwrap();
    probes.check_network(&network.sha256).unwrap();
    let runner = Runner::with_taps(&network, Taps::All).unwrap();
    let mut turns = [0, 0];
    for position in positions() {
        let turn = position.turn();
        turns[usize::from(turn.is_black())] += 1;
        let (_, activations) = runner.evaluate_tapped(&[], &position).unwrap();
        let men = Men::seen(network.format.input, &position);
        let decisions = probes.decisions(&activations, &men).unwrap();
        for (probe, &decision) in probes.all().iter().zip(&decisions) {
            let shares = probes.shares(probe, &activations, &men, turn).unwrap();
            let off = (shares.value() - f64::from(decision)).abs();
            assert!(off < LEAST, "{}: {off}", probe.card.name);
        }
        // And in the view of whoever has moved.
        for rule in [Rule::Ours, Rule::Paper] {
            let scores = probes.scores_of(rule, &decisions, turn);
            for mover in Color::ALL {
                for concept in Concept::ALL {
                    let shares = probes
                        .score_shares((concept, rule), &activations, &men, turn, mover)
                        .unwrap();
                    let off = (shares.value() - f64::from(scores.for_mover(concept, mover))).abs();
                    assert!(off < LEAST, "{concept} by {rule} for {mover}: {off}");
                }
            }
        }
    }
    assert!(turns.iter().all(|&of| of > POSITIONS / 5), "{turns:?}");
}
