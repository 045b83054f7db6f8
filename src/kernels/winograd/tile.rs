/// How large a part of the output is computed at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tile {
    /// 2 × 2 squares, F(2×2, 3×3): 16 tiles, 16 numbers in a transformed one. Adds and halves only: about as exact as the
    /// direct way.
    #[default]
    Two,
    /// 4 × 4 squares, F(4×4, 3×3): 4 tiles, 36 numbers in a transformed one. Its factors of up to 8 cost about a decimal
    /// digit.
    Four,
}

impl Tile {
    /// Numbers in a transformed tile.
    pub(crate) const fn points(self) -> usize {
        match self {
            Self::Two => 16,
            Self::Four => 36,
        }
    }

    /// Tiles of a board.
    pub(crate) const fn count(self) -> usize {
        match self {
            Self::Two => 16,
            Self::Four => 4,
        }
    }

    /// Filters that are multiplied together: with the tiles' vectors, as many sums as registers hold.
    pub(crate) const fn filters(self) -> usize {
        match self {
            Self::Two => 4,
            Self::Four => 8,
        }
    }
}
