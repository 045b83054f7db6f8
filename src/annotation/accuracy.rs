//! Lichess's accuracy of a side, from the winning chances along a game.
//!
//! A move's accuracy falls with what it costs in winning chance; a side's is the mean of two means of its moves'
//! accuracies: one weighted by how much the chances swing around the move, so that quiet stretches don't drown the rest,
//! and the harmonic one, in which a bad move weighs heavily. The method and its constants are Lichess's
//! (<https://lichess.org/page/accuracy>; lila, `AccuracyPercent.scala`); the figures are only comparable with Lichess's
//! for searches as deep as its own. Unlike Lichess, which takes 15 centipawns for the first position, we search it.

use shakmaty::Color;

use crate::uci::Score;

/// Fewest and most positions in the window that says how much the chances swing.
const WINDOW: (usize, usize) = (2, 8);
/// The window is a tenth of the game.
const WINDOWS: usize = 10;
/// The least and the most that a move weighs: standard deviations of per cents.
const WEIGHT: (f64, f64) = (0.5, 12.0);

/// Accuracy of one move, in per cent, from its mover's winning chances (0 to 1) before and after it.
#[must_use]
pub fn of_move(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let lost = (before - after) * 100.0;
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * lost).exp() - 3.166_924_740_191_411;
    // The one more is Lichess's allowance for an analysis that is not perfect.
    (raw + 1.0).clamp(0.0, 100.0)
}

/// Accuracy of `side`, in per cent, from White's winning chances (0 to 1) in all positions of the game; `first` plays
/// the first move. `None` where the side has no move.
#[must_use]
pub fn of_side(white: &[f64], first: Color, side: Color) -> Option<f64> {
    // Lichess counts a mate as ten pawns here.
    let most = Score::Cp(1000).win_probability();
    let white: Vec<f64> = white.iter().map(|chance| chance.clamp(1.0 - most, most)).collect();
    let moves = white.len().checked_sub(1).filter(|moves| *moves > 0)?;
    let window = (moves / WINDOWS).clamp(WINDOW.0, WINDOW.1);
    let weight = |index: usize| {
        // The first windows are all the same: there is nothing before the game.
        let start = (index + 2).saturating_sub(window);
        deviation(&white[start..start + window]).clamp(WEIGHT.0, WEIGHT.1)
    };
    let own: Vec<(f64, f64)> = (0..moves)
        .filter(|index| (index % 2 == 0) == (first == side))
        .map(|index| {
            let (before, after) = (white[index], white[index + 1]);
            let accuracy = match side {
                Color::White => of_move(before, after),
                Color::Black => of_move(1.0 - before, 1.0 - after),
            };
            (accuracy, weight(index))
        })
        .collect();
    if own.is_empty() {
        return None;
    }
    let weights: f64 = own.iter().map(|(_, weight)| weight).sum();
    let weighted = own.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weights;
    #[allow(clippy::cast_precision_loss)] // moves of a game
    let harmonic = own.len() as f64 / own.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>();
    Some(f64::midpoint(weighted, harmonic))
}

/// The standard deviation of chances, in per cents.
#[allow(clippy::cast_precision_loss)] // at most eight
fn deviation(chances: &[f64]) -> f64 {
    let count = chances.len() as f64;
    let mean = chances.iter().sum::<f64>() / count;
    let squares: f64 = chances.iter().map(|chance| (chance - mean).powi(2)).sum();
    (squares / count).sqrt() * 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `tests/data/accuracy.csv`: worked out by `tests/data/prepare/accuracy_expected.py`, which follows Lichess's
    /// description in another way.
    #[test]
    fn agrees_with_the_formula_worked_out_elsewhere() {
        let mut rows = 0;
        for row in include_str!("../../tests/data/accuracy.csv").lines() {
            if row.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> = row.split(',').collect();
            let [first, scores, white, black] = fields[..] else {
                panic!("{row}");
            };
            let first = Color::from_white(first == "w");
            let chances: Vec<f64> = scores
                .split(' ')
                .map(|score| match score.strip_prefix('#') {
                    Some(mate) => Score::Mate(mate.parse().unwrap()),
                    None => Score::Cp(score.parse().unwrap()),
                })
                .map(Score::win_probability)
                .collect();
            for (side, expected) in [(Color::White, white), (Color::Black, black)] {
                let got = of_side(&chances, first, side);
                match (got, expected.parse::<f64>()) {
                    (Some(got), Ok(expected)) => assert!((got - expected).abs() < 1e-6, "{row}: {side} {got}"),
                    (None, Err(_)) => {}
                    (got, _) => panic!("{row}: {side} {got:?}"),
                }
            }
            rows += 1;
        }
        assert!(rows >= 8, "{rows}");
    }

    #[test]
    fn what_costs_nothing_is_perfect() {
        assert_eq!(of_move(0.4, 0.4), 100.0);
        assert_eq!(of_move(0.4, 0.9), 100.0);
        assert_eq!(of_move(1.0, 0.0), 0.0);
        assert_eq!(of_side(&[0.5], Color::White, Color::White), None);
        assert_eq!(of_side(&[0.5; 30], Color::Black, Color::White), Some(100.0));
    }

    proptest! {
        #[test]
        fn accuracy_is_a_per_cent(chances in prop::collection::vec(0.0..=1.0f64, 0..120), white in any::<bool>()) {
            for side in Color::ALL {
                if let Some(accuracy) = of_side(&chances, Color::from_white(white), side) {
                    prop_assert!((0.0..=100.0 + 1e-9).contains(&accuracy), "{}", accuracy);
                }
            }
        }
    }
}
