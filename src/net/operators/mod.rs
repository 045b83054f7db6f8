//! Our operators in tract's graphs: what computes is the package `kernels`.
//!
//! | file | what is there |
//! |---|---|
//! | `board_convolution` | 3×3 convolutions: tract multiplies them directly, which in wasm is most of a network's time; a residual network's first layer reads planes that are mostly 0, and is added up |
//! | `dense_layer` | dense layers of residual networks, 1×1 convolutions among them |
//! | `block_end` | the end of a residual block |
//!
//! A block is three nodes with them where it is seventeen of tract's own. So a small network is run in less time, and its graph is
//! optimised in a tenth.

use tract_core::internal::*;

mod block_end;
mod board_convolution;
mod dense_layer;

pub(super) use block_end::BlockEnd;
pub(super) use board_convolution::{BoardConvolution, BoardFilters};
pub(super) use dense_layer::DenseLayer;
pub use kernels::winograd::Tile;

/// How a network's layers are computed: its 3×3 convolutions above all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convolutions {
    /// As tract does it: the direct way, and everything else by tract's operators, too.
    Direct,
    /// Winograd's way where it fits, with tiles of this size; dense layers and the ends of blocks by our operators where there
    /// are some.
    Winograd(Tile),
}

/// What an operator gives: a tensor of what `write` has put into every one of its numbers. They come into a vector first, since
/// a new tensor of tract's is filled with zeros one by one.
fn given(shape: &[usize], write: &mut dyn FnMut(&mut [f32])) -> TractResult<TVec<TValue>> {
    let mut written = vec![0.0; shape.iter().product()];
    write(&mut written);
    Ok(tvec!(Tensor::from_shape(shape, &written)?.into()))
}

/// Filters up to which the larger tiles are used: their error is known for networks as narrow as that
/// (`tests/net_winograd.rs`), and they take more than twice the memory of the smaller ones.
const NARROW: usize = 64;

impl Convolutions {
    /// How a network with so many filters is computed unless somebody says otherwise: Winograd's way, with the larger tiles where
    /// it is narrow, and else with the smaller ones, whose outputs are as exact as the direct way's.
    #[must_use]
    pub const fn fitting(filters: usize) -> Self {
        Self::Winograd(if filters <= NARROW { Tile::Four } else { Tile::Two })
    }
}

#[cfg(test)]
mod tests;
