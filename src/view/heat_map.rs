//! Where on the board a probe's value comes from: the squares' shares as shades, numbers and words.

use shakmaty::Square;

use crate::{concepts::Shares, survey::analysis::table::rounded};

/// Depths of a shade.
pub const DEPTHS: u8 = 4;
/// Squares that are named in words, on each side.
const NAMED: usize = 3;

/// A square's share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shade {
    /// The square.
    pub square: Square,
    /// Its share, the mover's view: positive helps the mover.
    pub share: f64,
    /// How dark it is drawn, 0 (not at all) to [`DEPTHS`].
    pub depth: u8,
}

/// The shades of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// All squares, a1, b1, … h8.
    pub shades: Vec<Shade>,
    /// What they and the constant come to.
    pub value: f64,
    /// What no square has a share in.
    pub constant: f64,
    /// In words: the squares with the largest shares.
    pub words: String,
}

impl HeatMap {
    /// From shares in the mover's view. `mover`: `White` or `Black`.
    #[must_use]
    pub fn new(shares: &Shares, mover: &str) -> Self {
        let most = shares.squares.iter().map(|share| share.abs()).fold(0.0, f64::max);
        let depth = |share: f64| {
            if most < 1e-9 {
                return 0;
            }
            // Shares of the largest: 1 is as dark as can be, below an eighth nothing is seen.
            (share.abs() / most * f64::from(DEPTHS)).round() as u8
        };
        let shades: Vec<Shade> = Square::ALL
            .into_iter()
            .map(|square| {
                let share = shares.at(square);
                Shade {
                    square,
                    share,
                    depth: depth(share),
                }
            })
            .collect();
        let mut sorted: Vec<&Shade> = shades.iter().filter(|shade| shade.depth > 0).collect();
        sorted.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
        let named = |helps: bool| {
            let named: Vec<String> = sorted
                .iter()
                .filter(|shade| (shade.share > 0.0) == helps)
                .take(NAMED)
                .map(|shade| format!("{} {}", shade.square, signed(shade.share)))
                .collect();
            if named.is_empty() {
                "no square".to_owned()
            } else {
                named.join(", ")
            }
        };
        Self {
            words: format!("For {mover}: {}. Against {mover}: {}.", named(true), named(false)),
            value: shares.value(),
            constant: shares.constant,
            shades,
        }
    }
}

/// A number with its sign.
#[must_use]
pub fn signed(value: f64) -> String {
    let text = rounded(value, 2);
    if value > 0.0 { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_share_is_darkest_and_named_first() {
        let mut shares = Shares::none();
        shares.squares[usize::from(Square::E4)] = 0.8;
        shares.squares[usize::from(Square::D5)] = -0.4;
        shares.squares[usize::from(Square::A1)] = 0.05;
        shares.constant = 0.1;
        let map = HeatMap::new(&shares, "White");
        let depth = |square: Square| map.shades[usize::from(square)].depth;
        assert_eq!(
            (depth(Square::E4), depth(Square::D5), depth(Square::A1)),
            (DEPTHS, 2, 0)
        );
        assert_eq!(map.words, "For White: e4 +0.80. Against White: d5 −0.40.");
        assert!((map.value - 0.55).abs() < 1e-9);
        let nothing = HeatMap::new(&Shares::none(), "Black");
        assert!(nothing.shades.iter().all(|shade| shade.depth == 0));
        assert_eq!(nothing.words, "For Black: no square. Against Black: no square.");
    }
}
