//! What a Lc0 network says without any search, as a prediction.

use shakmaty::{CastlingMode, Chess, Position};

use super::{
    action::{Action, legal_actions},
    prediction::{Prediction, PredictionError},
};
use crate::net::NetworkOutput;

/// How likely it finds each legal move.
///
/// # Errors
/// When it said no numbers.
pub fn policy_alone(output: &NetworkOutput, position: &Chess) -> Result<Prediction, PredictionError> {
    let of = |action: Action| {
        let own = |mv| Action::of_move(mv, CastlingMode::Standard) == Ok(action);
        let found = output.policy.iter().find(|(mv, _)| own(*mv));
        found.map_or(f64::NEG_INFINITY, |(_, share)| f64::from(*share).ln())
    };
    let legal = legal_actions(position, CastlingMode::Standard);
    Prediction::of_moves(legal.into_iter().map(|(action, _)| of(action)).collect())
}

/// The positions after the legal moves, in the order of actions: what it is asked about besides the position itself.
#[must_use]
pub fn positions_after(position: &Chess) -> Vec<Chess> {
    let after = |(_, mv)| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    };
    let legal = legal_actions(position, CastlingMode::Standard);
    legal.into_iter().map(after).collect()
}

/// What it thinks of the position after each legal move, turned round, by its expected results, −1 to 1: of the position, and of
/// [`positions_after`].
///
/// # Errors
/// When one is not a number.
pub fn value_alone(own: f32, after: &[f32]) -> Result<Prediction, PredictionError> {
    let chance = |q: f32| f64::from(q.midpoint(1.0));
    let values = after.iter().map(|q| 1.0 - chance(*q)).collect();
    Prediction::of_values(values, Some(chance(own)))
}
