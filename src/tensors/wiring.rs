//! Layers as nodes of a tract graph: a row for each token.

use tract_core::{
    internal::*,
    ops::{
        array::Slice,
        binary::TypedBinOp,
        einsum::EinSum,
        math,
        nn::{Reduce, Reducer, Softmax, SoftmaxKind, rms_norm::RmsNorm},
    },
};

use super::layers::{Dense, Matrix, Norm};

/// What keeps the root of a variance from 0, as in PyTorch.
const EPSILON: f32 = 1e-5;

/// A graph that is being built.
#[derive(Debug, Default)]
pub struct Wiring {
    /// As far as it is.
    pub model: TypedModel,
}

/// A shape of these lengths.
pub fn dims(dims: &[TDim]) -> ShapeFact {
    dims.iter().cloned().collect()
}

impl Wiring {
    /// A node with one output.
    pub fn wire(&mut self, name: &str, op: impl Into<Box<dyn TypedOp>>, inputs: &[OutletId]) -> TractResult<OutletId> {
        Ok(self.model.wire_node(name, op, inputs)?[0])
    }

    /// Each token's numbers combined with a row of numbers that is the same for all.
    pub fn with_row(&mut self, name: &str, op: TypedBinOp, flow: OutletId, row: &[f32]) -> TractResult<OutletId> {
        let row = Tensor::from_shape(&[1, row.len()], row)?;
        let row = self.model.add_const(format!("{name}.row"), row)?;
        self.wire(name, op, &[flow, row])
    }

    /// A product over axes.
    pub fn product(&mut self, name: &str, axes: &str, a: OutletId, b: OutletId) -> TractResult<OutletId> {
        self.wire(name, EinSum::new(axes.parse()?, f32::datum_type()), &[a, b])
    }

    /// A dense layer without biases.
    pub fn matrix(&mut self, name: &str, layer: &Matrix, input: OutletId) -> TractResult<OutletId> {
        let weights = Tensor::from_shape(&[layer.outputs, layer.inputs], &layer.weights)?;
        let weights = self.model.add_const(format!("{name}.weights"), weights)?;
        self.product(&format!("{name}.product"), "si,oi->so", input, weights)
    }

    /// A dense layer.
    pub fn dense(&mut self, name: &str, layer: &Dense, input: OutletId) -> TractResult<OutletId> {
        let product = self.matrix(name, &layer.matrix, input)?;
        self.with_row(name, math::add(), product, &layer.biases)
    }

    /// Each token's numbers with mean 0 and variance 1, then the factors and offsets.
    pub fn norm(&mut self, name: &str, norm: &Norm, input: OutletId) -> TractResult<OutletId> {
        let sum = self.wire(&format!("{name}.sum"), Reduce::new(tvec!(1), Reducer::Sum), &[input])?;
        let share = [1.0 / norm.factors.len() as f32];
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

    /// The `number`-th of several parts of each token's numbers, `width` wide, by heads.
    pub fn heads(
        &mut self,
        name: &str,
        input: OutletId,
        number: usize,
        width: usize,
        heads: usize,
    ) -> TractResult<OutletId> {
        let own = Slice::new(1, number * width, (number + 1) * width);
        let own = self.wire(&format!("{name}.slice"), own, &[input])?;
        let (whole, apart) = by_heads(width, heads);
        self.wire(name, AxisOp::Reshape(1, whole, apart), &[own])
    }

    /// The heads put together again.
    pub fn whole(&mut self, name: &str, input: OutletId, width: usize, heads: usize) -> TractResult<OutletId> {
        let (whole, apart) = by_heads(width, heads);
        self.wire(name, AxisOp::Reshape(1, apart, whole), &[input])
    }

    /// Products of queries and keys, of so many axes, divided by the root of a head's width.
    pub fn scaled(&mut self, name: &str, products: OutletId, width: usize, rank: usize) -> TractResult<OutletId> {
        let scale = Tensor::from_shape(&vec![1; rank], &[(width as f32).sqrt().recip()])?;
        let scale = self.model.add_const(format!("{name}.scale"), scale)?;
        self.wire(&format!("{name}.scaled"), math::mul(), &[products, scale])
    }

    /// What adds up to one along an axis.
    pub fn shares(&mut self, name: &str, products: OutletId, axis: usize) -> TractResult<OutletId> {
        let op = Softmax::new(tvec!(axis), None, SoftmaxKind::Softmax);
        self.wire(&format!("{name}.shares"), op, &[products])
    }
}

fn by_heads(width: usize, heads: usize) -> (TVec<TDim>, TVec<TDim>) {
    (tvec!(width.to_dim()), tvec!(heads.to_dim(), (width / heads).to_dim()))
}
