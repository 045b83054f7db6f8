//! How far a network agrees with the engine it learned from.

use serde::Serialize;
use shakmaty::{Chess, Move, Position};

use super::{Choices, target::Target};

/// Places in a network's policy that count as found.
const FEW: usize = 5;

/// Counts over positions that a teacher has judged.
#[derive(Debug, Clone, Default)]
pub struct Agreement {
    positions: u64,
    first: u64,
    among_five: u64,
    share: f64,
    value_error: f64,
    value_square: f64,
    values: Vec<f64>,
}

/// How far a network agrees with its teacher.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Positions judged by both.
    pub n: u64,
    /// Share in which the network's most probable move is the teacher's best.
    pub top1: f64,
    /// Share in which the teacher's best is among the network's five most probable.
    pub top5: f64,
    /// Mean probability that the network gives to the teacher's best move.
    pub probability: f64,
    /// Mean absolute difference of the expected result (win − loss, −1..1).
    pub value_error: f64,
    /// Root of its mean square.
    pub value_rmse: f64,
    /// The mean absolute error of always saying the mean of these positions: what knowing nothing gives.
    pub value_error_of_the_mean: f64,
}

impl Agreement {
    /// Counts a position. `policy` has the legal moves, most probable first, and `q` is the expected result; all is
    /// the view of the side to move. False when the teacher has said nothing that can be used.
    pub fn count(&mut self, position: &Chess, choices: &Choices, policy: &[(Move, f32)], q: f32) -> bool {
        let Some(target) = Target::new(position, choices) else {
            return false;
        };
        let best = choices.moves.iter().find_map(|choice| {
            let mv = choice.uci.to_move(position).ok()?;
            position.is_legal(mv).then_some(mv)
        });
        let Some(place) = policy.iter().position(|(mv, _)| Some(*mv) == best) else {
            return false;
        };
        let [win, _, loss] = target.wdl.map(f64::from);
        let error = (f64::from(q) - (win - loss)).abs();
        self.positions += 1;
        self.first += u64::from(place == 0);
        self.among_five += u64::from(place < FEW);
        self.share += f64::from(policy[place].1);
        self.value_error += error;
        self.value_square += error * error;
        self.values.push(win - loss);
        true
    }

    /// The figures so far; `None` without positions.
    #[must_use]
    pub fn figures(&self) -> Option<Figures> {
        if self.positions == 0 {
            return None;
        }
        let n = self.positions as f64;
        let mean = self.values.iter().sum::<f64>() / n;
        Some(Figures {
            n: self.positions,
            top1: self.first as f64 / n,
            top5: self.among_five as f64 / n,
            probability: self.share / n,
            value_error: self.value_error / n,
            value_rmse: (self.value_square / n).sqrt(),
            value_error_of_the_mean: self.values.iter().map(|value| (value - mean).abs()).sum::<f64>() / n,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_two_positions() {
        let position = Chess::default();
        let policy: Vec<(Move, f32)> = position.legal_moves().into_iter().map(|mv| (mv, 0.05)).collect();
        let uci = |i: usize| policy[i].0.to_uci(shakmaty::CastlingMode::Standard);
        let mut agreement = Agreement::default();
        assert_eq!(agreement.figures(), None);
        let comment = |i, wdl| Choices::in_comment(&format!("[%choices {}:10] [%wdl {wdl}]", uci(i))).unwrap();
        assert!(agreement.count(&position, &comment(0, "500 500 0"), &policy, 0.2));
        assert!(agreement.count(&position, &comment(7, "0 500 500"), &policy, -0.1));
        assert!(!agreement.count(
            &position,
            &Choices::in_comment("[%choices e7e5:1]").unwrap(),
            &policy,
            0.0
        ));
        let figures = agreement.figures().unwrap();
        assert_eq!((figures.n, figures.top1, figures.top5), (2, 0.5, 0.5));
        assert!((figures.value_error - 0.35).abs() < 1e-6, "{figures:?}");
        assert!((figures.value_rmse - (0.125f64).sqrt()).abs() < 1e-6);
        assert!((figures.value_error_of_the_mean - 0.5).abs() < 1e-6);
        assert!((figures.probability - 0.05).abs() < 1e-6);
    }
}
