//! What follows from ratings: totals, the hard rule, the winner; and of both orders together.

use serde::{Deserialize, Serialize};

use super::{Quality, Winner, line::RubricLine};

/// Ratings of one comment as numbers: they may be means of several judgements.
pub type Means = [f64; 6];

/// How much each quality counts in a total.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Weights(pub Means);

impl Default for Weights {
    /// The document's plain sum, 6 to 30.
    fn default() -> Self {
        Self([1.0; 6])
    }
}

impl Weights {
    /// Whether totals are the plain sum.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Σ weight · rating.
    #[must_use]
    pub fn total(&self, ratings: &Means) -> f64 {
        self.0.iter().zip(ratings).map(|(weight, rating)| weight * rating).sum()
    }
}

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The higher total.
    Total,
    /// Equal totals, the higher faithfulness.
    Faithfulness,
    /// And the higher relevance.
    Relevance,
    /// And the higher informativeness.
    Informativeness,
    /// Nothing: it is a tie.
    Nothing,
    /// The two orders name different winners: it is a tie.
    Flip,
}

/// The decision on one judgement, or on both orders of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The first comment's ratings after the hard rule.
    pub a: Means,
    /// The second's.
    pub b: Means,
    /// Weighted totals of both comments, the first one's first.
    pub totals: [f64; 2],
    /// The winner.
    pub winner: Winner,
    /// What decided.
    pub by: By,
    /// Whether both have a faithfulness of 1, by the hard rule or because the judge gives no more: then the winner is no good
    /// either.
    pub neither_is_good: bool,
}

/// Numbers that differ by less are equal: means of whole numbers, summed.
const EQUAL: f64 = 1e-9;

/// The place of faithfulness among the ratings.
const FAITHFULNESS: usize = 0;

/// Decides by ratings that stand.
#[must_use]
pub fn decide(a: Means, b: Means, weights: &Weights) -> Decision {
    let totals = [weights.total(&a), weights.total(&b)];
    let steps = [
        (By::Total, totals[0] - totals[1]),
        (By::Faithfulness, lead(&a, &b, Quality::Faithfulness)),
        (By::Relevance, lead(&a, &b, Quality::Relevance)),
        (By::Informativeness, lead(&a, &b, Quality::Informativeness)),
    ];
    let decided = steps.into_iter().find(|(_, lead)| lead.abs() > EQUAL);
    let (by, winner) = decided.map_or((By::Nothing, Winner::Tie), |(by, lead)| {
        (by, if lead > 0.0 { Winner::A } else { Winner::B })
    });
    Decision {
        a,
        b,
        totals,
        winner,
        by,
        neither_is_good: [&a, &b].iter().all(|ratings| ratings[FAITHFULNESS] <= 1.0 + EQUAL),
    }
}

fn lead(a: &Means, b: &Means, quality: Quality) -> f64 {
    let place = Quality::ALL.iter().position(|one| *one == quality).unwrap_or(0);
    a[place] - b[place]
}

/// Decides on a judge's line: its totals and its winner are not believed, and a comment that the claim check disqualifies
/// has a faithfulness of 1.
#[must_use]
pub fn decide_line(line: &RubricLine, weights: &Weights, disqualified: [bool; 2]) -> Decision {
    let held = |ratings: &[u8; 6], disqualified: bool| {
        let mut means = ratings.map(f64::from);
        if disqualified {
            means[FAITHFULNESS] = 1.0;
        }
        means
    };
    decide(held(&line.a, disqualified[0]), held(&line.b, disqualified[1]), weights)
}

/// Decides on both orders of a pair: ratings are the means of the two; where the orders name different winners, the verdict
/// is a tie. Neither is good where both orders give both a faithfulness of 1. `there` has the pair's first method first, `back`
/// has it second.
#[must_use]
pub fn decide_both(there: &Decision, back: &Decision, weights: &Weights) -> Decision {
    let mean = |one: &Means, other: &Means| -> Means {
        let mut means = *one;
        for (mean, other) in means.iter_mut().zip(other) {
            *mean = f64::midpoint(*mean, *other);
        }
        means
    };
    let both = decide(mean(&there.a, &back.b), mean(&there.b, &back.a), weights);
    if is_flip(there.winner, back.winner) {
        return Decision {
            winner: Winner::Tie,
            by: By::Flip,
            ..both
        };
    }
    both
}

/// Whether the orders name different winners: the same letter twice. `back` has the comments the other way round.
#[must_use]
pub fn is_flip(there: Winner, back: Winner) -> bool {
    there == back && there != Winner::Tie
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(a: [u8; 6], b: [u8; 6]) -> RubricLine {
        RubricLine {
            winner: Winner::Tie,
            a,
            b,
            totals: [0, 0],
        }
    }

    fn of(a: [u8; 6], b: [u8; 6]) -> (Winner, By) {
        let decision = decide_line(&line(a, b), &Weights::default(), [false, false]);
        (decision.winner, decision.by)
    }

    #[test]
    fn totals_then_the_three_tie_breaks() {
        assert_eq!(of([1, 1, 1, 1, 1, 2], [1, 1, 1, 1, 1, 1]), (Winner::A, By::Total));
        assert_eq!(
            of([2, 1, 1, 1, 1, 2], [3, 1, 1, 1, 1, 1]),
            (Winner::B, By::Faithfulness)
        );
        assert_eq!(of([3, 2, 1, 1, 1, 1], [3, 1, 1, 1, 1, 2]), (Winner::A, By::Relevance));
        assert_eq!(
            of([3, 2, 1, 1, 1, 2], [3, 2, 2, 1, 1, 1]),
            (Winner::B, By::Informativeness)
        );
        assert_eq!(of([3, 2, 2, 1, 2, 1], [3, 2, 2, 1, 1, 2]), (Winner::Tie, By::Nothing));
    }

    #[test]
    fn the_judges_own_totals_and_winner_count_for_nothing() {
        let mut line = line([5; 6], [4; 6]);
        line.winner = Winner::B;
        line.totals = [6, 30];
        let decision = decide_line(&line, &Weights::default(), [false, false]);
        assert_eq!((decision.winner, decision.totals), (Winner::A, [30.0, 24.0]));
    }

    #[test]
    fn the_hard_rule_sets_faithfulness_to_one() {
        let decision = decide_line(&line([5; 6], [4; 6]), &Weights::default(), [true, false]);
        assert_eq!((decision.a[0], decision.totals), (1.0, [26.0, 24.0]));
        assert!(!decision.neither_is_good);
        let decision = decide_line(&line([5, 4, 4, 4, 4, 4], [4; 6]), &Weights::default(), [true, false]);
        assert_eq!((decision.winner, decision.totals), (Winner::B, [21.0, 24.0]));
        let both = decide_line(&line([5; 6], [4; 6]), &Weights::default(), [true, true]);
        assert!(both.neither_is_good);
        assert_eq!(both.winner, Winner::A);
    }

    #[test]
    fn neither_is_good_where_the_judge_itself_believes_neither() {
        let weights = Weights::default();
        let judged = |a, b, disqualified| decide_line(&line(a, b), &weights, disqualified);
        let (bad, fair) = ([1, 4, 4, 4, 4, 4], [2, 4, 4, 4, 4, 4]);
        let by_judge = judged(bad, [1; 6], [false; 2]);
        assert!(by_judge.neither_is_good);
        assert_eq!(by_judge.winner, Winner::A);
        // One by the judge, the other by the claim check.
        assert!(judged(bad, [5; 6], [false, true]).neither_is_good);
        assert!(!judged(bad, fair, [false; 2]).neither_is_good);
        // Both orders must say so.
        assert!(decide_both(&by_judge, &judged(bad, bad, [false; 2]), &weights).neither_is_good);
        assert!(!decide_both(&by_judge, &judged(fair, bad, [false; 2]), &weights).neither_is_good);
    }

    #[test]
    fn weights_count_where_they_are_given() {
        let weights = Weights([2.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        let decision = decide_line(&line([4, 1, 1, 1, 1, 1], [3, 1, 1, 1, 1, 2]), &weights, [false; 2]);
        assert_eq!((decision.winner, decision.totals), (Winner::A, [13.0, 12.0]));
    }

    #[test]
    fn both_orders_are_averaged_and_a_flip_is_a_tie() {
        let weights = Weights::default();
        let judged = |a, b| decide_line(&line(a, b), &weights, [false; 2]);
        // The same method wins in both places.
        let there = judged([5; 6], [3; 6]);
        let back = judged([4; 6], [5; 6]);
        let both = decide_both(&there, &back, &weights);
        assert_eq!(
            (both.winner, both.by, both.totals),
            (Winner::A, By::Total, [30.0, 21.0])
        );
        // Whoever stands first wins.
        let back = judged([5; 6], [4; 6]);
        let flipped = decide_both(&there, &back, &weights);
        assert_eq!((flipped.winner, flipped.by), (Winner::Tie, By::Flip));
        assert_eq!(flipped.totals, [27.0, 24.0]);
        // A tie and a win: the means decide.
        let tie = judged([4; 6], [4; 6]);
        assert_eq!(decide_both(&there, &tie, &weights).winner, Winner::A);
    }
}
