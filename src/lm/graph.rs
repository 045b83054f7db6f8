//! A transformer as a tract graph, built layer by layer. It reads some tokens at once, behind those that were read before:
//! S new ones, P in the past.

use tract_core::{
    internal::*,
    ops::{
        array::{Slice, TypedConcat},
        binary::TypedBinOp,
        einsum::EinSum,
        math,
        nn::{Reduce, Reducer, Softmax, SoftmaxKind, gelu_approximate::gelu_approximate, rms_norm::RmsNorm},
    },
};

use super::model::{Block, Dense, Model, Norm, Transformer};

/// What keeps the root of a variance from 0, as in PyTorch.
const EPSILON: f32 = 1e-5;

/// Builds the graph. In: the tokens' numbers S × width; what may be seen, 0 or a very low number, S × (P + S); then, for each
/// block, keys and values of the past, P × heads × width / heads. Out: logits S × vocabulary; then, for each block, keys and
/// values of the new tokens. Not yet optimised.
pub(super) fn build(model: &Model, body: &Transformer) -> TractResult<TypedModel> {
    let header = &model.header;
    let mut graph = Graph {
        model: TypedModel::default(),
        width: header.width,
        heads: header.heads,
        past: 0.to_dim(),
    };
    let (new, past) = (graph.model.sym("S").to_dim(), graph.model.sym("P").to_dim());
    graph.past.clone_from(&past);
    let tokens = f32::fact(dims(&[new.clone(), header.width.to_dim()]));
    let mut flow = graph.model.add_source("tokens", tokens)?;
    let seen = f32::fact(dims(&[new.clone(), past + new]));
    let seen = graph.model.add_source("seen", seen)?;
    let seen = graph.wire("seen.heads", AxisOp::Add(0), &[seen])?;
    let mut kept = Vec::new();
    for (i, block) in body.blocks.iter().enumerate() {
        flow = graph.block(&format!("block{i}"), block, flow, seen, &mut kept)?;
    }
    let flow = graph.norm("norm", &body.norm, flow)?;
    let embedding = Tensor::from_shape(&[header.vocabulary, header.width], &model.embedding)?;
    let embedding = graph.model.add_const("embedding", embedding)?;
    let logits = graph.product("logits", "sd,vd->sv", flow, embedding)?;
    let outputs: Vec<OutletId> = [logits].into_iter().chain(kept).collect();
    graph.model.select_output_outlets(&outputs)?;
    Ok(graph.model)
}

fn dims(dims: &[TDim]) -> ShapeFact {
    dims.iter().cloned().collect()
}

struct Graph {
    model: TypedModel,
    width: usize,
    heads: usize,
    past: TDim,
}

impl Graph {
    fn wire(&mut self, name: &str, op: impl Into<Box<dyn TypedOp>>, inputs: &[OutletId]) -> TractResult<OutletId> {
        Ok(self.model.wire_node(name, op, inputs)?[0])
    }

    /// Each token's numbers combined with a row of numbers that is the same for all.
    fn with_row(&mut self, name: &str, op: TypedBinOp, flow: OutletId, row: &[f32]) -> TractResult<OutletId> {
        let row = Tensor::from_shape(&[1, row.len()], row)?;
        let row = self.model.add_const(format!("{name}.row"), row)?;
        self.wire(name, op, &[flow, row])
    }

    fn product(&mut self, name: &str, axes: &str, a: OutletId, b: OutletId) -> TractResult<OutletId> {
        self.wire(name, EinSum::new(axes.parse()?, f32::datum_type()), &[a, b])
    }

    fn dense(&mut self, name: &str, layer: &Dense, input: OutletId) -> TractResult<OutletId> {
        let weights = Tensor::from_shape(&[layer.outputs, layer.inputs], &layer.weights)?;
        let weights = self.model.add_const(format!("{name}.weights"), weights)?;
        let product = self.product(&format!("{name}.product"), "si,oi->so", input, weights)?;
        self.with_row(name, math::add(), product, &layer.biases)
    }

    /// Each token's numbers with mean 0 and variance 1, then the factors and offsets.
    fn norm(&mut self, name: &str, norm: &Norm, input: OutletId) -> TractResult<OutletId> {
        let sum = self.wire(&format!("{name}.sum"), Reduce::new(tvec!(1), Reducer::Sum), &[input])?;
        let share = [1.0 / self.width as f32];
        let mean = self.with_row(&format!("{name}.mean"), math::mul(), sum, &share)?;
        let centred = self.wire(&format!("{name}.centred"), math::sub(), &[input, mean])?;
        let op = RmsNorm {
            axis: 1,
            eps: rctensor0(EPSILON),
        };
        let scaled = self.wire(&format!("{name}.scaled"), op, &[centred])?;
        let scaled = self.with_row(&format!("{name}.factored"), math::mul(), scaled, &norm.factors)?;
        self.with_row(name, math::add(), scaled, &norm.offsets)
    }

    fn block(
        &mut self,
        name: &str,
        block: &Block,
        input: OutletId,
        seen: OutletId,
        kept: &mut Vec<OutletId>,
    ) -> TractResult<OutletId> {
        let flow = self.norm(&format!("{name}.before-attention"), &block.before_attention, input)?;
        let flow = self.attention(&format!("{name}.attention"), block, flow, seen, kept)?;
        let middle = self.wire(&format!("{name}.attended"), math::add(), &[flow, input])?;
        let flow = self.norm(&format!("{name}.before-dense"), &block.before_dense, middle)?;
        let flow = self.dense(&format!("{name}.up"), &block.up, flow)?;
        let flow = self.wire(&format!("{name}.gelu"), gelu_approximate(false), &[flow])?;
        let flow = self.dense(&format!("{name}.down"), &block.down, flow)?;
        self.wire(&format!("{name}.out"), math::add(), &[flow, middle])
    }

    fn attention(
        &mut self,
        name: &str,
        block: &Block,
        input: OutletId,
        seen: OutletId,
        kept: &mut Vec<OutletId>,
    ) -> TractResult<OutletId> {
        let (width, heads) = (self.width, self.heads);
        let whole = tvec!(width.to_dim());
        let apart = tvec!(heads.to_dim(), (width / heads).to_dim());
        let all = self.dense(&format!("{name}.all"), &block.attention, input)?;
        let part = |graph: &mut Self, what: &str, i: usize| {
            let name = format!("{name}.{what}");
            let own = graph.wire(
                &format!("{name}.slice"),
                Slice::new(1, i * width, (i + 1) * width),
                &[all],
            )?;
            graph.wire(&name, AxisOp::Reshape(1, whole.clone(), apart.clone()), &[own])
        };
        let queries = part(self, "queries", 0)?;
        let keys = part(self, "keys", 1)?;
        let values = part(self, "values", 2)?;
        let mut with_past = |graph: &mut Self, what: &str, new: OutletId| {
            let name = format!("{name}.{what}");
            let fact = f32::fact(dims(&[graph.past.clone(), heads.to_dim(), (width / heads).to_dim()]));
            let past = graph.model.add_source(format!("{name}.past"), fact)?;
            kept.push(new);
            graph.wire(&format!("{name}.all"), TypedConcat::new(0), &[past, new])
        };
        let keys = with_past(self, "keys", keys)?;
        let values = with_past(self, "values", values)?;
        let products = self.product(&format!("{name}.products"), "shk,thk->hst", queries, keys)?;
        let scale = ((width / heads) as f32).sqrt().recip();
        let scale = self
            .model
            .add_const(format!("{name}.scale"), Tensor::from_shape(&[1, 1, 1], &[scale])?)?;
        let products = self.wire(&format!("{name}.scaled"), math::mul(), &[products, scale])?;
        let products = self.wire(&format!("{name}.seen"), math::add(), &[products, seen])?;
        let shares = self.wire(
            &format!("{name}.shares"),
            Softmax::new(tvec!(2), None, SoftmaxKind::Softmax),
            &[products],
        )?;
        let sums = self.product(&format!("{name}.sums"), "hst,thk->shk", shares, values)?;
        let sums = self.wire(&format!("{name}.whole"), AxisOp::Reshape(1, apart, whole), &[sums])?;
        self.dense(&format!("{name}.out"), &block.out, sums)
    }
}
