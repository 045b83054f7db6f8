//! Winograd's convolution as an operator of tract's graphs: what computes is the package `winograd`.
//!
//! tract multiplies 3×3 convolutions directly, which in wasm is most of a network's time.

mod operator;
mod swap;

use tract_core::{internal::*, transform::ModelTransform};
pub use winograd::Tile;

/// How a network's 3×3 convolutions are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convolutions {
    /// As tract does it: the direct way.
    Direct,
    /// Winograd's way where it fits, with tiles of this size.
    Winograd(Tile),
}

/// With the smaller tiles, whose outputs are as exact as the direct way's.
impl Default for Convolutions {
    fn default() -> Self {
        Self::Winograd(Tile::Two)
    }
}

impl Convolutions {
    /// The graph with its convolutions computed so; not yet optimised, before and after.
    pub(super) fn apply(self, graph: TypedModel) -> TractResult<TypedModel> {
        match self {
            Self::Direct => Ok(graph),
            Self::Winograd(tile) => swap::Swap(tile).transform_into(graph),
        }
    }
}

#[cfg(test)]
mod tests;
