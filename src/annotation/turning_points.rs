//! Which moves of a game are worth a comment.
//!
//! A move is a candidate if it changed the result or could have: a bad move, or one of the good ones that
//! [`turning_point`](super::turning_point) names. There is one turning point for every [`MOVES_EACH`] half-moves of the
//! game, at least [`FEWEST_POINTS`] and at most [`MOST_POINTS`]; moves that weigh [`NOTABLE`] or more are chosen beyond
//! that, up to one for every [`NOTABLE_EACH`]. So that they are spread over the game, the weightiest candidate of each third of it comes
//! first; then the weightiest of the rest. Of equal weights the earlier move comes first. The result depends on the game and
//! the searches alone.

use super::{
    AnnotatedGame,
    turning_point::{TurningPoint, turning_point},
};

/// Half-moves of the game for each turning point.
pub const MOVES_EACH: usize = 8;
/// Half-moves of the game for each turning point where moves are notable in themselves.
pub const NOTABLE_EACH: usize = 4;
/// The weight from which a move is notable: nearly what a mistake costs.
pub const NOTABLE: f64 = 0.08;
/// The fewest turning points that are looked for.
pub const FEWEST_POINTS: usize = 4;
/// The most.
pub const MOST_POINTS: usize = 18;
/// The game is cut into so many stretches.
const STRETCHES: usize = 3;

/// Which moves are commented on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// The turning points.
    #[default]
    TurningPoints,
    /// Every move.
    EveryMove,
}

impl AnnotatedGame {
    /// The moves to comment on, ascending: those of the scope that are evaluated.
    #[must_use]
    pub fn chosen(&self, scope: Scope) -> Vec<usize> {
        match scope {
            Scope::TurningPoints => self.turning_points().iter().map(|point| point.index).collect(),
            Scope::EveryMove => (0..self.moves().len())
                .filter(|index| self.moves()[*index].evaluation.is_some())
                .collect(),
        }
    }

    /// The turning points, ascending; see the [module](super::turning_points).
    #[must_use]
    pub fn turning_points(&self) -> Vec<TurningPoint> {
        let moves = self.moves().len();
        let points: Vec<Option<TurningPoint>> = (0..moves).map(|index| turning_point(self, index)).collect();
        let weights: Vec<Option<f64>> = points.iter().map(|point| point.map(|point| point.weight)).collect();
        let most = |each: usize| moves.div_ceil(each).clamp(FEWEST_POINTS, MOST_POINTS);
        let chosen = choose(&weights, most(MOVES_EACH), most(NOTABLE_EACH));
        chosen.into_iter().filter_map(|index| points[index]).collect()
    }
}

/// The indices of up to `most` candidates, ascending; of notable ones up to `most_notable` in all.
fn choose(weights: &[Option<f64>], most: usize, most_notable: usize) -> Vec<usize> {
    let mut candidates: Vec<(usize, f64)> = weights
        .iter()
        .enumerate()
        .filter_map(|(index, weight)| Some((index, (*weight)?)))
        .collect();
    candidates.sort_by(|(i, a), (j, b)| b.total_cmp(a).then(i.cmp(j)));
    let stretch = |index: usize| index * STRETCHES / weights.len();
    let mut chosen: Vec<usize> = (0..STRETCHES)
        .filter_map(|which| {
            candidates
                .iter()
                .map(|(index, _)| *index)
                .find(|index| stretch(*index) == which)
        })
        .collect();
    // Where there is no room for all stretches, weight decides among them.
    chosen.sort_by_key(|index| candidates.iter().position(|(other, _)| other == index));
    chosen.truncate(most);
    for (index, weight) in candidates {
        let room = if weight >= NOTABLE {
            most.max(most_notable)
        } else {
            most
        };
        if !chosen.contains(&index) && chosen.len() < room {
            chosen.push(index);
        }
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_third_has_its_say_before_weight_decides() {
        let mut weights = vec![None; 30];
        // Three blunders in the last third, smaller ones before.
        for (index, weight) in [(2, 0.06), (4, 0.07), (12, 0.11), (22, 0.5), (24, 0.4), (26, 0.3)] {
            weights[index] = Some(weight);
        }
        assert_eq!(choose(&weights, 3, 0), [4, 12, 22]);
        assert_eq!(choose(&weights, 4, 0), [4, 12, 22, 24]);
        assert_eq!(choose(&weights, 2, 0), [12, 22]);
        assert_eq!(
            choose(&weights, 3, 5),
            [4, 12, 22, 24, 26],
            "what is notable has room beyond"
        );
        assert_eq!(choose(&weights, 9, 0), [2, 4, 12, 22, 24, 26]);
        assert_eq!(choose(&[], 3, 5), [0; 0]);
        assert_eq!(choose(&[Some(0.2), Some(0.2), Some(0.2), Some(0.2)], 1, 1), [0]);
    }

    proptest! {
        #[test]
        fn as_many_as_there_are_and_the_weightiest_among_them(
            weights in prop::collection::vec(prop::option::of(0.0..1.0f64), 0..80), most in 0..15usize,
        ) {
            let chosen = choose(&weights, most, 0);
            let candidates = weights.iter().flatten().count();
            prop_assert_eq!(chosen.len(), candidates.min(most));
            prop_assert!(chosen.is_sorted_by(|a, b| a < b));
            prop_assert!(chosen.iter().all(|index| weights[*index].is_some()));
            let heaviest = weights.iter().flatten().copied().fold(0.0, f64::max);
            if !chosen.is_empty() {
                prop_assert!(chosen.iter().any(|index| weights[*index] == Some(heaviest)));
            }
        }
    }
}
