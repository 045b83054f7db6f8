//! 3×3 convolutions of boards most of whose squares are 0, as a network's first layer reads them: a man stands on few squares of
//! its plane. Each square that is not 0 is added to the nine around it, every filter's weight at once; the others cost
//! nothing, where Winograd's transforms would fill them.

use wide::f32x4;

use super::{Misshapen, SQUARES, at_least::at_least, winograd::WEIGHTS};

/// Files and ranks.
const SIDE: usize = 8;

/// Output planes that go together.
const BLOCK: usize = 16;

/// The filters of a layer with their biases.
#[derive(Clone, PartialEq)]
pub struct SparseFilters {
    inputs: usize,
    outputs: usize,
    /// For each input plane and each of a filter's nine squares, every filter's weight; filled up with zeros to whole blocks.
    weights: Vec<f32>,
    /// In the same order.
    biases: Vec<f32>,
}

shown_by_name!(SparseFilters);

impl SparseFilters {
    /// Of filters, output planes × `inputs` × 3 × 3; one bias for each output plane.
    ///
    /// # Errors
    /// When there are more or fewer weights than that.
    pub fn new(inputs: usize, weights: &[f32], biases: &[f32]) -> Result<Self, Misshapen> {
        let (outputs, needed) = (biases.len(), biases.len() * inputs * WEIGHTS);
        if weights.len() != needed || inputs == 0 {
            return Err(Misshapen {
                weights: weights.len(),
                needed,
            });
        }
        let width = outputs.next_multiple_of(BLOCK);
        let mut turned = vec![0.0; inputs * WEIGHTS * width];
        for (output, weights) in weights.chunks_exact(inputs * WEIGHTS).enumerate() {
            for (place, &weight) in weights.iter().enumerate() {
                turned[place * width + output] = weight;
            }
        }
        let mut filled = vec![0.0; width];
        filled[..outputs].copy_from_slice(biases);
        Ok(Self {
            inputs,
            outputs,
            weights: turned,
            biases: filled,
        })
    }

    /// Input planes.
    #[must_use]
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Output planes.
    #[must_use]
    pub const fn outputs(&self) -> usize {
        self.outputs
    }

    /// Convolves one board, all its input planes × 64, into all output planes × 64, and adds the biases. What is below `least`
    /// becomes that: 0 rectifies, minus infinity leaves everything. What is no number becomes infinite.
    ///
    /// # Panics
    /// When `board` or `into` are not as long as that.
    pub fn convolve(&self, board: &[f32], into: &mut [f32], least: f32) {
        assert!(
            board.len() == self.inputs * SQUARES && into.len() == self.outputs * SQUARES,
            "a whole board in, and one out"
        );
        let width = self.biases.len();
        if width == 0 {
            return;
        }
        // Square by square, all planes of each.
        let mut sums = self.biases.repeat(SQUARES);
        // What planes that are one number everywhere give together: castling rights, the half-move clock, the edge of the board.
        let mut everywhere = vec![0.0; WEIGHTS * width];
        let planes = board.as_chunks::<SQUARES>().0.iter();
        for (plane, weights) in planes.zip(self.weights.chunks_exact(WEIGHTS * width)) {
            if is_one_number(plane) {
                if plane[0] != 0.0 {
                    add(plane[0], weights, &mut everywhere);
                }
                continue;
            }
            for (square, &number) in plane.iter().enumerate() {
                if number != 0.0 {
                    around(square, number, weights, &mut sums);
                }
            }
        }
        for square in 0..SQUARES {
            around(square, 1.0, &everywhere, &mut sums);
        }
        let least = f32x4::splat(least);
        for (square, sums) in sums.chunks_exact(width).enumerate() {
            for (group, &sums) in sums.as_chunks::<4>().0.iter().enumerate() {
                let sums = at_least(least, f32x4::new(sums)).to_array();
                for (plane, sum) in (4 * group..self.outputs).zip(sums) {
                    into[plane * SQUARES + square] = sum;
                }
            }
        }
    }
}

#[inline(never)]
fn is_one_number(plane: &[f32]) -> bool {
    plane.iter().all(|&number| number == plane[0])
}

/// Adds what a square's number gives to the squares around it.
#[inline(never)]
fn around(square: usize, number: f32, weights: &[f32], sums: &mut [f32]) {
    let width = weights.len() / WEIGHTS;
    let (rank, file) = (square / SIDE, square % SIDE);
    for (place, weights) in weights.chunks_exact(width).enumerate() {
        // A filter's square lies as far from its middle as the number's square from the one that it is added to: one less than
        // these, which are beyond the board where they are 0 or 9.
        let (rank, file) = (rank + 2 - place / 3, file + 2 - place % 3);
        if (1..=SIDE).contains(&rank) && (1..=SIDE).contains(&file) {
            add(
                number,
                weights,
                &mut sums[(SIDE * (rank - 1) + file - 1) * width..][..width],
            );
        }
    }
}

/// Adds `number` times the weights. A function of its own: compiled into its callers it would take a kilobyte of the worker.
#[inline(never)]
fn add(number: f32, weights: &[f32], sums: &mut [f32]) {
    let number = f32x4::splat(number);
    for (sums, weights) in sums
        .as_chunks_mut::<BLOCK>()
        .0
        .iter_mut()
        .zip(weights.as_chunks::<BLOCK>().0)
    {
        let pairs = sums.as_chunks_mut::<4>().0.iter_mut().zip(weights.as_chunks::<4>().0);
        for (sum, &weight) in pairs {
            *sum = (f32x4::new(*sum) + number * f32x4::new(weight)).to_array();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::winograd::{Filters, Scratch, Tile};

    /// Inputs, outputs, weights, biases and a board, of which about a tenth is not 0.
    fn layer() -> impl Strategy<Value = (usize, Vec<f32>, Vec<f32>, Vec<f32>)> {
        (1..12usize, 0..11usize).prop_flat_map(|(inputs, outputs)| {
            let numbers = |count: usize| prop::collection::vec(-9.0f32..9.0, count);
            let square = prop_oneof![9 => Just(0.0f32), 1 => -9.0f32..9.0];
            let board = prop::collection::vec(square, inputs * SQUARES);
            (
                Just(inputs),
                numbers(inputs * outputs * WEIGHTS),
                numbers(outputs),
                board,
            )
        })
    }

    proptest! {
        #[test]
        fn as_winograds_way((inputs, weights, biases, board) in layer(), rectified in any::<bool>()) {
            let least = if rectified { 0.0 } else { f32::NEG_INFINITY };
            let mut ours = vec![f32::NAN; biases.len() * SQUARES];
            SparseFilters::new(inputs, &weights, &biases).unwrap().convolve(&board, &mut ours, least);
            let mut theirs = ours.clone();
            let filters = Filters::new(Tile::Two, inputs, &weights, &biases).unwrap();
            filters.convolve(&board, &mut theirs, least, &mut Scratch::default());
            for (ours, theirs) in ours.iter().zip(&theirs) {
                prop_assert!((ours - theirs).abs() < 0.02, "{ours} {theirs}");
            }
        }
    }

    #[test]
    fn a_square_in_the_corner_gives_to_the_four_that_it_touches() {
        let weights: Vec<f32> = (1..=9).map(|weight| weight as f32).collect();
        let filters = SparseFilters::new(1, &weights, &[0.5]).unwrap();
        let mut board = [0.0; SQUARES];
        board[0] = 2.0;
        let mut into = [0.0; SQUARES];
        filters.convolve(&board, &mut into, 0.0);
        let mut expected = [0.5; SQUARES];
        (expected[0], expected[1], expected[8], expected[9]) = (10.5, 8.5, 4.5, 2.5);
        assert_eq!(into, expected);
    }

    #[test]
    fn what_overflows_is_infinite() {
        let filters = SparseFilters::new(1, &[-f32::MAX; WEIGHTS], &[f32::INFINITY]).unwrap();
        let mut into = [0.0; SQUARES];
        filters.convolve(&[f32::MAX; SQUARES], &mut into, 0.0);
        assert_eq!(into, [f32::INFINITY; SQUARES]);
    }

    #[test]
    fn weights_must_fit() {
        let misshapen = Misshapen { weights: 5, needed: 18 };
        assert_eq!(SparseFilters::new(1, &[0.0; 5], &[0.0; 2]), Err(misshapen));
        assert!(SparseFilters::new(0, &[], &[0.0; 2]).is_err());
    }
}
