//! Shifting activations of a made-up network: what follows a block is what the whole network does, and a direction that the
//! value depends on is told from one that nothing reads.
#![cfg(feature = "net")]
#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use crate::net_reference::{KINDS, network};
use kibitz::{
    concepts::{
        Layer,
        steering::{Plan, Steered, Use},
    },
    net::{
        Network, Runner, Taps,
        network::{Convolution, PolicyHead},
        read_network,
    },
    net_worker::{
        protocol::SteerText,
        steering::{ProbeSteering, Steer, SteerError},
    },
    random::Rng,
};
use prost::Message;
use shakmaty::{Chess, Position};

/// Positions of a game of chance.
fn positions(count: usize) -> Vec<Chess> {
    let mut rng = Rng::new(8);
    let (mut position, mut all) = (Chess::default(), Vec::new());
    while all.len() < count {
        let legal = position.legal_moves();
        if legal.is_empty() {
            position = Chess::default();
            continue;
        }
        position.play_unchecked(legal[rng.below(legal.len())]);
        if !position.legal_moves().is_empty() {
            all.push(position.clone());
        }
    }
    all
}

fn made(kind: usize) -> Network {
    read_network(&network(KINDS[kind]).encode_to_vec()).unwrap()
}

#[test]
fn what_follows_a_block_says_what_the_whole_network_says() {
    for (number, kind) in KINDS.iter().enumerate() {
        let network = made(number);
        let whole = Runner::with_taps(&network, Taps::All).unwrap();
        for position in positions(3) {
            let (output, activations) = whole.evaluate_tapped(&[], &position).unwrap();
            for block in 1..=network.blocks.len() {
                let rest = Runner::after_block(&network, block).unwrap();
                let raw = rest.run_on(&activations[block - 1]).unwrap();
                let again = rest.read(raw, &position).unwrap();
                let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
                assert!(near(again.q, output.q), "{}: {} {}", kind.name, again.q, output.q);
                for ((mv, p), (other, q)) in again.policy.iter().zip(&output.policy) {
                    assert!(near(*p, *q), "{} {block}: {mv} {p}, {other} {q}", kind.name);
                }
            }
        }
    }
}

/// Only the first filter of the last block is read by value and policy.
fn blind_but_to_the_first(mut network: Network) -> Network {
    let blind = |convolution: &mut Convolution| {
        let each = convolution.size * convolution.size;
        let of_output = convolution.inputs * each;
        for weights in convolution.weights.chunks_exact_mut(of_output) {
            weights[each..].fill(0.0);
        }
    };
    blind(&mut network.value.convolution);
    match &mut network.policy {
        PolicyHead::Classical { convolution, .. } => blind(convolution),
        PolicyHead::Convolution { hidden, .. } => blind(hidden),
        PolicyHead::Attention { embedding, .. } => {
            for weights in embedding.weights.chunks_exact_mut(embedding.inputs) {
                weights[1..].fill(0.0);
            }
        }
    }
    network
}

fn steered(network: &Network, weights: Vec<f32>) -> Steered {
    let block = network.blocks.len() as u8;
    let steer = Steer {
        layer: Layer::block(block),
        weights,
        block,
        measured: positions(12),
        steered: None,
        plan: Plan {
            shifts: vec![-2.0, 2.0],
            chances: 40,
            seed: 2,
        },
    };
    let mut steering = ProbeSteering::new(network, steer).unwrap();
    let mut last = steering.progress();
    while steering.step().unwrap() {
        assert!(steering.steered().is_none(), "not before the end");
        let now = steering.progress();
        assert!(now.0 == last.0 + 1 && now.1 == last.1, "{last:?} {now:?}");
        last = now;
    }
    steering.steered().unwrap()
}

#[test]
fn a_causal_direction_is_found_in_a_network_and_a_readable_unused_one_is_not() {
    let network = blind_but_to_the_first(made(1));
    let block = network.blocks.len();
    let (whole, rest) = (
        Runner::with_taps(&network, Taps::All).unwrap(),
        Runner::after_block(&network, block).unwrap(),
    );
    // By how much the value grows with each activation of the first filter, on average.
    let mut slopes = vec![0.0_f32; network.activations()];
    for position in positions(6) {
        let (output, mut activations) = whole.evaluate_tapped(&[], &position).unwrap();
        let own = activations.swap_remove(block - 1);
        for at in 0..64 {
            let mut shifted = own.clone();
            shifted[at] += 0.05;
            let raw = rest.run_on(&shifted).unwrap();
            slopes[at] += rest.read(raw, &position).unwrap().q - output.q;
        }
    }
    let causal = steered(&network, slopes.clone());
    assert_eq!(causal.verdict, Use::Used, "{causal:?}");
    let [down, up] = [causal.points[0].value, causal.points[1].value];
    assert!(
        down < 0.0 && up > 0.0,
        "with the sign that it was found with: {down} {up}"
    );
    // The same direction in the second filter: it varies as much, and nothing reads it.
    let mut unused = vec![0.0; slopes.len()];
    unused[64..128].copy_from_slice(&slopes[..64]);
    let readable = steered(&network, unused);
    assert_eq!(readable.verdict, Use::Readable, "{readable:?}");
    assert!(
        readable
            .points
            .iter()
            .all(|point| point.value_moved < 1e-5 && point.policy_moved < 1e-5)
    );
}

#[test]
fn what_cannot_be_steered_is_named() {
    let network = made(1);
    let text = |block: u8, weights: f32, fen: &str| SteerText {
        layer: Layer::block(1),
        weights: vec![weights; network.activations()],
        block,
        measured: vec![fen.to_owned()],
        steered: None,
        shifts: vec![1.0],
        chances: 1,
        seed: 1,
    };
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(Steer::read(text(1, 1.0, "no position")).is_err());
    let other = ProbeSteering::new(&network, Steer::read(text(2, 1.0, START)).unwrap());
    assert_eq!(
        other.unwrap_err().to_string(),
        "the probe reads block 1, and not block 2"
    );
    // One position has no deviation.
    let mut flat = ProbeSteering::new(&network, Steer::read(text(1, 1.0, START)).unwrap()).unwrap();
    assert!(flat.step().unwrap());
    assert!(matches!(flat.step(), Err(SteerError::Flat)));
}
