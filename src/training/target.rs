//! What a network is to say of a position, from what an engine said: a policy over several moves and win, draw, loss.

use shakmaty::{Chess, Position};

use super::{Choices, selfplay::centipawns};
use crate::net::policy;
use crate::uci::Score;

/// A move that is so many centipawns behind the best gets 1/e of its probability.
pub const TEMPERATURE: f64 = 45.0;

/// A training target. **The view of the side to move.**
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// Policy index and probability, best first; they sum to 1.
    pub policy: Vec<(u16, f32)>,
    /// Win, draw, loss; they sum to 1.
    pub wdl: [f32; 3],
}

impl Target {
    /// The target that an engine's choices in `position` give. `None` when none of them is legal there.
    #[must_use]
    pub fn new(position: &Chess, choices: &Choices) -> Option<Self> {
        let best = choices.moves.first()?;
        let weighed: Vec<(u16, f64)> = choices
            .moves
            .iter()
            .filter_map(|choice| {
                let mv = choice.uci.to_move(position).ok()?;
                let index = policy::index_of(mv, position.turn())?;
                let behind = f64::from(centipawns(best.score) - centipawns(choice.score));
                Some((index, (-behind / TEMPERATURE).exp().min(1.0)))
            })
            .collect();
        let total: f64 = weighed.iter().map(|(_, weight)| weight).sum();
        if total <= 0.0 {
            return None;
        }
        let wdl = choices.wdl.map_or_else(
            || wdl_of(best.score),
            |per_mille| per_mille.map(|share| f32::from(share) / 1000.0),
        );
        Some(Self {
            policy: weighed
                .into_iter()
                .map(|(index, weight)| (index, (weight / total) as f32))
                .collect(),
            wdl,
        })
    }
}

/// Win, draw, loss where the engine gave only a score: the expected result is the score's win probability, and as much
/// of it as can be is draws, half of that as little.
fn wdl_of(score: Score) -> [f32; 3] {
    let expected = score.win_probability() as f32;
    let draw = expected.min(1.0 - expected);
    [expected - draw / 2.0, draw, 1.0 - expected - draw / 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(comment: &str) -> Target {
        Target::new(&Chess::default(), &Choices::in_comment(comment).unwrap()).unwrap()
    }

    #[test]
    fn moves_share_by_how_far_they_are_behind() {
        let target = target("[%choices e2e4:45 d2d4:0 a2a3:-3000] [%wdl 100 850 50]");
        assert_eq!(target.wdl, [0.1, 0.85, 0.05]);
        let shares: Vec<f32> = target.policy.iter().map(|(_, share)| *share).collect();
        assert!((shares[1] / shares[0] - (-1.0f32).exp()).abs() < 1e-5);
        assert!(shares[2] < 1e-9);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        // e2e4 of the 1858: the map is tested with the policy.
        assert_eq!(
            policy::squares_at(target.policy[0].0).map(|(from, ..)| from.to_string()),
            Some("e2".into())
        );
    }

    #[test]
    fn what_is_not_legal_is_left_out() {
        assert_eq!(target("[%choices e2e4:45 e7e5:45]").policy.len(), 1);
        let none = Choices::in_comment("[%choices e7e5:45]").unwrap();
        assert_eq!(Target::new(&Chess::default(), &none), None);
    }

    #[test]
    fn scores_alone_give_a_result_too() {
        let even = target("[%choices e2e4:0]").wdl;
        assert_eq!(even, [0.25, 0.5, 0.25]);
        assert_eq!(target("[%choices e2e4:#3]").wdl, [1.0, 0.0, 0.0]);
        let good = target("[%choices e2e4:150]").wdl;
        assert!((good.iter().sum::<f32>() - 1.0).abs() < 1e-6 && good[0] > good[2]);
    }
}
