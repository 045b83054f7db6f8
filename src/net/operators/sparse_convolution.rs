//! The first layer as an operator: a 3×3 convolution of the planes that show a position.

use std::sync::Arc;

use kernels::sparse::SparseFilters;
use tract_core::internal::*;

use super::given;

/// Reads 1 × input planes × 8 × 8, which the graph's source has, and gives 1 × output planes × 8 × 8.
#[derive(Debug, Clone)]
pub struct SparseConvolution {
    /// Shared, as tract copies operators while it optimises.
    pub filters: Arc<SparseFilters>,
    /// Whether max(x, 0) follows.
    pub rectified: bool,
}

impl SparseConvolution {
    fn shape(&self) -> [usize; 4] {
        [1, self.filters.outputs(), 8, 8]
    }
}

/// The same layer: filters are large, and not compared.
impl PartialEq for SparseConvolution {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.filters, &other.filters) && self.rectified == other.rectified
    }
}

impl Eq for SparseConvolution {}

impl Op for SparseConvolution {
    fn name(&self) -> StaticName {
        "SparseConvolution".into()
    }

    op_as_typed_op!();
}

impl EvalOp for SparseConvolution {
    op_out_of_plan!();

    fn eval(&self, _ctx: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let input = args_1!(inputs);
        let board = input.try_as_plain_ram()?.as_slice::<f32>()?;
        let least = if self.rectified { 0.0 } else { f32::NEG_INFINITY };
        given(&self.shape(), &mut |into: &mut [f32]| {
            self.filters.convolve(board, into, least)
        })
    }
}

impl TypedOp for SparseConvolution {
    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        Ok(tvec!(inputs[0].datum_type.fact(self.shape())))
    }

    as_op!();
}
