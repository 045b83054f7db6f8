//! The package `winograd`, compiled with SIMD128.

use crate::convolution_bits::{EXPECTED, digest};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn a_convolution_has_the_bits_that_it_has_natively() {
    for (tile, expected) in EXPECTED {
        assert_eq!(digest(tile), expected, "{tile:?}");
    }
}
