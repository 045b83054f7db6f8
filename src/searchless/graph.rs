//! A model as a tract graph: rows of symbols in, what is read off at the last place of each out.

use tract_core::{
    internal::*,
    ops::{array::Slice, math, nn::silu::silu},
};

use super::model::{Block, SearchlessModel};
use crate::tensors::wiring::{Wiring, dims};

/// Builds the graph for so many rows at once. In: the symbols' numbers, places × width for each row, one row after the other.
/// Out: the outputs of each row. Not yet optimised.
pub(super) fn build(model: &SearchlessModel, rows: usize) -> TractResult<TypedModel> {
    let header = &model.header;
    let mut graph = Graph {
        wiring: Wiring::default(),
        rows,
        places: header.symbols,
        width: header.width,
        heads: header.heads,
    };
    let fact = f32::fact(dims(&[(rows * header.symbols).to_dim(), header.width.to_dim()]));
    let mut flow = graph.wiring.model.add_source("symbols", fact)?;
    let last = model.blocks.len().saturating_sub(1);
    for (i, block) in model.blocks.iter().enumerate() {
        flow = graph.block(&format!("block{i}"), block, flow, i == last)?;
    }
    let wiring = &mut graph.wiring;
    let flow = wiring.norm("norm", &model.norm, flow)?;
    let outputs = wiring.dense("head", &model.head, flow)?;
    wiring.model.select_output_outlets(&[outputs])?;
    Ok(graph.wiring.model)
}

struct Graph {
    wiring: Wiring,
    rows: usize,
    places: usize,
    width: usize,
    heads: usize,
}

impl Graph {
    /// A block. Of the last one only the last place of each row is asked: no other is computed.
    fn block(&mut self, name: &str, block: &Block, input: OutletId, is_last: bool) -> TractResult<OutletId> {
        let of = |part: &str| format!("{name}.{part}");
        let seen = self
            .wiring
            .norm(&of("before-attention"), &block.before_attention, input)?;
        let (asking, input) = match is_last {
            true => (self.last(&of("asking"), seen)?, self.last(&of("kept"), input)?),
            false => (seen, input),
        };
        let flow = self.attention(&of("attention"), block, asking, seen, is_last)?;
        let wiring = &mut self.wiring;
        let middle = wiring.wire(&of("attended"), math::add(), &[flow, input])?;
        let flow = wiring.norm(&of("before-dense"), &block.before_dense, middle)?;
        let gate = wiring.matrix(&of("gate"), &block.gate, flow)?;
        let gate = wiring.wire(&of("silu"), silu(), &[gate])?;
        let up = wiring.matrix(&of("up"), &block.up, flow)?;
        let flow = wiring.wire(&of("gated"), math::mul(), &[gate, up])?;
        let flow = wiring.matrix(&of("down"), &block.down, flow)?;
        wiring.wire(&of("out"), math::add(), &[flow, middle])
    }

    /// The numbers of each row's last place.
    fn last(&mut self, name: &str, flow: OutletId) -> TractResult<OutletId> {
        let (rows, places) = (self.rows, self.places);
        let flow = self.by_row(&format!("{name}.apart"), flow, places)?;
        let last = Slice::new(1, places - 1, places);
        let flow = self.wiring.wire(&format!("{name}.last"), last, &[flow])?;
        let (apart, together) = (tvec!(rows.to_dim(), 1.to_dim()), tvec!(rows.to_dim()));
        self.wiring.wire(name, AxisOp::Reshape(0, apart, together), &[flow])
    }

    /// Rows × places × what each has.
    fn by_row(&mut self, name: &str, flow: OutletId, places: usize) -> TractResult<OutletId> {
        let apart = tvec!(self.rows.to_dim(), places.to_dim());
        let together = tvec!((self.rows * places).to_dim());
        self.wiring.wire(name, AxisOp::Reshape(0, together, apart), &[flow])
    }

    fn attention(
        &mut self,
        name: &str,
        block: &Block,
        asking: OutletId,
        seen: OutletId,
        is_last: bool,
    ) -> TractResult<OutletId> {
        let (width, heads, places) = (self.width, self.heads, self.places);
        let asked = if is_last { 1 } else { places };
        let queries = self.wiring.matrix(&format!("{name}.queries"), &block.queries, asking)?;
        let keys = self.wiring.matrix(&format!("{name}.keys"), &block.keys, seen)?;
        let values = self.wiring.matrix(&format!("{name}.values"), &block.values, seen)?;
        let heads_of = |graph: &mut Self, what: &str, flow: OutletId, places: usize| {
            let flow = graph
                .wiring
                .heads(&format!("{name}.{what}.heads"), flow, 0, width, heads)?;
            graph.by_row(&format!("{name}.{what}.rows"), flow, places)
        };
        let queries = heads_of(self, "queries", queries, asked)?;
        let keys = heads_of(self, "keys", keys, places)?;
        let values = heads_of(self, "values", values, places)?;
        let wiring = &mut self.wiring;
        let products = wiring.product(&format!("{name}.products"), "bshk,bthk->bhst", queries, keys)?;
        let products = wiring.scaled(name, products, width / heads, 4)?;
        let shares = wiring.shares(name, products, 3)?;
        let sums = wiring.product(&format!("{name}.sums"), "bhst,bthk->bshk", shares, values)?;
        let (apart, together) = (
            tvec!(self.rows.to_dim(), asked.to_dim()),
            tvec!((self.rows * asked).to_dim()),
        );
        let sums = wiring.wire(&format!("{name}.rows"), AxisOp::Reshape(0, apart, together), &[sums])?;
        let sums = wiring.whole(&format!("{name}.whole"), sums, width, heads)?;
        wiring.matrix(&format!("{name}.out"), &block.out, sums)
    }
}
