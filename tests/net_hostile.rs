//! Files that are not a network, or not one that Kibitz can run: refused in words, never with a panic.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use std::io::Read;

use crate::net_expected::data;
use crate::net_reference::{KINDS, network};
use kibitz::net::{Arriving, Network, NetworkError, proto, read_network, writer::gzip};
use proptest::prelude::*;
use prost::Message;

const SE: usize = 2;
const ATTENTION: usize = 4;

fn refusal(bytes: &[u8]) -> String {
    read_network(bytes).map(|n| n.description()).unwrap_err().to_string()
}

/// What is said of a synthetic network after `change`.
fn changed(change: impl Fn(&mut proto::Net)) -> String {
    let mut net = network(KINDS[SE]);
    change(&mut net);
    refusal(&net.encode_to_vec())
}

fn format(change: impl Fn(&mut proto::NetworkFormat)) -> String {
    changed(|net| change(net.format.as_mut().unwrap().network_format.as_mut().unwrap()))
}

fn weights(change: impl Fn(&mut proto::Weights)) -> String {
    changed(|net| change(net.weights.as_mut().unwrap()))
}

/// The same of one with an attention policy.
fn attention(change: impl Fn(&mut proto::Weights)) -> String {
    let mut net = network(KINDS[ATTENTION]);
    change(net.weights.as_mut().unwrap());
    refusal(&net.encode_to_vec())
}

#[test]
fn other_networks_are_refused_by_name() {
    let cant = "which Kibitz can't run yet; it runs Lc0's residual networks, such as Maia and those of the T60 series, and \
                its attention networks, such as BT4";
    for (said, expected) in [
        (
            format(|f| f.network = Some(6)),
            "its body has attention layers and its policy head has none (policy format 2)",
        ),
        (
            format(|f| f.network = Some(8)),
            "its body is of a kind that Kibitz doesn't know (network format 8)",
        ),
        (
            format(|f| f.network = Some(5)),
            "its format says that it is an ONNX model (network format 5)",
        ),
        (
            format(|f| f.policy = Some(4)),
            "its policy head is of a kind that Kibitz doesn't know (policy format 4)",
        ),
        (
            format(|f| f.input = Some(6)),
            "its input is of a kind that Kibitz doesn't know (input format 6)",
        ),
        (
            format(|f| f.value = Some(3)),
            "its value head is of a kind that Kibitz doesn't know (value format 3)",
        ),
        (
            format(|f| f.default_activation = Some(7)),
            "its activation function is of a kind that Kibitz doesn't know (default activation 7)",
        ),
    ] {
        assert_eq!(said, format!("{expected}, {cant}"));
    }
    for (said, expected) in [
        (
            changed(|net| net.magic = Some(0x1c1)),
            "its magic number is 0x1c1, a Lc0 network's is 0x1c0",
        ),
        (changed(|net| net.weights = None), "it holds no weights"),
        (weights(|w| w.residual.clear()), "it has no residual blocks or encoders"),
        (
            weights(|w| w.residual = vec![w.residual[0].clone(); 257]),
            "it has more than 256 blocks",
        ),
        (
            weights(|w| w.residual[1].se = None),
            "block 2's squeeze-excitation is missing",
        ),
        (
            attention(|w| w.ip4_pol_w = w.ip_pol_b.clone()),
            "the policy's promotions holds 10 weights where 32 are needed",
        ),
        (
            attention(|w| w.ip3_pol_b = w.ip_pol_b.clone()),
            "the policy's keys (biases) holds 10 weights where 8 are needed",
        ),
        (
            weights(|w| w.policy1 = None),
            "the policy's first convolution is missing",
        ),
        (
            weights(|w| w.residual[1].conv2 = w.policy.clone()),
            "block 2's second convolution holds 5760 weights where 576 are needed",
        ),
        (
            weights(|w| w.ip2_val_w = w.ip1_val_w.clone()),
            "the value's output layer holds 2048 weights where 16 are needed",
        ),
        (
            weights(|w| w.ip1_val_b.as_mut().unwrap().encoding = Some(12)),
            "the value's hidden layer (biases) is in encoding 12, which Kibitz doesn't know",
        ),
        (
            weights(|w| w.ip1_val_b.as_mut().unwrap().params = Some(vec![0; 33].into())),
            "the value's hidden layer (biases) ends in the middle of a weight",
        ),
        (
            weights(|w| w.ip1_val_b.as_mut().unwrap().max_val = Some(f32::INFINITY)),
            "the value's hidden layer (biases) holds weights that are not numbers",
        ),
        (
            weights(|w| {
                let variances = w.residual[0].conv1.as_mut().unwrap().bn_stddivs.as_mut().unwrap();
                (variances.min_val, variances.max_val) = (Some(-1.0), Some(-1.0));
            }),
            "block 1's first convolution (with its batch normalisation) holds weights that are not numbers",
        ),
        (
            weights(|w| w.input.as_mut().unwrap().weights.as_mut().unwrap().params = None),
            "the input convolution holds 0 weights where 1008 are needed",
        ),
    ] {
        assert_eq!(said, expected);
    }
}

/// Encoder layers in a file that says it is a residual network, as some early attention networks do: those have no residual
/// blocks.
#[test]
fn attention_is_seen_whatever_the_format_says() {
    let mut bytes = network(KINDS[SE]).encode_to_vec();
    // Field 10 again (the decoder merges), holding field 21, an empty message.
    bytes.extend([10 << 3 | 2, 3, 0xaa, 0x01, 0]);
    let said = refusal(&bytes);
    assert!(
        said.starts_with("its policy head has attention layers of its own, which"),
        "{said}"
    );
    // The same with field 27.
    bytes.extend([10 << 3 | 2, 3, 0xda, 0x01, 0]);
    let said = refusal(&bytes);
    assert!(
        said.starts_with("its body has attention layers and its policy head has none (policy format 2), "),
        "{said}"
    );
}

#[test]
fn other_files_are_refused_by_name() {
    assert_eq!(refusal(b""), "the file is empty");
    let not_a_network = "this is not a Lc0 network (a .pb, .pb.gz or .onnx file)";
    assert_eq!(
        refusal(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        not_a_network
    );
    assert_eq!(refusal(b"\x89PNG\r\n\x1a\n"), not_a_network);
    assert_eq!(refusal(&[0; 64]), not_a_network);
    assert_eq!(refusal(&gzip(b"hello, gzip")), "this is gzip but not a Lc0 network");
    assert_eq!(refusal(&gzip(b"hello, gzip")[..12]), "this gzip file ends too early");
    let mut damaged = gzip(&network(KINDS[SE]).encode_to_vec());
    let end = damaged.len();
    damaged[end - 6] ^= 1;
    assert_eq!(refusal(&damaged), "this gzip file is damaged");
}

/// A small file that would decode into a great many blocks.
#[test]
fn empty_blocks_by_the_million_are_refused() {
    let count = 4_000_000u32;
    let mut bytes = vec![0x0d, 0xc0, 0x01, 0, 0, 0x52];
    prost::encode_length_delimiter(2 * count as usize, &mut bytes).unwrap();
    bytes.extend([0x12, 0].repeat(count as usize));
    assert_eq!(refusal(&gzip(&bytes)), "it has more than 256 blocks");
}

/// A length of 2⁶³ and more in every place a length can have.
#[test]
fn absurd_lengths_are_an_early_end() {
    let absurd = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    for tag in [0x12u8, 0x22, 0x52, 0x5a] {
        let mut bytes = vec![0x0d, 0xc0, 0x01, 0, 0, tag];
        bytes.extend(absurd);
        assert!(matches!(read_network(&bytes), Err(NetworkError::Ends(_))), "{tag:#x}");
    }
}

#[test]
fn every_truncation_says_where_the_file_ends() {
    for kind in [KINDS[0], KINDS[SE]] {
        let bytes = network(kind).encode_to_vec();
        let step = bytes.len() / 700 + 1;
        let mut places = Vec::new();
        for length in (1..bytes.len()).step_by(step).chain([bytes.len() - 1]) {
            match read_network(&bytes[..length]) {
                Err(NetworkError::Ends(place)) => places.push(place.to_string()),
                // Between two outer fields.
                Err(NetworkError::NoWeights) => {}
                other => panic!("{length} bytes: {:?}", other.map(|n| n.description())),
            }
        }
        places.dedup();
        assert_eq!(
            places,
            [
                "its header",
                "the input layer",
                "block 1",
                "block 2",
                "the policy and value heads"
            ]
        );
    }
}

/// Sizes of a network made smaller, so that thousands of cases stay quick: only the outer structure matters here.
fn little() -> Vec<u8> {
    let mut net = network(KINDS[SE]);
    let weights = net.weights.as_mut().unwrap();
    weights.policy1 = None;
    weights.policy = None;
    net.encode_to_vec()
}

/// An ONNX network, unpacked.
fn onnx() -> Vec<u8> {
    let packed = std::fs::read(data("net-onnx-plain.onnx.gz")).unwrap();
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed[..])
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

/// What is read of bytes that come in pieces of these sizes, in turn.
fn arrived(mut bytes: &[u8], sizes: &[usize]) -> Result<Network, NetworkError> {
    let mut arriving = Arriving::default();
    for size in sizes.iter().cycle() {
        let (piece, rest) = bytes.split_at((*size).min(bytes.len()));
        arriving.take(piece)?;
        bytes = rest;
        if bytes.is_empty() {
            break;
        }
    }
    arriving.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whole or cut, sound or not, gzipped or not, a file is read alike in pieces of any size.
    #[test]
    fn pieces_of_any_size_are_as_the_whole(
        file in prop::sample::select(vec!["plain", "se", "attention", "onnx"]),
        cut in prop::option::of(any::<prop::sample::Index>()),
        flip in prop::option::of((any::<prop::sample::Index>(), 0u8..8)),
        gzipped in any::<bool>(),
        sizes in prop::collection::vec(1usize..3000, 1..12),
    ) {
        let mut bytes = match file {
            "plain" => network(KINDS[0]).encode_to_vec(),
            "se" => network(KINDS[SE]).encode_to_vec(),
            "attention" => network(KINDS[ATTENTION]).encode_to_vec(),
            _ => onnx(),
        };
        if let Some((at, bit)) = flip {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        if gzipped {
            bytes = gzip(&bytes);
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        prop_assert_eq!(arrived(&bytes, &sizes), read_network(&bytes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(read_network(&bytes).is_err());
    }

    #[test]
    fn any_bytes_after_the_magic_number_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut file = vec![0x0d, 0xc0, 0x01, 0, 0];
        file.extend(bytes);
        prop_assert!(read_network(&file).is_err());
        prop_assert!(read_network(&gzip(&file)).is_err());
    }

    #[test]
    fn any_gzip_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut file = vec![0x1f, 0x8b, 8, 0];
        file.extend(bytes);
        prop_assert!(read_network(&file).is_err());
    }

    /// A flipped bit gives other weights or a refusal.
    #[test]
    fn flipped_bits_never_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..6)) {
        let mut bytes = little();
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        let _ = read_network(&bytes);
    }

    /// The same where the structure is: tags and lengths, not weights.
    #[test]
    fn flipped_bits_of_the_structure_never_panic(at in 0usize..40, from_end in any::<bool>(), bit in 0u8..8) {
        let mut bytes = little();
        let at = if from_end { bytes.len() - 1 - at } else { at };
        bytes[at] ^= 1 << bit;
        let _ = read_network(&bytes);
    }

    #[test]
    fn formats_of_any_number_are_read_or_refused(
        input in any::<i32>(), network_format in -1i32..140, policy in -1i32..6, value in -1i32..5, activation in -1i32..9,
    ) {
        let mut net = network(KINDS[SE]);
        net.format.as_mut().unwrap().network_format = Some(proto::NetworkFormat {
            input: Some(if input % 2 == 0 { 1 } else { input }),
            output: None,
            network: Some(network_format),
            policy: Some(policy),
            value: Some(value),
            moves_left: None,
            default_activation: Some(activation),
            ..Default::default()
        });
        let _ = read_network(&net.encode_to_vec());
    }
}
