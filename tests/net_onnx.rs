//! ONNX files of Lc0's own exporter: read as the networks they were exported from, and refused in words when they are
//! anything else.
#![cfg(feature = "net")]
#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use std::io::Read;

use crate::net_expected::{compare, data, maia, read};
use crate::net_reference::{KINDS, Kind, ONNX_KINDS, network};
use flate2::read::GzDecoder;
use kibitz::net::{
    Encoding, Network, NetworkError, OnnxWriteError, Runner, Taps,
    format::{Activation, InputFormat},
    onnx_proto,
    policy::logits_of_planes,
    proto, read_network, write_network, write_onnx,
};
use proptest::prelude::*;
use prost::Message;
use shakmaty::Chess;

/// The file, the network it was exported from (of [`ONNX_KINDS`]), and how much precision its weights have.
const FILES: [(&str, usize, f32); 6] = [
    ("se", 0, 1e-5),
    ("plain", 1, 1e-5),
    ("attention", 2, 1e-5),
    ("se-f16", 0, 2e-3),
    ("se-bf16", 0, 2e-2),
    ("attention-opset-18", 2, 1e-5),
];

fn packed(name: &str) -> Vec<u8> {
    std::fs::read(data(&format!("net-onnx-{name}.onnx.gz"))).unwrap()
}

fn plain(name: &str) -> Vec<u8> {
    unpacked(&format!("onnx-{name}"))
}

/// Any export of the tests' data, by its name there.
fn unpacked(file: &str) -> Vec<u8> {
    let packed = std::fs::read(data(&format!("net-{file}.onnx.gz"))).unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    read_network(bytes).map(|n| n.description()).unwrap_err().to_string()
}

fn largest_difference(a: &Network, b: &Network) -> f32 {
    let (a, b) = (a.layers(), b.layers());
    assert_eq!(a.len(), b.len());
    let of_layer = |(a, b): (&&[f32], &&[f32])| {
        assert_eq!(a.len(), b.len());
        a.iter().zip(*b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    a.iter().zip(&b).map(of_layer).fold(0.0, f32::max)
}

#[test]
fn an_export_is_the_network_it_was_made_from() {
    for (name, kind, tolerance) in FILES {
        let exported = read_network(&packed(name)).unwrap();
        let original = read_network(&network(ONNX_KINDS[kind]).encode_to_vec()).unwrap();
        assert_eq!(exported.format, original.format, "{name}");
        let difference = largest_difference(&exported, &original);
        assert!(difference < tolerance, "{name}: {difference}");
        assert_ne!(exported.sha256, original.sha256, "{name}: a file of its own");
        let again = read_network(&write_network(&exported, Encoding::Float32)).unwrap();
        assert_eq!(largest_difference(&again, &exported), 0.0);
    }
}

/// tract's own reader shares nothing with ours but the operations. Of the attention network it makes no shapes
/// (`/policy/concat`).
#[test]
fn exports_agree_with_tracts_own_reader() {
    use tract_onnx::prelude::{Framework, InferenceModelExt, IntoRunnable, Tensor, tvec};

    for name in ["se", "plain"] {
        let network = read_network(&packed(name)).unwrap();
        let runner = Runner::new(&network).unwrap();
        let planes = runner.planes(&[], &Chess::default());
        let ours = runner.run(&planes).unwrap();
        let theirs = tract_onnx::onnx().model_for_read(&mut &plain(name)[..]).unwrap();
        let theirs = theirs.into_optimized().unwrap().into_runnable().unwrap();
        let input = Tensor::from_shape(&[1, 112, 8, 8], &planes.values()).unwrap();
        let outputs = theirs.run(tvec!(input.into())).unwrap();
        let outputs: Vec<Vec<f32>> = outputs
            .iter()
            .map(|tensor| tensor.try_as_plain_ram().unwrap().as_slice::<f32>().unwrap().to_vec())
            .collect();
        let [policy, value] = &outputs[..] else {
            panic!("{name}: {} outputs", outputs.len())
        };
        // Ours stops before the last activation of the value's head.
        let ended: Vec<f32> = if ours.value.len() == 1 {
            vec![ours.value[0].tanh()]
        } else {
            let exponentials: Vec<f32> = ours.value.iter().map(|logit| logit.exp()).collect();
            let sum: f32 = exponentials.iter().sum();
            exponentials.iter().map(|exponential| exponential / sum).collect()
        };
        assert_eq!(value.len(), ended.len());
        for (theirs, ours) in value.iter().zip(&ended) {
            assert!((theirs - ours).abs() < 1e-4, "{name}: {theirs} {ours}");
        }
        // Ours still has the moves that no piece can make: each of theirs is among them.
        let mut all = ours.policy.clone();
        all.sort_by(f32::total_cmp);
        assert_eq!(policy.len(), 1858);
        for logit in policy {
            let above = all.partition_point(|ours| *ours < logit - 1e-4);
            assert!(
                all.get(above).is_some_and(|ours| (ours - logit).abs() < 1e-4),
                "{name}: {logit}"
            );
        }
    }
}

/// Kinds whose bodies and policies are written as ONNX.
fn written() -> impl Iterator<Item = (String, Network)> {
    let shipped = std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/public/networks/kibitz-64x6.pb.gz"
    ));
    let shipped = read_network(&shipped.unwrap()).unwrap();
    let made_up = shipped.made_up(16, 3, 1).unwrap();
    let kinds = KINDS.into_iter().filter(|kind| !kind.attention_policy && !kind.mish);
    // ONNX doesn't say what the input is made for.
    let kinds = kinds.filter(|kind| kind.input == 1);
    let kinds = kinds.map(|kind| {
        let network = read_network(&network(kind).encode_to_vec()).unwrap();
        (kind.name.to_owned(), network)
    });
    let own = [("kibitz-64x6".to_owned(), shipped), ("made up".to_owned(), made_up)];
    kinds.chain(own)
}

#[test]
fn a_written_export_is_read_back_as_the_network_it_was_written_from() {
    let mut count = 0;
    for (name, network) in written() {
        let back = read_network(&write_onnx(&network).unwrap()).unwrap();
        assert_eq!(back.format, network.format, "{name}");
        assert_eq!(back.layers(), network.layers(), "{name}");
        assert_eq!(
            (&back.body, &back.policy, &back.value),
            (&network.body, &network.policy, &network.value)
        );
        count += 1;
    }
    assert!(count >= 4, "{count} kinds");
}

/// Through a program that shares nothing with our reader.
#[test]
fn tracts_own_reader_gets_the_same_logits_out_of_a_written_export() {
    use tract_onnx::prelude::{Framework, InferenceModelExt, IntoRunnable, Tensor, tvec};

    for (name, network) in written() {
        let runner = Runner::new(&network).unwrap();
        let planes = runner.planes(&[], &Chess::default());
        let ours = runner.run(&planes).unwrap();
        let file = write_onnx(&network).unwrap();
        let theirs = tract_onnx::onnx().model_for_read(&mut &file[..]).unwrap();
        let theirs = theirs.into_optimized().unwrap().into_runnable().unwrap();
        let input = Tensor::from_shape(&[1, 112, 8, 8], &planes.values()).unwrap();
        let outputs = theirs.run(tvec!(input.into())).unwrap();
        let policy = outputs[0]
            .try_as_plain_ram()
            .unwrap()
            .as_slice::<f32>()
            .unwrap()
            .to_vec();
        let logits = logits_of_planes(&ours.policy).unwrap_or(ours.policy);
        assert_eq!((policy.len(), logits.len()), (1858, 1858), "{name}");
        for (theirs, ours) in policy.iter().zip(&logits) {
            assert!((theirs - ours).abs() < 1e-3, "{name}: {theirs} {ours}");
        }
        let value = outputs[1]
            .try_as_plain_ram()
            .unwrap()
            .as_slice::<f32>()
            .unwrap()
            .to_vec();
        let read = runner.evaluate(&[], &Chess::default()).unwrap();
        let ended = read.wdl.map_or(vec![read.q], |wdl| wdl.to_vec());
        assert_eq!(value.len(), ended.len(), "{name}");
        for (theirs, ours) in value.iter().zip(&ended) {
            assert!((theirs - ours).abs() < 1e-4, "{name}: {theirs} {ours}");
        }
    }
}

#[test]
fn what_is_not_written_as_onnx_is_refused_in_words() {
    let refused = |wanted: fn(&Kind) -> bool| {
        let kind = KINDS.into_iter().find(wanted).unwrap();
        write_onnx(&read_network(&network(kind).encode_to_vec()).unwrap()).unwrap_err()
    };
    assert_eq!(refused(|kind| kind.mish), OnnxWriteError::Activation(Activation::Mish));
    assert_eq!(
        refused(|kind| kind.attention_policy && !kind.mish),
        OnnxWriteError::Policy
    );
}

#[test]
fn exports_agree_with_lc0() {
    for (name, _, tolerance) in FILES {
        let network = read_network(&packed(name)).unwrap();
        let (header, positions) = read(&format!("net-onnx-{name}-expected.jsonl"));
        assert_eq!(network.sha256, header.sha256, "{name}: the numbers are of another file");
        assert!(positions.len() >= 15);
        let runner = Runner::with_taps(&network, Taps::All).unwrap();
        let activations = runner.run(&runner.planes(&[], &Chess::default())).unwrap().activations;
        assert!(activations.len() == 2 && activations.iter().all(|a| a.len() == network.activations()));
        if tolerance < 1e-4 {
            let deviation = compare(&network, &runner, &positions);
            eprintln!("{name}: largest {deviation:?}");
            assert!(
                deviation.probability < 1e-3 && deviation.wdl < 1e-3 && deviation.q < 1e-3,
                "{name}"
            );
        }
    }
}

/// Exports of the Maia networks, where lc0_formats.py has put some.
#[test]
fn maia_exports_are_maia() {
    for rating in [1100, 1500, 1900] {
        let path = std::env::temp_dir().join(format!("kibitz-onnx/maia-{rating}.onnx"));
        let (Some(original), Ok(exported)) = (maia(rating), std::fs::read(&path)) else {
            eprintln!(
                "skipped: there is no {}, or not what it was exported from",
                path.display()
            );
            continue;
        };
        let (original, exported) = (read_network(&original).unwrap(), read_network(&exported).unwrap());
        assert_eq!(exported.format, original.format);
        let difference = largest_difference(&exported, &original);
        assert!(difference < 1e-4, "{rating}: {difference}");
        let (_, positions) = read(&format!("net-maia-{rating}-expected.jsonl"));
        let deviation = compare(&exported, &Runner::new(&exported).unwrap(), &positions);
        eprintln!("maia-{rating}: weights to {difference}, {deviation:?}");
        assert!(deviation.probability < 1e-3 && deviation.wdl < 1e-3 && deviation.q < 1e-3);
    }
}

/// Lc0 can wrap an ONNX model in a file of its own, which says what the input is.
#[test]
fn a_wrapped_model_is_read_with_its_input_format() {
    let wrap = |input: i32, model: Option<Vec<u8>>, policy: &str| {
        proto::Net {
            magic: Some(proto::MAGIC),
            format: Some(proto::Format {
                weights_encoding: None,
                network_format: Some(proto::NetworkFormat {
                    input: Some(input),
                    network: Some(5),
                    ..Default::default()
                }),
            }),
            onnx_model: model.map(|model| proto::OnnxModel {
                model: Some(model.into()),
                output_policy: Some(policy.to_owned()),
                ..Default::default()
            }),
            ..Default::default()
        }
        .encode_to_vec()
    };
    let network = read_network(&wrap(5, Some(plain("se")), "/output/policy")).unwrap();
    assert_eq!(network.format.input, InputFormat::CanonicalV2);
    assert_eq!(largest_difference(&network, &read_network(&packed("se")).unwrap()), 0.0);
    assert_eq!(
        refusal(&wrap(1, Some(plain("se")), "p")),
        "this ONNX file has no output \"p\": it was not exported by Lc0"
    );
    assert_eq!(
        refusal(&wrap(1, Some(b"\x08\x01".to_vec()), "p")),
        "this ONNX file is damaged"
    );
    assert_eq!(refusal(&wrap(1, None, "p")), "it holds no weights");
}

/// What is said of the export `name` after `change` to its graph.
fn changed(name: &str, change: impl Fn(&mut onnx_proto::Graph)) -> String {
    let mut model = onnx_proto::Model::decode(&plain(name)[..]).unwrap();
    change(model.graph.as_mut().unwrap());
    // The reader's messages leave the version out.
    let mut bytes = vec![0x08, 8];
    bytes.extend(model.encode_to_vec());
    match read_network(&bytes) {
        Ok(network) => panic!("{:?}", network.description()),
        Err(error) => error.to_string(),
    }
}

fn node<'a>(graph: &'a mut onnx_proto::Graph, output: &str) -> &'a mut onnx_proto::Node {
    graph.nodes.iter_mut().find(|node| node.outputs[0] == output).unwrap()
}

fn constant<'a>(graph: &'a mut onnx_proto::Graph, name: &str) -> &'a mut onnx_proto::Tensor {
    graph
        .constants
        .iter_mut()
        .find(|t| t.name.as_deref() == Some(name))
        .unwrap()
}

#[test]
fn other_graphs_are_refused_by_the_node_that_strays() {
    let runs = "; it runs Lc0's residual networks, such as Maia and those of the T60 series, and its attention networks, such \
                as BT4";
    let stray = |found: &str, name: &str, expected: &str| {
        format!("its ONNX graph has {found} at {name:?} where a network of Lc0's has {expected}{runs}")
    };
    let se = |change: &dyn Fn(&mut onnx_proto::Graph)| changed("se", change);
    let attention = |change: &dyn Fn(&mut onnx_proto::Graph)| changed("attention", change);
    for (said, expected) in [
        (
            se(&|g| node(g, "/block1/conv2/relu").op = Some("Sigmoid".into())),
            stray("Sigmoid", "/block1/conv2/relu", "an activation (Relu or Mish)"),
        ),
        (
            se(&|g| node(g, "/block0/conv1/relu").op = Some("Mish".into())),
            stray("Mish", "/block0/conv1/relu", "the activation of the other layers"),
        ),
        (
            se(&|g| node(g, "/block1/conv2/mixin").inputs[1] = "/inputconv/relu".into()),
            stray("Relu", "/inputconv/relu", "what the block reads"),
        ),
        (
            se(&|g| node(g, "/block1/conv1").inputs[1] = "/block0/conv1/w/kernel".into()),
            stray("nothing", "/block0/conv1/w/kernel", "a constant of its own"),
        ),
        (
            se(&|g| node(g, "/value/conv").inputs[0] = "/block0/conv2/relu".into()),
            stray("Relu", "/block1/conv2/relu", "the block that the value head reads"),
        ),
        (
            se(&|g| {
                let split = node(g, "/block0/conv2/se/split/out1");
                split.outputs.swap(0, 1);
            }),
            stray(
                "Split",
                "/block0/conv2/se/split/out2",
                "the second half of a squeeze-excitation",
            ),
        ),
        (
            se(&|g| {
                let table = constant(g, "/const/mapping_table");
                let mut raw = table.raw.clone().unwrap().to_vec();
                raw[0] ^= 1;
                table.raw = Some(raw.into());
            }),
            stray("Gather", "/output/policy", "Lc0's order of the moves"),
        ),
        (
            attention(&|g| constant(g, "/policy/scale/w").raw = Some(1.0f32.to_le_bytes().to_vec().into())),
            stray("Mul", "/policy/scale", "a division by the root of the keys' length"),
        ),
        (
            attention(&|g| node(g, "/policy/K/matmul").inputs[0] = "/policy/dense1/add".into()),
            stray("Add", "/policy/dense1/add", "what the queries are made of"),
        ),
        (
            se(&|g| g.nodes.retain(|n| n.outputs[0] != "/value/dense1/matmul")),
            stray("nothing", "/value/dense1/matmul", "MatMul"),
        ),
        (
            se(&|g| constant(g, "/block0/conv1/w/kernel").shape[0] = 5),
            "/block0/conv1/w/kernel holds 144 weights where 180 are needed".into(),
        ),
        (
            se(&|g| constant(g, "/block0/conv1/w/kernel").shape[0] = -4),
            "this ONNX file is damaged".into(),
        ),
        (
            se(&|g| constant(g, "/inputconv/w/bias").data_type = Some(6)),
            stray("nothing", "/inputconv/w/bias", "a constant of floating-point numbers"),
        ),
        (
            se(&|g| g.outputs.truncate(0)),
            "this ONNX file has no output \"/output/policy\": it was not exported by Lc0".into(),
        ),
        (
            se(&|g| g.inputs.clear()),
            "this ONNX file has no input \"/input/planes\": it was not exported by Lc0".into(),
        ),
        (
            se(&|g| {
                let kind = g.inputs[0].kind.as_mut().unwrap();
                kind.tensor.as_mut().unwrap().shape.as_mut().unwrap().axes[1].size = Some(3);
            }),
            "this ONNX file's input has the shape [0, 3, 8, 8], Lc0's has 112 × 8 × 8 for each position".into(),
        ),
    ] {
        assert_eq!(said, expected);
    }
}

/// A graph that feeds itself.
#[test]
fn circles_end() {
    let said = changed("se", |g| {
        node(g, "/block1/conv2/mixin").inputs[1] = "/block1/conv2/relu".into();
        node(g, "/block1/conv1").inputs[0] = "/block1/conv2/relu".into();
    });
    assert!(said.starts_with("its ONNX graph has nothing at "), "{said}");
    let cast = changed("se-bf16", |g| {
        let input = node(g, "/inputconv/to_float");
        input.inputs[0] = "/inputconv/to_float".into();
    });
    assert!(cast.starts_with("its ONNX graph has Cast at "), "{cast}");
}

#[test]
fn every_truncation_is_an_early_end() {
    let bytes = plain("se");
    for length in (200..bytes.len()).step_by(bytes.len() / 200) {
        assert_eq!(read_network(&bytes[..length]), Err(NetworkError::OnnxEnds), "{length}");
    }
    let packed = packed("se");
    assert_eq!(refusal(&packed[..packed.len() / 2]), "this ONNX file ends too early");
}

/// Two bytes a node that would each take hundreds.
#[test]
fn empty_nodes_by_the_million_are_refused() {
    let count = 4_000_000usize;
    let mut bytes = vec![0x08, 8, 0x3a];
    prost::encode_length_delimiter(2 * count, &mut bytes).unwrap();
    bytes.extend([0x0a, 0].repeat(count));
    assert_eq!(
        refusal(&bytes),
        "this ONNX file has more nodes than a network of Lc0's has"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_after_a_version_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut file = vec![0x08, 8];
        file.extend(&bytes);
        prop_assert!(read_network(&file).is_err());
        // The same as a graph.
        let mut file = vec![0x08, 8, 0x3a];
        prost::encode_length_delimiter(bytes.len(), &mut file).unwrap();
        file.extend(&bytes);
        prop_assert!(read_network(&file).is_err());
    }

    /// A flipped bit gives other weights or a refusal.
    #[test]
    fn flipped_bits_never_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..6)) {
        let mut bytes = plain("se");
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        let _ = read_network(&bytes);
    }

    /// Nodes joined otherwise, constants of other shapes; of attention bodies too.
    #[test]
    fn other_wirings_never_panic(
        name in prop::sample::select(vec![
            "onnx-se", "onnx-plain", "onnx-attention", "onnx-se-bf16",
            "attention-map", "attention-smolgen", "attention-dense", "attention-smolgen-bf16",
        ]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u8..5, -2i64..9), 1..4),
    ) {
        let mut model = onnx_proto::Model::decode(&unpacked(name)[..]).unwrap();
        let graph = model.graph.as_mut().unwrap();
        for (a, b, what, number) in changes {
            let other = graph.nodes[b.index(graph.nodes.len())].clone();
            let at = a.index(graph.nodes.len());
            match what {
                0 => graph.nodes[at].inputs = other.inputs,
                1 => graph.nodes[at].op = other.op,
                2 => graph.nodes[at].inputs = other.outputs,
                3 => graph.nodes[at].inputs.truncate(number.max(0) as usize),
                _ => {
                    let at = a.index(graph.constants.len());
                    graph.constants[at].shape = vec![number; b.index(5)];
                }
            }
        }
        let mut bytes = vec![0x08, 8];
        bytes.extend(model.encode_to_vec());
        let _ = read_network(&bytes);
    }
}
