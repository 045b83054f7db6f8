//! How good a move was, judged by what it costs in win probability.
//!
//! The limits between inaccuracy, mistake and blunder are Lichess's: a loss of 0.1, 0.2, 0.3 on its scale of winning
//! chances from −1 to 1 (lila, `modules/tree/src/main/Advice.scala`), that is 5, 10 and 15 points of win probability, and
//! its rules for mates lost and allowed. Lichess names nothing below that; excellent (up to 2 points) and good (below 5)
//! are ours.

use std::fmt;

use shakmaty::Position;

use super::Evaluation;
use crate::{chess::Played, uci::Score};

/// The engine's verdict of a move, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The engine's first choice, or one it scores the same; or checkmate.
    Best,
    /// Costs at most 2 points of win probability.
    Excellent,
    /// Costs less than 5 points.
    Good,
    /// Costs 5 points or more.
    Inaccuracy,
    /// Costs 10 points or more.
    Mistake,
    /// Costs 15 points or more.
    Blunder,
}

/// Loss of win probability from which a move is an inaccuracy, a mistake, a blunder.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.15;
/// Loss up to which a move is still excellent.
const EXCELLENT: f64 = 0.02;

impl Verdict {
    /// Judges the move. `None` where the engine gave no line for the position before it.
    #[must_use]
    pub fn of(played: &Played, evaluation: &Evaluation) -> Option<Self> {
        let first = evaluation.before.first()?;
        let uci = played.uci();
        let equal = |line: &super::Line| line.moves.first() == Some(&uci) && line.score == first.score;
        if played.after.is_checkmate() || evaluation.before.iter().any(equal) || first.moves.first() == Some(&uci) {
            return Some(Self::Best);
        }
        Some(Self::by_scores(first.score, evaluation.played))
    }

    /// Judges by the score of the best move and of the move played, both **the mover's view**.
    #[must_use]
    pub fn by_scores(best: Score, played: Score) -> Self {
        match (best, played) {
            (Score::Mate(b), Score::Mate(p)) if b > 0 && p > 0 => {
                if p <= b {
                    Self::Excellent
                } else {
                    Self::Good
                }
            }
            (Score::Mate(b), Score::Cp(cp)) if b > 0 => match cp {
                1000.. => Self::Inaccuracy,
                701..=999 => Self::Mistake,
                _ => Self::Blunder,
            },
            (Score::Cp(cp), Score::Mate(p)) if p <= 0 => match cp {
                ..-999 => Self::Inaccuracy,
                -999..-700 => Self::Mistake,
                _ => Self::Blunder,
            },
            _ => match best.win_probability() - played.win_probability() {
                loss if loss >= BLUNDER => Self::Blunder,
                loss if loss >= MISTAKE => Self::Mistake,
                loss if loss >= INACCURACY => Self::Inaccuracy,
                loss if loss > EXCELLENT => Self::Good,
                _ => Self::Excellent,
            },
        }
    }

    /// True for inaccuracy, mistake and blunder.
    #[must_use]
    pub fn is_bad(self) -> bool {
        self >= Self::Inaccuracy
    }

    /// "best", "excellent", "good", "inaccuracy", "mistake", "blunder".
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Excellent => "excellent",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// "the best move", "an excellent move", "a blunder".
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Best => "the best move",
            Self::Excellent => "an excellent move",
            Self::Good => "a good move",
            Self::Inaccuracy => "an inaccuracy",
            Self::Mistake => "a mistake",
            Self::Blunder => "a blunder",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How a side stands, in words; from its win probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Below 15 %.
    Lost,
    /// Below 35 %.
    Worse,
    /// 35 to 65 %.
    Balanced,
    /// Above 65 %.
    Better,
    /// Above 85 %.
    Winning,
}

impl Standing {
    /// The standing that `probability` (0 to 1) means for the side whose view it is. The steps are ours.
    #[must_use]
    pub fn of(probability: f64) -> Self {
        match probability {
            p if p > 0.85 => Self::Winning,
            p if p > 0.65 => Self::Better,
            p if p >= 0.35 => Self::Balanced,
            p if p >= 0.15 => Self::Worse,
            _ => Self::Lost,
        }
    }

    /// "winning", "better", "balanced", "worse", "lost".
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Worse => "worse",
            Self::Balanced => "balanced",
            Self::Better => "better",
            Self::Winning => "winning",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Score::{Cp, Mate};

    #[test]
    fn loss_of_win_probability_decides() {
        for (best, played, verdict) in [
            (Cp(30), Cp(30), Verdict::Excellent),
            (Cp(30), Cp(12), Verdict::Excellent),   // 1.7 points
            (Cp(30), Cp(-10), Verdict::Good),       // 3.7
            (Cp(30), Cp(-30), Verdict::Inaccuracy), // 5.5
            (Cp(30), Cp(-90), Verdict::Mistake),    // 11
            (Cp(30), Cp(-150), Verdict::Blunder),   // 16
            (Cp(900), Cp(700), Verdict::Good),      // already winning: 3.4
            (Cp(-5000), Cp(-1200), Verdict::Excellent),
        ] {
            assert_eq!(Verdict::by_scores(best, played), verdict, "{best:?} {played:?}");
        }
    }

    #[test]
    fn mates_lost_and_allowed_go_by_what_is_left() {
        for (best, played, verdict) in [
            (Mate(2), Mate(2), Verdict::Excellent),
            (Mate(2), Mate(5), Verdict::Good),
            (Mate(2), Cp(1200), Verdict::Inaccuracy),
            (Mate(2), Cp(800), Verdict::Mistake),
            (Mate(2), Cp(100), Verdict::Blunder),
            (Mate(2), Mate(-3), Verdict::Blunder),
            (Cp(50), Mate(-3), Verdict::Blunder),
            (Cp(-800), Mate(-3), Verdict::Mistake),
            (Cp(-1200), Mate(-3), Verdict::Inaccuracy),
            (Mate(-5), Mate(-2), Verdict::Excellent),
            (Mate(-2), Mate(-2), Verdict::Excellent),
        ] {
            assert_eq!(Verdict::by_scores(best, played), verdict, "{best:?} {played:?}");
        }
    }

    #[test]
    fn standings_step_at_their_limits() {
        let words: Vec<&str> = [0.05, 0.2, 0.5, 0.7, 0.9]
            .iter()
            .map(|&p| Standing::of(p).word())
            .collect();
        assert_eq!(words, ["lost", "worse", "balanced", "better", "winning"]);
    }
}
