//! Networks whose convolutions are computed Winograd's way, against tract's own.
#![cfg(feature = "net")]
#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use std::{io::Read as _, path::Path};

use crate::convolution_bits::{EXPECTED, EXPECTED_BLOCK, block_digest, digest};
use crate::net_expected::{game, maia};
use crate::net_reference::{KINDS, network};
use kibitz::net::{
    Convolutions, Network, Runner, Taps, Tile,
    network::{Body, Convolution, Dense, PolicyHead},
    read_network,
};
use prost::Message as _;
use shakmaty::Chess;

/// How far the policy's and the value's logits may be from the exact ones.
const FROM_EXACT: [(Convolutions, f64); 2] = [
    (Convolutions::Winograd(Tile::Two), 1e-4),
    (Convolutions::Winograd(Tile::Four), 1e-3),
];

/// How far they may be from those of tract's own graph, whose error is three times that of the smaller tiles: the shipped
/// network's logits go up to 70, where two neighbouring numbers are 8·10⁻⁶ apart.
const FROM_DIRECT: [(Tile, f32); 2] = [(Tile::Two, 3e-4), (Tile::Four, 1e-3)];

fn shipped(file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("public/networks");
    std::fs::read(folder.join(file)).unwrap()
}

/// A thousand of the positions that ship, each of another game.
fn positions() -> Vec<Chess> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(&shipped("positions.tsv.gz")[..])
        .read_to_string(&mut text)
        .unwrap();
    let lines = text.lines().step_by(6);
    lines.map(|line| game(line.split('\t').nth(1).unwrap(), "").1).collect()
}

/// The largest difference of a logit on any position for each of [`FROM_DIRECT`], where every first move is the same.
fn largest_differences(network: &Network, positions: &[Chess]) -> [f32; 2] {
    let runner = |convolutions| Runner::with_convolutions(network, Taps::Last, convolutions).unwrap();
    let direct = runner(Convolutions::Direct);
    let others = FROM_DIRECT.map(|(tile, _)| runner(Convolutions::Winograd(tile)));
    let first = |raw, position| direct.read(raw, position).unwrap().policy.first().map(|first| first.0);
    let mut largest = [0.0f32; 2];
    for position in positions {
        let planes = direct.planes(&[], position);
        let theirs = direct.run(&planes).unwrap();
        for (other, largest) in others.iter().zip(&mut largest) {
            let ours = other.run(&planes).unwrap();
            let logits = theirs.policy.iter().chain(&theirs.value);
            for (a, b) in logits.zip(ours.policy.iter().chain(&ours.value)) {
                *largest = largest.max((a - b).abs());
            }
            assert_eq!(first(theirs.clone(), position), first(ours, position), "{position:?}");
        }
    }
    largest
}

fn agrees(name: &str, network: &Network, positions: &[Chess]) {
    // Without optimisation a run takes a fortieth of a second.
    let halves = std::thread::scope(|scope| {
        let halves = positions.chunks(positions.len().div_ceil(2));
        let working: Vec<_> = halves
            .map(|half| scope.spawn(|| largest_differences(network, half)))
            .collect();
        working.into_iter().map(|half| half.join().unwrap()).collect::<Vec<_>>()
    });
    for (number, (tile, limit)) in FROM_DIRECT.into_iter().enumerate() {
        let largest = halves.iter().map(|half| half[number]).fold(0.0, f32::max);
        eprintln!("{name}, {tile:?}, {} positions: largest {largest:e}", positions.len());
        assert!(largest < limit, "{name}, {tile:?}: {largest}");
    }
}

#[test]
fn the_shipped_network_agrees_on_a_thousand_positions() {
    let network = read_network(&shipped("kibitz-64x6.pb.gz")).unwrap();
    let positions = positions();
    assert_eq!(positions.len(), 1000);
    agrees("shipped", &network, &positions);
}

#[test]
fn real_networks_agree() {
    for rating in [1100, 1500, 1900] {
        let Some(bytes) = maia(rating) else { return };
        agrees(
            &format!("maia-{rating}"),
            &read_network(&bytes).unwrap(),
            &positions()[..100],
        );
    }
}

/// Every activation and head, and sizes that fill no block of filters.
#[test]
fn every_kind_agrees() {
    for kind in KINDS {
        let network = read_network(&network(kind).encode_to_vec()).unwrap();
        agrees(kind.name, &network, &positions()[..5]);
    }
}

/// The shipped network's policy and value in double precision: residual blocks with squeeze-excitation, a policy of planes.
fn exact(network: &Network, planes: &[f32]) -> [Vec<f64>; 2] {
    let planes: Vec<f64> = planes.iter().map(|&x| f64::from(x)).collect();
    let Body::Residual { input, blocks } = &network.body else {
        panic!("another body");
    };
    let mut flow = rectified(convolved(input, &planes));
    for block in blocks {
        let mut out = convolved(&block.second, &rectified(convolved(&block.first, &flow)));
        if let Some(se) = &block.se {
            let means: Vec<f64> = out.chunks(64).map(|plane| plane.iter().sum::<f64>() / 64.0).collect();
            let excited = multiplied(&se.excite, &rectified(multiplied(&se.squeeze, &means)));
            let (factors, offsets) = excited.split_at(means.len());
            for ((plane, factor), offset) in out.chunks_mut(64).zip(factors).zip(offsets) {
                plane
                    .iter_mut()
                    .for_each(|x| *x = *x / (1.0 + (-factor).exp()) + offset);
            }
        }
        flow = rectified(out.iter().zip(&flow).map(|(a, b)| a + b).collect());
    }
    let PolicyHead::Convolution { hidden, planes } = &network.policy else {
        panic!("another policy");
    };
    let policy = convolved(planes, &rectified(convolved(hidden, &flow)));
    let head = &network.value;
    let hidden = rectified(multiplied(
        &head.hidden,
        &rectified(convolved(&head.convolution, &flow)),
    ));
    [policy, multiplied(&head.output, &hidden)]
}

fn convolved(layer: &Convolution, x: &[f64]) -> Vec<f64> {
    let (size, edge) = (layer.size, layer.size / 2);
    let filters = layer.weights.chunks(layer.inputs * size * size).zip(&layer.biases);
    let sum_at = |filter: &[f32], bias: f32, square: usize| {
        let mut sum = f64::from(bias);
        for (weights, plane) in filter.chunks(size * size).zip(x.chunks(64)) {
            for (at, &weight) in weights.iter().enumerate() {
                let (rank, file) = (square / 8 + at / size, square % 8 + at % size);
                if (edge..8 + edge).contains(&rank) && (edge..8 + edge).contains(&file) {
                    sum += f64::from(weight) * plane[8 * (rank - edge) + file - edge];
                }
            }
        }
        sum
    };
    filters
        .flat_map(|(filter, &bias)| (0..64).map(move |square| sum_at(filter, bias, square)))
        .collect()
}

fn multiplied(layer: &Dense, x: &[f64]) -> Vec<f64> {
    let rows = layer.weights.chunks(layer.inputs).zip(&layer.biases);
    let sum = |row: &[f32]| row.iter().zip(x).map(|(&weight, x)| f64::from(weight) * x).sum::<f64>();
    rows.map(|(row, &bias)| f64::from(bias) + sum(row)).collect()
}

fn rectified(x: Vec<f64>) -> Vec<f64> {
    x.into_iter().map(|x| x.max(0.0)).collect()
}

#[test]
fn logits_are_nearly_exact() {
    let network = read_network(&shipped("kibitz-64x6.pb.gz")).unwrap();
    for position in positions().iter().step_by(500) {
        let planes = Runner::new(&network).unwrap().planes(&[], position);
        let exact = exact(&network, &planes.values()).concat();
        let error = |convolutions| {
            let runner = Runner::with_convolutions(&network, Taps::Last, convolutions).unwrap();
            let output = runner.run(&planes).unwrap();
            let ours = output.policy.iter().chain(&output.value);
            assert_eq!(ours.clone().count(), exact.len());
            ours.zip(&exact)
                .map(|(&a, b)| (f64::from(a) - b).abs())
                .fold(0.0, f64::max)
        };
        for (convolutions, limit) in FROM_EXACT {
            let (ours, direct) = (error(convolutions), error(Convolutions::Direct));
            eprintln!("{convolutions:?}: {ours:e} from exact; tract's own {direct:e}");
            assert!(ours < limit, "{convolutions:?}: {ours}");
        }
    }
}

#[test]
fn a_convolution_has_the_bits_that_it_has_in_wasm() {
    for (tile, expected) in EXPECTED {
        assert_eq!(digest(tile), expected, "{tile:?}: {:#010x}", digest(tile));
    }
}

#[test]
fn so_have_the_end_of_a_block_and_a_dense_layer() {
    assert_eq!(block_digest(), EXPECTED_BLOCK, "{:#010x}", block_digest());
}
