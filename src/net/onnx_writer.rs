//! A [`Network`] as an ONNX file laid out as Lc0's own exports are, so that others' programs can run it beside ours.
//!
//! What the benchmark compares: residual bodies with rectifiers, with or without squeeze-excitation, with a classical
//! or a convolutional policy. [`read_network`](super::read_network) reads the file back.

use prost::Message;

use super::{
    format::{Activation, ValueFormat},
    network::{Block, Body, Convolution, Dense, INPUT_PLANES, Network, POLICY_MOVES, PolicyHead, SQUARES, ValueHead},
    onnx::Names,
    onnx_proto::{
        Attribute, Axis, FLOAT, Graph, INT64, Model, Node, Operations, Shape, Tensor, TensorType, Type, Value,
    },
    policy::plane_at,
};

/// The version of ONNX's form of files: 8 is what the operations of [`OPERATIONS`] came with.
const VERSION: i64 = 8;

/// The set of operations: the last in which the mean's axes and the halves of a split are settings.
const OPERATIONS: i64 = 17;

/// A network that can't be written as ONNX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OnnxWriteError {
    /// It has encoders.
    #[error("only networks with a residual body are written as ONNX, and this one has encoders")]
    Attention,
    /// Its policy is made of queries and keys.
    #[error("only classical and convolutional policies are written as ONNX, and this network's is an attention policy")]
    Policy,
    /// It has no rectifiers.
    #[error("only networks with rectifiers are written as ONNX, and this one has {0:?}")]
    Activation(Activation),
}

/// Writes `network` as an ONNX file, in single precision. It reads one position, 1 × 112 × 8 × 8, and gives the policy's
/// logits and the probabilities of win, draw and loss, or the expected result.
///
/// # Errors
/// When the network is of a kind that is not written.
pub fn write_onnx(network: &Network) -> Result<Vec<u8>, OnnxWriteError> {
    let Body::Residual { input, blocks } = &network.body else {
        return Err(OnnxWriteError::Attention);
    };
    if network.format.activation != Activation::Relu {
        return Err(OnnxWriteError::Activation(network.format.activation));
    }
    let names = Names::default();
    let mut writer = Writer::default();
    let stem = writer.convolution("/input/conv", input, &names.planes);
    let mut flow = writer.node("/input/relu", "Relu", &[&stem]);
    for (number, block) in blocks.iter().enumerate() {
        flow = writer.block(&format!("/block{number}"), block, &flow);
    }
    writer.policy(&names.policy, &network.policy, &flow)?;
    let (value, last, results) = match network.format.value {
        ValueFormat::Wdl => (&names.wdl, "Softmax", 3),
        ValueFormat::Scalar => (&names.value, "Tanh", 1),
    };
    writer.value(value, last, &network.value, &flow);
    let model = Model {
        version: Some(VERSION),
        graph: Some(Graph {
            name: Some("network".to_owned()),
            nodes: writer.nodes,
            constants: writer.constants,
            inputs: vec![tensor(&names.planes, &[1, INPUT_PLANES, 8, 8])],
            outputs: vec![tensor(&names.policy, &[1, POLICY_MOVES]), tensor(value, &[1, results])],
        }),
        operations: vec![Operations {
            version: Some(OPERATIONS),
        }],
    };
    Ok(model.encode_to_vec())
}

/// An input or output of floats.
fn tensor(name: &str, sizes: &[usize]) -> Value {
    let axes = sizes.iter().map(|&size| Axis {
        size: Some(size as i64),
    });
    let tensor = TensorType {
        data_type: Some(FLOAT),
        shape: Some(Shape { axes: axes.collect() }),
    };
    Value {
        name: Some(name.to_owned()),
        kind: Some(Type { tensor: Some(tensor) }),
    }
}

/// A setting of several integers.
fn integers(name: &str, ints: &[i64]) -> Attribute {
    Attribute {
        name: Some(name.to_owned()),
        ints: ints.to_vec(),
        kind: Some(7),
        ..Default::default()
    }
}

/// A setting of one integer.
fn integer(name: &str, int: i64) -> Attribute {
    Attribute {
        name: Some(name.to_owned()),
        int: Some(int),
        kind: Some(2),
        ..Default::default()
    }
}

/// Gathers nodes and constants. What a node gives has the node's own name.
#[derive(Default)]
struct Writer {
    nodes: Vec<Node>,
    constants: Vec<Tensor>,
}

impl Writer {
    fn node(&mut self, name: &str, op: &str, inputs: &[&str]) -> String {
        self.node_with(&[name], op, inputs, Vec::new());
        name.to_owned()
    }

    fn node_with(&mut self, outputs: &[&str], op: &str, inputs: &[&str], attributes: Vec<Attribute>) {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        self.nodes.push(Node {
            inputs: owned(inputs),
            outputs: owned(outputs),
            op: Some(op.to_owned()),
            attributes,
        });
    }

    fn floats(&mut self, name: String, sizes: &[usize], values: impl Iterator<Item = f32>) -> String {
        self.raw(&name, sizes, FLOAT, values.flat_map(f32::to_le_bytes).collect());
        name
    }

    fn whole(&mut self, name: String, values: &[i64]) -> String {
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.raw(&name, &[values.len()], INT64, raw);
        name
    }

    fn raw(&mut self, name: &str, sizes: &[usize], data_type: i32, raw: Vec<u8>) {
        self.constants.push(Tensor {
            shape: sizes.iter().map(|&size| size as i64).collect(),
            data_type: Some(data_type),
            name: Some(name.to_owned()),
            raw: Some(raw.into()),
            ..Default::default()
        });
    }

    fn convolution(&mut self, name: &str, layer: &Convolution, input: &str) -> String {
        let (size, edge) = (layer.size, layer.size as i64 / 2);
        let shape = [layer.outputs, layer.inputs, size, size];
        let weights = self.floats(format!("{name}/weights"), &shape, layer.weights.iter().copied());
        let biases = self.floats(format!("{name}/biases"), &[layer.outputs], layer.biases.iter().copied());
        let settings = vec![
            integers("pads", &[edge; 4]),
            integers("kernel_shape", &[size as i64; 2]),
        ];
        self.node_with(&[name], "Conv", &[input, &weights, &biases], settings);
        name.to_owned()
    }

    /// ONNX multiplies with input × output.
    fn dense(&mut self, name: &str, layer: &Dense, input: &str) -> String {
        let by_inputs = (0..layer.inputs).flat_map(|i| layer.weights.iter().skip(i).step_by(layer.inputs).copied());
        let weights = self.floats(format!("{name}/weights"), &[layer.inputs, layer.outputs], by_inputs);
        let biases = self.floats(format!("{name}/biases"), &[layer.outputs], layer.biases.iter().copied());
        let product = self.node(&format!("{name}/product"), "MatMul", &[input, &weights]);
        self.node(name, "Add", &[&product, &biases])
    }

    fn reshape(&mut self, name: &str, sizes: &[i64], input: &str) -> String {
        let sizes = self.whole(format!("{name}/sizes"), sizes);
        self.node(name, "Reshape", &[input, &sizes])
    }

    /// Planes, flattened.
    fn flat(&mut self, name: &str, planes: usize, input: &str) -> String {
        self.reshape(name, &[-1, (planes * SQUARES) as i64], input)
    }

    fn block(&mut self, name: &str, block: &Block, input: &str) -> String {
        let part = |what: &str| format!("{name}/{what}");
        let first = self.convolution(&part("conv1"), &block.first, input);
        let first = self.node(&part("relu1"), "Relu", &[&first]);
        let mut branch = self.convolution(&part("conv2"), &block.second, &first);
        if let Some(se) = &block.se {
            let filters = se.squeeze.inputs as i64;
            let mean = part("se/mean");
            let settings = vec![integers("axes", &[2, 3]), integer("keepdims", 0)];
            self.node_with(&[&mean], "ReduceMean", &[&branch], settings);
            let squeezed = self.dense(&part("se/squeeze"), &se.squeeze, &mean);
            let squeezed = self.node(&part("se/relu"), "Relu", &[&squeezed]);
            let excited = self.dense(&part("se/excite"), &se.excite, &squeezed);
            let excited = self.reshape(&part("se/reshape"), &[-1, 2 * filters, 1, 1], &excited);
            let (factor, offset) = (part("se/factor"), part("se/offset"));
            self.node_with(&[&factor, &offset], "Split", &[&excited], vec![integer("axis", 1)]);
            let sigmoid = self.node(&part("se/sigmoid"), "Sigmoid", &[&factor]);
            let scaled = self.node(&part("se/scaled"), "Mul", &[&sigmoid, &branch]);
            branch = self.node(&part("se/shifted"), "Add", &[&scaled, &offset]);
        }
        let sum = self.node(&part("sum"), "Add", &[&branch, input]);
        self.node(&part("relu2"), "Relu", &[&sum])
    }

    fn policy(&mut self, name: &str, head: &PolicyHead, input: &str) -> Result<(), OnnxWriteError> {
        match head {
            PolicyHead::Classical { convolution, dense } => {
                let flow = self.convolution("/policy/conv", convolution, input);
                let flow = self.node("/policy/relu", "Relu", &[&flow]);
                let flow = self.flat("/policy/flat", convolution.outputs, &flow);
                self.dense(name, dense, &flow);
            }
            PolicyHead::Convolution { hidden, planes } => {
                let flow = self.convolution("/policy/conv1", hidden, input);
                let flow = self.node("/policy/relu", "Relu", &[&flow]);
                let flow = self.convolution("/policy/conv2", planes, &flow);
                let flow = self.flat("/policy/flat", planes.outputs, &flow);
                let places = (0..POLICY_MOVES as u16).filter_map(plane_at).map(|place| place as i64);
                let places = self.whole("/policy/places".to_owned(), &places.collect::<Vec<_>>());
                self.node_with(&[name], "Gather", &[&flow, &places], vec![integer("axis", 1)]);
            }
            PolicyHead::Attention { .. } => return Err(OnnxWriteError::Policy),
        }
        Ok(())
    }

    fn value(&mut self, name: &str, last: &str, head: &ValueHead, input: &str) {
        let flow = self.convolution("/value/conv", &head.convolution, input);
        let flow = self.node("/value/relu", "Relu", &[&flow]);
        let flow = self.flat("/value/flat", head.convolution.outputs, &flow);
        let flow = self.dense("/value/hidden", &head.hidden, &flow);
        let flow = self.node("/value/hidden/relu", "Relu", &[&flow]);
        let flow = self.dense("/value/output", &head.output, &flow);
        self.node(name, last, &[&flow]);
    }
}
