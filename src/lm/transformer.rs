//! What a transformer has read: keys and values of every token, in every block.

use std::sync::Arc;

use tract_core::{
    internal::*,
    prelude::{IntoRunnable, TypedRunnableModel},
};

use super::{
    graph,
    model::{Model, Transformer},
    reader::ReadError,
};

/// Added to a product that must not be seen. Not an infinity: tract's exponential is an approximation that need not know it.
const UNSEEN: f32 = -1e9;

/// A transformer with what it has read.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    plan: Arc<TypedRunnableModel>,
    positions: Vec<f32>,
    width: usize,
    heads: usize,
    window: Option<usize>,
    /// Keys, then values, of each block in turn: a row of `width` numbers for each token.
    kept: Vec<Vec<f32>>,
    /// Tokens read.
    length: usize,
}

impl Memory {
    pub fn new(model: &Model, body: &Transformer) -> Result<Self, ReadError> {
        let plan = graph::build(model, body)
            .and_then(TypedModel::into_optimized)
            .and_then(IntoRunnable::into_runnable)
            .map_err(|error| ReadError::Build(format!("{error:#}")))?;
        Ok(Self {
            plan,
            positions: body.positions.clone(),
            width: model.header.width,
            heads: model.header.heads,
            window: model.header.window,
            kept: vec![Vec::new(); 2 * body.blocks.len()],
            length: 0,
        })
    }

    /// Forgets all tokens but the first `length`.
    pub fn keep(&mut self, length: usize) {
        self.length = self.length.min(length);
        for kept in &mut self.kept {
            kept.truncate(self.length * self.width);
        }
    }

    /// Reads more tokens, `embedded` one after the other; gives the logits after each.
    pub fn read(&mut self, embedded: &[f32]) -> Result<Vec<f32>, ReadError> {
        self.run(embedded).map_err(|error| ReadError::Run(format!("{error:#}")))
    }

    fn run(&mut self, embedded: &[f32]) -> TractResult<Vec<f32>> {
        let (width, past) = (self.width, self.length);
        let new = embedded.len() / width;
        let positions = &self.positions[past * width..(past + new) * width];
        let tokens: Vec<f32> = embedded.iter().zip(positions).map(|(a, b)| a + b).collect();
        let mut inputs: TVec<TValue> = tvec!(
            Tensor::from_shape(&[new, width], &tokens)?.into(),
            Tensor::from_shape(&[new, past + new], &self.seen(new))?.into(),
        );
        let shape = [past, self.heads, width / self.heads];
        for kept in &self.kept {
            inputs.push(Tensor::from_shape(&shape, kept)?.into());
        }
        let mut outputs = self.plan.run(inputs)?.into_iter();
        let numbers = |tensor: Option<TValue>| -> TractResult<Vec<f32>> {
            let tensor = tensor.context("an output is missing")?;
            Ok(tensor.try_as_plain_ram()?.as_slice::<f32>()?.to_vec())
        };
        let logits = numbers(outputs.next())?;
        for kept in &mut self.kept {
            kept.extend(numbers(outputs.next())?);
        }
        self.length += new;
        Ok(logits)
    }

    /// What each of the new tokens sees: those before it, itself, and none beyond the window.
    fn seen(&self, new: usize) -> Vec<f32> {
        let mut seen = Vec::with_capacity(new * (self.length + new));
        for reader in self.length..self.length + new {
            let first = self.window.map_or(0, |window| reader.saturating_sub(window));
            seen.extend((0..self.length + new).map(
                |token| {
                    if (first..=reader).contains(&token) { 0.0 } else { UNSEEN }
                },
            ));
        }
        seen
    }
}
