//! Where on the board a probe's value comes from: the squares' shares as shades, numbers and words.

use shakmaty::{Bitboard, Board, Color, Square};

use crate::{
    chess::names::{color_name, role_name},
    concepts::Shares,
    survey::analysis::table::rounded,
};

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

/// Of what the squares have their shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shading {
    /// Of what the move did to the concept.
    #[default]
    Change,
    /// Of the concept's score after the move.
    Value,
}

impl Shading {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Change, Self::Value];

    /// As it is called in the page's controls.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Change => "Change by the move",
            Self::Value => "Score after it",
        }
    }

    /// To follow "what each square has in ".
    #[must_use]
    pub const fn of(self) -> &'static str {
        match self {
            Self::Change => "the change of",
            Self::Value => "the score, after the move, of",
        }
    }
}

/// The shades of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// All squares, a1, b1, … h8.
    pub shades: Vec<Shade>,
    /// The same by whose men stand there.
    pub groups: Vec<ShareGroup>,
    /// What they and the constant come to.
    pub value: f64,
    /// What no square has a share in.
    pub constant: f64,
    /// What the shares are in, to follow "in".
    pub unit: String,
    /// In words: the squares with the largest shares.
    pub words: String,
}

/// The shares of one side's men, or of the empty squares.
#[derive(Debug, Clone, PartialEq)]
pub struct ShareGroup {
    /// `White's pieces`, `Empty squares`.
    pub title: String,
    /// All of its shares, those that are not listed too.
    pub sum: f64,
    /// `knight f6` or `e4` with its share: those that are seen, the largest first.
    pub rows: Vec<(String, f64)>,
}

impl HeatMap {
    /// From shares in the mover's view, on `board`, in `unit`.
    #[must_use]
    pub fn new(shares: &Shares, mover: Color, board: &Board, unit: String) -> Self {
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
        let name = |square: Square| match board.role_at(square) {
            Some(role) => format!("{} {square}", role_name(role)),
            None => square.to_string(),
        };
        let named = |helps: bool| {
            let named: Vec<String> = sorted
                .iter()
                .filter(|shade| (shade.share > 0.0) == helps)
                .take(NAMED)
                .map(|shade| format!("{} {}", name(shade.square), signed(shade.share)))
                .collect();
            if named.is_empty() {
                "no square".to_owned()
            } else {
                named.join(", ")
            }
        };
        let group = |title: String, squares: Bitboard| ShareGroup {
            title,
            sum: squares.into_iter().map(|square| shares.at(square)).sum(),
            rows: sorted
                .iter()
                .filter(|shade| squares.contains(shade.square))
                .map(|shade| (name(shade.square), shade.share))
                .collect(),
        };
        let of = |color: Color| group(format!("{}'s pieces", color_name(color)), board.by_color(color));
        let side = color_name(mover);
        Self {
            words: format!("For {side}: {}. Against {side}: {}.", named(true), named(false)),
            groups: vec![
                of(mover),
                of(!mover),
                group("Empty squares".to_owned(), !board.occupied()),
            ],
            value: shares.value(),
            constant: shares.constant,
            unit,
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
        let mut board = Board::empty();
        board.set_piece_at(Square::E4, Color::White.knight());
        board.set_piece_at(Square::D5, Color::Black.pawn());
        let map = HeatMap::new(&shares, Color::White, &board, "pawns".to_owned());
        let depth = |square: Square| map.shades[usize::from(square)].depth;
        assert_eq!(
            (depth(Square::E4), depth(Square::D5), depth(Square::A1)),
            (DEPTHS, 2, 0)
        );
        assert_eq!(map.words, "For White: knight e4 +0.80. Against White: pawn d5 −0.40.");
        assert!((map.value - 0.55).abs() < 1e-9);
        // Every square is in one group, what is too pale to be listed in the sum alone.
        let groups: Vec<(&str, usize)> = map.groups.iter().map(|g| (g.title.as_str(), g.rows.len())).collect();
        assert_eq!(
            groups,
            [("White's pieces", 1), ("Black's pieces", 1), ("Empty squares", 0)]
        );
        assert_eq!(map.groups[0].rows, [("knight e4".to_owned(), 0.8)]);
        let sums: f64 = map.groups.iter().map(|group| group.sum).sum();
        assert!((sums + map.constant - map.value).abs() < 1e-9);
        assert!((map.groups[2].sum - 0.05).abs() < 1e-9);
        let nothing = HeatMap::new(&Shares::none(), Color::Black, &board, String::new());
        assert!(nothing.shades.iter().all(|shade| shade.depth == 0));
        assert_eq!(nothing.words, "For Black: no square. Against Black: no square.");
    }
}
