//! The same layers give the same bits natively and in wasm: the suite and the tests in a browser both ask for it.

#![allow(clippy::unwrap_used, reason = "a test that can't compute has failed")]

use kernels::{
    SQUARES,
    dense::Layer,
    excitation::{Excitation, end_block},
    winograd::{Filters, Scratch, Tile, WEIGHTS},
};

const INPUTS: usize = 29;
const OUTPUTS: usize = 21;

/// What each size of tiles gives, as a digest.
pub const EXPECTED: [(Tile, u32); 2] = [(Tile::Two, 0x3f3c_7233), (Tile::Four, 0xc6a7_ab38)];

/// What [`block_digest`] gives.
pub const EXPECTED_BLOCK: u32 = 0xf8fa_6e4d;

/// The same of the end of a block, with its squeeze and excitation.
pub fn block_digest() -> u32 {
    const PLANES: usize = 22;
    const SQUEEZED: usize = 7;
    let mut sequence = sequence();
    let squeeze = Layer::new(PLANES, &sequence(SQUEEZED * PLANES), &sequence(SQUEEZED)).unwrap();
    let excite = Layer::new(SQUEEZED, &sequence(2 * PLANES * SQUEEZED), &sequence(2 * PLANES)).unwrap();
    let excitation = Excitation::new(squeeze, excite).unwrap();
    let (flow, input) = (sequence(PLANES * SQUARES), sequence(PLANES * SQUARES));
    let mut ended = vec![0.0; flow.len()];
    end_block(Some(&excitation), &flow, &input, &mut ended);
    let layer = Layer::new(PLANES, &sequence(5 * PLANES), &sequence(5)).unwrap();
    let mut output = vec![0.0; 5 * SQUARES];
    layer.of_squares(&ended, &mut output, 0.0);
    digest_of(&[ended, output].concat())
}

/// Numbers that look random, as many as are asked for.
fn sequence() -> impl FnMut(usize) -> Vec<f32> {
    let mut state = 1u32;
    move |count| {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        (0..count).map(|_| next()).collect()
    }
}

/// FNV-1a over the bits.
fn digest_of(numbers: &[f32]) -> u32 {
    numbers.iter().fold(0x811c_9dc5, |digest, number| {
        (digest ^ number.to_bits()).wrapping_mul(0x0100_0193)
    })
}

/// FNV-1a over the bits of a convolution of numbers that look random.
pub fn digest(tile: Tile) -> u32 {
    let mut sequence = sequence();
    let (weights, biases) = (sequence(OUTPUTS * INPUTS * WEIGHTS), sequence(OUTPUTS));
    let filters = Filters::new(tile, INPUTS, &weights, &biases).unwrap();
    let mut output = vec![0.0; OUTPUTS * SQUARES];
    filters.convolve(&sequence(INPUTS * SQUARES), &mut output, 0.0, &mut Scratch::default());
    digest_of(&output)
}
