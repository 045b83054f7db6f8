//! Where the men stand, as a network sees the board: the squares that pools by men are taken over.

use shakmaty::{Chess, Color};

use crate::net::{InputFormat, Planes};

/// Squares of each kind of man: ours PNBRQK, theirs PNBRQK; bit 0 is a1, 63 h8, as the network's planes have them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Men([u64; Men::KINDS]);

impl Men {
    /// Ours and theirs, six each.
    pub const KINDS: usize = 12;

    /// The men of a position that is shown to a network which reads this format.
    #[must_use]
    pub fn seen(format: InputFormat, position: &Chess) -> Self {
        Self::on(&Planes::with_format(format, &[], position))
    }

    /// The same of a position that is shown as `us` sees it, whoever is to move.
    #[must_use]
    pub fn seen_by(format: InputFormat, us: Color, position: &Chess) -> Self {
        Self::on(&Planes::seen_by(format, us, position))
    }

    /// The men on a network's planes.
    #[must_use]
    pub fn on(planes: &Planes) -> Self {
        Self(std::array::from_fn(|kind| planes.mask(kind)))
    }

    /// Men on these squares of each kind.
    #[cfg(test)]
    pub(super) const fn of_squares(squares: [u64; Self::KINDS]) -> Self {
        Self(squares)
    }

    /// The squares of each kind.
    #[must_use]
    pub const fn squares(&self) -> &[u64; Self::KINDS] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mover_sees_its_own_men_first_and_from_below() {
        let start = Men::seen(InputFormat::Classical, &Chess::default());
        assert_eq!(start.squares()[0], 0xff00);
        assert_eq!(start.squares()[5], 1 << 4);
        assert_eq!(start.squares()[6], 0xff << 48);
        let position = crate::chess::fen::read_fen("4k3/8/8/8/3q4/8/8/4K2R b K - 0 1")
            .unwrap()
            .position;
        let men = Men::seen(InputFormat::Classical, &position);
        assert_eq!(men.squares()[4], 1 << 35, "our queen on d4 is on d5 for Black");
        assert_eq!(men.squares()[9], 1 << 63, "their rook");
    }
}
