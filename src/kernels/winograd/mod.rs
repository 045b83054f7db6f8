//! Winograd's minimal filtering for 3×3 convolutions of 8×8 boards, padded by one (Lavin and Gray, "Fast Algorithms for
//! Convolutional Neural Networks", CVPR 2016, sections 4.1 and 4.3).
//!
//! The board is cut into tiles of its output. What a tile needs of the input, and each filter, are transformed; then the
//! convolution is a product number by number, summed over the input planes, so one small matrix product for each
//! number of a transformed tile; and the products are transformed back. [`Tile::Two`] multiplies 2.25 times less than
//! the direct way, [`Tile::Four`] four times less, with larger rounding errors.

mod filters;
mod four;
mod products;
mod tile;
mod two;

pub use filters::{Filters, Scratch};
pub use tile::Tile;

use super::SQUARES;

/// Weights of a filter on one plane.
pub const WEIGHTS: usize = 9;

#[cfg(test)]
mod tests;
