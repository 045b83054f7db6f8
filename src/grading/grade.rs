//! What a move costs, and what that is called: centipawn loss, the plan's five classes and their points.
//!
//! The definitions are the static-position plan's (sections 2.1 and 3.2), with its slips mended: both scores come from one
//! search, a loss below zero counts as none and is kept as it was, and averages are given capped too.

use serde::{Deserialize, Serialize};

use crate::uci::Score;

/// What a mate is worth in centipawns; a mate in n is n less (the plan's `mate_score`, as python-chess counts it).
pub const MATE: i32 = 10_000;

/// Centipawns of a position that is no mate, at most, so that every mate is better.
const MOST_WITHOUT_MATE: i32 = 9_000;

/// A single loss counts as so many centipawns at most where averages are capped: one lost mate costs up to 20,000 else.
pub const CAP: u32 = 1_000;

/// Moves beyond so many best ones have the rank after them, 6.
pub const RANKED: u8 = 5;

/// A score in centipawns, the view whose it is: mates as ±(10,000 − n), everything else within ±9,000.
#[must_use]
pub fn centipawns(score: Score) -> i32 {
    let far = |moves: i32| moves.unsigned_abs().min(999) as i32;
    match score {
        Score::Cp(cp) => cp.clamp(-MOST_WITHOUT_MATE, MOST_WITHOUT_MATE),
        Score::Mate(moves) if moves > 0 => MATE - far(moves),
        Score::Mate(moves) => far(moves) - MATE,
    }
}

/// How good a move is, by the plan's bounds in centipawns of loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A loss of 10 centipawns or less.
    Excellent,
    /// A loss of 11 to 30 centipawns.
    Good,
    /// A loss of 31 to 60 centipawns.
    Inaccuracy,
    /// A loss of 61 to 100 centipawns.
    Mistake,
    /// A loss of more than 100 centipawns.
    Blunder,
}

impl Class {
    /// All, best first.
    pub const ALL: [Self; 5] = [
        Self::Excellent,
        Self::Good,
        Self::Inaccuracy,
        Self::Mistake,
        Self::Blunder,
    ];

    /// That of a loss in centipawns.
    #[must_use]
    pub const fn of(loss: u32) -> Self {
        match loss {
            0..=10 => Self::Excellent,
            11..=30 => Self::Good,
            31..=60 => Self::Inaccuracy,
            61..=100 => Self::Mistake,
            _ => Self::Blunder,
        }
    }

    /// 5 for the best to 1.
    #[must_use]
    pub const fn points(self) -> u8 {
        5 - self as u8
    }

    /// As the plan calls it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Excellent => "Excellent",
            Self::Good => "Good",
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        }
    }
}

/// A graded move. **Scores are the mover's view, both from one search.**
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// The move in UCI notation.
    #[serde(rename = "move")]
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The best move in UCI notation.
    pub best: String,
    /// The engine's best move in SAN.
    pub best_san: String,
    /// The best move's score in the search that scored the move.
    pub best_score: Score,
    /// The move's.
    pub score: Score,
    /// 1 to 5 among the best five, moves of equal score sharing the better place; 6 for all others.
    pub rank: u8,
    /// Whether it was the only legal move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_move: bool,
    /// Plies searched.
    pub depth: u32,
    /// The best move and what follows, in SAN.
    pub best_line: Vec<String>,
    /// The move and what follows, in SAN: why it loses what it loses.
    pub line: Vec<String>,
}

impl Grade {
    /// Centipawns lost, below zero where the move scored better than what had been the best: as it came.
    #[must_use]
    pub fn raw_loss(&self) -> i32 {
        centipawns(self.best_score) - centipawns(self.score)
    }

    /// Centipawns lost, 0 or more.
    #[must_use]
    pub fn loss(&self) -> u32 {
        self.raw_loss().max(0).unsigned_abs()
    }

    /// The same, [`CAP`] at most.
    #[must_use]
    pub fn capped_loss(&self) -> u32 {
        self.loss().min(CAP)
    }

    /// Chance of winning lost, 0..1, by Lichess's formula: what 50 centipawns are worth in this position.
    #[must_use]
    pub fn win_loss(&self) -> f64 {
        (self.best_score.win_probability() - self.score.win_probability()).max(0.0)
    }

    /// Its class.
    #[must_use]
    pub fn class(&self) -> Class {
        Class::of(self.loss())
    }

    /// 5 to 1.
    #[must_use]
    pub fn points(&self) -> u8 {
        self.class().points()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grade(best: Score, score: Score) -> Grade {
        Grade {
            uci: String::new(),
            san: String::new(),
            best: String::new(),
            best_san: String::new(),
            best_score: best,
            score,
            rank: 1,
            only_move: false,
            depth: 1,
            best_line: Vec::new(),
            line: Vec::new(),
        }
    }

    #[test]
    fn classes_end_where_the_plan_ends_them() {
        for (loss, class, points) in [
            (0, Class::Excellent, 5),
            (10, Class::Excellent, 5),
            (11, Class::Good, 4),
            (30, Class::Good, 4),
            (31, Class::Inaccuracy, 3),
            (60, Class::Inaccuracy, 3),
            (61, Class::Mistake, 2),
            (100, Class::Mistake, 2),
            (101, Class::Blunder, 1),
            (20_000, Class::Blunder, 1),
        ] {
            assert_eq!((Class::of(loss), Class::of(loss).points()), (class, points), "{loss}");
        }
    }

    #[test]
    fn losses_worked_by_hand() {
        use Score::{Cp, Mate};
        for (best, score, raw, capped) in [
            (Cp(34), Cp(-20), 54, 54),
            (Cp(20), Cp(25), -5, 0),
            (Mate(1), Mate(1), 0, 0),
            // A slower mate costs a centipawn a move.
            (Mate(1), Mate(4), 3, 3),
            (Mate(3), Cp(950), 9_047, 1_000),
            (Mate(2), Mate(-2), 19_996, 1_000),
            (Cp(0), Mate(-1), 9_999, 1_000),
            (Mate(-5), Mate(-2), 3, 3),
            // Being mated at once is the worst.
            (Mate(-3), Mate(0), 3, 3),
            (Mate(7), Cp(0), 9_993, 1_000),
            (Cp(20_000), Mate(9), -991, 0),
        ] {
            let grade = grade(best, score);
            assert_eq!((grade.raw_loss(), grade.capped_loss()), (raw, capped), "{best} {score}");
        }
        assert_eq!(grade(Mate(3), Cp(1_000)).class(), Class::Blunder);
        assert!(grade(Mate(3), Cp(1_000)).win_loss() < 0.03);
        assert!((grade(Cp(25), Cp(-25)).win_loss() - 0.046).abs() < 0.001);
        assert!(grade(Cp(825), Cp(775)).win_loss() < 0.01);
    }

    proptest! {
        #[test]
        fn scores_keep_their_order(a in -30_000..30_000_i32, b in -300..300_i32, mate: bool) {
            let other = if mate { Score::Mate(b) } else { Score::Cp(b) };
            let one = Score::Cp(a);
            prop_assert!((one.cmp(&other) as i8) * ((centipawns(one) - centipawns(other)).signum() as i8) >= 0);
            let loss = grade(one.max(other), one.min(other));
            prop_assert_eq!(i64::from(loss.loss()), i64::from(loss.raw_loss()));
            prop_assert!((0.0..=1.0).contains(&loss.win_loss()));
        }
    }
}
