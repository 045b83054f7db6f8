//! Attention bodies: small made-up networks of every kind against Lc0's own evaluator, from its own files and its exports
//! to ONNX, and refused in words where they are none that Kibitz runs.
#![cfg(feature = "net")]
#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use std::io::Read;

use crate::net_expected::{data, game};
use flate2::read::GzDecoder;
use kibitz::net::{
    Encoding, Network, NetworkError, Runner, Taps,
    attention::Positions,
    format::Activation,
    network::Body,
    onnx_proto,
    policy::{index_of, probabilities},
    proto, read_network, write_network,
};
use proptest::prelude::*;
use prost::Message;
use serde::Deserialize;
use shakmaty::{Chess, Position};

const KINDS: [&str; 4] = ["map", "smolgen", "dense", "scalar"];
/// The file, and how far from Lc0 its weights' precision leaves its probabilities.
const EXPORTS: [(&str, &str); 4] = [
    ("map", "map"),
    ("smolgen", "smolgen"),
    ("dense", "dense"),
    ("smolgen-bf16", "smolgen"),
];

#[derive(Deserialize)]
struct Case {
    fen: String,
    moves: String,
    indices: Vec<u16>,
}

#[derive(Deserialize)]
struct Said {
    q: f32,
    d: f32,
    m: f32,
    /// In ten-thousandths, in the order of the position's indices.
    logits: Vec<f32>,
}

#[derive(Deserialize)]
struct Expected {
    network: String,
    sha256: String,
    outputs: Vec<Said>,
}

fn expected() -> (Vec<Case>, Vec<Expected>) {
    let text = std::fs::read_to_string(data("net-attention-expected.jsonl")).unwrap();
    let mut lines = text.lines().skip(1);
    let cases: Vec<Case> = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!(cases.len(), 100);
    (cases, lines.map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn packed(name: &str) -> Vec<u8> {
    std::fs::read(data(&format!("net-attention-{name}"))).unwrap()
}

fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(&packed(name)[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

fn file(kind: &str) -> proto::Net {
    proto::Net::decode(&unpacked(&format!("{kind}.pb.gz"))[..]).unwrap()
}

fn attention(network: &Network) -> &kibitz::net::attention::AttentionBody {
    match &network.body {
        Body::Attention(body) => body,
        Body::Residual { .. } => panic!("a residual body"),
    }
}

/// The largest differences: probabilities, logits up to what they have in common, `q` and `d`, plies left.
#[derive(Debug, Default)]
struct Deviation {
    probability: f32,
    logit: f32,
    value: f32,
    moves_left: f32,
}

fn compare(network: &Network, cases: &[Case], outputs: &[Said]) -> Deviation {
    let runner = Runner::new(network).unwrap();
    let mut worst = Deviation::default();
    assert_eq!(cases.len(), outputs.len());
    for (case, said) in cases.iter().zip(outputs) {
        let (history, position) = game(&case.fen, &case.moves);
        let output = runner.evaluate(&history, &position).unwrap();
        worst.value = worst.value.max((output.q - said.q).abs());
        if let Some([_, draw, _]) = output.wdl {
            worst.value = worst.value.max((draw - said.d).abs());
        }
        if let Some(left) = output.moves_left {
            worst.moves_left = worst.moves_left.max((left - said.m).abs());
        }
        let mut logits = vec![0.0; 1858];
        assert_eq!(case.indices.len(), said.logits.len());
        for (&index, logit) in case.indices.iter().zip(&said.logits) {
            logits[usize::from(index)] = logit / 1e4;
        }
        let theirs = probabilities(&position, &logits).unwrap();
        assert_eq!(theirs.len(), output.policy.len());
        // Some are mate.
        let Some(&(best, _)) = theirs.first() else { continue };
        let logit = |mv| logits[usize::from(index_of(mv, position.turn()).unwrap())];
        let ours = |mv| output.policy.iter().find(|(other, _)| *other == mv).unwrap().1;
        for &(mv, probability) in &theirs {
            worst.probability = worst.probability.max((ours(mv) - probability).abs());
            if ours(mv) > 1e-6 {
                let difference = (ours(mv) / ours(best)).ln() - (logit(mv) - logit(best));
                worst.logit = worst.logit.max(difference.abs());
            }
        }
    }
    worst
}

#[test]
fn every_kind_agrees_with_lc0() {
    let (cases, networks) = expected();
    for (kind, expected) in KINDS.into_iter().zip(networks) {
        let network = read_network(&packed(&format!("{kind}.pb.gz"))).unwrap();
        assert_eq!(expected.network, format!("net-attention-{kind}.pb.gz"));
        assert_eq!(
            network.sha256, expected.sha256,
            "{kind}: the numbers are of another network"
        );
        let worst = compare(&network, &cases, &expected.outputs);
        eprintln!("{kind}, {} positions: largest {worst:?}", cases.len());
        assert!(worst.probability < 1e-3 && worst.value < 1e-3, "{kind}: {worst:?}");
        assert!(worst.logit < 1e-2 && worst.moves_left < 1e-2, "{kind}: {worst:?}");
        assert_eq!(network.format.moves_left, kind != "scalar");
    }
}

#[test]
fn exports_agree_with_lc0() {
    let (cases, networks) = expected();
    for (name, kind) in EXPORTS {
        let network = read_network(&packed(&format!("{name}.onnx.gz"))).unwrap();
        let original = read_network(&packed(&format!("{kind}.pb.gz"))).unwrap();
        assert_eq!(network.format, original.format, "{name}");
        let (exported, body) = (attention(&network), attention(&original));
        assert_eq!(exported.heads, body.heads);
        assert_eq!(exported.smolgen_activation, body.smolgen_activation, "{name}");
        assert_eq!(exported.feed_forward_activation, body.feed_forward_activation, "{name}");
        let tolerance = if name == kind { 1e-6 } else { 5e-3 };
        assert_eq!(network.layers().len(), original.layers().len());
        for (ours, theirs) in network.layers().into_iter().zip(original.layers()) {
            assert_eq!(ours.len(), theirs.len(), "{name}");
            assert!(
                ours.iter()
                    .zip(theirs)
                    .all(|(a, b)| (a - b).abs() <= tolerance * (1.0 + b.abs())),
                "{name}"
            );
        }
        if name == kind {
            let of = format!("net-attention-{kind}.pb.gz");
            let expected = networks.iter().find(|network| network.network == of).unwrap();
            let worst = compare(&network, &cases, &expected.outputs);
            eprintln!("{name}.onnx: largest {worst:?}");
            assert!(worst.probability < 1e-3 && worst.value < 1e-3, "{name}: {worst:?}");
        }
    }
}

#[test]
fn the_kinds_differ_in_their_parts() {
    let body = |kind: &str| {
        let network = read_network(&packed(&format!("{kind}.pb.gz"))).unwrap();
        assert_eq!(
            (network.filters(), network.blocks(), network.activations()),
            (32, 2, 2048)
        );
        match network.body {
            Body::Attention(body) => *body,
            Body::Residual { .. } => panic!("a residual body"),
        }
    };
    let (map, smolgen, dense, scalar) = (body("map"), body("smolgen"), body("dense"), body("scalar"));
    let description = read_network(&packed("map.pb.gz")).unwrap().description();
    assert_eq!(description.size(), "embedding of 32, 2 encoders");
    assert_eq!((map.heads, map.encoders[0].query.outputs), (4, 24));
    assert!(map.encoders[0].smolgen.is_none() && map.embedding.factors.is_none());
    assert!(smolgen.encoders[1].smolgen.is_some() && smolgen.embedding.offsets.is_some());
    assert_eq!(smolgen.feed_forward_activation, Activation::SquaredRelu);
    assert_eq!(smolgen.smolgen_activation, Activation::Swish);
    assert!(
        matches!(map.embedding.positions, Positions::Map) && matches!(dense.embedding.positions, Positions::Dense(_))
    );
    assert_eq!(dense.feed_forward_activation, Activation::Mish);
    assert_eq!(scalar.feed_forward_activation, Activation::Swish);
    assert!((map.epsilon() - 1e-6).abs() < 1e-9 && (dense.epsilon() - 1e-3).abs() < 1e-6);
}

#[test]
fn a_written_network_is_read_back() {
    for kind in KINDS {
        let original = read_network(&packed(&format!("{kind}.pb.gz"))).unwrap();
        let mut again = read_network(&write_network(&original, Encoding::Float32)).unwrap();
        assert_ne!(again.sha256, original.sha256);
        again.sha256.clone_from(&original.sha256);
        assert!(again == original, "{kind}");
    }
}

/// Each encoder's rows, as probes read them, and what follows it.
#[test]
fn every_encoder_can_be_tapped_and_followed() {
    for kind in KINDS {
        let network = read_network(&packed(&format!("{kind}.pb.gz"))).unwrap();
        let whole = Runner::with_taps(&network, Taps::Blocks([0, 1, 2].into_iter().collect())).unwrap();
        let (output, activations) = whole.evaluate_tapped(&[], &Chess::default()).unwrap();
        assert_eq!(activations.len(), 3);
        for (block, given) in activations.iter().enumerate() {
            assert_eq!(given.len(), network.activations());
            let rest = Runner::after_block(&network, block).unwrap();
            let again = rest.read(rest.run_on(given).unwrap(), &Chess::default()).unwrap();
            assert!((again.q - output.q).abs() < 1e-5, "{kind} {block}");
            assert_eq!(again.policy[0].0, output.policy[0].0);
        }
        // Normalised: on every square the numbers, without the last factors and offsets, have mean 0.
        let norm = &attention(&network).encoders[1].feed_forward_norm;
        for square in 0..64 {
            let plain = |plane: usize| (activations[2][plane * 64 + square] - norm.betas[plane]) / norm.gammas[plane];
            let mean = (0..32).map(plain).sum::<f32>() / 32.0;
            assert!(mean.abs() < 1e-4, "{kind} {square}: {mean}");
        }
    }
}

#[test]
fn the_control_keeps_its_layers() {
    let network = read_network(&packed("dense.pb.gz")).unwrap();
    let control = network.shuffled(3);
    let sizes = |network: &Network| network.layers().iter().map(|layer| layer.len()).collect::<Vec<_>>();
    assert_eq!(sizes(&control), sizes(&network));
    assert!(
        control
            .layers()
            .iter()
            .zip(network.layers())
            .filter(|(a, b)| **a != *b)
            .count()
            > 30
    );
    assert!(Runner::new(&control).unwrap().evaluate(&[], &Chess::default()).is_ok());
}

fn refusal(bytes: &[u8]) -> String {
    read_network(bytes).map(|n| n.description()).unwrap_err().to_string()
}

/// What is said of a network after `change`.
fn changed(kind: &str, change: impl Fn(&mut proto::Net)) -> String {
    let mut net = file(kind);
    change(&mut net);
    refusal(&net.encode_to_vec())
}

fn weights(kind: &str, change: impl Fn(&mut proto::Weights)) -> String {
    changed(kind, |net| change(net.weights.as_mut().unwrap()))
}

fn format(kind: &str, change: impl Fn(&mut proto::NetworkFormat)) -> String {
    changed(kind, |net| {
        change(net.format.as_mut().unwrap().network_format.as_mut().unwrap())
    })
}

fn mha(weights: &mut proto::Weights) -> &mut proto::Mha {
    weights.encoder[1].mha.as_mut().unwrap()
}

#[test]
fn others_are_refused_by_name() {
    let cant = ", which Kibitz can't run yet; it runs Lc0's residual networks, such as Maia and those of the T60 series, \
                and its attention networks, such as BT4";
    for (said, expected) in [
        (
            format("dense", |f| f.input_embedding = Some(3)),
            "its attention body knows the squares in a way that Kibitz doesn't know (input embedding 3)",
        ),
        (
            format("dense", |f| f.input_embedding = None),
            "its attention body knows the squares in a way that Kibitz doesn't know (input embedding 0)",
        ),
        (
            format("map", |f| f.smolgen_activation = Some(9)),
            "a part of its attention has an activation of another kind (smolgen activation 9)",
        ),
        (
            format("map", |f| f.ffn_activation = Some(3)),
            "a part of its attention has an activation of another kind (feed-forward activation 3)",
        ),
        (
            format("map", |f| f.policy = Some(2)),
            "its body has attention layers and its policy head has none (policy format 2)",
        ),
        (
            format("map", |f| f.moves_left = Some(2)),
            "its moves-left head is of a kind that Kibitz doesn't know (moves-left format 2)",
        ),
    ] {
        assert_eq!(said, format!("{expected}{cant}"));
    }
    for (said, expected) in [
        (
            weights("map", |w| w.residual = vec![proto::Residual::default()]),
            "its body has attention layers behind residual blocks, which",
        ),
        (
            weights("map", |w| mha(w).rpe_q = Some(vec![1].into())),
            "its attention layers have relative positions of their own, which",
        ),
        (
            format("map", |f| f.network = Some(3)),
            "its body has attention layers, which its network format has no place for; it runs",
        ),
        (
            weights("map", |w| w.pol_encoder = Some(Vec::new().into())),
            "its policy head has attention layers of its own, which",
        ),
        (
            weights("dense", |w| {
                let head = w.policy_heads.as_mut().unwrap().vanilla.as_mut().unwrap();
                head.pol_encoder = Some(Vec::new().into());
            }),
            "its policy head has attention layers of its own, which",
        ),
        (
            weights("map", |w| w.encoder.clear()),
            "it has no residual blocks or encoders",
        ),
        (
            weights("map", |w| w.encoder = vec![w.encoder[0].clone(); 257]),
            "it has more than 256 blocks",
        ),
        (
            weights("map", |w| w.headcount = Some(5)),
            "encoder 1's layer of queries gives 24 numbers, which 5 heads can't share evenly",
        ),
        (
            weights("map", |w| w.headcount = None),
            "encoder 1's layer of queries gives 24 numbers, which 0 heads can't share evenly",
        ),
        (
            weights("smolgen", |w| w.headcount = Some(8)),
            "encoder 1's second smolgen layer gives 12 numbers, which 8 heads can't share evenly",
        ),
        (
            weights("smolgen", |w| w.smolgen_w = None),
            "smolgen's last layer is missing",
        ),
        (
            weights("smolgen", |w| w.smolgen_w = w.ip_emb_w.clone()),
            "smolgen's last layer holds 5632 weights where 12288 are needed",
        ),
        (
            weights("smolgen", |w| w.ip_mult_gate = w.ip_emb_b.clone()),
            "the embedding's factors holds 32 weights where 2048 are needed",
        ),
        (
            weights("map", |w| w.ip_emb_w = w.ip_emb_b.clone()),
            "the embedding holds 32 weights where 5632 are needed",
        ),
        (
            weights("map", |w| w.encoder[1].mha = None),
            "encoder 2's attention is missing",
        ),
        (
            weights("map", |w| w.encoder[1].ffn = None),
            "encoder 2's feed-forward layer is missing",
        ),
        (
            weights("map", |w| w.encoder[1].ln2_betas = None),
            "encoder 2's second normalisation (offsets) is missing",
        ),
        (
            weights("map", |w| mha(w).v_w = mha(w).v_b.clone()),
            "encoder 2's values holds 24 weights where 768 are needed",
        ),
        (
            weights("dense", |w| w.ip_emb_preproc_b = w.ip_emb_b.clone()),
            "the positions' layer holds 245760 weights where 24576 are needed",
        ),
        (
            weights("dense", |w| w.ip_emb_ln_gammas = None),
            "the embedding's normalisation (factors) is missing",
        ),
        (
            weights("dense", |w| w.ip_emb_ffn = None),
            "the embedding's feed-forward layer is missing",
        ),
        (
            weights("dense", |w| w.policy_heads.as_mut().unwrap().vanilla = None),
            "the policy head \"vanilla\" is missing",
        ),
        (
            weights("dense", |w| w.value_heads.as_mut().unwrap().winner = None),
            "the value head \"winner\" is missing",
        ),
        (
            weights("map", |w| w.ip_mov_w = None),
            "the moves-left head's embedding is missing",
        ),
        (
            weights("map", |w| w.ip1_val_w = w.ip2_val_w.clone()),
            "the value head's hidden layer holds 384 weights where 65536 are needed",
        ),
    ] {
        assert!(said.starts_with(expected), "{said}\n{expected}");
    }
}

/// The first of them have the format of residual networks; with smolgen, Lc0 takes its usual activations for granted.
#[test]
fn the_oldest_files_are_completed_as_lc0_does() {
    let mut net = file("smolgen");
    let found = net.format.as_mut().unwrap().network_format.as_mut().unwrap();
    (found.network, found.ffn_activation, found.smolgen_activation) = (Some(4), None, None);
    let (old, network) = (
        read_network(&net.encode_to_vec()),
        read_network(&packed("smolgen.pb.gz")),
    );
    let (old, network) = (old.unwrap(), network.unwrap());
    assert_eq!(old.format, network.format);
    assert!(old.body == network.body);
    // Several heads were 134 for a while.
    let mut net = file("dense");
    net.format.as_mut().unwrap().network_format.as_mut().unwrap().network = Some(134);
    let network = read_network(&packed("dense.pb.gz")).unwrap();
    assert!(read_network(&net.encode_to_vec()).unwrap().body == network.body);
}

#[test]
fn every_truncation_is_an_early_end() {
    for (name, onnx) in [("dense.pb.gz", false), ("map.onnx.gz", true)] {
        let bytes = unpacked(name);
        for length in (200..bytes.len()).step_by(bytes.len() / 150) {
            match read_network(&bytes[..length]) {
                Err(NetworkError::OnnxEnds) if onnx => {}
                Err(NetworkError::Ends(_)) if !onnx => {}
                other => panic!("{name} {length}: {:?}", other.map(|n| n.description())),
            }
        }
    }
}

/// A small file that would decode into a great many encoders.
#[test]
fn empty_encoders_by_the_million_are_refused() {
    let count = 4_000_000usize;
    let mut bytes = vec![0x0d, 0xc0, 0x01, 0, 0, 0x52];
    prost::encode_length_delimiter(3 * count, &mut bytes).unwrap();
    bytes.extend([0xda, 0x01, 0].repeat(count));
    assert_eq!(refusal(&bytes), "it has more than 256 blocks");
}

fn onnx(name: &str) -> onnx_proto::Model {
    onnx_proto::Model::decode(&unpacked(&format!("{name}.onnx.gz"))[..]).unwrap()
}

fn changed_onnx(name: &str, change: impl Fn(&mut onnx_proto::Graph)) -> String {
    let mut model = onnx(name);
    change(model.graph.as_mut().unwrap());
    let mut bytes = vec![0x08, 8];
    bytes.extend(model.encode_to_vec());
    refusal(&bytes)
}

fn node<'a>(graph: &'a mut onnx_proto::Graph, name: &str) -> &'a mut onnx_proto::Node {
    let gives = |node: &&mut onnx_proto::Node| node.outputs.iter().any(|output| output == name);
    graph.nodes.iter_mut().find(gives).unwrap()
}

fn constant<'a>(graph: &'a mut onnx_proto::Graph, name: &str) -> &'a mut onnx_proto::Tensor {
    let named = |tensor: &&mut onnx_proto::Tensor| tensor.name.as_deref() == Some(name);
    graph.constants.iter_mut().find(named).unwrap()
}

#[test]
fn other_graphs_are_refused_by_name() {
    let numbers = |values: &[f32]| Some(values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>().into());
    for (said, expected) in [
        (
            changed_onnx("map", |g| constant(g, "/encoder0/alpha*input/w").raw = numbers(&[0.5])),
            "its ONNX graph has Mul at \"/encoder0/alpha*input\" where a network of Lc0's has a scale that goes with the \
             number of encoders; it runs",
        ),
        (
            changed_onnx("map", |g| {
                let epsilon = node(g, "/encoder1/ln2")
                    .attributes
                    .iter_mut()
                    .find(|a| a.float.is_some());
                epsilon.unwrap().float = Some(1e-3);
            }),
            "its ONNX graph has LayerNormalization at \"/encoder1/ln2\" where a network of Lc0's has the epsilon",
        ),
        (
            changed_onnx("map", |g| {
                let tensor = constant(g, "/const/pos_encoding");
                let mut raw = tensor.raw.as_ref().unwrap().to_vec();
                raw[7] ^= 0x01;
                tensor.raw = Some(raw.into());
            }),
            "its ONNX graph has Expand at \"/attn_body/expand\" where a network of Lc0's has the map of the squares; it runs",
        ),
        (
            changed_onnx("dense", |g| {
                node(g, "/encoder1/mha/V/w").inputs[0] = "/encoder0/ln1".into()
            }),
            "its ONNX graph has LayerNormalization at \"/encoder0/ln1\" where a network of Lc0's has what the attention reads",
        ),
        (
            changed_onnx("dense", |g| {
                node(g, "/encoder0/mha/QK/softmax").op = Some("Sigmoid".into())
            }),
            "its ONNX graph has Sigmoid at \"/encoder0/mha/QK/softmax\" where a network of Lc0's has Softmax",
        ),
        (
            changed_onnx("map", |g| {
                node(g, "/mlh/embed/matmul").inputs[0] = "/encoder0/ln2".into()
            }),
            "its ONNX graph has LayerNormalization at \"/encoder0/ln2\" where a network of Lc0's has the block",
        ),
    ] {
        assert!(said.starts_with(expected), "{said}\n{expected}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A flipped bit gives other weights or a refusal, and what was read can be built.
    #[test]
    fn flipped_bits_never_panic(
        kind in prop::sample::select(KINDS.to_vec()),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..6),
    ) {
        let mut bytes = unpacked(&format!("{kind}.pb.gz"));
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        let _ = read_network(&bytes);
    }

    /// Layers in each other's places, heads and embeddings of any number.
    #[test]
    fn other_layers_never_panic(
        kind in prop::sample::select(KINDS.to_vec()),
        heads in prop::option::of(prop_oneof![0u32..30, any::<u32>()]),
        embedding in prop::option::of(0i32..4),
        network in prop::option::of(prop::sample::select(vec![3, 4, 6, 7, 134])),
        changes in prop::collection::vec((0usize..24, 0usize..24), 0..4),
    ) {
        let mut net = file(kind);
        let found = net.format.as_mut().unwrap().network_format.as_mut().unwrap();
        found.input_embedding = embedding.or(found.input_embedding);
        found.network = network.or(found.network);
        let weights = net.weights.as_mut().unwrap();
        weights.headcount = heads.or(weights.headcount);
        for (from, to) in changes {
            let layer = slots(weights).get(from).and_then(|slot| (*slot).clone());
            if let Some(slot) = slots(weights).get_mut(to) {
                **slot = layer;
            }
        }
        if let Ok(network) = read_network(&net.encode_to_vec()) {
            let runner = Runner::new(&network).unwrap();
            let _ = runner.evaluate(&[], &Chess::default());
        }
    }
}

/// Layers of a file, to be put in each other's places.
fn slots(weights: &mut proto::Weights) -> Vec<&mut Option<proto::Layer>> {
    let encoder = &mut weights.encoder[0];
    let mha = encoder.mha.as_mut().unwrap();
    let ffn = encoder.ffn.as_mut().unwrap();
    let mut slots = vec![
        &mut weights.ip_emb_w,
        &mut weights.ip_emb_b,
        &mut weights.ip_mult_gate,
        &mut weights.ip_add_gate,
        &mut weights.smolgen_w,
        &mut weights.ip_emb_preproc_w,
        &mut weights.ip_emb_preproc_b,
        &mut weights.ip_emb_ln_gammas,
        &mut mha.q_w,
        &mut mha.q_b,
        &mut mha.dense_w,
        &mut mha.dense_b,
        &mut encoder.ln1_gammas,
        &mut ffn.dense1_w,
        &mut ffn.dense1_b,
        &mut ffn.dense2_b,
        &mut weights.ip_val_w,
        &mut weights.ip_val_b,
        &mut weights.ip1_val_b,
    ];
    if let Some(smolgen) = &mut mha.smolgen {
        slots.extend([
            &mut smolgen.compress,
            &mut smolgen.dense1_w,
            &mut smolgen.dense1_b,
            &mut smolgen.dense2_w,
            &mut smolgen.dense2_b,
        ]);
    }
    slots
}
