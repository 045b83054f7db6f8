//! How alike two orders of moves are: Kendall's τ as it is defined, and as the released code computes it, which is another
//! figure.

use crate::{
    ranks::{DOUBLE, places},
    stats::{Undefined, correlation::kendall},
};

/// The level of intervals, of which none is used here.
const LEVEL: f64 = 0.95;

/// Kendall's τ-b of the moves' scores and their true values (Kendall, "The treatment of ties in ranking problems", 1945).
///
/// # Errors
/// With one legal move, and where all scores or all values are the same.
pub fn tau_b(scores: &[f64], values: &[f64]) -> Result<f64, Undefined> {
    kendall(scores, values, LEVEL).map(|found| found.value)
}

/// The figure of the released code and of the paper's tables: τ of the two **permutations that sort** scores and values, not of
/// scores and values themselves. Which move is the third-worst is held against which move is that by the oracle, by the moves'
/// numbers: a good ranking with small slips gets a low figure. One legal move counts as 1.
///
/// Equal figures keep the order of actions here; NumPy's sort may order them in any way.
#[must_use]
pub fn tau_of_sort_orders(scores: &[f64], values: &[f64]) -> f64 {
    let n = scores.len().min(values.len());
    if n < 2 {
        return 1.0;
    }
    // Two permutations have no ties, so that τ is always defined.
    tau_b(&sort_order(&scores[..n]), &sort_order(&values[..n])).unwrap_or(1.0)
}

/// The places of numbers, the lowest number's first.
fn sort_order(numbers: &[f64]) -> Vec<f64> {
    let places = places(numbers, DOUBLE);
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    // Stable: ties keep their order.
    order.sort_by_key(|number| places[*number]);
    order.into_iter().map(|place| place as f64).collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Row {
        scores: Vec<f64>,
        truth: Vec<f64>,
        released: f64,
        tau_b: Option<f64>,
    }

    /// Written by SciPy: `tests/data/chessbench/expected.py`.
    const EXPECTED: &str = include_str!("../../tests/data/chessbench/kendall.jsonl");

    #[test]
    fn both_figures_are_scipys() {
        for line in EXPECTED.lines() {
            let row: Row = serde_json::from_str(line).unwrap();
            let own = tau_of_sort_orders(&row.scores, &row.truth);
            assert!((own - row.released).abs() < 1e-12, "{own} {}", row.released);
            match (tau_b(&row.scores, &row.truth), row.tau_b) {
                (Ok(own), Some(theirs)) => assert!((own - theirs).abs() < 1e-12, "{own} {theirs}"),
                (Err(_), None) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_single_slip_costs_the_released_figure_far_more() {
        let values: Vec<f64> = (0..30).map(f64::from).collect();
        let mut slip = values.clone();
        // The best move by far is taken for the worst.
        slip[29] = -1.0;
        let (own, released) = (tau_b(&slip, &values).unwrap(), tau_of_sort_orders(&slip, &values));
        assert!(
            own > 0.85 && (own - released).abs() < 1e-12,
            "here both count the same: {own} {released}"
        );
        // Pairs of moves in the middle change places with their neighbours: nothing by rank, much by number.
        let shuffled: Vec<f64> = (0..30).map(|place| f64::from(place * 7 % 30)).collect();
        let mut noisy = shuffled.clone();
        for value in &mut noisy {
            *value += if *value % 2.0 == 0.0 { 1.1 } else { -1.1 };
        }
        let (own, released) = (tau_b(&noisy, &shuffled).unwrap(), tau_of_sort_orders(&noisy, &shuffled));
        assert!(own > 0.9 && released < own - 0.2, "{own} {released}");
    }
}
