//! A layer's filters, transformed, and the convolution with them.

use super::{super::Misshapen, SQUARES, Tile, WEIGHTS, four, products, two};

/// Floats between two planes of a buffer's points, beyond what they hold: without them, the points of a plane would lie
/// a power of two apart, in the same few lines of the processor's cache.
const APART: usize = 16;

/// Boards that are convolved together, so that the filters, which are larger than any cache in wide networks, are read once for
/// all of them.
const TOGETHER: usize = 4;

/// The filters of a layer with their biases. Takes 16/9 of the memory of the weights with [`Tile::Two`], four times with
/// [`Tile::Four`].
#[derive(Clone, PartialEq)]
pub struct Filters {
    tile: Tile,
    inputs: usize,
    /// For each point, each block of filters and each input plane, the block's numbers: in the order in which they are
    /// read. The last block is filled up with zeros.
    transformed: Vec<f32>,
    biases: Vec<f32>,
}

shown_by_name!(Filters);

/// Buffers of a convolution, to be used again: they grow to the largest layer's size and hold nothing between two.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// Transformed tiles of all input planes, point by point.
    tiles: Vec<f32>,
    /// Their products with the filters, summed over the input planes, point by point.
    products: Vec<f32>,
}

impl Filters {
    /// Transforms filters, output planes × `inputs` × 3 × 3; one bias for each output plane. The transform is computed in
    /// double precision.
    ///
    /// # Errors
    /// When there are more or fewer weights than that.
    pub fn new(tile: Tile, inputs: usize, weights: &[f32], biases: &[f32]) -> Result<Self, Misshapen> {
        let needed = biases.len() * inputs * WEIGHTS;
        if weights.len() != needed || inputs == 0 {
            return Err(Misshapen {
                weights: weights.len(),
                needed,
            });
        }
        let block = tile.filters();
        let blocks = biases.len().div_ceil(block);
        let mut transformed = vec![0.0; tile.points() * blocks * inputs * block];
        for (number, weights) in weights.as_chunks::<WEIGHTS>().0.iter().enumerate() {
            let (output, input) = (number / inputs, number % inputs);
            let put = |point: usize, value: f32| {
                let place = (point * blocks + output / block) * inputs + input;
                transformed[place * block + output % block] = value;
            };
            match tile {
                Tile::Two => transform(&two::FILTER, weights, put),
                Tile::Four => transform(&four::FILTER, weights, put),
            }
        }
        Ok(Self {
            tile,
            inputs,
            transformed,
            biases: biases.to_vec(),
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
        self.biases.len()
    }

    /// Convolves boards, one or several that share the reading of the filters, each of all its input planes × 64, into boards of all output planes × 64, and adds the biases.
    /// What is below `least` becomes that: 0 rectifies, minus infinity leaves everything. Sums that overflow become infinite,
    /// never NaN.
    ///
    /// # Panics
    /// When `boards` or `into` are not as long as that.
    pub fn convolve(&self, boards: &[f32], into: &mut [f32], least: f32, scratch: &mut Scratch) {
        let count = boards.len() / (self.inputs * SQUARES);
        assert_eq!(boards.len(), count * self.inputs * SQUARES, "whole boards in");
        assert_eq!(into.len(), count * self.outputs() * SQUARES, "as many boards out");
        let boards = boards.chunks(TOGETHER * self.inputs * SQUARES);
        let into = into.chunks_mut(TOGETHER * self.outputs().max(1) * SQUARES);
        for (boards, into) in boards.zip(into) {
            self.convolve_together(boards, into, least, scratch);
        }
    }

    /// tract's kernels for x86-64 leave the upper halves of vector registers in use, after which instructions that know
    /// nothing of those, the default's, take five times as long: with AVX the same operations have instructions that do.
    fn convolve_together(&self, boards: &[f32], into: &mut [f32], least: f32, scratch: &mut Scratch) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx") {
            #[expect(unsafe_code, reason = "a call for processors that have AVX, of which this is one")]
            // SAFETY: the function is safe but for what it asks of the processor, which has just been asked.
            return unsafe { self.convolve_together_with_avx(boards, into, least, scratch) };
        }
        self.convolve_together_anywhere(boards, into, least, scratch);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx")]
    fn convolve_together_with_avx(&self, boards: &[f32], into: &mut [f32], least: f32, scratch: &mut Scratch) {
        self.convolve_together_anywhere(boards, into, least, scratch);
    }

    /// On x86-64 compiled into its callers, with what it calls: for the processors that they are for.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn convolve_together_anywhere(&self, boards: &[f32], into: &mut [f32], least: f32, scratch: &mut Scratch) {
        let (points, tiles) = (self.tile.points(), self.tile.count());
        let count = boards.len() / (self.inputs * SQUARES);
        // Of one board.
        let read = self.inputs.next_multiple_of(4) * tiles;
        let written = self.outputs().next_multiple_of(self.tile.filters()) * tiles;
        let (read_apart, written_apart) = (count * read + APART, count * written + APART);
        scratch.tiles.resize(points * read_apart, 0.0);
        scratch.products.resize(points * written_apart, 0.0);

        for (number, board) in boards.chunks_exact(self.inputs * SQUARES).enumerate() {
            let to = &mut scratch.tiles[number * read..];
            match self.tile {
                Tile::Two => two::board(board, to, read / 2, read_apart),
                Tile::Four => four::board(board, to, read_apart),
            }
        }
        let filters = self.transformed.chunks_exact(self.transformed.len() / points);
        let tiles = scratch.tiles.chunks_exact(read_apart);
        let sums = scratch.products.chunks_exact_mut(written_apart);
        for ((filters, tiles), sums) in filters.zip(tiles).zip(sums) {
            let (tiles, sums) = (&tiles[..count * read], &mut sums[..count * written]);
            match self.tile {
                Tile::Two => products::four_by_sixteen(filters, tiles, sums, self.inputs, read, written),
                Tile::Four => products::eight_by_four(filters, tiles, sums, self.inputs, read, written),
            }
        }
        for (number, into) in into.chunks_exact_mut(self.outputs().max(1) * SQUARES).enumerate() {
            let from = &scratch.products[number * written..];
            match self.tile {
                Tile::Two => two::squares(from, written_apart, &self.biases, least, into),
                Tile::Four => four::squares(from, written_apart, &self.biases, least, into),
            }
        }
    }
}

/// G g Gᵀ, number by number to `put`.
fn transform<const N: usize>(filter: &[[f64; 3]; N], weights: &[f32; WEIGHTS], mut put: impl FnMut(usize, f32)) {
    for (i, down) in filter.iter().enumerate() {
        for (j, across) in filter.iter().enumerate() {
            let terms = weights.iter().enumerate();
            let sum: f64 = terms
                .map(|(at, &weight)| down[at / 3] * across[at % 3] * f64::from(weight))
                .sum();
            put(N * i + j, sum as f32);
        }
    }
}
