//! What a model reads of a board, and what its outputs mean.

use shakmaty::{CastlingMode, Chess, Position};
use thiserror::Error;

use super::{
    action::{Action, legal_actions},
    bins::{BinCountError, Bins},
    prediction::{Prediction, PredictionError},
    token::{BoardTokens, TokenError},
};
use crate::searchless::header::{SearchlessHeader, Target, ValueLoss};

/// What stands before the board: rows are shifted by one place.
const BEFORE: u16 = 0;

/// A board as a model reads it: a row of symbols for each legal move (AV), for the board and for the board after each legal
/// move (SV), or for the board alone (BC).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRows {
    target: Target,
    loss: ValueLoss,
    bins: Option<Bins>,
    legal: Vec<Action>,
    rows: Vec<Vec<u16>>,
}

/// Why a model's outputs are no prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum OutputsError {
    /// There are too few or too many.
    #[error("the model gave {found} answers to {asked} questions")]
    Count {
        /// Answers.
        found: usize,
        /// Questions.
        asked: usize,
    },
    /// There are no such bins.
    #[error(transparent)]
    Bins(#[from] BinCountError),
    /// One does not fit the bins or the actions.
    #[error(transparent)]
    Prediction(#[from] PredictionError),
}

/// The bins of a model of values: of one that clones behavior, and of one that says bare values, those that figures need.
///
/// # Errors
/// When there are no such bins.
pub fn bins_of(header: &SearchlessHeader) -> Result<Bins, BinCountError> {
    match header.bins {
        0 => Ok(Bins::DEFAULT),
        count => Bins::new(u16::try_from(count).map_err(|_| BinCountError)?),
    }
}

impl ModelRows {
    /// What a model reads of a position of standard chess.
    ///
    /// # Errors
    /// When the position, or one after a legal move, has no symbols.
    pub fn new(header: &SearchlessHeader, position: &Chess) -> Result<Self, TokenError> {
        let legal = legal_actions(position, CastlingMode::Standard);
        let board = row(position)?;
        let rows = match header.kind {
            Target::ActionValue => legal
                .iter()
                .map(|(action, _)| {
                    let mut row = board.clone();
                    row.push(action.number());
                    row
                })
                .collect(),
            Target::StateValue => {
                let after = legal.iter().map(|(_, mv)| {
                    let mut after = position.clone();
                    after.play_unchecked(*mv);
                    row(&after)
                });
                [Ok(board)].into_iter().chain(after).collect::<Result<_, _>>()?
            }
            Target::BehavioralCloning => vec![board],
        };
        Ok(Self {
            target: header.kind,
            loss: header.loss,
            bins: bins_of(header).ok(),
            legal: legal.into_iter().map(|(action, _)| action).collect(),
            rows,
        })
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[Vec<u16>] {
        &self.rows
    }

    /// The legal moves in the order of actions.
    #[must_use]
    pub fn legal(&self) -> &[Action] {
        &self.legal
    }

    /// What the model predicts, by its outputs, one for each row, before any softmax.
    ///
    /// # Errors
    /// When they are not those of such a model.
    pub fn prediction(&self, outputs: &[Vec<f32>]) -> Result<Prediction, OutputsError> {
        if outputs.len() != self.rows.len() {
            return Err(OutputsError::Count {
                found: outputs.len(),
                asked: self.rows.len(),
            });
        }
        let bins = self.bins.ok_or(BinCountError)?;
        let logs = |rows: &[Vec<f32>]| rows.iter().map(|row| log_softmax(row)).collect::<Vec<_>>();
        let values = |rows: &[Vec<f32>]| {
            let value = |row: &Vec<f32>| match row[..] {
                [value] => Ok(f64::from(value)),
                _ => Err(PredictionError::Bins {
                    found: row.len(),
                    bins: 1,
                }),
            };
            rows.iter().map(value).collect::<Result<Vec<_>, _>>()
        };
        let bare = self.loss == ValueLoss::L2;
        Ok(match (self.target, outputs) {
            (Target::ActionValue, _) if bare => Prediction::of_values(values(outputs)?, None)?,
            (Target::ActionValue, _) => Prediction::of_action_values(bins, logs(outputs))?,
            (Target::StateValue, [own, after @ ..]) if bare => {
                let state = values(std::slice::from_ref(own))?.first().copied();
                // There the opponent is to move.
                let turned = values(after)?.into_iter().map(|value| 1.0 - value).collect();
                Prediction::of_values(turned, state)?
            }
            (Target::StateValue, [own, after @ ..]) => {
                Prediction::of_state_values(bins, &log_softmax(own), logs(after))?
            }
            (Target::BehavioralCloning, [own]) => Prediction::of_actions(&log_softmax(own), &self.legal)?,
            (Target::StateValue | Target::BehavioralCloning, _) => {
                return Err(OutputsError::Count {
                    found: outputs.len(),
                    asked: self.rows.len(),
                });
            }
        })
    }
}

fn row(position: &Chess) -> Result<Vec<u16>, TokenError> {
    let tokens = BoardTokens::of_position(position)?;
    let symbols = tokens.numbers().iter().map(|symbol| u16::from(*symbol));
    Ok([BEFORE].into_iter().chain(symbols).collect())
}

/// Outputs less the logarithm of the sum of their exponentials.
fn log_softmax(outputs: &[f32]) -> Vec<f64> {
    let most = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let most = f64::from(most);
    let sum: f64 = outputs.iter().map(|output| (f64::from(*output) - most).exp()).sum();
    let all = most + sum.ln();
    outputs.iter().map(|output| f64::from(*output) - all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::read_fen,
        searchless::header::{SCHEMA, SYMBOLS},
    };

    fn header(kind: Target, loss: ValueLoss, bins: usize, outputs: usize) -> SearchlessHeader {
        SearchlessHeader {
            schema: SCHEMA.to_owned(),
            name: String::new(),
            kind,
            layers: 1,
            heads: 1,
            width: 4,
            hidden: 16,
            symbols: 78 + usize::from(kind == Target::ActionValue),
            rows: SYMBOLS,
            bins,
            outputs,
            loss,
            games: None,
            boards: None,
            samples: None,
            seed: None,
        }
    }

    /// King and pawn: five king's moves and two pawn's.
    fn position() -> Chess {
        read_fen("7k/8/8/8/8/8/P7/K7 w - - 0 1").unwrap().position
    }

    #[test]
    fn each_kind_reads_its_rows() {
        let position = position();
        let moves = position.legal_moves().len();
        let action = ModelRows::new(&header(Target::ActionValue, ValueLoss::HlGauss, 4, 4), &position).unwrap();
        assert_eq!((action.rows().len(), action.legal().len()), (moves, moves));
        for (row, action) in action.rows().iter().zip(action.legal()) {
            assert_eq!((row.len(), row[0], row[78]), (79, 0, action.number()));
        }
        let state = ModelRows::new(&header(Target::StateValue, ValueLoss::Log, 4, 4), &position).unwrap();
        assert_eq!(state.rows().len(), moves + 1);
        assert!(state.rows().iter().all(|row| row.len() == 78));
        assert!(
            state.rows()[1..].iter().all(|row| row[1] != state.rows()[0][1]),
            "the other is to move"
        );
        let cloning = header(Target::BehavioralCloning, ValueLoss::Log, 0, 1968);
        let cloning = ModelRows::new(&cloning, &position).unwrap();
        assert_eq!(cloning.rows(), &state.rows()[..1]);
    }

    #[test]
    fn outputs_mean_what_they_should() {
        let position = position();
        let rows = |kind, loss, outputs| ModelRows::new(&header(kind, loss, 4, outputs), &position).unwrap();
        let sure = |bin: usize| {
            (0..4)
                .map(|at| if at == bin { 60.0 } else { 0.0 })
                .collect::<Vec<f32>>()
        };
        let action = rows(Target::ActionValue, ValueLoss::Log, 4);
        let said: Vec<_> = (0..action.rows().len()).map(|place| sure(place % 4)).collect();
        let prediction = action.prediction(&said).unwrap();
        assert!((prediction.scores[1] - 0.375).abs() < 1e-9);
        assert!(matches!(action.prediction(&said[1..]), Err(OutputsError::Count { .. })));
        assert!(matches!(
            action.prediction(&vec![vec![0.0; 3]; said.len()]),
            Err(OutputsError::Prediction(PredictionError::Bins { found: 3, bins: 4 }))
        ));
        let state = rows(Target::StateValue, ValueLoss::Log, 4);
        let prediction = state.prediction(&vec![sure(0); state.rows().len()]).unwrap();
        assert!(prediction.state.is_some_and(|value| (value - 0.125).abs() < 1e-9));
        assert!(prediction.scores.iter().all(|value| (value - 0.875).abs() < 1e-9));
        let bare = rows(Target::StateValue, ValueLoss::L2, 1);
        let prediction = bare.prediction(&vec![vec![0.25]; bare.rows().len()]).unwrap();
        assert_eq!((prediction.state, prediction.scores[0]), (Some(0.25), 0.75));
    }

    #[test]
    fn a_board_without_moves_has_no_rows_of_moves() {
        let over = read_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap().position;
        let action = ModelRows::new(&header(Target::ActionValue, ValueLoss::Log, 4, 4), &over).unwrap();
        assert_eq!(action.prediction(&[]).unwrap().scores, Vec::<f64>::new());
    }
}
