//! ONNX files as Lc0's own tool writes them (`lc0 leela2onnx`), back to a [`Network`].
//!
//! The graph is followed from its outputs to its input, node by node; its weights are taken where Lc0's layers are
//! found. What isn't laid out as a residual network of Lc0's is refused, with the node that gave it away. So an ONNX
//! network gets the same checks, activations and graph as any other. The file doesn't say which input format it is made
//! for: the classical one is assumed, unless Lc0's wrapping tells.

use bytes::Bytes;
use prost::Message;

use super::{
    error::NetworkError,
    format::{Activation, BodyFormat, Format, InputFormat, ValueFormat},
    layer::same,
    network::{Convolution, INPUT_PLANES, Network, SQUARES},
    onnx_policy::PolicyFound,
    onnx_proto::{self, Model, Node},
    onnx_reader::Reader,
};

/// What the inputs and outputs are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    /// 112 × 8 × 8.
    pub planes: String,
    /// 1858 logits.
    pub policy: String,
    /// Probabilities of win, draw and loss.
    pub wdl: String,
    /// The expected result.
    pub value: String,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            planes: "/input/planes".to_owned(),
            policy: "/output/policy".to_owned(),
            wdl: "/output/wdl".to_owned(),
            value: "/output/value".to_owned(),
        }
    }
}

/// Reads a file that [`super::wire::walk_onnx`] has found whole.
pub(super) fn read(bytes: Bytes, names: &Names, input: InputFormat, sha256: String) -> Result<Network, NetworkError> {
    let model = Model::decode(bytes).map_err(|_| NetworkError::OnnxMalformed)?;
    let graph = model.graph.unwrap_or_default();
    // Named for what it is before anything is found missing.
    let encoder = |node: &Node| node.outputs.iter().any(|name| name.starts_with("/encoder"));
    if graph.nodes.iter().any(encoder) {
        return Err(NetworkError::Attention);
    }
    check_input(&graph, &names.planes)?;
    let gives = |name: &str| graph.outputs.iter().any(|o| o.name.as_deref() == Some(name));
    let missing = |name: &str| NetworkError::OnnxOutput { name: name.to_owned() };
    if !gives(&names.policy) {
        return Err(missing(&names.policy));
    }
    let value = match (gives(&names.wdl), gives(&names.value)) {
        (true, _) => ValueFormat::Wdl,
        (false, true) => ValueFormat::Scalar,
        (false, false) => return Err(missing(&names.wdl)),
    };
    let mut reader = Reader::new(&graph);
    let (body, value_head) = reader.value(
        match value {
            ValueFormat::Wdl => &names.wdl,
            ValueFormat::Scalar => &names.value,
        },
        value,
    )?;
    let PolicyFound { from, head, format } = reader.policy(&names.policy)?;
    if from != body {
        return Err(reader.stray(from, "the block that the value head reads"));
    }
    let (input_layer, blocks) = reader.body(body, &names.planes)?;
    let network = Network {
        format: Format {
            input,
            body: if blocks.iter().any(|block| block.se.is_some()) {
                BodyFormat::SqueezeExcitation
            } else {
                BodyFormat::Residual
            },
            policy: format,
            value,
            activation: reader.activation.unwrap_or(Activation::Relu),
        },
        sha256,
        input: input_layer,
        blocks,
        policy: head,
        value: value_head,
    };
    check_sizes(&network)?;
    Ok(network)
}

/// The input is 112 planes of 8 × 8; only how many positions at once is free.
fn check_input(graph: &onnx_proto::Graph, name: &str) -> Result<(), NetworkError> {
    let found = graph.inputs.iter().find(|input| input.name.as_deref() == Some(name));
    let Some(found) = found else {
        return Err(NetworkError::OnnxInput { name: name.to_owned() });
    };
    let shape = found
        .kind
        .as_ref()
        .and_then(|kind| kind.tensor.as_ref()?.shape.as_ref());
    let sizes: Vec<i64> = shape.map_or(Vec::new(), |s| {
        s.axes.iter().map(|axis| axis.size.unwrap_or(0)).collect()
    });
    match sizes[..] {
        [_, 112, 8, 8] => Ok(()),
        _ => Err(NetworkError::OnnxInputShape { found: sizes }),
    }
}

/// Sizes that the layers' own shapes don't tell of each other.
fn check_sizes(network: &Network) -> Result<(), NetworkError> {
    let filters = network.filters();
    let convolution = |layer: &Convolution, inputs: usize, outputs: usize, name: &str| {
        same(&format!("{name} (planes read)"), layer.inputs, inputs)?;
        same(&format!("{name} (planes given)"), layer.outputs, outputs)
    };
    convolution(&network.input, INPUT_PLANES, filters, "the input convolution")?;
    for (i, block) in network.blocks.iter().enumerate() {
        let name = |which: &str| format!("block {}'s {which}", i + 1);
        convolution(&block.first, filters, filters, &name("first convolution"))?;
        convolution(&block.second, filters, filters, &name("second convolution"))?;
        if block.se.is_some() != network.blocks[0].se.is_some() {
            let layer = name("squeeze-excitation (or another block's)");
            return Err(NetworkError::Missing { layer });
        }
        if let Some(se) = &block.se {
            same(&name("squeeze"), se.squeeze.inputs, filters)?;
            same(&name("excitation"), se.excite.inputs, se.squeeze.outputs)?;
            same(&name("excitation"), se.excite.outputs, 2 * filters)?;
        }
    }
    let value = &network.value;
    let planes = value.convolution.outputs;
    convolution(&value.convolution, filters, planes, "the value's convolution")?;
    same("the value's hidden layer", value.hidden.inputs, planes * SQUARES)?;
    same("the value's output layer", value.output.inputs, value.hidden.outputs)?;
    let results = match network.format.value {
        ValueFormat::Wdl => 3,
        ValueFormat::Scalar => 1,
    };
    same("the value's output layer (biases)", value.output.outputs, results)?;
    network.policy.check_sizes(filters)
}
