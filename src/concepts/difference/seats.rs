//! A position seen from both sides' seats: what probes of changes read.
//!
//! A network sees the board from the side to move, so before a move and after it from different sides, and numbers of
//! two sides can't be subtracted. So each position is shown twice, once as the mover sees it and once as the mover's
//! opponent does, whoever is to move in it ([`Planes::seen_by`]): the difference of the two positions' numbers is then
//! what the move did, seen from both sides.

use shakmaty::{Chess, Color};

use super::super::layer::{Layer, WrongActivations};
use super::super::men::Men;
use super::super::shares::Shares;
use crate::net::{InputFormat, Planes};

/// What a network makes of a position from one seat.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Every block's activations, the first block first; those that are not read may be empty.
    pub activations: Vec<Vec<f32>>,
    /// Where the men stand from there.
    pub men: Men,
}

/// What a network makes of a position from the mover's seat and from the opponent's.
#[derive(Debug, Clone, PartialEq)]
pub struct Seats {
    /// The mover's.
    pub mover: Seen,
    /// The opponent's.
    pub opponent: Seen,
}

/// The planes that are to be shown to a network that reads `format`: the mover's first, then the opponent's.
#[must_use]
pub fn planes(format: InputFormat, position: &Chess, mover: Color) -> [Planes; 2] {
    [mover, !mover].map(|us| Planes::seen_by(format, us, position))
}

/// Numbers of a row of both seats.
#[must_use]
pub fn width(layer: &Layer, filters: usize) -> usize {
    2 * layer.width(filters)
}

impl Seats {
    /// Appends a layer's row from the mover's seat, then from the opponent's.
    ///
    /// # Errors
    /// When a block is missing or has another size; `out` may have grown then.
    pub fn gather(&self, layer: &Layer, filters: usize, out: &mut Vec<f32>) -> Result<(), WrongActivations> {
        for seen in [&self.mover, &self.opponent] {
            layer.gather(&seen.activations, &seen.men, filters, out)?;
        }
        Ok(())
    }

    /// The shares of the board's squares in `weights·row`, without a constant.
    ///
    /// # Errors
    /// When a block is missing or has another size.
    pub fn deal(
        &self,
        layer: &Layer,
        weights: &[f32],
        filters: usize,
        mover: Color,
    ) -> Result<Shares, WrongActivations> {
        let mut whole = Shares::none();
        let halves = weights.chunks_exact(layer.width(filters).max(1));
        for ((seen, us), weights) in [(&self.mover, mover), (&self.opponent, !mover)].into_iter().zip(halves) {
            let mut squares = [0.0; 64];
            layer.deal(weights, &seen.activations, &seen.men, filters, &mut squares)?;
            whole.add(&Shares::from_seat(&squares, 0.0, us), 1.0);
        }
        Ok(whole)
    }
}
