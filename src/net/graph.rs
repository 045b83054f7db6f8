//! A [`Network`] as a tract graph, built layer by layer; no ONNX in between.

use tract_onnx::tract_core::{
    internal::*,
    ops::{
        array::Slice,
        cnn::{Conv, KernelFormat, PaddingSpec, PoolSpec},
        math,
        nn::{DataFormat, Reduce, Reducer, sigmoid},
    },
};

use super::{
    format::Activation,
    network::{Block, Convolution, Dense, INPUT_PLANES, Network, PolicyHead, SQUARES, SqueezeExcitation},
};

/// Files and ranks.
const SIDE: usize = 8;

/// Which blocks' activations the graph gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Taps {
    /// The last one's.
    #[default]
    Last,
    /// Every one's, first block first: what the concept probes read.
    All,
}

/// Builds the graph for one position: 1 × 112 × 8 × 8 in; policy, value, then the tapped activations out, each
/// flattened to one axis. Not yet optimised.
pub(super) fn build(network: &Network, taps: Taps) -> TractResult<TypedModel> {
    let mut graph = Graph {
        model: TypedModel::default(),
        activation: network.format.activation,
    };
    let input = graph
        .model
        .add_source("planes", f32::fact([1, INPUT_PLANES, SIDE, SIDE]))?;
    let stem = graph.convolution("input", &network.input, input)?;
    let mut flow = graph.activate("input.activation", stem)?;
    let mut tapped = Vec::new();
    for (i, block) in network.blocks.iter().enumerate() {
        flow = graph.block(&format!("block{}", i + 1), block, flow)?;
        if taps == Taps::All || i + 1 == network.blocks.len() {
            tapped.push(flow);
        }
    }
    let policy = match &network.policy {
        PolicyHead::Classical { convolution, dense } => {
            let flow = graph.convolution("policy.convolution", convolution, flow)?;
            let flow = graph.activate("policy.activation", flow)?;
            let flow = graph.flatten("policy.flat", flow, convolution.outputs)?;
            graph.dense("policy.dense", dense, flow)?
        }
        PolicyHead::Convolution { hidden, planes } => {
            let flow = graph.convolution("policy.hidden", hidden, flow)?;
            let flow = graph.activate("policy.activation", flow)?;
            graph.convolution("policy.planes", planes, flow)?
        }
    };
    let head = &network.value;
    let value = graph.convolution("value.convolution", &head.convolution, flow)?;
    let value = graph.activate("value.activation", value)?;
    let value = graph.flatten("value.flat", value, head.convolution.outputs)?;
    let value = graph.dense("value.hidden", &head.hidden, value)?;
    let value = graph.activate("value.hidden.activation", value)?;
    let value = graph.dense("value.output", &head.output, value)?;
    let mut outputs = vec![policy, value];
    outputs.extend(tapped);
    graph.model.select_output_outlets(&outputs)?;
    Ok(graph.model)
}

struct Graph {
    model: TypedModel,
    activation: Activation,
}

impl Graph {
    fn wire(&mut self, name: &str, op: impl Into<Box<dyn TypedOp>>, inputs: &[OutletId]) -> TractResult<OutletId> {
        Ok(self.model.wire_node(name, op, inputs)?[0])
    }

    fn constant(&mut self, name: String, shape: &[usize], values: &[f32]) -> TractResult<OutletId> {
        self.model.add_const(name, Tensor::from_shape(shape, values)?)
    }

    /// One number, of the rank that the body's tensors have.
    fn number(&mut self, name: String, value: f32) -> TractResult<OutletId> {
        self.constant(name, &[1, 1, 1, 1], &[value])
    }

    fn convolution(&mut self, name: &str, layer: &Convolution, input: OutletId) -> TractResult<OutletId> {
        let (size, edge) = (layer.size, layer.size / 2);
        let shape = [layer.outputs, layer.inputs, size, size];
        self.kernel(name, shape, edge, &layer.weights, &layer.biases, input)
    }

    /// A dense layer is a 1×1 convolution over a board of one square.
    fn dense(&mut self, name: &str, layer: &Dense, input: OutletId) -> TractResult<OutletId> {
        let shape = [layer.outputs, layer.inputs, 1, 1];
        self.kernel(name, shape, 0, &layer.weights, &layer.biases, input)
    }

    fn kernel(
        &mut self,
        name: &str,
        shape: [usize; 4],
        edge: usize,
        weights: &[f32],
        biases: &[f32],
        input: OutletId,
    ) -> TractResult<OutletId> {
        let [outputs, inputs, height, width] = shape;
        let kernel = self.constant(format!("{name}.weights"), &shape, weights)?;
        let bias = self.constant(format!("{name}.biases"), &[outputs], biases)?;
        let pool_spec = PoolSpec::new(
            DataFormat::NCHW,
            tvec!(height, width),
            PaddingSpec::Explicit(tvec!(edge, edge), tvec!(edge, edge)),
            None,
            None,
            inputs,
            outputs,
        );
        let op = Conv::new(pool_spec, KernelFormat::OIHW, 1, None);
        self.wire(name, op, &[input, kernel, bias])
    }

    /// Planes × 8 × 8 as planes·64 × 1 × 1.
    fn flatten(&mut self, name: &str, input: OutletId, planes: usize) -> TractResult<OutletId> {
        let from = tvec!(planes.to_dim(), SIDE.to_dim(), SIDE.to_dim());
        let to = tvec!((planes * SQUARES).to_dim(), 1.to_dim(), 1.to_dim());
        self.wire(name, AxisOp::Reshape(1, from, to), &[input])
    }

    fn activate(&mut self, name: &str, x: OutletId) -> TractResult<OutletId> {
        match self.activation {
            Activation::Relu => {
                let zero = self.number(format!("{name}.zero"), 0.0)?;
                self.wire(name, math::max(), &[x, zero])
            }
            // x · tanh(ln(1 + eˣ)) = x · n / (n + 2) with n = eˣ(eˣ + 2). From 20 on the factor is 1 in single
            // precision, and eˣ is kept from overflowing.
            Activation::Mish => {
                let two = self.number(format!("{name}.two"), 2.0)?;
                let most = self.number(format!("{name}.most"), 20.0)?;
                let clamped = self.wire(&format!("{name}.clamp"), math::min(), &[x, most])?;
                let e = self.wire(&format!("{name}.exp"), math::exp(), &[clamped])?;
                let more = self.wire(&format!("{name}.more"), math::add(), &[e, two])?;
                let n = self.wire(&format!("{name}.n"), math::mul(), &[e, more])?;
                let below = self.wire(&format!("{name}.below"), math::add(), &[n, two])?;
                let factor = self.wire(&format!("{name}.factor"), math::div(), &[n, below])?;
                self.wire(name, math::mul(), &[x, factor])
            }
        }
    }

    fn block(&mut self, name: &str, block: &Block, input: OutletId) -> TractResult<OutletId> {
        let flow = self.convolution(&format!("{name}.first"), &block.first, input)?;
        let flow = self.activate(&format!("{name}.first.activation"), flow)?;
        let mut flow = self.convolution(&format!("{name}.second"), &block.second, flow)?;
        if let Some(se) = &block.se {
            flow = self.squeeze_excitation(&format!("{name}.se"), se, flow)?;
        }
        let flow = self.wire(&format!("{name}.skip"), math::add(), &[flow, input])?;
        self.activate(&format!("{name}.activation"), flow)
    }

    fn squeeze_excitation(&mut self, name: &str, se: &SqueezeExcitation, input: OutletId) -> TractResult<OutletId> {
        let filters = se.squeeze.inputs;
        let sum = self.wire(&format!("{name}.sum"), Reduce::new(tvec!(2, 3), Reducer::Sum), &[input])?;
        let share = self.number(format!("{name}.share"), 1.0 / SQUARES as f32)?;
        let mean = self.wire(&format!("{name}.mean"), math::mul(), &[sum, share])?;
        let squeezed = self.dense(&format!("{name}.squeeze"), &se.squeeze, mean)?;
        let squeezed = self.activate(&format!("{name}.squeeze.activation"), squeezed)?;
        let excited = self.dense(&format!("{name}.excite"), &se.excite, squeezed)?;
        let factor = self.wire(&format!("{name}.factor"), Slice::new(1, 0, filters), &[excited])?;
        let factor = self.wire(&format!("{name}.sigmoid"), sigmoid(), &[factor])?;
        let offset = self.wire(
            &format!("{name}.offset"),
            Slice::new(1, filters, 2 * filters),
            &[excited],
        )?;
        let scaled = self.wire(&format!("{name}.scaled"), math::mul(), &[input, factor])?;
        self.wire(&format!("{name}.moved"), math::add(), &[scaled, offset])
    }
}
