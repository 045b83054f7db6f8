//! Dense layers: of one vector, or of every square of a board alike, which is a 1×1 convolution.

use wide::f32x4;

use super::{Misshapen, SQUARES, at_least::at_least};

/// A dense layer.
#[derive(Clone, PartialEq)]
pub struct Layer {
    inputs: usize,
    outputs: usize,
    /// Input × output; filled up with zeros to a multiple of four outputs.
    weights: Vec<f32>,
    /// Filled up likewise.
    biases: Vec<f32>,
}

shown_by_name!(Layer);

impl Layer {
    /// Of weights, output × input, and one bias for each output.
    ///
    /// # Errors
    /// When there are more or fewer weights than that.
    pub fn new(inputs: usize, weights: &[f32], biases: &[f32]) -> Result<Self, Misshapen> {
        let (outputs, needed) = (biases.len(), inputs * biases.len());
        if weights.len() != needed || inputs == 0 {
            return Err(Misshapen {
                weights: weights.len(),
                needed,
            });
        }
        let width = outputs.next_multiple_of(4);
        let mut by_input = vec![0.0; inputs * width];
        for (number, &weight) in weights.iter().enumerate() {
            by_input[number % inputs * width + number / inputs] = weight;
        }
        let mut biases = biases.to_vec();
        biases.resize(width, 0.0);
        Ok(Self {
            inputs,
            outputs,
            weights: by_input,
            biases,
        })
    }

    /// Numbers in.
    #[must_use]
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Numbers out.
    #[must_use]
    pub const fn outputs(&self) -> usize {
        self.outputs
    }

    /// Of one vector. What is below `least` becomes that: 0 rectifies, minus infinity leaves everything. What is no number
    /// becomes infinite. The weights of inputs that are 0, as half of what a rectifier gives, are not read: reading is what takes
    /// the time.
    ///
    /// # Panics
    /// When there are not as many numbers as the layer has inputs and outputs.
    pub fn of_vector(&self, numbers: &[f32], into: &mut [f32], least: f32) {
        assert_eq!(numbers.len(), self.inputs, "as many numbers as inputs");
        assert_eq!(into.len(), self.outputs, "as many numbers as outputs");
        let mut sums = self.biases.clone();
        let nothing = (0.0, self.biases.as_slice());
        let (mut four, mut held) = ([nothing; 4], 0);
        for (&number, weights) in numbers.iter().zip(self.weights.chunks_exact(self.biases.len().max(1))) {
            if number != 0.0 {
                four[held] = (number, weights);
                held += 1;
            }
            if held == four.len() {
                add(&mut sums, &four);
                (four, held) = ([nothing; 4], 0);
            }
        }
        add(&mut sums, &four);
        let least = f32x4::splat(least);
        for sums in sums.as_chunks_mut::<4>().0 {
            *sums = at_least(least, f32x4::new(*sums)).to_array();
        }
        into.copy_from_slice(&sums[..self.outputs]);
    }

    /// Of every square alike: planes × 64 in, planes × 64 out; `least` as in [`Layer::of_vector`].
    ///
    /// # Panics
    /// When there are not as many planes as the layer has inputs and outputs.
    pub fn of_squares(&self, planes: &[f32], into: &mut [f32], least: f32) {
        assert_eq!(planes.len(), self.inputs * SQUARES, "as many planes as inputs");
        assert_eq!(into.len(), self.outputs * SQUARES, "as many planes as outputs");
        let (planes, least) = (planes.as_chunks::<SQUARES>().0, f32x4::splat(least));
        let into = into.as_chunks_mut::<SQUARES>().0.iter_mut();
        for (output, (into, &bias)) in into.zip(&self.biases).enumerate() {
            let weights = self.weights.iter().skip(output).step_by(self.biases.len());
            // Half a board's sums stay in registers while all planes go by.
            for (half, into) in into.as_chunks_mut::<HALF>().0.iter_mut().enumerate() {
                let mut sums = [f32x4::splat(bias); HALF / 4];
                for (&weight, plane) in weights.clone().zip(planes) {
                    let weight = f32x4::splat(weight);
                    let squares = plane.as_chunks::<HALF>().0[half].as_chunks::<4>().0;
                    for (sum, &squares) in sums.iter_mut().zip(squares) {
                        *sum += weight * f32x4::new(squares);
                    }
                }
                for (into, sum) in into.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
                    *into = at_least(least, sum).to_array();
                }
            }
        }
    }
}

/// Half a board.
const HALF: usize = SQUARES / 2;

/// Adds the products of four numbers with their weights: in pairs, then to what is there.
#[inline(never)]
fn add(sums: &mut [f32], four: &[(f32, &[f32]); 4]) {
    let numbers = four.map(|(number, _)| f32x4::splat(number));
    let weights = four.map(|(_, weights)| weights.as_chunks::<4>().0);
    for (at, sum) in sums.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|of| numbers[of] * f32x4::new(weights[of][at]));
        *sum = (f32x4::new(*sum) + ((a + b) + (c + d))).to_array();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// In double precision, and the sizes of the terms.
    fn exact(weights: &[f32], bias: f32, numbers: impl Iterator<Item = f32>) -> (f64, f64) {
        let terms = weights.iter().zip(numbers).map(|(&w, x)| f64::from(w) * f64::from(x));
        terms.fold((f64::from(bias), f64::from(bias.abs())), |(sum, size), term| {
            (sum + term, size + term.abs())
        })
    }

    fn layer() -> impl Strategy<Value = (Vec<f32>, Vec<f32>, Vec<f32>)> {
        (1..40usize, 1..12usize).prop_flat_map(|(inputs, outputs)| {
            let numbers = |count: usize| prop::collection::vec(-9.0f32..9.0, count);
            // About a third of the inputs are 0.
            let planes = (-9.0f32..9.0).prop_map(|number| if number < -3.0 { 0.0 } else { number });
            let planes = prop::collection::vec(planes, inputs * SQUARES);
            (numbers(inputs * outputs), numbers(outputs), planes)
        })
    }

    proptest! {
        #[test]
        fn as_in_double_precision((weights, biases, planes) in layer(), rectified in any::<bool>()) {
            let inputs = planes.len() / SQUARES;
            let layer = Layer::new(inputs, &weights, &biases).unwrap();
            let least = if rectified { 0.0 } else { f32::NEG_INFINITY };
            let mut boards = vec![f32::NAN; biases.len() * SQUARES];
            layer.of_squares(&planes, &mut boards, least);
            for square in [0, 31, 32, 63] {
                let numbers: Vec<f32> = planes.iter().skip(square).step_by(SQUARES).copied().collect();
                let mut vector = vec![f32::NAN; biases.len()];
                layer.of_vector(&numbers, &mut vector, least);
                for (output, (&bias, weights)) in biases.iter().zip(weights.chunks(inputs)).enumerate() {
                    let (sum, size) = exact(weights, bias, numbers.iter().copied());
                    let sum = sum.max(f64::from(least));
                    prop_assert!((f64::from(vector[output]) - sum).abs() <= 1e-6 * size);
                    prop_assert!((f64::from(boards[output * SQUARES + square]) - sum).abs() <= 1e-6 * size);
                }
            }
        }
    }

    #[test]
    fn what_overflows_is_infinite() {
        let layer = Layer::new(2, &[f32::MAX, -f32::MAX], &[0.0]).unwrap();
        let mut into = [0.0];
        layer.of_vector(&[2.0, 2.0], &mut into, 0.0);
        assert_eq!(into, [f32::INFINITY]);
    }

    #[test]
    fn weights_must_fit() {
        let misshapen = Misshapen { weights: 5, needed: 6 };
        assert_eq!(Layer::new(3, &[0.0; 5], &[0.0; 2]), Err(misshapen));
        assert!(Layer::new(0, &[], &[0.0; 2]).is_err());
    }
}
