//! The package `kernels`, compiled with SIMD128.

use crate::convolution_bits::{EXPECTED, EXPECTED_BLOCK, block_digest, digest};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn a_convolution_has_the_bits_that_it_has_natively() {
    for (tile, expected) in EXPECTED {
        assert_eq!(digest(tile), expected, "{tile:?}");
    }
}

#[wasm_bindgen_test]
fn so_have_the_end_of_a_block_and_a_dense_layer() {
    assert_eq!(block_digest(), EXPECTED_BLOCK);
}
