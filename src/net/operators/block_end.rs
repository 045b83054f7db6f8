//! A node of the graph: the end of a residual block whose activation is the rectifier.

use std::sync::Arc;

use kernels::excitation::{Excitation, end_block};
use tract_core::internal::*;

use super::given;

/// Reads what the block's last convolution gives and what the block began with, both 1 × filters × 8 × 8; gives as much.
#[derive(Debug, Clone)]
pub struct BlockEnd {
    /// Squeeze and excitation, where the block has it. Shared, as tract copies operators while it optimises.
    pub excitation: Option<Arc<Excitation>>,
}

/// The same layers: weights are not compared.
impl PartialEq for BlockEnd {
    fn eq(&self, other: &Self) -> bool {
        match (&self.excitation, &other.excitation) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }
}

impl Eq for BlockEnd {}

impl Op for BlockEnd {
    fn name(&self) -> StaticName {
        "BlockEnd".into()
    }

    op_as_typed_op!();
}

impl EvalOp for BlockEnd {
    op_out_of_plan!();

    fn eval(&self, _ctx: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let (flow, input) = args_2!(inputs);
        ensure!(
            flow.shape() == input.shape(),
            "{:?} is added to {:?}",
            flow.shape(),
            input.shape()
        );
        let input = input.try_as_plain_ram()?.as_slice::<f32>()?;
        let shape = flow.shape();
        let flow = flow.try_as_plain_ram()?.as_slice::<f32>()?;
        given(shape, &mut |into: &mut [f32]| {
            end_block(self.excitation.as_deref(), flow, input, into)
        })
    }
}

impl TypedOp for BlockEnd {
    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        Ok(tvec!(inputs[0].without_value()))
    }

    as_op!();
}
