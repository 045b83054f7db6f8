//! The same convolution gives the same bits natively and in wasm: the suite and the tests in a browser both ask for it.

#![allow(clippy::unwrap_used, reason = "a test that can't compute has failed")]

use winograd::{Filters, SQUARES, Scratch, Tile, WEIGHTS};

const INPUTS: usize = 29;
const OUTPUTS: usize = 21;

/// What each size of tiles gives, as a digest.
pub const EXPECTED: [(Tile, u32); 2] = [(Tile::Two, 0x3f3c_7233), (Tile::Four, 0xc6a7_ab38)];

/// FNV-1a over the bits of a convolution of numbers that look random.
pub fn digest(tile: Tile) -> u32 {
    let mut state = 1u32;
    let mut sequence = |count: usize| -> Vec<f32> {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        (0..count).map(|_| next()).collect()
    };
    let (weights, biases) = (sequence(OUTPUTS * INPUTS * WEIGHTS), sequence(OUTPUTS));
    let filters = Filters::new(tile, INPUTS, &weights, &biases).unwrap();
    let mut output = vec![0.0; OUTPUTS * SQUARES];
    filters.convolve(&sequence(INPUTS * SQUARES), &mut output, 0.0, &mut Scratch::default());
    output.iter().fold(0x811c_9dc5, |digest, number| {
        (digest ^ number.to_bits()).wrapping_mul(0x0100_0193)
    })
}
