//! Whoever can be asked for a prediction and waits for nobody: models of our own, and Lc0 networks whose policy or whose value
//! alone is asked.

use shakmaty::Chess;
use thiserror::Error;

use super::{bins::Bins, prediction::Prediction};
#[cfg(feature = "net")]
use super::{
    model_rows::{ModelRows, bins_of},
    network_prediction::{policy_alone, positions_after, value_alone},
};
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
        policy_alone(&output, position).map_err(failed)
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
        let own = self.0.evaluate(history, position).map_err(failed)?.q;
        let mut line = history.to_vec();
        line.push(position.clone());
        let mut after = Vec::new();
        for next in positions_after(position) {
            after.push(self.0.evaluate(&line, &next).map_err(failed)?.q);
        }
        value_alone(own, &after).map_err(failed)
    }

    fn bins(&self) -> Bins {
        Bins::DEFAULT
    }
}
