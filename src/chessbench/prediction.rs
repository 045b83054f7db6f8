//! What a model says of a board, as figures for each legal move in the order of actions.

use thiserror::Error;

use super::{
    action::{ACTIONS, Action},
    bins::Bins,
};

/// What a model said, in logarithms of probabilities (nats) but for bare values.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// For each legal move the bins of its value, the view of the side to move.
    Bins(Vec<Vec<f64>>),
    /// For each legal move its value alone, the view of the side to move: of models of the L2 loss, which may leave 0..1 a
    /// little, and of Lc0 networks.
    Values(Vec<f64>),
    /// For each legal move its own probability among the legal ones.
    Moves(Vec<f64>),
}

/// A prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// What the moves are ranked by: expected values 0..1, or logarithms of probabilities.
    pub scores: Vec<f64>,
    /// What was said.
    pub said: Said,
    /// The expected value of the board itself, 0..1; of models of state values.
    pub state: Option<f64>,
    /// The likeliest of all actions, legal or not; of models that clone behavior.
    pub unmasked: Option<Action>,
}

/// Why an output is no prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PredictionError {
    /// A row has another number of bins.
    #[error("an output has {found} numbers, and there are {bins} bins")]
    Bins {
        /// Of the row.
        found: usize,
        /// Those there should be.
        bins: usize,
    },
    /// Not one number for every action.
    #[error("the output has {0} numbers, and there are {ACTIONS} actions")]
    Actions(usize),
    /// A number is none.
    #[error("an output is not a number")]
    NotANumber,
}

impl Prediction {
    /// Of a model of action values: for each legal move the logarithms of its bins' probabilities.
    ///
    /// # Errors
    /// When a row does not fit the bins.
    pub fn of_action_values(bins: Bins, said: Vec<Vec<f64>>) -> Result<Self, PredictionError> {
        let scores = said.iter().map(|row| expected(bins, row)).collect::<Result<_, _>>()?;
        Ok(Self {
            scores,
            said: Said::Bins(said),
            state: None,
            unmasked: None,
        })
    }

    /// Of a model of state values: the board's own bins, and those of the board after each legal move. There the opponent is to
    /// move, so that their bins are turned round, as the released code does; the policy is then the same as of action values.
    ///
    /// # Errors
    /// When a row does not fit the bins.
    pub fn of_state_values(bins: Bins, own: &[f64], after: Vec<Vec<f64>>) -> Result<Self, PredictionError> {
        let state = expected(bins, own)?;
        let turned = after.into_iter().map(|row| row.into_iter().rev().collect()).collect();
        Ok(Self {
            state: Some(state),
            ..Self::of_action_values(bins, turned)?
        })
    }

    /// Of a model that says bare values: for each legal move its value, the view of the side to move; and the board's own, of models
    /// of state values.
    ///
    /// # Errors
    /// When one is not a number.
    pub fn of_values(values: Vec<f64>, state: Option<f64>) -> Result<Self, PredictionError> {
        if values.iter().chain(&state).any(|value| value.is_nan()) {
            return Err(PredictionError::NotANumber);
        }
        Ok(Self {
            scores: values.clone(),
            said: Said::Values(values),
            state,
            unmasked: None,
        })
    }

    /// Of a player that says how likely each legal move is, and nothing of the others.
    ///
    /// # Errors
    /// When a logarithm is not a number.
    pub fn of_moves(logs: Vec<f64>) -> Result<Self, PredictionError> {
        if logs.iter().any(|log| log.is_nan()) {
            return Err(PredictionError::NotANumber);
        }
        Ok(Self {
            scores: logs.clone(),
            said: Said::Moves(logs),
            state: None,
            unmasked: None,
        })
    }

    /// Whether its scores are chances of winning, and not logarithms of probabilities.
    #[must_use]
    pub const fn has_values(&self) -> bool {
        match self.said {
            Said::Bins(_) | Said::Values(_) => true,
            Said::Moves(_) => false,
        }
    }

    /// Of a model that clones behavior: the logarithms of all 1,968 actions' probabilities, of which the legal ones are made a
    /// whole again; where they have no probability at all they are equally likely.
    ///
    /// # Errors
    /// When there is not a number for each action.
    pub fn of_actions(all: &[f64], legal: &[Action]) -> Result<Self, PredictionError> {
        if all.len() != ACTIONS {
            return Err(PredictionError::Actions(all.len()));
        }
        if all.iter().any(|log| log.is_nan()) {
            return Err(PredictionError::NotANumber);
        }
        let own: Vec<f64> = legal.iter().map(|action| all[usize::from(action.number())]).collect();
        let highest = |logs: &[f64]| logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let own = match highest(&own) > f64::NEG_INFINITY {
            true => own,
            false => vec![0.0; own.len()],
        };
        let most = highest(&own);
        let norm = most + own.iter().map(|log| (log - most).exp()).sum::<f64>().ln();
        let logs: Vec<f64> = own.iter().map(|log| log - norm).collect();
        let unmasked = first_highest(all).and_then(|place| Action::new(u16::try_from(place).ok()?).ok());
        Ok(Self {
            scores: logs.clone(),
            said: Said::Moves(logs),
            state: None,
            unmasked,
        })
    }
}

fn expected(bins: Bins, row: &[f64]) -> Result<f64, PredictionError> {
    if row.len() != bins.count() {
        return Err(PredictionError::Bins {
            found: row.len(),
            bins: bins.count(),
        });
    }
    if row.iter().any(|log| log.is_nan()) {
        return Err(PredictionError::NotANumber);
    }
    Ok(bins.expected(row.iter().map(|log| log.exp())))
}

/// The place of the highest number, of equal ones the first; `None` of none.
#[must_use]
pub fn first_highest(numbers: &[f64]) -> Option<usize> {
    let mut best = 0;
    for (place, number) in numbers.iter().enumerate() {
        if *number > numbers[best] {
            best = place;
        }
    }
    (!numbers.is_empty()).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponents_bins_are_turned_round() {
        let bins = Bins::new(4).unwrap();
        let sure = |bin: usize| {
            (0..4)
                .map(|at| if at == bin { 0.0 } else { f64::NEG_INFINITY })
                .collect::<Vec<_>>()
        };
        let prediction = Prediction::of_state_values(bins, &sure(2), vec![sure(0), sure(3)]).unwrap();
        assert_eq!(
            (prediction.state, &prediction.scores[..]),
            (Some(0.625), &[0.875, 0.125][..])
        );
        let action_values = Prediction::of_action_values(bins, vec![sure(3), sure(0)]).unwrap();
        assert_eq!(prediction.said, action_values.said);
        let wrong = Prediction::of_action_values(bins, vec![vec![0.0; 3]]);
        assert_eq!(wrong, Err(PredictionError::Bins { found: 3, bins: 4 }));
        let nan = Prediction::of_action_values(bins, vec![vec![f64::NAN; 4]]);
        assert_eq!(nan, Err(PredictionError::NotANumber));
    }

    #[test]
    fn the_legal_actions_are_a_whole_again() {
        let mut all = vec![-20.0; ACTIONS];
        let legal: Vec<Action> = ["e2e4", "d2d4"].map(|uci| uci.parse().unwrap()).to_vec();
        all[usize::from(legal[0].number())] = -3.0;
        all[usize::from(legal[1].number())] = -3.0 + 3_f64.ln();
        all[5] = 0.0;
        let prediction = Prediction::of_actions(&all, &legal).unwrap();
        assert!((prediction.scores[0].exp() - 0.25).abs() < 1e-12);
        assert_eq!(prediction.unmasked, Action::new(5).ok());
        let never = Prediction::of_actions(&vec![f64::NEG_INFINITY; ACTIONS], &legal).unwrap();
        assert!(never.scores.iter().all(|log| (log + 2_f64.ln()).abs() < 1e-12));
        assert_eq!(Prediction::of_actions(&[0.0], &legal), Err(PredictionError::Actions(1)));
        assert_eq!(first_highest(&[1.0, 2.0, 2.0]), Some(1));
        assert_eq!(first_highest(&[]), None);
    }
}
