//! Puts the operator in the place of tract's own where it fits.

use std::sync::Arc;

use tract_core::{
    internal::*,
    ops::{
        binary::TypedBinOp,
        cnn::{Conv, KernelFormat, PaddingSpec},
        math::Max,
        nn::DataFormat,
    },
    transform::ModelTransform,
};
use winograd::{Filters, Tile};

use super::operator::BoardConvolution;

/// Every convolution of 3×3 over 8×8 that keeps the board's size and whose weights are known becomes a
/// [`BoardConvolution`], with the rectifier that follows it. The weights are left out of the graph.
#[derive(Debug)]
pub struct Swap(pub Tile);

impl ModelTransform for Swap {
    fn name(&self) -> StaticName {
        "kibitz_winograd".into()
    }

    fn transform(&self, model: &mut TypedModel) -> TractResult<()> {
        Rewriter::<Tile>::default()
            .with_rule_for("winograd", swapped)
            .rewrite(&self.0, model)?;
        model.compact()
    }
}

fn swapped(
    &tile: &Tile,
    model: &TypedModel,
    node: &TypedNode,
    name: &str,
    convolution: &Conv,
) -> TractResult<Option<TypedModelPatch>> {
    let [board, weights, biases] = node.inputs[..] else {
        return Ok(None);
    };
    let fact = model.outlet_fact(board)?;
    rule_if!(fits(convolution, fact));
    rule_if_some!(weights = &model.outlet_fact(weights)?.konst);
    rule_if_some!(biases = &model.outlet_fact(biases)?.konst);
    let (inputs, outputs) = (
        convolution.pool_spec.input_channels,
        convolution.pool_spec.output_channels,
    );
    rule_if!(weights.datum_type() == f32::datum_type() && weights.shape() == [outputs, inputs, 3, 3]);
    rule_if!(biases.datum_type() == f32::datum_type() && biases.len() == outputs);
    let filters = Filters::new(
        tile,
        inputs,
        weights.try_as_plain_ram()?.as_slice()?,
        biases.try_as_plain_ram()?.as_slice()?,
    )?;
    let rectifier = rectifier_after(model, node)?;
    let operator = BoardConvolution {
        filters: Arc::new(filters),
        rectified: rectifier.is_some(),
    };
    let mut patch = TypedModelPatch::default();
    let board = patch.tap_model(model, board)?;
    let output = patch.wire_node(name, operator, &[board])?[0];
    patch.shunt_outside(model, rectifier.unwrap_or(node.id).into(), output)?;
    Ok(Some(patch))
}

fn fits(convolution: &Conv, board: &TypedFact) -> bool {
    let pool = &convolution.pool_spec;
    let ones = |numbers: &Option<TVec<usize>>| numbers.iter().flatten().all(|&number| number == 1);
    let padding = match &pool.padding {
        PaddingSpec::Explicit(before, after) => before[..] == [1, 1] && after[..] == [1, 1],
        PaddingSpec::SameUpper | PaddingSpec::SameLower => true,
        _ => false,
    };
    convolution.group == 1
        && convolution.q_params.is_none()
        && convolution.kernel_fmt == KernelFormat::OIHW
        && pool.data_format == DataFormat::NCHW
        && pool.kernel_shape[..] == [3, 3]
        && padding
        && ones(&pool.strides)
        && ones(&pool.dilations)
        && board.datum_type == f32::datum_type()
        && board.rank() == 4
        && board.shape[2] == 8.to_dim()
        && board.shape[3] == 8.to_dim()
}

/// The node that takes max(x, 0) of what this one gives, where nothing else reads it.
fn rectifier_after(model: &TypedModel, node: &TypedNode) -> TractResult<Option<usize>> {
    let [next] = node.outputs[0].successors[..] else {
        return Ok(None);
    };
    rule_if!(!model.output_outlets()?.contains(&node.id.into()));
    let next = model.node(next.node);
    rule_if_some!(operation = next.op_as::<TypedBinOp>());
    rule_if!(operation.0.is::<Max>() && next.inputs.len() == 2);
    for &input in &next.inputs {
        if input.node != node.id {
            rule_if_some!(number = &model.outlet_fact(input)?.konst);
            rule_if!(number.len() == 1 && number.cast_to_scalar::<f32>()? == 0.0);
            return Ok(Some(next.id));
        }
    }
    Ok(None)
}
