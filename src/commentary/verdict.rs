//! How good a move was, judged by what it costs in win probability.
//!
//! The limits between inaccuracy, mistake and blunder are Lichess's: a loss of 0.1, 0.2, 0.3 on its scale of winning
//! chances from −1 to 1 (lila, `modules/tree/src/main/Advice.scala`), that is 5, 10 and 15 points of win probability, and
//! its rules for mates lost and allowed. Lichess names nothing below that; best (below 1.5 points: no search tells such moves
//! apart) and good (below 5) are ours. There is no finer word: a search of twenty times the nodes moves a loss by two points
//! and more, so that a class between the two would be chance. In two things we differ, where the number says something
//! and the board does not: a mate more than [`NEAR_MATE`] moves away counts as a score of ten pawns, since when an engine
//! comes to see one is chance; and where one side is winning with the best move and with the one played (by the one
//! [scale](Standing)), a loss weighs a class less: what would be an inaccuracy elsewhere leaves a good move there.

use std::fmt;

use shakmaty::Position;

use super::{Evaluation, Standing};
use crate::{chess::Played, uci::Score};

/// The engine's verdict of a move, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The engine's first choice, or a move that it can't tell from that: it costs less than 1.5 points of win probability; or
    /// checkmate.
    Best,
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
/// Loss below which two moves are equally good.
const EQUAL: f64 = 0.015;
/// Moves to a mate up to which it counts as one.
pub const NEAR_MATE: i32 = 8;
/// Moves to a mate up to which missing it is worth a word in a position that stays won.
const SOON: i32 = 3;
/// What a mate further away counts as, in centipawns.
const FAR_MATE: i32 = 1000;

impl Verdict {
    /// The losses of win probability at which one verdict ends and the next begins.
    pub const LIMITS: [f64; 4] = [EQUAL, INACCURACY, MISTAKE, BLUNDER];

    /// Judges the move by its own score and that of the best. `None` where the engine gave no line for the position before
    /// it.
    #[must_use]
    pub fn of(played: &Played, evaluation: &Evaluation) -> Option<Self> {
        let first = evaluation.before.first()?;
        let uci = played.uci();
        let mut own = evaluation.before.iter().filter(|line| line.moves.first() == Some(&uci));
        if played.after.is_checkmate() || own.any(|line| line.score >= first.score) {
            return Some(Self::Best);
        }
        Some(Self::by_scores(first.score, evaluation.played))
    }

    /// Judges by the score of the best move and of the move played, both **the mover's view**.
    #[must_use]
    pub fn by_scores(best: Score, played: Score) -> Self {
        if played >= best {
            return Self::Best;
        }
        match (best, played) {
            // A mate is a mate; one that comes soon and is put off is worth a word.
            (Score::Mate(b), Score::Mate(p)) if b > 0 && p > 0 => {
                return if p <= b + 1 || b > SOON { Self::Best } else { Self::Good };
            }
            (Score::Mate(b), Score::Mate(p)) if b <= 0 && p <= 0 => return Self::Best,
            _ => {}
        }
        match (near(best), near(played)) {
            // Ten pawns ahead, a mate that was not next door is no loss.
            (Score::Mate(b), Score::Cp(1000..)) if b > SOON => Self::Good,
            (Score::Mate(b), Score::Cp(cp)) if b > 0 => match cp {
                1000.. => Self::Inaccuracy,
                701..=999 => Self::Mistake,
                _ => Self::Blunder,
            },
            // Lost is lost.
            (Score::Cp(..=-1000), Score::Mate(p)) if p <= 0 => Self::Good,
            (Score::Cp(cp), Score::Mate(p)) if p <= 0 => match cp {
                ..=-700 => Self::Inaccuracy,
                -699..=-500 => Self::Mistake,
                _ => Self::Blunder,
            },
            (best, played) => {
                let loss = best.win_probability() - played.win_probability();
                Self::by_loss(loss).unless_decided(best, played)
            }
        }
    }

    /// Judges by the win probability that the move costs alone, 0 to 1, as Lichess does.
    #[must_use]
    pub fn by_loss(loss: f64) -> Self {
        match loss {
            loss if loss >= BLUNDER => Self::Blunder,
            loss if loss >= MISTAKE => Self::Mistake,
            loss if loss >= INACCURACY => Self::Inaccuracy,
            loss if loss >= EQUAL => Self::Good,
            _ => Self::Best,
        }
    }

    /// A class less where the same side wins, whichever of the two moves is played.
    fn unless_decided(self, best: Score, played: Score) -> Self {
        let standing = Standing::of(best);
        let decided = matches!(standing, Standing::Winning | Standing::Lost) && standing == Standing::of(played);
        match self {
            _ if !decided => self,
            Self::Best | Self::Good => Self::Best,
            Self::Inaccuracy => Self::Good,
            Self::Mistake => Self::Inaccuracy,
            Self::Blunder => Self::Mistake,
        }
    }

    /// True for inaccuracy, mistake and blunder.
    #[must_use]
    pub fn is_bad(self) -> bool {
        self >= Self::Inaccuracy
    }

    /// "best", "good", "inaccuracy", "mistake", "blunder".
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// "the best move", "a good move", "a blunder".
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Best => "the best move",
            Self::Good => "a good move",
            Self::Inaccuracy => "an inaccuracy",
            Self::Mistake => "a mistake",
            Self::Blunder => "a blunder",
        }
    }
}

/// A score with far mates as the scores that they were a depth before.
const fn near(score: Score) -> Score {
    match score {
        Score::Mate(moves) if moves > NEAR_MATE => Score::Cp(FAR_MATE),
        Score::Mate(moves) if moves < -NEAR_MATE => Score::Cp(-FAR_MATE),
        near => near,
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Score::{Cp, Mate};

    #[test]
    fn loss_of_win_probability_decides() {
        for (best, played, verdict) in [
            (Cp(30), Cp(30), Verdict::Best),
            (Cp(30), Cp(40), Verdict::Best),
            (Cp(30), Cp(21), Verdict::Best),        // 0.8 points
            (Cp(30), Cp(12), Verdict::Good),        // 1.7
            (Cp(30), Cp(-10), Verdict::Good),       // 3.7
            (Cp(30), Cp(3), Verdict::Good),         // 2.5
            (Cp(30), Cp(-30), Verdict::Inaccuracy), // 5.5
            (Cp(30), Cp(-90), Verdict::Mistake),    // 11
            (Cp(30), Cp(-150), Verdict::Blunder),   // 16
            (Cp(900), Cp(700), Verdict::Best),      // 3.4, but won all the same
            (Cp(900), Cp(600), Verdict::Good),      // 6.6, and won all the same
            (Cp(-600), Cp(-900), Verdict::Good),    // lost all the same
            (Cp(1000), Cp(300), Verdict::Mistake),  // 22
            (Cp(210), Cp(180), Verdict::Good),      // 2.4: not decided by both
            (Cp(-1200), Cp(-5000), Verdict::Best),
        ] {
            assert_eq!(Verdict::by_scores(best, played), verdict, "{best:?} {played:?}");
        }
    }

    #[test]
    fn mates_lost_and_allowed_go_by_what_is_left() {
        for (best, played, verdict) in [
            (Mate(2), Mate(2), Verdict::Best),
            (Mate(2), Mate(3), Verdict::Best),
            (Mate(2), Mate(5), Verdict::Good),
            (Mate(2), Cp(1200), Verdict::Inaccuracy),
            (Mate(2), Cp(800), Verdict::Mistake),
            (Mate(2), Cp(100), Verdict::Blunder),
            (Mate(2), Mate(-3), Verdict::Blunder),
            (Cp(50), Mate(-3), Verdict::Blunder),
            (Cp(-800), Mate(-3), Verdict::Inaccuracy),
            (Cp(-600), Mate(-3), Verdict::Mistake),
            (Mate(8), Mate(14), Verdict::Best),
            (Mate(6), Cp(1200), Verdict::Good),
            (Cp(-1200), Mate(-3), Verdict::Good),
            (Cp(-1200), Mate(-20), Verdict::Best),
            (Mate(15), Cp(950), Verdict::Best),
            (Mate(-5), Mate(-2), Verdict::Best),
            (Mate(-2), Mate(-2), Verdict::Best),
        ] {
            assert_eq!(Verdict::by_scores(best, played), verdict, "{best:?} {played:?}");
        }
    }
}
