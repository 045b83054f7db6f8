//! Winograd's convolution as an operator of tract's graphs: what computes is the package `winograd`.
//!
//! tract multiplies 3×3 convolutions directly, which in wasm is most of a network's time.

mod operator;

pub(super) use operator::BoardConvolution;
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

#[cfg(test)]
mod tests;
