//! ONNX files as Lc0's own tool writes them (`lc0 leela2onnx`), back to a [`Network`].
//!
//! The graph is followed from its outputs to its input, node by node; its weights are taken where Lc0's layers are
//! found. What isn't laid out as a network of Lc0's is refused, with the node that gave it away. So an ONNX
//! network gets the same checks, activations and graph as any other. The file doesn't say which input format it is made
//! for: the classical one is assumed, unless Lc0's wrapping tells.

use super::{
    error::NetworkError,
    format::{Activation, BodyFormat, Format, InputFormat, ValueFormat},
    layer::same,
    network::{Body, Convolution, INPUT_PLANES, Network, SQUARES, ValueHead},
    onnx_policy::PolicyFound,
    onnx_proto,
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
    /// Plies that are left.
    pub moves_left: String,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            planes: "/input/planes".to_owned(),
            policy: "/output/policy".to_owned(),
            wdl: "/output/wdl".to_owned(),
            value: "/output/value".to_owned(),
            moves_left: "/output/mlh".to_owned(),
        }
    }
}

/// Follows a graph that has come whole. Its constants go as soon as they have become numbers.
pub(super) fn read(
    mut graph: onnx_proto::Graph,
    names: &Names,
    input: InputFormat,
    sha256: String,
) -> Result<Network, NetworkError> {
    let constants = std::mem::take(&mut graph.constants);
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
    let mut reader = Reader::new(&graph, constants);
    let (body, value_head) = match value {
        ValueFormat::Wdl => reader.value(&names.wdl, "Softmax"),
        ValueFormat::Scalar => reader.value(&names.value, "Tanh"),
    }?;
    let PolicyFound { from, head, format } = reader.policy(&names.policy)?;
    if from != body {
        return Err(reader.stray(from, "the block that the value head reads"));
    }
    let (body, body_format, moves_left) = if reader.ends_attention(body) {
        let moves_left = if gives(&names.moves_left) {
            let (from, head) = reader.value(&names.moves_left, "Relu")?;
            if from != body {
                return Err(reader.stray(from, "the block that the value head reads"));
            }
            Some(head)
        } else {
            None
        };
        let body = reader.attention_body(body, &names.planes)?;
        (Body::Attention(Box::new(body)), BodyFormat::Attention, moves_left)
    } else {
        let (input, blocks) = reader.body(body, &names.planes)?;
        let format = if blocks.iter().any(|block| block.se.is_some()) {
            BodyFormat::SqueezeExcitation
        } else {
            BodyFormat::Residual
        };
        (Body::Residual { input, blocks }, format, None)
    };
    let network = Network {
        format: Format {
            input,
            body: body_format,
            policy: format,
            value,
            activation: reader.activation.unwrap_or(Activation::Relu),
            moves_left: moves_left.is_some(),
        },
        sha256,
        body,
        policy: head,
        value: value_head,
        moves_left,
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

/// Sizes that the layers' own shapes don't tell of each other; an attention body has its own check.
fn check_sizes(network: &Network) -> Result<(), NetworkError> {
    let filters = network.filters();
    if let Body::Residual { input, blocks } = &network.body {
        convolution(input, INPUT_PLANES, filters, "the input convolution")?;
        for (i, block) in blocks.iter().enumerate() {
            let name = |which: &str| format!("block {}'s {which}", i + 1);
            convolution(&block.first, filters, filters, &name("first convolution"))?;
            convolution(&block.second, filters, filters, &name("second convolution"))?;
            if block.se.is_some() != blocks[0].se.is_some() {
                let layer = name("squeeze-excitation (or another block's)");
                return Err(NetworkError::Missing { layer });
            }
            if let Some(se) = &block.se {
                same(&name("squeeze"), se.squeeze.inputs, filters)?;
                same(&name("excitation"), se.excite.inputs, se.squeeze.outputs)?;
                same(&name("excitation"), se.excite.outputs, 2 * filters)?;
            }
        }
    }
    let results = match network.format.value {
        ValueFormat::Wdl => 3,
        ValueFormat::Scalar => 1,
    };
    check_head(&network.value, filters, results, "the value")?;
    if let Some(head) = &network.moves_left {
        check_head(head, filters, 1, "the moves-left head")?;
    }
    network.policy.check_sizes(filters)
}

fn check_head(head: &ValueHead, filters: usize, results: usize, name: &str) -> Result<(), NetworkError> {
    let part = |what: &str| format!("{name}'s {what}");
    let planes = head.convolution.outputs;
    convolution(&head.convolution, filters, planes, &part("convolution"))?;
    same(&part("hidden layer"), head.hidden.inputs, planes * SQUARES)?;
    same(&part("output layer"), head.output.inputs, head.hidden.outputs)?;
    same(&part("output layer (biases)"), head.output.outputs, results)
}

fn convolution(layer: &Convolution, inputs: usize, outputs: usize, name: &str) -> Result<(), NetworkError> {
    same(&format!("{name} (planes read)"), layer.inputs, inputs)?;
    same(&format!("{name} (planes given)"), layer.outputs, outputs)
}
