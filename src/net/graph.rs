//! A [`Network`] as a tract graph, built layer by layer; no ONNX in between.

use std::{borrow::Cow, sync::Arc};

use tract_core::{
    internal::*,
    ops::{
        array::Slice,
        cnn::{Conv, KernelFormat, PaddingSpec, PoolSpec},
        einsum::EinSum,
        math,
        nn::{DataFormat, Reduce, Reducer, sigmoid},
    },
};

use kernels::{dense::Layer, excitation::Excitation, sparse::SparseFilters, winograd::Filters};

use super::{
    format::Activation,
    network::{
        Block, Body, Convolution, Dense, INPUT_PLANES, Network, PolicyHead, SQUARES, SqueezeExcitation, ValueHead,
    },
    operators::{BlockEnd, BoardConvolution, BoardFilters, Convolutions, DenseLayer},
    wire::MAX_BLOCKS,
};

/// Files and ranks.
pub(super) const SIDE: usize = 8;

/// Which blocks' activations the graph gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Taps {
    /// The last one's.
    #[default]
    Last,
    /// Every one's, first block first, without the input's: what the concept probes choose from.
    All,
    /// Those of a set, in their order.
    Blocks(BlockSet),
}

/// Some of a network's blocks, numbered from 1; the blocks of an attention body are its encoders. Number 0 is the input
/// convolution's activation, or the embedding: what the first block reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockSet([u64; BlockSet::WORDS]);

impl BlockSet {
    const WORDS: usize = MAX_BLOCKS / 64 + 1;

    /// Whether `block` is in the set.
    #[must_use]
    pub fn contains(self, block: usize) -> bool {
        self.0.get(block / 64).is_some_and(|word| word >> (block % 64) & 1 == 1)
    }
}

/// Numbers that no network has (above `MAX_BLOCKS`) are left out.
impl FromIterator<usize> for BlockSet {
    fn from_iter<I: IntoIterator<Item = usize>>(blocks: I) -> Self {
        let mut set = Self::default();
        for block in blocks {
            if let Some(word) = set.0.get_mut(block / 64) {
                *word |= 1 << (block % 64);
            }
        }
        set
    }
}

/// Builds the graph for one position: 1 × 112 × 8 × 8 in; value, policy (two outputs of an attention policy, one of
/// others), moves left (where there is the head), then the tapped activations out. Not yet optimised. Of a network that is
/// handed over each block's weights go as soon as the graph has them; `built` hears how many blocks it has, and of how
/// many.
pub(super) fn build(
    mut network: Cow<'_, Network>,
    taps: Taps,
    convolutions: Convolutions,
    mut built: impl FnMut(usize, usize),
) -> TractResult<TypedModel> {
    let mut graph = Graph::new(&network, convolutions);
    let planes = f32::fact([1, INPUT_PLANES, SIDE, SIDE]);
    let planes = graph.model.add_source("planes", planes)?;
    let mut flow = match &network.body {
        Body::Residual { input, .. } => graph.first_layer(input, planes)?,
        Body::Attention(body) => graph.embedding(body, planes)?,
    };
    let blocks = network.blocks();
    let taps_block = |number: usize| match taps {
        Taps::Last => number == blocks,
        Taps::All => number > 0,
        Taps::Blocks(set) => set.contains(number),
    };
    let mut tapped = Vec::new();
    if taps_block(0) {
        tapped.push(flow);
    }
    flow = graph.body_after(&mut network, 0, flow, |number, flow| {
        if taps_block(number) {
            tapped.push(flow);
        }
        built(number, blocks);
    })?;
    graph.heads(&network, flow, tapped)
}

/// What follows block number `block` (from 1): its activations in, 1 × filters × 8 × 8; value, policy and moves left out.
pub(super) fn build_after(network: &Network, block: usize, convolutions: Convolutions) -> TractResult<TypedModel> {
    let mut graph = Graph::new(network, convolutions);
    let activations = f32::fact([1, network.filters(), SIDE, SIDE]);
    let flow = graph.model.add_source("activations", activations)?;
    let flow = graph.body_after(&mut Cow::Borrowed(network), block, flow, |_, _| {})?;
    graph.heads(network, flow, Vec::new())
}

/// A graph that is being built.
pub(super) struct Graph {
    pub model: TypedModel,
    activation: Activation,
    convolutions: Convolutions,
    /// Whether dense layers are ours: those of attention bodies are wide, and tract multiplies them well.
    own_layers: bool,
    /// The last layer of smolgen, as far as there is one.
    pub generator: Option<OutletId>,
}

impl Graph {
    fn new(network: &Network, convolutions: Convolutions) -> Self {
        Self {
            model: TypedModel::default(),
            activation: network.format.activation,
            convolutions,
            own_layers: convolutions != Convolutions::Direct && matches!(network.body, Body::Residual { .. }),
            generator: None,
        }
    }

    /// The blocks that follow number `block`, on what that gave; each one's number and activations go to `given`.
    fn body_after(
        &mut self,
        network: &mut Cow<'_, Network>,
        block: usize,
        mut flow: OutletId,
        mut given: impl FnMut(usize, OutletId),
    ) -> TractResult<OutletId> {
        if let Body::Attention(body) = &network.body {
            self.add_generator(body)?;
        }
        for i in block..network.blocks() {
            flow = match &network.body {
                Body::Residual { blocks, .. } => self.block(&format!("block{}", i + 1), &blocks[i], flow)?,
                Body::Attention(body) => self.encoder(&format!("encoder{}", i + 1), body, &body.encoders[i], flow)?,
            };
            if let Cow::Owned(network) = network {
                network.body.forget_block(i);
            }
            given(i + 1, flow);
        }
        Ok(flow)
    }

    /// Value, policy and moves left of the last block's output, then what is tapped.
    fn heads(mut self, network: &Network, flow: OutletId, tapped: Vec<OutletId>) -> TractResult<TypedModel> {
        let graph = &mut self;
        let policy = match &network.policy {
            PolicyHead::Classical { convolution, dense } => {
                let flow = graph.activated("policy.convolution", convolution, flow)?;
                vec![graph.dense_of_board("policy", dense, flow, convolution.outputs)?]
            }
            PolicyHead::Convolution { hidden, planes } => {
                let flow = graph.activated("policy.hidden", hidden, flow)?;
                vec![graph.convolution("policy.planes", planes, flow)?]
            }
            PolicyHead::Attention {
                embedding,
                query,
                key,
                promotion,
            } => {
                // A dense layer on each square is a 1×1 convolution.
                let flow = graph.dense("policy.embedding", embedding, flow)?;
                let activation = match network.body {
                    Body::Residual { .. } => Activation::Selu,
                    Body::Attention(_) => network.format.activation,
                };
                let flow = graph.activate_with("policy.activation", activation, flow)?;
                let queries = graph.dense("policy.query", query, flow)?;
                let keys = graph.dense("policy.key", key, flow)?;
                let logits = graph.products("policy.products", queries, keys, key.outputs)?;
                vec![logits, graph.dense("policy.promotion", promotion, keys)?]
            }
        };
        let value = graph.value("value", &network.value, flow)?;
        let moves_left = network.moves_left.as_ref().map(|head| {
            let moves_left = graph.value("moves-left", head, flow)?;
            graph.activate_with("moves-left.activated", Activation::Relu, moves_left)
        });
        let outputs: Vec<OutletId> = [value]
            .into_iter()
            .chain(policy)
            .chain(moves_left.transpose()?)
            .chain(tapped)
            .collect();
        graph.model.select_output_outlets(&outputs)?;
        Ok(self.model)
    }

    /// The value head, or one of its kind.
    fn value(&mut self, name: &str, head: &ValueHead, flow: OutletId) -> TractResult<OutletId> {
        let flow = self.activated(&format!("{name}.convolution"), &head.convolution, flow)?;
        let name_of = |part: &str| format!("{name}.{part}");
        if self.own_layers {
            let rectified = self.rectifies();
            let hidden = name_of("hidden");
            let flow = self.own_layer(&hidden, dense_parts(&head.hidden), flow, false, rectified)?;
            let flow = self.activated_unless(rectified, &hidden, flow)?;
            return self.own_layer(&name_of("output"), dense_parts(&head.output), flow, false, false);
        }
        let flow = self.flatten(&name_of("flat"), flow, head.convolution.outputs)?;
        let flow = self.dense(&name_of("hidden"), &head.hidden, flow)?;
        let flow = self.activate(&name_of("hidden.activation"), flow)?;
        self.dense(&name_of("output"), &head.output, flow)
    }

    /// A dense layer that reads all numbers of `planes` planes.
    fn dense_of_board(&mut self, name: &str, layer: &Dense, input: OutletId, planes: usize) -> TractResult<OutletId> {
        let own = format!("{name}.dense");
        if self.own_layers {
            return self.own_layer(&own, dense_parts(layer), input, false, false);
        }
        let flow = self.flatten(&format!("{name}.flat"), input, planes)?;
        self.dense(&own, layer, flow)
    }

    pub fn wire(&mut self, name: &str, op: impl Into<Box<dyn TypedOp>>, inputs: &[OutletId]) -> TractResult<OutletId> {
        // tract's function would be compiled for each kind of operator, two kilobytes each.
        let op: Box<dyn TypedOp> = op.into();
        Ok(self.model.wire_node(name, op, inputs)?[0])
    }

    pub fn constant(&mut self, name: String, shape: &[usize], values: &[f32]) -> TractResult<OutletId> {
        self.model.add_const(name, Tensor::from_shape(shape, values)?)
    }

    /// One number, of the rank that the body's tensors have.
    pub fn number(&mut self, name: String, value: f32) -> TractResult<OutletId> {
        self.constant(name, &[1, 1, 1, 1], &[value])
    }

    /// The convolution of the planes that show a position, most of whose squares are 0, and the activation behind it.
    fn first_layer(&mut self, layer: &Convolution, planes: OutletId) -> TractResult<OutletId> {
        const NAME: &str = "input";
        if !self.own_layers || layer.size != 3 {
            return self.activated(NAME, layer, planes);
        }
        let (inputs, weights, biases) = convolution_parts(layer);
        let filters = SparseFilters::new(inputs, weights, biases)?;
        self.convolved(NAME, BoardFilters::Sparse(filters.into()), planes)
    }

    /// A convolution that is ours and the network's activation behind it.
    fn convolved(&mut self, name: &str, filters: BoardFilters, input: OutletId) -> TractResult<OutletId> {
        let rectified = self.rectifies();
        let flow = self.wire(name, BoardConvolution { filters, rectified }, &[input])?;
        self.activated_unless(rectified, name, flow)
    }

    /// A convolution and the network's activation behind it.
    fn activated(&mut self, name: &str, layer: &Convolution, input: OutletId) -> TractResult<OutletId> {
        let rectifies = self.rectifies();
        if self.is_own_layer(layer) {
            let flow = self.own_layer(name, convolution_parts(layer), input, true, rectifies)?;
            return self.activated_unless(rectifies, name, flow);
        }
        let Some(filters) = self.filters(layer)? else {
            let flow = self.direct_convolution(name, layer, input)?;
            return self.activated_unless(false, name, flow);
        };
        self.convolved(name, filters, input)
    }

    /// Whether our own operators can apply the network's activation themselves.
    fn rectifies(&self) -> bool {
        self.activation == Activation::Relu
    }

    /// The network's activation of what the layer `name` gives, unless that has `rectified` it.
    fn activated_unless(&mut self, rectified: bool, name: &str, flow: OutletId) -> TractResult<OutletId> {
        if rectified {
            Ok(flow)
        } else {
            self.activate(&format!("{name}.activation"), flow)
        }
    }

    fn convolution(&mut self, name: &str, layer: &Convolution, input: OutletId) -> TractResult<OutletId> {
        if self.is_own_layer(layer) {
            return self.own_layer(name, convolution_parts(layer), input, true, false);
        }
        match self.filters(layer)? {
            Some(filters) => {
                let rectified = false;
                self.wire(name, BoardConvolution { filters, rectified }, &[input])
            }
            None => self.direct_convolution(name, layer, input),
        }
    }

    /// Whether a convolution is a dense layer of every square, and ours.
    fn is_own_layer(&self, layer: &Convolution) -> bool {
        self.own_layers && layer.size == 1
    }

    fn own_layer(
        &mut self,
        name: &str,
        layer: Parts<'_>,
        input: OutletId,
        of_squares: bool,
        rectified: bool,
    ) -> TractResult<OutletId> {
        let layer = Arc::new(layer_of(layer)?);
        let operator = DenseLayer {
            layer,
            of_squares,
            rectified,
        };
        self.wire(name, operator, &[input])
    }

    /// The layer's filters, where they are multiplied Winograd's way: transformed here, so that the graph never holds them as
    /// they were.
    fn filters(&self, layer: &Convolution) -> TractResult<Option<BoardFilters>> {
        match self.convolutions {
            Convolutions::Winograd(tile) if layer.size == 3 => {
                let filters = Filters::new(tile, layer.inputs, &layer.weights, &layer.biases)?;
                Ok(Some(BoardFilters::Winograd(filters.into())))
            }
            Convolutions::Winograd(_) | Convolutions::Direct => Ok(None),
        }
    }

    fn direct_convolution(&mut self, name: &str, layer: &Convolution, input: OutletId) -> TractResult<OutletId> {
        let (size, edge) = (layer.size, layer.size / 2);
        let shape = [layer.outputs, layer.inputs, size, size];
        self.kernel(name, shape, edge, &layer.weights, &layer.biases, input)
    }

    /// A dense layer is a 1×1 convolution, over a board of one square or on every square alike.
    pub fn dense(&mut self, name: &str, layer: &Dense, input: OutletId) -> TractResult<OutletId> {
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
    pub fn flatten(&mut self, name: &str, input: OutletId, planes: usize) -> TractResult<OutletId> {
        let from = tvec!(planes.to_dim(), SIDE.to_dim(), SIDE.to_dim());
        let to = tvec!((planes * SQUARES).to_dim(), 1.to_dim(), 1.to_dim());
        self.wire(name, AxisOp::Reshape(1, from, to), &[input])
    }

    /// The network's activation.
    pub fn activate(&mut self, name: &str, x: OutletId) -> TractResult<OutletId> {
        self.activate_with(name, self.activation, x)
    }

    pub fn activate_with(&mut self, name: &str, activation: Activation, x: OutletId) -> TractResult<OutletId> {
        match activation {
            Activation::Relu => self.relu(name, x),
            Activation::SquaredRelu => {
                let above = self.relu(&format!("{name}.above"), x)?;
                self.wire(name, math::mul(), &[above, above])
            }
            Activation::Swish => {
                let factor = self.wire(&format!("{name}.factor"), sigmoid(), &[x])?;
                self.wire(name, math::mul(), &[x, factor])
            }
            Activation::Mish => self.mish(name, x),
            Activation::Selu => self.selu(name, x),
        }
    }

    fn relu(&mut self, name: &str, x: OutletId) -> TractResult<OutletId> {
        let zero = self.number(format!("{name}.zero"), 0.0)?;
        self.wire(name, math::max(), &[x, zero])
    }

    /// x · tanh(ln(1 + eˣ)) = x · n / (n + 2) with n = eˣ(eˣ + 2). From 20 on the factor is 1 in single precision, and eˣ is
    /// kept from overflowing.
    fn mish(&mut self, name: &str, x: OutletId) -> TractResult<OutletId> {
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

    /// λ · x above 0, λα · (eˣ − 1) below, as λ · (max(x, 0) + α · eᵐ − α) with m = min(x, 0).
    fn selu(&mut self, name: &str, x: OutletId) -> TractResult<OutletId> {
        let zero = self.number(format!("{name}.zero"), 0.0)?;
        let lambda = self.number(format!("{name}.lambda"), 1.050_701)?;
        let alpha = self.number(format!("{name}.alpha"), 1.673_263_2)?;
        let above = self.wire(&format!("{name}.above"), math::max(), &[x, zero])?;
        let below = self.wire(&format!("{name}.below"), math::min(), &[x, zero])?;
        let e = self.wire(&format!("{name}.exp"), math::exp(), &[below])?;
        let e = self.wire(&format!("{name}.scaled"), math::mul(), &[e, alpha])?;
        let sum = self.wire(&format!("{name}.sum"), math::add(), &[above, e])?;
        let sum = self.wire(&format!("{name}.less"), math::sub(), &[sum, alpha])?;
        self.wire(name, math::mul(), &[sum, lambda])
    }

    /// Every square's query times every square's key, over the root of their length.
    fn products(&mut self, name: &str, queries: OutletId, keys: OutletId, length: usize) -> TractResult<OutletId> {
        let mut vectors = |what: &str, x: OutletId| {
            let from = tvec!(SIDE.to_dim(), SIDE.to_dim());
            self.wire(
                &format!("{name}.{what}"),
                AxisOp::Reshape(2, from, tvec!(SQUARES.to_dim())),
                &[x],
            )
        };
        let (queries, keys) = (vectors("queries", queries)?, vectors("keys", keys)?);
        let product = EinSum::new("bdi,bdj->bij".parse()?, f32::datum_type());
        let products = self.wire(&format!("{name}.sums"), product, &[queries, keys])?;
        let scale = self.constant(format!("{name}.scale"), &[1, 1, 1], &[1.0 / (length as f32).sqrt()])?;
        self.wire(name, math::mul(), &[products, scale])
    }

    fn block(&mut self, name: &str, block: &Block, input: OutletId) -> TractResult<OutletId> {
        let flow = self.activated(&format!("{name}.first"), &block.first, input)?;
        let mut flow = self.convolution(&format!("{name}.second"), &block.second, flow)?;
        if self.own_layers && self.rectifies() {
            let excitation = block.se.as_ref().map(|se| {
                let layer = |layer| layer_of(dense_parts(layer));
                TractResult::Ok(Arc::new(Excitation::new(layer(&se.squeeze)?, layer(&se.excite)?)?))
            });
            let end = BlockEnd {
                excitation: excitation.transpose()?,
            };
            return self.wire(&format!("{name}.end"), end, &[flow, input]);
        }
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

/// A layer's inputs, weights and biases.
type Parts<'a> = (usize, &'a [f32], &'a [f32]);

fn dense_parts(layer: &Dense) -> Parts<'_> {
    (layer.inputs, &layer.weights, &layer.biases)
}

fn convolution_parts(layer: &Convolution) -> Parts<'_> {
    (layer.inputs, &layer.weights, &layer.biases)
}

fn layer_of((inputs, weights, biases): Parts<'_>) -> TractResult<Layer> {
    Ok(Layer::new(inputs, weights, biases)?)
}
