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
            for block in 1..=network.blocks() {
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

/// Only this filter of the last block is read by value and policy.
fn blind_but_to(filter: usize, mut network: Network) -> Network {
    let blind = |convolution: &mut Convolution| {
        let each = convolution.size * convolution.size;
        for (i, weights) in convolution.weights.chunks_exact_mut(each).enumerate() {
            if i % convolution.inputs != filter {
                weights.fill(0.0);
            }
        }
    };
    blind(&mut network.value.convolution);
    match &mut network.policy {
        PolicyHead::Classical { convolution, .. } => blind(convolution),
        PolicyHead::Convolution { hidden, .. } => blind(hidden),
        PolicyHead::Attention { embedding, .. } => {
            for (i, weight) in embedding.weights.iter_mut().enumerate() {
                if i % embedding.inputs != filter {
                    *weight = 0.0;
                }
            }
        }
    }
    network
}

/// By how much the value grows with each activation of a filter of the last block, on average.
fn slopes(network: &Network, filter: usize, positions: &[Chess], activations: &[Vec<f32>]) -> Vec<f32> {
    let rest = Runner::after_block(network, network.blocks()).unwrap();
    let said =
        |activations: &[f32], position: &Chess| rest.read(rest.run_on(activations).unwrap(), position).unwrap().q;
    let mut slopes = vec![0.0; 64];
    for (position, own) in positions.iter().zip(activations) {
        let plain = said(own, position);
        for (square, slope) in slopes.iter_mut().enumerate() {
            let mut shifted = own.clone();
            shifted[filter * 64 + square] += 0.05;
            *slope += said(&shifted, position) - plain;
        }
    }
    slopes
}

fn steered(network: &Network, weights: Vec<f32>) -> Steered {
    let block = network.blocks() as u8;
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
    let whole = made(1);
    // The filters that vary most first: some of a made-up network are never above 0.
    let seen = positions(12);
    let runner = Runner::with_taps(&whole, Taps::All).unwrap();
    let block = whole.blocks();
    let last: Vec<Vec<f32>> = seen
        .iter()
        .map(|position| runner.evaluate_tapped(&[], position).unwrap().1.swap_remove(block - 1))
        .collect();
    let varies = |filter: usize| -> f32 {
        let first = &last[0][filter * 64..(filter + 1) * 64];
        let apart = |own: &Vec<f32>| {
            own[filter * 64..]
                .iter()
                .zip(first)
                .map(|(a, b)| (a - b).abs())
                .sum::<f32>()
        };
        last.iter().map(apart).sum()
    };
    let mut filters: Vec<usize> = (0..whole.filters()).collect();
    filters.sort_by(|&a, &b| varies(b).total_cmp(&varies(a)));
    let (filter, network, slopes) = filters
        .iter()
        .find_map(|&filter| {
            let network = blind_but_to(filter, whole.clone());
            let slopes = slopes(&network, filter, &seen, &last);
            let most = slopes.iter().fold(0.0_f32, |most, slope| most.max(slope.abs()));
            (most > 1e-4).then_some((filter, network, slopes))
        })
        .unwrap();
    let along = |filter: usize| {
        let mut direction = vec![0.0; network.activations()];
        direction[filter * 64..(filter + 1) * 64].copy_from_slice(&slopes);
        direction
    };
    let causal = steered(&network, along(filter));
    assert_eq!(causal.verdict, Use::Used, "{causal:?}");
    let [down, up] = [causal.points[0].value, causal.points[1].value];
    assert!(
        down < 0.0 && up > 0.0,
        "with the sign that it was found with: {down} {up}"
    );
    // The same direction in another filter: it varies too, and nothing reads it.
    let other = filters.iter().find(|&&other| other != filter).unwrap();
    let readable = steered(&network, along(*other));
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
