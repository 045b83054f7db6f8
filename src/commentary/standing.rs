//! How a side stands, in words: the one scale that fact sheet, narrator, prompt, claim check and cards share.
//!
//! The words are those of Chess Informant's signs. Where one ends and the next begins follows from what Stockfish says its
//! score means: since version 15.1 it is scaled so that +1.00 is an even chance to win against an equal (Stockfish's
//! documentation, "Interpretation of the Stockfish evaluation"). Below half of that a draw is by far the likeliest result;
//! at twice that its own model of wins, draws and losses leaves next to nothing but the win.
//!
//! | sign | words | score, the view of the side spoken of |
//! |---|---|---|
//! | = | equal | −0.49 to +0.49 |
//! | ⩲ | slightly better | from +0.50 |
//! | ± | clearly better | from +1.00 |
//! | +− | winning | from +2.00, or a forced mate |

use std::cmp::Ordering;

use shakmaty::Color;

use crate::{chess::names::color_name, uci::Score};

/// Scores from which a side is slightly better, clearly better, winning, in centipawns.
pub const SLIGHT: i32 = 50;
/// See [`SLIGHT`].
pub const CLEAR: i32 = 100;
/// See [`SLIGHT`].
pub const WINNING: i32 = 200;

/// How a side stands, worst first; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The other side is winning.
    Lost,
    /// The other side is clearly better.
    ClearlyWorse,
    /// The other side is slightly better.
    SlightlyWorse,
    /// Neither side is better.
    Equal,
    /// From +0.50.
    SlightlyBetter,
    /// From +1.00.
    ClearlyBetter,
    /// From +2.00, or with a forced mate.
    Winning,
}

impl Standing {
    /// What a score means for the side whose view it is.
    #[must_use]
    pub const fn of(score: Score) -> Self {
        match score {
            Score::Mate(moves) if moves > 0 => Self::Winning,
            Score::Mate(_) => Self::Lost,
            Score::Cp(cp) => match cp {
                WINNING.. => Self::Winning,
                CLEAR.. => Self::ClearlyBetter,
                SLIGHT.. => Self::SlightlyBetter,
                _ if cp > -SLIGHT => Self::Equal,
                _ if cp > -CLEAR => Self::SlightlyWorse,
                _ if cp > -WINNING => Self::ClearlyWorse,
                _ => Self::Lost,
            },
        }
    }

    /// What a win probability (0 to 1, see [`Score::win_probability`]) means for the side whose view it is.
    #[must_use]
    pub fn of_probability(probability: f64) -> Self {
        let least = |cp: i32| Score::Cp(cp).win_probability();
        [
            (WINNING, Self::Winning),
            (CLEAR, Self::ClearlyBetter),
            (SLIGHT, Self::SlightlyBetter),
            (1 - SLIGHT, Self::Equal),
            (1 - CLEAR, Self::SlightlyWorse),
            (1 - WINNING, Self::ClearlyWorse),
        ]
        .into_iter()
        // The formula and back is right to far less than a hundredth of a centipawn.
        .find(|(cp, _)| probability >= least(*cp) - 1e-9)
        .map_or(Self::Lost, |(_, standing)| standing)
    }

    /// The same of the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Lost => Self::Winning,
            Self::ClearlyWorse => Self::ClearlyBetter,
            Self::SlightlyWorse => Self::SlightlyBetter,
            Self::Equal => Self::Equal,
            Self::SlightlyBetter => Self::SlightlyWorse,
            Self::ClearlyBetter => Self::ClearlyWorse,
            Self::Winning => Self::Lost,
        }
    }

    /// "winning", "clearly better", "slightly better", "equal", "slightly worse", "clearly worse", "lost".
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::ClearlyWorse => "clearly worse",
            Self::SlightlyWorse => "slightly worse",
            Self::Equal => "equal",
            Self::SlightlyBetter => "slightly better",
            Self::ClearlyBetter => "clearly better",
            Self::Winning => "winning",
        }
    }

    /// "White is clearly better", "the game is equal", "Black is winning": from the better side. The standing is `side`'s.
    #[must_use]
    pub fn of_game(self, side: Color) -> String {
        match self.cmp(&Self::Equal) {
            Ordering::Equal => "the game is equal".to_owned(),
            Ordering::Greater => format!("{} is {}", color_name(side), self.word()),
            Ordering::Less => format!("{} is {}", color_name(side.other()), self.reversed().word()),
        }
    }

    /// Steps between two standings, 0 to 6.
    #[must_use]
    pub const fn steps_to(self, other: Self) -> u8 {
        (self as u8).abs_diff(other as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Score::{Cp, Mate};
    use proptest::prelude::*;

    #[test]
    fn words_step_at_their_limits() {
        for (score, word) in [
            (Mate(-3), "lost"),
            (Mate(0), "lost"),
            (Cp(-200), "lost"),
            (Cp(-199), "clearly worse"),
            (Cp(-100), "clearly worse"),
            (Cp(-99), "slightly worse"),
            (Cp(-50), "slightly worse"),
            (Cp(-49), "equal"),
            (Cp(49), "equal"),
            (Cp(50), "slightly better"),
            (Cp(120), "clearly better"),
            (Cp(390), "winning"),
            (Mate(9), "winning"),
        ] {
            assert_eq!(Standing::of(score).word(), word, "{score}");
        }
    }

    proptest! {
        #[test]
        fn both_sides_tell_the_same_story(cp in -3000..3000i32) {
            let (own, other) = (Standing::of(Cp(cp)), Standing::of(Cp(-cp)));
            prop_assert_eq!(own.reversed(), other);
            if cp.abs() < 1000 {
                prop_assert_eq!(Standing::of_probability(Cp(cp).win_probability()), own);
            }
            prop_assert_eq!(own.steps_to(Standing::Equal), other.steps_to(Standing::Equal));
        }
    }
}
