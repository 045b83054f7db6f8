//! The rating at which somebody performs against opponents, or puzzles, whose ratings are known.

use super::{Undefined, enough};

/// The rating R for which Σ 1 / (1 + 10^((rᵢ − R) / 400)) equals what was scored: the maximum of the likelihood of Elo's
/// logistic formula with the opponents' ratings held fixed (Elo, "The Rating of Chessplayers", 1978).
///
/// # Errors
/// Without results, or where all were won or all were lost, which has no finite rating.
pub fn performance_rating(ratings: &[f64], scores: &[f64]) -> Result<f64, Undefined> {
    enough(ratings, "results", 1)?;
    enough(scores, "results", ratings.len())?;
    let scored: f64 = scores.iter().take(ratings.len()).sum();
    if scored <= 0.0 || scored >= ratings.len() as f64 {
        return Err(Undefined::Extreme);
    }
    let expected = |at: f64| -> f64 {
        ratings
            .iter()
            .map(|rating| 1.0 / (1.0 + 10_f64.powf((rating - at) / 400.0)))
            .sum()
    };
    let (mut low, mut high) = (-10_000.0, 20_000.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if expected(middle) < scored {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(f64::midpoint(low, high))
}
