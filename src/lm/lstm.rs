//! What a recurrent network has read: the state of every layer, kept after every token so that it can go back.

use super::model::LstmLayer;
use crate::tensors::layers::Dense;

/// A recurrent network with what it has read.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    layers: Vec<LstmLayer>,
    /// Vocabulary × width.
    output: Vec<f32>,
    width: usize,
    /// After each token, for each layer in turn: what it gave, then its cell.
    states: Vec<Vec<f32>>,
}

impl Memory {
    pub fn new(layers: &[LstmLayer], output: &[f32], width: usize) -> Self {
        Self {
            layers: layers.to_vec(),
            output: output.to_vec(),
            width,
            states: Vec::new(),
        }
    }

    /// Forgets all tokens but the first `length`.
    pub fn keep(&mut self, length: usize) {
        self.states.truncate(length);
    }

    /// Reads more tokens, `embedded` one after the other; gives the logits after each.
    pub fn read(&mut self, embedded: &[f32]) -> Vec<f32> {
        let mut logits = Vec::new();
        for token in embedded.chunks_exact(self.width) {
            let last = self.step(token);
            logits.extend(self.output.chunks_exact(self.width).map(|row| dot(row, &last)));
        }
        logits
    }

    /// One token through all layers; what the last one gives.
    fn step(&mut self, token: &[f32]) -> Vec<f32> {
        let width = self.width;
        let nothing = vec![0.0; 2 * width * self.layers.len()];
        let before = self.states.last().unwrap_or(&nothing);
        let mut after = Vec::with_capacity(nothing.len());
        let mut flow = token.to_vec();
        for (layer, state) in self.layers.iter().zip(before.chunks_exact(2 * width)) {
            let (given, cell) = state.split_at(width);
            let gates: Vec<f32> = product(&layer.input, &flow)
                .zip(product(&layer.hidden, given))
                .map(|(a, b)| a + b)
                .collect();
            let cell: Vec<f32> = (0..width)
                .map(|i| {
                    let [input, forget, new] = [gates[i], gates[width + i], gates[2 * width + i]];
                    sigmoid(forget) * cell[i] + sigmoid(input) * new.tanh()
                })
                .collect();
            flow = (0..width)
                .map(|i| sigmoid(gates[3 * width + i]) * cell[i].tanh())
                .collect();
            after.extend(&flow);
            after.extend(cell);
        }
        self.states.push(after);
        flow
    }
}

fn product<'a>(layer: &'a Dense, input: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
    let rows = layer.matrix.weights.chunks_exact(layer.matrix.inputs);
    rows.zip(&layer.biases).map(move |(row, bias)| bias + dot(row, input))
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
