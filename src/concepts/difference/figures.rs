//! How well changes are foretold: against the change of Stockfish 8's own terms, on pairs that were not learnt from.

use serde::{Deserialize, Serialize};

use super::super::quality::spearman;

/// The paper's concepts.
const COUNT: usize = 21;

/// What a figure says of one concept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ConceptFigures {
    /// Pairs in which the term changed.
    pub changed: usize,
    /// Rank correlation of predicted and true change over those pairs; `None` where it is not defined.
    pub spearman: Option<f64>,
    /// Of the larger half of those changes: the share whose direction is right. `None` where there are none.
    pub sign: Option<f64>,
}

/// Of all concepts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Pairs judged.
    pub pairs: usize,
    /// In the order of [`Concept::ALL`](crate::concepts::Concept::ALL), White standing for the mover.
    pub concepts: Vec<ConceptFigures>,
    /// Mean over the concepts for which it is defined.
    pub spearman: f64,
    /// Mean over the concepts for which it is defined.
    pub sign: f64,
}

impl Figures {
    /// Of predicted and true changes, one list a pair each.
    #[must_use]
    pub fn of(predicted: &[[f32; COUNT]], truth: &[[f32; COUNT]]) -> Self {
        let concepts: Vec<ConceptFigures> = (0..COUNT)
            .map(|i| {
                let changed: (Vec<f32>, Vec<f32>) = predicted
                    .iter()
                    .zip(truth)
                    .filter(|(_, truth)| truth[i] != 0.0)
                    .map(|(predicted, truth)| (predicted[i], truth[i]))
                    .unzip();
                ConceptFigures {
                    changed: changed.0.len(),
                    spearman: spearman(&changed.0, &changed.1).ok(),
                    sign: sign(&changed.0, &changed.1),
                }
            })
            .collect();
        let mean = |of: &dyn Fn(&ConceptFigures) -> Option<f64>| {
            let all: Vec<f64> = concepts.iter().filter_map(of).collect();
            all.iter().sum::<f64>() / all.len().max(1) as f64
        };
        Self {
            pairs: truth.len(),
            spearman: mean(&|one| one.spearman),
            sign: mean(&|one| one.sign),
            concepts,
        }
    }
}

/// Share of right directions among the changes that are at least as large as their median.
fn sign(predicted: &[f32], truth: &[f32]) -> Option<f64> {
    let mut sizes: Vec<f32> = truth.iter().map(|change| change.abs()).collect();
    sizes.sort_by(f32::total_cmp);
    let median = *sizes.get(sizes.len() / 2)?;
    let large: Vec<bool> = predicted
        .iter()
        .zip(truth)
        .filter(|(_, truth)| truth.abs() >= median)
        .map(|(predicted, truth)| predicted * truth > 0.0)
        .collect();
    Some(large.iter().filter(|&&right| right).count() as f64 / large.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pairs_that_changed_count_and_only_large_changes_have_a_sign() {
        let truth: Vec<[f32; COUNT]> = [0.0, 1.0, -2.0, 3.0, 0.1, -0.1]
            .iter()
            .map(|&change| std::array::from_fn(|i| if i == 1 { 0.0 } else { change }))
            .collect();
        let predicted: Vec<[f32; COUNT]> = [9.0, 0.5, -1.0, 2.0, -0.1, 0.2].iter().map(|&x| [x; COUNT]).collect();
        let figures = Figures::of(&predicted, &truth);
        let one = figures.concepts[0];
        assert_eq!(
            (one.changed, one.sign),
            (5, Some(1.0)),
            "the small ones go the other way"
        );
        assert!((one.spearman.unwrap() - 0.9).abs() < 1e-9, "{one:?}");
        let still = figures.concepts[1];
        assert_eq!((still.changed, still.spearman, still.sign), (0, None, None));
        assert!((figures.spearman - 0.9).abs() < 1e-9 && figures.pairs == 6);
    }
}
