//! A node of the graph: a dense layer, with the rectifier where one follows.

use std::sync::Arc;

use kernels::{SQUARES, dense::Layer};
use tract_core::internal::*;

use super::given;

/// Reads numbers of any shape, as many as the layer reads, and gives 1 × outputs × 1 × 1; or planes, and gives 1 × outputs × 8 × 8.
#[derive(Debug, Clone)]
pub struct DenseLayer {
    /// Shared, as tract copies operators while it optimises.
    pub layer: Arc<Layer>,
    /// Whether it is of every square alike.
    pub of_squares: bool,
    /// Whether max(x, 0) follows.
    pub rectified: bool,
}

impl DenseLayer {
    fn shape(&self) -> [usize; 4] {
        let side = if self.of_squares { 8 } else { 1 };
        [1, self.layer.outputs(), side, side]
    }
}

/// The same layer: weights are large, and not compared.
impl PartialEq for DenseLayer {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.layer, &other.layer)
            && (self.of_squares, self.rectified) == (other.of_squares, other.rectified)
    }
}

impl Eq for DenseLayer {}

impl Op for DenseLayer {
    fn name(&self) -> StaticName {
        "DenseLayer".into()
    }

    op_as_typed_op!();
}

impl EvalOp for DenseLayer {
    op_out_of_plan!();

    fn eval(&self, _ctx: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let input = args_1!(inputs);
        let numbers = input.try_as_plain_ram()?.as_slice::<f32>()?;
        let needed = self.layer.inputs() * if self.of_squares { SQUARES } else { 1 };
        ensure!(
            numbers.len() == needed,
            "{} numbers where a layer reads {needed}",
            numbers.len()
        );
        let least = if self.rectified { 0.0 } else { f32::NEG_INFINITY };
        given(&self.shape(), &mut |into: &mut [f32]| {
            if self.of_squares {
                self.layer.of_squares(numbers, into, least);
            } else {
                self.layer.of_vector(numbers, into, least);
            }
        })
    }
}

impl TypedOp for DenseLayer {
    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        Ok(tvec!(inputs[0].datum_type.fact(self.shape())))
    }

    as_op!();
}
