use std::borrow::Cow;

use tract_core::{internal::*, ops::cnn::Conv};

use super::{super::graph, *};
use crate::net::{Network, Taps, network::Body, read_network};

fn shipped() -> Network {
    read_network(include_bytes!("../../../public/networks/kibitz-64x6.pb.gz")).unwrap()
}

fn optimised(network: &Network, convolutions: Convolutions) -> TypedModel {
    let graph = graph::build(Cow::Borrowed(network), Taps::All, convolutions, |_, _| {}).unwrap();
    graph.into_optimized().unwrap()
}

fn operators(model: &TypedModel) -> Vec<&BoardConvolution> {
    model.nodes().iter().filter_map(|node| node.op_as()).collect()
}

fn is_sparse(operator: &BoardConvolution) -> bool {
    matches!(operator.filters, BoardFilters::Sparse(_))
}

#[test]
fn every_3x3_convolution_is_ours_and_rectified_where_nothing_is_in_between() {
    let network = shipped();
    let model = optimised(&network, Convolutions::fitting(network.filters()));
    let found = operators(&model);
    // The input's, two a block, and the policy's two; the value head's is 1×1.
    assert_eq!(found.len(), 1 + 2 * network.blocks() + 2);
    assert!(is_sparse(found[0]) && !found[1..].iter().any(|operator| is_sparse(operator)));
    // Of a block only the first: before the second's comes what the block adds. The policy's last has none.
    let rectified = found.iter().filter(|operator| operator.rectified).count();
    assert_eq!(rectified, 1 + network.blocks() + 1);
    assert!(operators(&optimised(&network, Convolutions::Direct)).is_empty());
}

#[test]
fn a_block_is_three_nodes() {
    let network = shipped();
    let count = |model: &TypedModel, is: fn(&TypedNode) -> bool| model.nodes().iter().filter(|node| is(node)).count();
    let ours = optimised(&network, Convolutions::fitting(network.filters()));
    assert_eq!(count(&ours, |node| node.op_is::<BlockEnd>()), network.blocks());
    // The value head's three.
    assert_eq!(count(&ours, |node| node.op_is::<DenseLayer>()), 3);
    assert_eq!(count(&ours, |node| node.op_is::<Conv>()), 0);
    // The planes; the input's convolution, three a block, the policy's two and the value's three.
    assert_eq!(ours.nodes().len(), 1 + 1 + 3 * network.blocks() + 2 + 3);
    let direct = optimised(&network, Convolutions::Direct);
    assert_eq!(
        count(&direct, |node| node.op_is::<BlockEnd>() || node.op_is::<DenseLayer>()),
        0
    );
}

/// A graph that kept the weights beside the transformed ones would be half as large again.
#[test]
fn the_weights_as_they_were_are_left_out() {
    let network = shipped();
    let Body::Residual { blocks, .. } = &network.body else {
        panic!("an attention body");
    };
    for tile in [Tile::Two, Tile::Four] {
        let model = optimised(&network, Convolutions::Winograd(tile));
        let largest = blocks[0].first.weights.len();
        for node in model.nodes() {
            assert!(
                node.op_as::<Conv>()
                    .is_none_or(|conv| conv.pool_spec.kernel_shape[..] == [1, 1])
            );
            for konst in node.outputs.iter().filter_map(|output| output.fact.konst.as_ref()) {
                assert!(konst.len() < largest, "{} {:?}", node.name, konst.shape());
            }
        }
    }
}

#[test]
fn several_boards_at_once_are_as_one_by_one() {
    let mut model = TypedModel::default();
    let source = model.add_source("boards", f32::fact([3, 2, 8, 8])).unwrap();
    let filters = kernels::winograd::Filters::new(Tile::Two, 2, &[0.5; 5 * 2 * 9], &[0.1; 5]).unwrap();
    let operator = BoardConvolution {
        filters: BoardFilters::Winograd(filters.into()),
        rectified: true,
    };
    let output = model.wire_node("convolution", operator, &[source]).unwrap();
    model.select_output_outlets(&output).unwrap();
    let runnable = model.into_runnable().unwrap();
    let boards: Vec<f32> = (0..3 * 128).map(|i| (i % 17) as f32 - 8.0).collect();
    let input = Tensor::from_shape(&[3, 2, 8, 8], &boards).unwrap();
    let output = runnable.run(tvec!(input.into())).unwrap();
    assert_eq!(output[0].shape(), [3, 5, 8, 8]);
    let output = output[0]
        .try_as_plain_ram()
        .unwrap()
        .as_slice::<f32>()
        .unwrap()
        .to_vec();
    let last = kernels::winograd::Filters::new(Tile::Two, 2, &[0.5; 5 * 2 * 9], &[0.1; 5]).unwrap();
    let mut alone = vec![0.0; 5 * 64];
    last.convolve(
        &boards[256..],
        &mut alone,
        0.0,
        &mut kernels::winograd::Scratch::default(),
    );
    assert_eq!(output[2 * 5 * 64..], alone);
}
