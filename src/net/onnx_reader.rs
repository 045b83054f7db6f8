//! Follows an ONNX graph's names backwards, from what it gives to what it reads.

use std::{cell::RefCell, collections::HashMap};

use super::{
    error::NetworkError,
    format::Activation,
    layer::{self, same},
    network::{Block, Convolution, Dense, SqueezeExcitation, ValueHead},
    onnx_proto::{self, Attribute, Node, Tensor},
    proto,
    wire::MAX_BLOCKS,
};

/// Follows the graph's names backwards.
pub(super) struct Reader<'a> {
    /// By what they give.
    nodes: HashMap<&'a str, &'a Node>,
    /// By name. Of those that have found their place the numbers are gone; none has two places: a small file could make a large
    /// network otherwise.
    constants: RefCell<HashMap<String, Option<Tensor>>>,
    /// The one activation of the network, once seen.
    pub activation: Option<Activation>,
}

impl<'a> Reader<'a> {
    pub fn new(graph: &'a onnx_proto::Graph, constants: Vec<Tensor>) -> Self {
        let named = |mut tensor: Tensor| Some((tensor.name.take()?, Some(tensor)));
        let outputs = |node: &'a Node| node.outputs.iter().map(move |name| (name.as_str(), node));
        Self {
            nodes: graph.nodes.iter().flat_map(outputs).collect(),
            constants: RefCell::new(constants.into_iter().filter_map(named).collect()),
            activation: None,
        }
    }

    /// The name behind changes of precision.
    pub fn resolve(&self, mut name: &'a str) -> &'a str {
        // No longer than there are nodes, should they go in a circle.
        for _ in 0..self.nodes.len() {
            match self.nodes.get(name) {
                Some(node) if matches!(node.op.as_deref(), Some("Cast" | "Identity")) => {
                    let Some(input) = node.inputs.first() else { break };
                    name = input;
                }
                _ => break,
            }
        }
        name
    }

    /// The node that gives `name`, and its kind; the kind is empty when no node gives it.
    pub fn op(&self, name: &'a str) -> (&'a str, Option<&'a Node>) {
        let node = self.nodes.get(self.resolve(name)).copied();
        (node.and_then(|node| node.op.as_deref()).unwrap_or(""), node)
    }

    /// The node that gives `name`, which must be an `op`.
    pub fn node(&self, name: &'a str, op: &'static str) -> Result<&'a Node, NetworkError> {
        match self.op(name) {
            (found, Some(node)) if found == op => Ok(node),
            _ => Err(self.stray(name, op)),
        }
    }

    /// The input of the node that gives `name`, which must be an `op`.
    pub fn through(&self, name: &'a str, op: &'static str) -> Result<&'a str, NetworkError> {
        self.input(self.node(name, op)?, 0)
    }

    pub fn input(&self, node: &'a Node, index: usize) -> Result<&'a str, NetworkError> {
        let input = node.inputs.get(index).map(|name| self.resolve(name));
        input.ok_or(NetworkError::OnnxMalformed)
    }

    /// Both inputs of the node that gives `name`, which must be an `op`, so that `first` holds for the first.
    pub fn pair(
        &self,
        name: &'a str,
        op: &'static str,
        first: impl Fn(&'a str) -> bool,
    ) -> Result<(&'a str, &'a str), NetworkError> {
        let node = self.node(name, op)?;
        let (a, b) = (self.input(node, 0)?, self.input(node, 1)?);
        match (first(a), first(b)) {
            (true, _) => Ok((a, b)),
            (false, true) => Ok((b, a)),
            (false, false) => Err(self.stray(name, op)),
        }
    }

    pub fn stray(&self, name: &str, expected: &'static str) -> NetworkError {
        let short = |text: &str| text.chars().take(60).collect::<String>();
        let found = self
            .nodes
            .get(name)
            .and_then(|node| node.op.as_deref())
            .unwrap_or("nothing");
        NetworkError::OnnxStray {
            name: short(name),
            found: short(found),
            expected,
        }
    }

    /// A constant's shape and numbers.
    pub fn constant(&self, name: &'a str) -> Result<(Vec<usize>, Vec<f32>), NetworkError> {
        let name = self.resolve(name);
        let tensor = match self.constants.borrow_mut().get_mut(name) {
            Some(there) => there.take().ok_or_else(|| self.stray(name, "a constant of its own"))?,
            None => return Err(self.stray(name, "a constant")),
        };
        let shape = shape(&tensor)?;
        let encoding = match tensor.data_type {
            Some(onnx_proto::FLOAT) => layer::FLOAT32,
            Some(onnx_proto::FLOAT16) => layer::FLOAT16,
            Some(onnx_proto::BFLOAT16) => layer::BFLOAT16,
            _ => return Err(self.stray(name, "a constant of floating-point numbers")),
        };
        let raw = match tensor.raw {
            Some(raw) => raw,
            None => tensor.floats.iter().flat_map(|v| v.to_le_bytes()).collect(),
        };
        let stored = proto::Layer {
            params: Some(raw),
            encoding: Some(encoding),
            ..Default::default()
        };
        let values = layer::decode(&stored, encoding, name)?;
        let needed = shape
            .iter()
            .try_fold(1usize, |n, &size| n.checked_mul(size))
            .unwrap_or(usize::MAX);
        same(name, values.len(), needed)?;
        Ok((shape, values))
    }

    /// A constant's integers.
    pub fn integers(&self, name: &'a str) -> Result<Vec<i64>, NetworkError> {
        let stray = || self.stray(name, "a constant of integers");
        let constants = self.constants.borrow();
        let tensor = constants
            .get(self.resolve(name))
            .and_then(Option::as_ref)
            .ok_or_else(stray)?;
        let raw = tensor.raw.as_deref().unwrap_or_default();
        match tensor.data_type {
            Some(onnx_proto::INT32) => Ok(raw
                .chunks_exact(4)
                .map(|b| i64::from(i32::from_le_bytes([b[0], b[1], b[2], b[3]])))
                .collect()),
            Some(onnx_proto::INT64) => Ok(raw
                .chunks_exact(8)
                .map(|b| i64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
                .collect()),
            _ => Err(stray()),
        }
    }

    /// Whether `name` is a constant.
    pub fn is_constant(&self, name: &'a str) -> bool {
        self.constants.borrow().contains_key(name)
    }

    /// What goes into the activation that gives `name`, which is the network's.
    pub fn activated(&mut self, name: &'a str) -> Result<&'a str, NetworkError> {
        let (found, input) = self.any_activation(name)?;
        if !matches!(found, Activation::Relu | Activation::Mish) {
            return Err(self.stray(name, "an activation (Relu or Mish)"));
        }
        if *self.activation.get_or_insert(found) != found {
            return Err(self.stray(name, "the activation of the other layers"));
        }
        Ok(input)
    }

    /// The activation that gives `name`, and what goes into it.
    pub fn any_activation(&self, name: &'a str) -> Result<(Activation, &'a str), NetworkError> {
        let stray = || self.stray(name, "an activation (Relu or Mish)");
        let (op, Some(node)) = self.op(name) else {
            return Err(stray());
        };
        let input = self.input(node, 0)?;
        match op {
            "Relu" => return Ok((Activation::Relu, input)),
            "Mish" => return Ok((Activation::Mish, input)),
            "Selu" => return Ok((Activation::Selu, input)),
            "Mul" => {}
            _ => return Err(stray()),
        }
        if input == self.input(node, 1)? {
            return Ok((Activation::SquaredRelu, self.through(input, "Relu")?));
        }
        let factor = |input: &'a str| matches!(self.op(input).0, "Tanh" | "Sigmoid");
        let (factor, x) = self.pair(name, "Mul", factor)?;
        // Mish before ONNX had it: x · tanh(softplus(x)).
        let (found, of) = if self.op(factor).0 == "Tanh" {
            let softplus = self.through(factor, "Tanh")?;
            (Activation::Mish, self.through(softplus, "Softplus")?)
        } else {
            (Activation::Swish, self.through(factor, "Sigmoid")?)
        };
        if of != x {
            return Err(self.stray(factor, "a factor of what it is multiplied with"));
        }
        Ok((found, x))
    }

    /// The convolution that gives `name`, and what it reads.
    pub fn convolution(&self, name: &'a str) -> Result<(Convolution, &'a str), NetworkError> {
        let node = self.node(name, "Conv")?;
        let (shape, weights) = self.constant(self.input(node, 1)?)?;
        let [outputs, inputs, size, width] = shape[..] else {
            return Err(self.stray(name, "a convolution over the board"));
        };
        let ints = |name: &str| attribute(node, name).map(|a| a.ints.as_slice());
        let all = |name: &str, value: i64, absent: i64| match ints(name) {
            Some(found) => found.iter().all(|&n| n == value),
            None => value == absent,
        };
        let plain = size == width
            && (size == 1 || size == 3)
            && outputs > 0
            && inputs > 0
            && all("pads", size as i64 / 2, 0)
            && all("strides", 1, 1)
            && all("dilations", 1, 1)
            && attribute(node, "group").is_none_or(|a| a.int == Some(1))
            && attribute(node, "auto_pad").is_none_or(|a| a.text.as_deref() == Some(b"NOTSET"));
        if !plain {
            return Err(self.stray(name, "a convolution of size 1 or 3 that keeps the board's size"));
        }
        let biases = match node.inputs.get(2) {
            Some(name) => self.constant(name)?.1,
            None => vec![0.0; outputs],
        };
        same(&format!("{name} (biases)"), biases.len(), outputs)?;
        let layer = Convolution {
            inputs,
            outputs,
            size,
            weights,
            biases,
        };
        Ok((layer, self.input(node, 0)?))
    }

    /// A product with a constant that has two axes (input × output), and what it is multiplied with.
    pub fn product(&self, name: &'a str) -> Result<(Dense, &'a str), NetworkError> {
        let node = self.node(name, "MatMul")?;
        let (shape, values) = self.constant(self.input(node, 1)?)?;
        let [inputs, outputs] = shape[..] else {
            return Err(self.stray(name, "a product with a matrix"));
        };
        let weights = (0..outputs)
            .flat_map(|o| values.iter().skip(o).step_by(outputs.max(1)).copied())
            .collect();
        let layer = Dense {
            inputs,
            outputs,
            weights,
            biases: vec![0.0; outputs],
        };
        Ok((layer, self.input(node, 0)?))
    }

    /// The dense layer that gives `name`, and what it reads.
    pub fn dense(&self, name: &'a str) -> Result<(Dense, &'a str), NetworkError> {
        let (biases, product) = self.pair(name, "Add", |input| self.is_constant(input))?;
        let (mut layer, from) = self.product(product)?;
        layer.biases = self.constant(biases)?.1;
        same(&format!("{name} (biases)"), layer.biases.len(), layer.outputs)?;
        Ok((layer, from))
    }

    /// The value head that gives `name` through `last`, or one of its kind, and the body that it reads.
    pub fn value(&mut self, name: &'a str, last: &'static str) -> Result<(&'a str, ValueHead), NetworkError> {
        let (output, from) = self.dense(self.through(name, last)?)?;
        let from = self.activated(from)?;
        let (hidden, from) = self.dense(from)?;
        let from = self.activated(self.through(from, "Reshape")?)?;
        // After an attention body each square has a dense layer, and the board goes by squares.
        let (convolution, hidden, from) = if self.op(from).0 == "Conv" {
            let (convolution, from) = self.convolution(from)?;
            (convolution, hidden, from)
        } else {
            let (embedding, from) = self.dense(from)?;
            (Convolution::of_squares(embedding), hidden.reading_planes(), from)
        };
        same("the value's convolution (size)", convolution.size, 1)?;
        let head = ValueHead {
            convolution,
            hidden,
            output,
        };
        Ok((from, head))
    }

    /// From the last block's activation back to the input.
    pub fn body(&mut self, mut name: &'a str, planes: &str) -> Result<(Convolution, Vec<Block>), NetworkError> {
        let mut blocks = Vec::new();
        loop {
            let sum = self.activated(name)?;
            if self.op(sum).0 == "Conv" {
                let (layer, from) = self.convolution(sum)?;
                if from != planes {
                    return Err(self.stray(from, "the input planes"));
                }
                if blocks.is_empty() {
                    return Err(NetworkError::NoBlocks);
                }
                same("the input convolution (size)", layer.size, 3)?;
                blocks.reverse();
                return Ok((layer, blocks));
            }
            if blocks.len() == MAX_BLOCKS {
                return Err(NetworkError::TooManyBlocks);
            }
            let (block, from) = self.block(sum)?;
            blocks.push(block);
            name = from;
        }
    }

    /// The block whose sum with what it reads is `sum`, and what it reads.
    fn block(&mut self, sum: &'a str) -> Result<(Block, &'a str), NetworkError> {
        let (branch, skip) = self.pair(sum, "Add", |input| matches!(self.op(input).0, "Conv" | "Add"))?;
        let (se, convolved) = if self.op(branch).0 == "Add" {
            let (se, convolved) = self.squeeze_excitation(branch)?;
            (Some(se), convolved)
        } else {
            (None, branch)
        };
        let (second, hidden) = self.convolution(convolved)?;
        let hidden = self.activated(hidden)?;
        let (first, from) = self.convolution(hidden)?;
        same("a block's first convolution (size)", first.size, 3)?;
        same("a block's second convolution (size)", second.size, 3)?;
        if from != skip {
            return Err(self.stray(skip, "what the block reads"));
        }
        Ok((Block { first, second, se }, from))
    }

    /// The squeeze-excitation that gives `name`, and the convolution it works on.
    fn squeeze_excitation(&mut self, name: &'a str) -> Result<(SqueezeExcitation, &'a str), NetworkError> {
        let (scaled, offset) = self.pair(name, "Add", |input| self.op(input).0 == "Mul")?;
        let (sigmoid, convolved) = self.pair(scaled, "Mul", |input| self.op(input).0 == "Sigmoid")?;
        let factor = self.through(sigmoid, "Sigmoid")?;
        let split = self.node(factor, "Split")?;
        let halves: Vec<&str> = split.outputs.iter().map(String::as_str).collect();
        let axis = attribute(split, "axis").and_then(|a| a.int);
        if halves != [factor, offset] || axis != Some(1) {
            return Err(self.stray(offset, "the second half of a squeeze-excitation"));
        }
        let (excite, from) = self.dense(self.through(self.input(split, 0)?, "Reshape")?)?;
        let from = self.activated(from)?;
        let (squeeze, from) = self.dense(from)?;
        let mean = self.node(from, "ReduceMean")?;
        let axes = match attribute(mean, "axes") {
            Some(attribute) => attribute.ints.clone(),
            None => self.integers(self.input(mean, 1)?)?,
        };
        if axes != [2, 3] || self.input(mean, 0)? != convolved {
            return Err(self.stray(from, "the mean of what the squeeze-excitation scales"));
        }
        Ok((SqueezeExcitation { squeeze, excite }, convolved))
    }
}

/// A node's setting.
pub(super) fn attribute<'a>(node: &'a Node, name: &str) -> Option<&'a Attribute> {
    node.attributes.iter().find(|a| a.name.as_deref() == Some(name))
}

fn shape(tensor: &Tensor) -> Result<Vec<usize>, NetworkError> {
    let sizes = tensor.shape.iter().map(|&size| usize::try_from(size));
    sizes.collect::<Result<_, _>>().map_err(|_| NetworkError::OnnxMalformed)
}
