//! A node of the graph: one layer's convolution with its biases, and the rectifier where one follows.

use std::{cell::RefCell, sync::Arc};

use kernels::{
    SQUARES,
    winograd::{Filters, Scratch},
};
use tract_core::internal::*;

use super::given;

thread_local! {
    /// One for all layers of all networks on a thread, which come one after the other.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Reads boards × input planes × 8 × 8, gives boards × output planes × 8 × 8.
#[derive(Debug, Clone)]
pub struct BoardConvolution {
    /// Shared, as tract copies operators while it optimises.
    pub filters: Arc<Filters>,
    /// Whether max(x, 0) follows.
    pub rectified: bool,
}

impl BoardConvolution {
    /// Convolves boards, one after the other in both.
    pub fn convolve(&self, boards: &[f32], into: &mut [f32]) {
        let least = if self.rectified { 0.0 } else { f32::NEG_INFINITY };
        SCRATCH.with_borrow_mut(|scratch| self.filters.convolve(boards, into, least, scratch));
    }
}

/// The same layer: filters are large, and not compared.
impl PartialEq for BoardConvolution {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.filters, &other.filters) && self.rectified == other.rectified
    }
}

impl Eq for BoardConvolution {}

impl Op for BoardConvolution {
    fn name(&self) -> StaticName {
        "BoardConvolution".into()
    }

    op_as_typed_op!();
}

impl EvalOp for BoardConvolution {
    op_out_of_plan!();

    fn eval(&self, _ctx: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let input = args_1!(inputs);
        let boards = input.try_as_plain_ram()?.as_slice::<f32>()?;
        let mut shape: TVec<usize> = input.shape().into();
        ensure!(
            shape.len() == 4 && shape[1] == self.filters.inputs() && shape[2] * shape[3] == SQUARES,
            "{shape:?} are no boards of {} planes",
            self.filters.inputs()
        );
        shape[1] = self.filters.outputs();
        given(&shape, &mut |into: &mut [f32]| self.convolve(boards, into))
    }
}

impl TypedOp for BoardConvolution {
    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let mut fact = inputs[0].without_value();
        fact.shape.set(1, self.filters.outputs().to_dim());
        Ok(tvec!(fact))
    }

    as_op!();
}
