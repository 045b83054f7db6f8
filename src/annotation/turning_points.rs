//! Which moves of a game are worth a comment.
//!
//! A move is a candidate if it is an inaccuracy, a mistake or a blunder, or misses a forced mate. Its weight is what it
//! cost of its mover's winning chance; for a missed mate at least that of a mistake, since a mate that is thrown away
//! for a position that is still won costs next to nothing by the numbers. There is one turning point for every
//! [`MOVES_EACH`] moves of the game (both sides' counted), at least [`FEWEST`] and at most [`MOST`]. So that they are
//! spread over the game, the weightiest candidate of each third of it comes first; then the weightiest of the rest. Of
//! equal weights the earlier move comes first. The result depends on the game and the searches alone.

use super::{AnnotatedGame, AnnotatedMove};

/// Moves of the game for each turning point.
pub const MOVES_EACH: usize = 8;
/// The fewest turning points that are looked for.
pub const FEWEST: usize = 3;
/// The most.
pub const MOST: usize = 12;
/// The least weight of a missed mate: Lichess's limit for a mistake.
const MISSED_MATE: f64 = 0.10;
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
            Scope::TurningPoints => self.turning_points(),
            Scope::EveryMove => (0..self.moves().len())
                .filter(|index| self.moves()[*index].evaluation.is_some())
                .collect(),
        }
    }

    /// The turning points, ascending; see the [module](super::turning_points).
    #[must_use]
    pub fn turning_points(&self) -> Vec<usize> {
        let weights: Vec<Option<f64>> = self.moves().iter().map(weight).collect();
        choose(&weights, (weights.len() / MOVES_EACH).clamp(FEWEST, MOST))
    }
}

/// What a candidate weighs; `None` for a move that is none.
fn weight(annotated: &AnnotatedMove) -> Option<f64> {
    let loss = annotated.loss()?;
    if annotated.misses_mate() {
        return Some(loss.max(MISSED_MATE));
    }
    annotated.verdict?.is_bad().then_some(loss)
}

/// The indices of up to `most` candidates, ascending.
fn choose(weights: &[Option<f64>], most: usize) -> Vec<usize> {
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
    for (index, _) in candidates {
        if !chosen.contains(&index) {
            chosen.push(index);
        }
    }
    chosen.truncate(most);
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
        assert_eq!(choose(&weights, 3), [4, 12, 22]);
        assert_eq!(choose(&weights, 4), [4, 12, 22, 24]);
        assert_eq!(choose(&weights, 2), [12, 22]);
        assert_eq!(choose(&weights, 9), [2, 4, 12, 22, 24, 26]);
        assert_eq!(choose(&[], 3), [0; 0]);
        assert_eq!(choose(&[Some(0.2), Some(0.2), Some(0.2), Some(0.2)], 1), [0]);
    }

    proptest! {
        #[test]
        fn as_many_as_there_are_and_the_weightiest_among_them(
            weights in prop::collection::vec(prop::option::of(0.0..1.0f64), 0..80), most in 0..15usize,
        ) {
            let chosen = choose(&weights, most);
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
