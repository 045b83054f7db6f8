//! A linear probe's value on the board: **each square's exact share** of it.
//!
//! A probe says `w·a + b`, and every activation that it reads stands on a square, or is pooled from some. So the value is
//! a sum over squares and a constant. The constant is `b`; what a share means is what it adds to the value of this
//! position, compared with activations of 0, not with an empty square.

use shakmaty::{Color, Square};

/// The shares of 64 squares in a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares {
    /// a1, b1, … h8.
    pub squares: [f64; 64],
    /// What no square has a share in.
    pub constant: f64,
}

impl Shares {
    /// No share anywhere.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            squares: [0.0; 64],
            constant: 0.0,
        }
    }

    /// The value: all shares and the constant.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.squares.iter().sum::<f64>() + self.constant
    }

    /// A square's share.
    #[must_use]
    pub fn at(&self, square: Square) -> f64 {
        self.squares[usize::from(square)]
    }

    /// All of it times `by`.
    #[must_use]
    pub fn scaled(mut self, by: f64) -> Self {
        self.squares.iter_mut().for_each(|share| *share *= by);
        self.constant *= by;
        self
    }

    /// What was added from `before` to this.
    #[must_use]
    pub fn since(mut self, before: &Self) -> Self {
        self.add(before, -1.0);
        self
    }

    /// Adds `times` another's shares.
    pub fn add(&mut self, other: &Self, times: f64) {
        for (own, share) in self.squares.iter_mut().zip(&other.squares) {
            *own += times * share;
        }
        self.constant += times * other.constant;
    }

    /// Shares as `us` sees the board (a1 is near on its left) on the board as it is: for Black the ranks are flipped.
    #[must_use]
    pub fn from_seat(squares: &[f64; 64], constant: f64, us: Color) -> Self {
        let flip = us.fold_wb(0, 56);
        Self {
            squares: std::array::from_fn(|square| squares[square ^ flip]),
            constant,
        }
    }
}
