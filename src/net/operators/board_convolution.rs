//! A node of the graph: one layer's convolution with its biases, and the rectifier where one follows.

use std::{cell::RefCell, sync::Arc};

use kernels::{
    SQUARES,
    sparse::SparseFilters,
    winograd::{Filters, Scratch},
};
use tract_core::internal::*;

use super::given;

thread_local! {
    /// One for all layers of all networks on a thread, which come one after the other.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// A layer's filters. Shared, as tract copies operators while it optimises.
#[derive(Debug, Clone)]
pub enum BoardFilters {
    /// For any boards: Winograd's filtering.
    Winograd(Arc<Filters>),
    /// For boards that are mostly 0.
    Sparse(Arc<SparseFilters>),
}

impl BoardFilters {
    fn inputs(&self) -> usize {
        match self {
            Self::Winograd(filters) => filters.inputs(),
            Self::Sparse(filters) => filters.inputs(),
        }
    }

    /// Output planes.
    pub fn outputs(&self) -> usize {
        match self {
            Self::Winograd(filters) => filters.outputs(),
            Self::Sparse(filters) => filters.outputs(),
        }
    }
}

/// The same layer: filters are large, and not compared.
impl PartialEq for BoardFilters {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Winograd(own), Self::Winograd(other)) => Arc::ptr_eq(own, other),
            (Self::Sparse(own), Self::Sparse(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for BoardFilters {}

/// Reads boards × input planes × 8 × 8, gives boards × output planes × 8 × 8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardConvolution {
    /// What the boards are convolved with.
    pub filters: BoardFilters,
    /// Whether max(x, 0) follows.
    pub rectified: bool,
}

impl BoardConvolution {
    /// Convolves boards, one after the other in both.
    pub fn convolve(&self, boards: &[f32], into: &mut [f32]) {
        let least = if self.rectified { 0.0 } else { f32::NEG_INFINITY };
        match &self.filters {
            BoardFilters::Winograd(filters) => {
                SCRATCH.with_borrow_mut(|scratch| filters.convolve(boards, into, least, scratch));
            }
            BoardFilters::Sparse(filters) => {
                let boards = boards.chunks_exact(SQUARES * filters.inputs());
                for (board, into) in boards.zip(into.chunks_exact_mut(SQUARES * filters.outputs().max(1))) {
                    filters.convolve(board, into, least);
                }
            }
        }
    }
}

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
