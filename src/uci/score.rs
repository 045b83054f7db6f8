//! Engine scores and what they mean for the result.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The most centipawns that are believed: a thousand pawns. Some engines have tens of thousands of centipawns stand for a mate.
const MOST_CP: u32 = 100_000;
/// The farthest mate that is believed, in moves; the longest known in tables is under 600.
const MOST_MOVES: u32 = 1_000;

/// An engine's score. Whose view it is, is said wherever one is held; UCI gives the side to move's.
///
/// Ordered from worst to best for the side whose view it is: `#0 < #-1 < #-9 < -3.00 < +3.00 < #9 < #1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Mate in so many moves (not plies): positive when the side whose view it is mates, negative when it is mated,
    /// 0 when it already is checkmated.
    Mate(i32),
}

impl Score {
    /// Whether it can be said of a position in which there is something to play. Engines that resign, are stopped early or
    /// overflow say `mate 0` of such positions, or millions of pawns.
    #[must_use]
    pub fn is_of_play(self) -> bool {
        match self {
            Self::Cp(cp) => cp.unsigned_abs() <= MOST_CP,
            Self::Mate(moves) => moves != 0 && moves.unsigned_abs() <= MOST_MOVES,
        }
    }

    /// The same score of the same position in the other side's view.
    ///
    /// `Mate(0)` (I am checkmated) becomes `Mate(1)`, the nearest thing the other side can say; it is the only score
    /// that two negations do not give back.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(cp.saturating_neg()),
            Self::Mate(0) => Self::Mate(1),
            Self::Mate(moves) => Self::Mate(moves.saturating_neg()),
        }
    }

    /// Turns the score of the position after a move, in the view of the side to move there, into the score of that
    /// move in the position before it, in the mover's view.
    ///
    /// Centipawns change sign. A mate that the mover gives is one move further away, since the move itself counts;
    /// one that the mover suffers is not, because it is counted in the opponent's moves, all of which come later.
    #[must_use]
    pub fn of_the_move_before(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(cp.saturating_neg()),
            Self::Mate(moves) if moves <= 0 => Self::Mate(1i32.saturating_sub(moves)),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }

    /// The chance of winning, 0..1, of the side whose view the score is: what Lichess calls Win%, fitted on games of
    /// 2300-rated players (<https://lichess.org/page/accuracy>):
    /// `50 + 50·(2/(1 + exp(−0.00368208·centipawns)) − 1)` per cent, centipawns held within ±1000, as Lichess's code
    /// does. Mates are 1 and 0.
    #[must_use]
    pub fn win_probability(self) -> f64 {
        /// Per centipawn; Lichess's fit.
        const STEEPNESS: f64 = 0.003_682_08;
        match self {
            Self::Cp(cp) => 1.0 / (1.0 + (-STEEPNESS * f64::from(cp.clamp(-1000, 1000))).exp()),
            Self::Mate(moves) if moves > 0 => 1.0,
            Self::Mate(_) => 0.0,
        }
    }

    /// A key that sorts scores: the class (mated, centipawns, mating), then the place within it.
    fn rank(self) -> (u8, i64) {
        match self {
            Self::Mate(moves) if moves <= 0 => (0, -i64::from(moves)),
            Self::Cp(cp) => (1, i64::from(cp)),
            Self::Mate(moves) => (2, -i64::from(moves)),
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `+0.34`, `-1.20`, `0.00`; mates as `#3` and `#-2`, `#0` for checkmate on the board.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cp(0) => f.write_str("0.00"),
            Self::Cp(cp) => {
                let sign = if cp < 0 { '-' } else { '+' };
                let size = cp.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
            Self::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_as_players_write() {
        for (score, text) in [
            (Score::Cp(34), "+0.34"),
            (Score::Cp(-5), "-0.05"),
            (Score::Cp(0), "0.00"),
            (Score::Cp(-1234), "-12.34"),
            (Score::Cp(i32::MIN), "-21474836.48"),
            (Score::Mate(3), "#3"),
            (Score::Mate(-2), "#-2"),
            (Score::Mate(0), "#0"),
        ] {
            assert_eq!(score.to_string(), text);
        }
    }

    #[test]
    fn order_runs_from_mated_to_mating() {
        let sorted = [
            Score::Mate(0),
            Score::Mate(-1),
            Score::Mate(-9),
            Score::Cp(-300),
            Score::Cp(0),
            Score::Cp(20),
            Score::Mate(9),
            Score::Mate(1),
        ];
        assert!(sorted.is_sorted());
        let mut shuffled = sorted;
        shuffled.reverse();
        shuffled.sort();
        assert_eq!(shuffled, sorted);
    }

    #[test]
    fn win_probability_is_lichess_formula() {
        // 50 + 50·(2/(1+exp(−0.00368208·cp)) − 1), worked out with Python to six places.
        for (cp, expected) in [
            (0, 0.5),
            (100, 0.591_026),
            (-100, 0.408_974),
            (300, 0.751_126),
            (1000, 0.975_447),
        ] {
            let got = Score::Cp(cp).win_probability();
            assert!((got - expected).abs() < 5e-6, "{cp}: {got}");
        }
        assert_eq!(Score::Cp(5000).win_probability(), Score::Cp(1000).win_probability());
        assert_eq!(Score::Mate(4).win_probability(), 1.0);
        assert_eq!(Score::Mate(-4).win_probability(), 0.0);
        assert_eq!(Score::Mate(0).win_probability(), 0.0);
    }

    #[test]
    fn mates_count_the_move_itself() {
        assert_eq!(Score::Mate(0).of_the_move_before(), Score::Mate(1));
        assert_eq!(Score::Mate(-2).of_the_move_before(), Score::Mate(3));
        assert_eq!(Score::Mate(2).of_the_move_before(), Score::Mate(-2));
        assert_eq!(Score::Cp(17).of_the_move_before(), Score::Cp(-17));
    }

    fn any_score() -> impl Strategy<Value = Score> {
        prop_oneof![any::<i32>().prop_map(Score::Cp), any::<i32>().prop_map(Score::Mate)]
    }

    proptest! {
        #[test]
        fn views_are_complementary(score in any_score()) {
            let sum = score.win_probability() + score.negated().win_probability();
            prop_assert!((sum - 1.0).abs() < 1e-12);
            let _ = (score.to_string(), score.of_the_move_before());
        }

        #[test]
        fn better_never_wins_less(a in any_score(), b in any_score()) {
            if a <= b {
                prop_assert!(a.win_probability() <= b.win_probability());
            }
            prop_assert_eq!(a == b, a.cmp(&b) == Ordering::Equal);
        }
    }
}
