//! Several positions through a graph side by side, so that the filters of each convolution are read once for all of them.
//! Everything else is computed position by position, as if each were alone: so the results are the same to the last bit.

use std::sync::Arc;

use tract_core::{
    internal::*,
    plan::SimpleState,
    prelude::{TypedModel, TypedRunnableModel},
};

use super::operators::BoardConvolution;

/// The outputs of a graph for each of several inputs.
pub(super) fn run(plan: &Arc<TypedRunnableModel>, inputs: Vec<Tensor>) -> TractResult<Vec<TVec<TValue>>> {
    let mut states = Vec::with_capacity(inputs.len());
    for input in inputs {
        let mut state = plan.spawn()?;
        state.set_inputs(tvec!(input.into()))?;
        states.push(state);
    }
    let (model, order) = (plan.model(), plan.order_without_consts());
    let last_read = last_read(model, order)?;
    for (step, &node) in order.iter().enumerate() {
        match model.node(node).op_as::<BoardConvolution>() {
            Some(convolution) => convolve(convolution, node, &mut states)?,
            None => {
                for state in &mut states {
                    state.compute_one(node)?;
                }
            }
        }
        // What is read no more would otherwise stay until the end, for every position.
        for read in &model.node(node).inputs {
            if last_read[read.node] == step {
                for state in &mut states {
                    state.set_values(read.node, tvec!())?;
                }
            }
        }
    }
    states.iter_mut().map(SimpleState::outputs).collect()
}

/// For each node the step that reads it last; never for one whose values are wanted in the end, or constants.
fn last_read(model: &TypedModel, order: &[usize]) -> TractResult<Vec<usize>> {
    let mut last = vec![usize::MAX; model.nodes().len()];
    for (step, &node) in order.iter().enumerate() {
        for read in &model.node(node).inputs {
            last[read.node] = step;
        }
    }
    for output in model.output_outlets()? {
        last[output.node] = usize::MAX;
    }
    for node in model.nodes() {
        if !order.contains(&node.id) {
            last[node.id] = usize::MAX;
        }
    }
    Ok(last)
}

/// Convolves the boards of all states together.
fn convolve(
    convolution: &BoardConvolution,
    node: usize,
    states: &mut [SimpleState<TypedFact, Box<dyn TypedOp>>],
) -> TractResult<()> {
    let mut boards = Vec::new();
    for state in &*states {
        let input = args_1!(state.prepare_inputs(node)?);
        boards.extend_from_slice(input.try_as_plain_ram()?.as_slice::<f32>()?);
    }
    let shape = [1, convolution.filters.outputs(), 8, 8];
    let each = shape.iter().product();
    let mut outputs = vec![0.0; states.len() * each];
    convolution.convolve(&boards, &mut outputs);
    for (state, own) in states.iter_mut().zip(outputs.chunks_exact(each)) {
        state.set_value(node, Tensor::from_shape(&shape, own)?.into())?;
    }
    Ok(())
}
