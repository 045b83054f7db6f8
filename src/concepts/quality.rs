//! How good a probe is.

use serde::{Deserialize, Serialize};

use crate::ranks::{self, SINGLE};

/// Judgements of positions at the tails.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Share judged rightly, 0..1.
    pub accuracy: f64,
    /// True positives among those judged positive; 0 where none is (as scikit-learn has it).
    pub precision: f64,
    /// True positives among the positive ones; 0 where there are none.
    pub recall: f64,
    /// Positions judged.
    pub n: usize,
}

/// Why a figure is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    /// No position, or only one.
    #[error("there are too few positions")]
    TooFew,
    /// Nothing to be above or below.
    #[error("all labels are equal")]
    EqualLabels,
    /// The probe says the same of all.
    #[error("all scores are equal")]
    EqualScores,
}

impl Tally {
    /// Of decision values (positive judges positive) and classes. `None` when there are none.
    #[must_use]
    pub fn of(judged: impl IntoIterator<Item = (f32, bool)>) -> Option<Self> {
        let (mut n, mut right, mut found, mut claimed, mut positive) = (0_usize, 0_usize, 0_usize, 0_usize, 0_usize);
        for (decision, class) in judged {
            let claim = decision > 0.0;
            n += 1;
            right += usize::from(claim == class);
            found += usize::from(claim && class);
            claimed += usize::from(claim);
            positive += usize::from(class);
        }
        let share = |part: usize, whole: usize| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
        (n > 0).then(|| Self {
            accuracy: share(right, n),
            precision: share(found, claimed),
            recall: share(found, positive),
            n,
        })
    }
}

/// The area under the ROC curve: how often a positive one is scored above a negative one, equal scores counting half.
///
/// # Errors
/// When there are not both.
pub fn auc(scores: &[f32], positive: &[bool]) -> Result<f64, Undefined> {
    if scores.len() < 2 {
        return Err(Undefined::TooFew);
    }
    let positives = positive.iter().filter(|&&positive| positive).count() as f64;
    let negatives = scores.len() as f64 - positives;
    if positives == 0.0 || negatives == 0.0 {
        return Err(Undefined::EqualLabels);
    }
    let ranks = mid_ranks(scores);
    let sum: f64 = ranks
        .iter()
        .zip(positive)
        .filter(|(_, p)| **p)
        .map(|(rank, _)| rank)
        .sum();
    Ok((sum - positives * (positives + 1.0) / 2.0) / (positives * negatives))
}

/// [`auc`] of telling labels above their median from the others.
///
/// # Errors
/// When no label is above the median, or there are too few.
pub fn auc_at_median(scores: &[f32], labels: &[f32]) -> Result<f64, Undefined> {
    let mut sorted = labels.to_vec();
    sorted.sort_by(f32::total_cmp);
    let Some((&one, &other)) = sorted
        .get(sorted.len().saturating_sub(1) / 2)
        .zip(sorted.get(sorted.len() / 2))
    else {
        return Err(Undefined::TooFew);
    };
    let median = f32::midpoint(one, other);
    let above: Vec<bool> = labels.iter().map(|&label| label > median).collect();
    auc(scores, &above)
}

/// Spearman's rank correlation, equal values having the mean of their ranks.
///
/// # Errors
/// When there are too few, or all labels or all scores are equal.
pub fn spearman(scores: &[f32], labels: &[f32]) -> Result<f64, Undefined> {
    if scores.len() < 2 {
        return Err(Undefined::TooFew);
    }
    let (a, b) = (mid_ranks(scores), mid_ranks(labels));
    let mean = (scores.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let (in_scores, in_labels) = (product(&a, &a), product(&b, &b));
    if in_labels == 0.0 {
        return Err(Undefined::EqualLabels);
    }
    if in_scores == 0.0 {
        return Err(Undefined::EqualScores);
    }
    Ok(product(&a, &b) / (in_scores * in_labels).sqrt())
}

/// Each value's rank from 1; ties by value, at [`SINGLE`] precision, have the mean of theirs.
fn mid_ranks(values: &[f32]) -> Vec<f64> {
    let values: Vec<f64> = values.iter().copied().map(f64::from).collect();
    ranks::mid_ranks(&values, SINGLE)
}

/// The mean and the standard deviation (of the values themselves, not of a sample); 0 and 0 when there are none.
#[must_use]
pub fn mean_and_spread(values: &[f32]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
    let variance = values.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>() / n;
    (mean, variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Case {
        name: String,
        scores: Vec<f32>,
        labels: Vec<f32>,
        accuracy: f64,
        precision: f64,
        recall: f64,
        auc: f64,
        auc_at_median: Option<f64>,
        spearman: Option<f64>,
    }

    #[test]
    fn figures_are_those_of_scikit_learn_and_scipy() {
        #[derive(Deserialize)]
        struct File {
            cases: Vec<Case>,
        }
        let file: File = serde_json::from_str(include_str!("../../tests/data/probe-quality.json")).unwrap();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        for case in &file.cases {
            // The classes of the file's cases: labels above 0.
            let classes: Vec<bool> = case.labels.iter().map(|&label| label > 0.0).collect();
            let tally = Tally::of(case.scores.iter().copied().zip(classes.iter().copied())).unwrap();
            assert!(close(tally.accuracy, case.accuracy), "{}", case.name);
            assert!(close(tally.precision, case.precision), "{}", case.name);
            assert!(close(tally.recall, case.recall), "{}", case.name);
            assert!(close(auc(&case.scores, &classes).unwrap(), case.auc), "{}", case.name);
            for (ours, theirs) in [
                (auc_at_median(&case.scores, &case.labels), case.auc_at_median),
                (spearman(&case.scores, &case.labels), case.spearman),
            ] {
                match (ours, theirs) {
                    (Ok(ours), Some(theirs)) => assert!(close(ours, theirs), "{}: {ours} {theirs}", case.name),
                    (Err(_), None) => {}
                    other => panic!("{}: {other:?}", case.name),
                }
            }
        }
        assert!(file.cases.len() >= 5);
    }

    #[test]
    fn what_is_not_defined_says_why() {
        assert_eq!(Tally::of([]), None);
        assert_eq!(auc(&[1.0, 2.0], &[true, true]), Err(Undefined::EqualLabels));
        assert_eq!(auc_at_median(&[], &[]), Err(Undefined::TooFew));
        assert_eq!(
            auc_at_median(&[1.0, 2.0, 3.0], &[0.0, 0.0, 0.0]),
            Err(Undefined::EqualLabels)
        );
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), Err(Undefined::EqualScores));
        assert_eq!(spearman(&[1.0, 2.0], &[1.0, 1.0]), Err(Undefined::EqualLabels));
        assert_eq!(spearman(&[1.0], &[1.0]), Err(Undefined::TooFew));
    }

    proptest! {
        #[test]
        fn order_is_all_that_matters(values in proptest::collection::vec((-9i8..9, any::<bool>()), 2..60)) {
            let (scores, classes): (Vec<f32>, Vec<bool>) = values.iter().map(|&(v, c)| (f32::from(v), c)).unzip();
            let cubed: Vec<f32> = scores.iter().map(|v| v.powi(3) + 5.0).collect();
            let turned: Vec<f32> = scores.iter().map(|v| -v).collect();
            prop_assert_eq!(auc(&scores, &classes), auc(&cubed, &classes));
            if let Ok(area) = auc(&scores, &classes) {
                prop_assert!((area + auc(&turned, &classes).unwrap() - 1.0).abs() < 1e-9);
            }
            if let Ok(one) = spearman(&scores, &cubed) {
                prop_assert!((one - 1.0).abs() < 1e-9);
            }
        }
    }
}
