//! Winograd's minimal filtering for 3×3 convolutions of 8×8 boards, padded by one (Lavin and Gray, "Fast Algorithms for
//! Convolutional Neural Networks", CVPR 2016, sections 4.1 and 4.3).
//!
//! The board is cut into tiles of its output. What a tile needs of the input, and each filter, are transformed; then the
//! convolution is a product number by number, summed over the input planes, so one small matrix product for each
//! number of a transformed tile; and the products are transformed back. [`Tile::Two`] multiplies 2.25 times less than
//! the direct way, [`Tile::Four`] four times less, with larger rounding errors.
//!
//! The order of operations is fixed and nothing is fused, so the same input gives the same bits in wasm and natively.
//! Pure arithmetic: who uses it in a network's graph is `kibitz::net::winograd`.

mod at_least;
mod filters;
mod four;
mod products;
mod tile;
mod two;

pub use filters::{Filters, MisshapenFilters, Scratch};
pub use tile::Tile;

/// Squares of a board.
pub const SQUARES: usize = 64;
/// Weights of a filter on one plane.
pub const WEIGHTS: usize = 9;

#[cfg(test)]
mod tests;
