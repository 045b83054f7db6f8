//! Whoever can be asked for a prediction and waits for nobody: models of our own, and Lc0 networks whose policy or whose value
//! alone is asked.

use shakmaty::Chess;
#[cfg(feature = "net")]
use shakmaty::{CastlingMode, Position};
use thiserror::Error;

#[cfg(feature = "net")]
use super::{
    action::{Action, legal_actions},
    model_rows::{ModelRows, bins_of},
};
use super::{bins::Bins, prediction::Prediction};
#[cfg(feature = "net")]
use crate::{net::Runner, searchless::SearchlessReader};

/// Why there is no prediction, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PredictorError(pub String);

/// Who predicts what a position's legal moves are worth, in the order of actions.
pub trait Predictor {
    /// The prediction for a position of standard chess that was reached through `history`, the oldest position first. Models see
    /// the position alone.
    ///
    /// # Errors
    /// When the position cannot be written in what it reads, or it fails.
    fn predict(&mut self, history: &[Chess], position: &Chess) -> Result<Prediction, PredictorError>;

    /// The bins of its values.
    fn bins(&self) -> Bins;
}

#[cfg(feature = "net")]
fn failed(error: impl std::fmt::Display) -> PredictorError {
    PredictorError(error.to_string())
}

#[cfg(feature = "net")]
impl Predictor for SearchlessReader {
    fn predict(&mut self, _: &[Chess], position: &Chess) -> Result<Prediction, PredictorError> {
        let rows = ModelRows::new(self.header(), position).map_err(failed)?;
        let outputs = self.outputs(rows.rows()).map_err(failed)?;
        rows.prediction(&outputs).map_err(failed)
    }

    fn bins(&self) -> Bins {
        bins_of(self.header()).unwrap_or(Bins::DEFAULT)
    }
}

/// What an Lc0 network finds likely, without any search.
#[cfg(feature = "net")]
#[derive(Debug, Clone)]
pub struct PolicyAlone(pub Runner);

#[cfg(feature = "net")]
impl Predictor for PolicyAlone {
    fn predict(&mut self, history: &[Chess], position: &Chess) -> Result<Prediction, PredictorError> {
        let output = self.0.evaluate(history, position).map_err(failed)?;
        let of = |action: Action| {
            let own = |mv| Action::of_move(mv, CastlingMode::Standard) == Ok(action);
            let found = output.policy.iter().find(|(mv, _)| own(*mv));
            found.map_or(f64::NEG_INFINITY, |(_, share)| f64::from(*share).ln())
        };
        let legal = legal_actions(position, CastlingMode::Standard);
        Prediction::of_moves(legal.into_iter().map(|(action, _)| of(action)).collect()).map_err(failed)
    }

    fn bins(&self) -> Bins {
        Bins::DEFAULT
    }
}

/// What an Lc0 network thinks of the position after each legal move, without any search.
#[cfg(feature = "net")]
#[derive(Debug, Clone)]
pub struct ValueAlone(pub Runner);

#[cfg(feature = "net")]
impl Predictor for ValueAlone {
    fn predict(&mut self, history: &[Chess], position: &Chess) -> Result<Prediction, PredictorError> {
        let chance = |q: f32| f64::from(q.midpoint(1.0));
        let own = self.0.evaluate(history, position).map_err(failed)?.q;
        let mut line = history.to_vec();
        line.push(position.clone());
        let mut values = Vec::new();
        for (_, mv) in legal_actions(position, CastlingMode::Standard) {
            let mut after = position.clone();
            after.play_unchecked(mv);
            values.push(1.0 - chance(self.0.evaluate(&line, &after).map_err(failed)?.q));
        }
        Prediction::of_values(values, Some(chance(own))).map_err(failed)
    }

    fn bins(&self) -> Bins {
        Bins::DEFAULT
    }
}
