//! A transformer as a tract graph, built layer by layer. It reads some tokens at once, behind those that were read before:
//! S new ones, P in the past.

use tract_core::{
    internal::*,
    ops::{array::TypedConcat, math, nn::gelu_approximate::gelu_approximate},
};

use super::model::{Block, Model, Transformer};
use crate::tensors::wiring::{Wiring, dims};

/// Builds the graph. In: the tokens' numbers S × width; what may be seen, 0 or a very low number, S × (P + S); then, for each
/// block, keys and values of the past, P × heads × width / heads. Out: logits S × vocabulary; then, for each block, keys and
/// values of the new tokens. Not yet optimised.
pub(super) fn build(model: &Model, body: &Transformer) -> TractResult<TypedModel> {
    let header = &model.header;
    let mut graph = Graph {
        wiring: Wiring::default(),
        width: header.width,
        heads: header.heads,
        past: 0.to_dim(),
    };
    let wiring = &mut graph.wiring;
    let (new, past) = (wiring.model.sym("S").to_dim(), wiring.model.sym("P").to_dim());
    graph.past.clone_from(&past);
    let tokens = f32::fact(dims(&[new.clone(), header.width.to_dim()]));
    let mut flow = wiring.model.add_source("tokens", tokens)?;
    let seen = f32::fact(dims(&[new.clone(), past + new]));
    let seen = wiring.model.add_source("seen", seen)?;
    let seen = wiring.wire("seen.heads", AxisOp::Add(0), &[seen])?;
    let mut kept = Vec::new();
    for (i, block) in body.blocks.iter().enumerate() {
        flow = graph.block(&format!("block{i}"), block, flow, seen, &mut kept)?;
    }
    let wiring = &mut graph.wiring;
    let flow = wiring.norm("norm", &body.norm, flow)?;
    let embedding = Tensor::from_shape(&[header.vocabulary, header.width], &model.embedding)?;
    let embedding = wiring.model.add_const("embedding", embedding)?;
    let logits = wiring.product("logits", "sd,vd->sv", flow, embedding)?;
    let outputs: Vec<OutletId> = [logits].into_iter().chain(kept).collect();
    wiring.model.select_output_outlets(&outputs)?;
    Ok(graph.wiring.model)
}

struct Graph {
    wiring: Wiring,
    width: usize,
    heads: usize,
    past: TDim,
}

impl Graph {
    fn block(
        &mut self,
        name: &str,
        block: &Block,
        input: OutletId,
        seen: OutletId,
        kept: &mut Vec<OutletId>,
    ) -> TractResult<OutletId> {
        let attended = format!("{name}.attention");
        let flow = self
            .wiring
            .norm(&format!("{name}.before-attention"), &block.before_attention, input)?;
        let flow = self.attention(&attended, block, flow, seen, kept)?;
        let wiring = &mut self.wiring;
        let middle = wiring.wire(&format!("{name}.attended"), math::add(), &[flow, input])?;
        let flow = wiring.norm(&format!("{name}.before-dense"), &block.before_dense, middle)?;
        let flow = wiring.dense(&format!("{name}.up"), &block.up, flow)?;
        let flow = wiring.wire(&format!("{name}.gelu"), gelu_approximate(false), &[flow])?;
        let flow = wiring.dense(&format!("{name}.down"), &block.down, flow)?;
        wiring.wire(&format!("{name}.out"), math::add(), &[flow, middle])
    }

    fn attention(
        &mut self,
        name: &str,
        block: &Block,
        input: OutletId,
        seen: OutletId,
        kept: &mut Vec<OutletId>,
    ) -> TractResult<OutletId> {
        let (width, heads, past) = (self.width, self.heads, &self.past);
        let wiring = &mut self.wiring;
        let all = wiring.dense(&format!("{name}.all"), &block.attention, input)?;
        let queries = wiring.heads(&format!("{name}.queries"), all, 0, width, heads)?;
        let keys = wiring.heads(&format!("{name}.keys"), all, 1, width, heads)?;
        let values = wiring.heads(&format!("{name}.values"), all, 2, width, heads)?;
        let mut with_past = |wiring: &mut Wiring, what: &str, new: OutletId| {
            let name = format!("{name}.{what}");
            let fact = f32::fact(dims(&[past.clone(), heads.to_dim(), (width / heads).to_dim()]));
            let past = wiring.model.add_source(format!("{name}.past"), fact)?;
            kept.push(new);
            wiring.wire(&format!("{name}.all"), TypedConcat::new(0), &[past, new])
        };
        let keys = with_past(wiring, "keys", keys)?;
        let values = with_past(wiring, "values", values)?;
        let products = wiring.product(&format!("{name}.products"), "shk,thk->hst", queries, keys)?;
        let products = wiring.scaled(name, products, width / heads, 3)?;
        let products = wiring.wire(&format!("{name}.seen"), math::add(), &[products, seen])?;
        let shares = wiring.shares(name, products, 2)?;
        let sums = wiring.product(&format!("{name}.sums"), "hst,thk->shk", shares, values)?;
        let sums = wiring.whole(&format!("{name}.whole"), sums, width, heads)?;
        wiring.dense(&format!("{name}.out"), &block.out, sums)
    }
}
