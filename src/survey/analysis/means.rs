//! Table 1: means by method and criterion, words, and how methods compare with a chosen one.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Options, Test,
    dataset::{Criterion, Dataset, Rated},
    material::Material,
};
use crate::{
    overlap::word_count,
    pace::Pace,
    stats::{
        Undefined,
        holm::holm,
        mean::{clustered_mean, mean_interval},
        paired::{sign_flips_in_turns, signed_rank},
    },
};

/// The criterion under which the numbers of words are compared.
pub const WORDS: &str = "words";

/// A method's mean for a criterion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanRow {
    /// The method's name, as the study has it.
    pub method: String,
    /// The criterion's id, such as `correctness`.
    pub criterion: String,
    /// The mean of all ratings as shares of the scale, 0..1; `None` without ratings.
    pub mean: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Ratings that the mean is over.
    pub n: usize,
    /// Positions rated.
    pub positions: usize,
    /// Raters who gave them.
    pub raters: usize,
    /// Why there is no mean or no interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
}

/// A method's words per comment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WordsRow {
    /// The method's name, as the study has it.
    pub method: String,
    /// Mean words per comment.
    pub mean: f64,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Comments whose words are counted.
    pub n: usize,
}

/// A method compared with the chosen one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The method's name, as the study has it.
    pub method: String,
    /// The criterion, or [`WORDS`].
    pub criterion: String,
    /// The method it is compared with.
    pub baseline: String,
    /// The mean over positions of the method's mean less the baseline's, as a share of the scale (words: in words).
    pub difference: Option<f64>,
    /// Two-sided, of this comparison alone.
    pub p: Option<f64>,
    /// Adjusted for all comparisons of the table by Holm's method.
    pub p_holm: Option<f64>,
    /// The matched-pairs rank-biserial correlation, −1..1; only of the signed-rank test.
    pub effect: Option<f64>,
    /// Positions compared: what the test counts.
    pub positions: usize,
    /// Pairs of ratings by the same rater behind them; 0 where no rater rated both methods, and raters are compared.
    pub pairs: usize,
    /// Why there is no p-value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
}

/// The means of all methods for all criteria. Intervals are t intervals over positions as clusters: ratings of one
/// position are alike.
#[must_use]
pub async fn means(data: &Dataset, options: &Options, pace: &impl Pace) -> Vec<MeanRow> {
    let mut rows = Vec::new();
    for (place, method) in data.methods.iter().enumerate() {
        for criterion in &data.criteria {
            pace.turn().await;
            let (mut values, mut clusters, mut raters) = (Vec::new(), Vec::new(), vec![false; data.raters.len()]);
            let mut positions = vec![false; data.positions.len()];
            for (item, rated) in data.items.iter().zip(&criterion.by_item) {
                if item.method != place {
                    continue;
                }
                for Rated { rater, value } in rated {
                    values.push(criterion.ends.share(*value));
                    clusters.push(item.position);
                    raters[*rater] = true;
                    positions[item.position] = true;
                }
            }
            let found = clustered_mean(&values, &clusters, options.level);
            let interval = found.and_then(|mean| mean.interval);
            rows.push(MeanRow {
                method: method.clone(),
                criterion: criterion.name.clone(),
                mean: found.ok().map(|mean| mean.mean),
                low: interval.ok().map(|ends| ends.low),
                high: interval.ok().map(|ends| ends.high),
                n: values.len(),
                positions: positions.into_iter().filter(|rated| *rated).count(),
                raters: raters.into_iter().filter(|rated| *rated).count(),
                undefined: interval.err(),
            });
        }
    }
    rows
}

/// Words per comment of the methods whose comments are known.
#[must_use]
pub fn words(data: &Dataset, material: &Material, options: &Options) -> Vec<WordsRow> {
    let counts = counts(data, material);
    let row = |(place, name): (usize, &String)| {
        let values: Vec<f64> = counts
            .iter()
            .filter(|((_, m), _)| *m == place)
            .map(|(_, n)| *n)
            .collect();
        let found = mean_interval(&values, options.level).ok()?;
        Some(WordsRow {
            method: name.clone(),
            mean: found.mean,
            low: found.interval.ok().map(|ends| ends.low),
            high: found.interval.ok().map(|ends| ends.high),
            n: found.n,
        })
    };
    data.methods.iter().enumerate().filter_map(row).collect()
}

/// Words of the comments that were rated, by position and method.
fn counts(data: &Dataset, material: &Material) -> BTreeMap<(usize, usize), f64> {
    data.items
        .iter()
        .filter_map(|item| {
            let key = (data.positions[item.position].clone(), data.methods[item.method].clone());
            let comment = material.comments.get(&key).filter(|comment| !comment.text.is_empty())?;
            Some(((item.position, item.method), word_count(&comment.text) as f64))
        })
        .collect()
}

/// Compares every method with the baseline, for every criterion and in words; empty without a baseline that was rated.
///
/// The test's unit is the position: the differences of the raters who rated both methods there, averaged. Pairs of
/// ratings would not do: those of one position share its comments, and a test that takes them for independent finds
/// differences where there are none.
#[must_use]
pub async fn comparisons(data: &Dataset, material: &Material, options: &Options, pace: &impl Pace) -> Vec<Comparison> {
    let Some(baseline) = options.baseline.as_deref().and_then(|name| data.method(name)) else {
        return Vec::new();
    };
    let by_position = data.items_by_position();
    let words = counts(data, material);
    let mut rows = Vec::new();
    for method in (0..data.methods.len()).filter(|method| *method != baseline) {
        for criterion in &data.criteria {
            let pair = [method, baseline];
            let (differences, pairs) = differences(data, criterion, &by_position, pair, pace).await;
            rows.push(compared(data, pair, &criterion.name, &differences, pairs, options, pace).await);
        }
        let in_words: Vec<f64> = (0..data.positions.len())
            .filter_map(|position| Some(words.get(&(position, method))? - words.get(&(position, baseline))?))
            .collect();
        if !in_words.is_empty() {
            rows.push(compared(data, [method, baseline], WORDS, &in_words, 0, options, pace).await);
        }
    }
    let defined: Vec<f64> = rows.iter().filter_map(|row| row.p).collect();
    let mut adjusted = holm(&defined).into_iter();
    for row in rows.iter_mut().filter(|row| row.p.is_some()) {
        row.p_holm = adjusted.next();
    }
    rows
}

/// For each position with both methods the difference of their ratings, and how many pairs of one rater are behind.
async fn differences(
    data: &Dataset,
    criterion: &Criterion,
    by_position: &[Vec<usize>],
    [method, baseline]: [usize; 2],
    pace: &impl Pace,
) -> (Vec<f64>, usize) {
    let (mut within, mut between, mut pairs) = (Vec::new(), Vec::new(), 0);
    for items in by_position {
        pace.turn().await;
        let ratings = |wanted: usize| {
            let mut by_rater: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
            for item in items.iter().filter(|item| data.items[**item].method == wanted) {
                for rated in &criterion.by_item[*item] {
                    by_rater
                        .entry(rated.rater)
                        .or_default()
                        .push(criterion.ends.share(rated.value));
                }
            }
            by_rater
        };
        let (ours, theirs) = (ratings(method), ratings(baseline));
        let both: Vec<f64> = ours
            .iter()
            .filter_map(|(rater, values)| Some(average(values) - average(theirs.get(rater)?)))
            .collect();
        pairs += both.len();
        if !both.is_empty() {
            within.push(average(&both));
        }
        let means = |ratings: &BTreeMap<usize, Vec<f64>>| {
            let means: Vec<f64> = ratings.values().map(|values| average(values)).collect();
            (!means.is_empty()).then(|| average(&means))
        };
        if let (Some(ours), Some(theirs)) = (means(&ours), means(&theirs)) {
            between.push(ours - theirs);
        }
    }
    if pairs > 0 { (within, pairs) } else { (between, 0) }
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

async fn compared(
    data: &Dataset,
    [method, baseline]: [usize; 2],
    criterion: &str,
    differences: &[f64],
    pairs: usize,
    options: &Options,
    pace: &impl Pace,
) -> Comparison {
    let tested = match options.test {
        Test::SignedRank => signed_rank(differences).map(|test| (test.p, Some(test.rank_biserial()))),
        Test::SignFlips { flips, seed } => sign_flips_in_turns(differences, flips, seed, pace)
            .await
            .map(|test| (test.p, None)),
    };
    Comparison {
        method: data.methods[method].clone(),
        criterion: criterion.to_owned(),
        baseline: data.methods[baseline].clone(),
        difference: (!differences.is_empty()).then(|| average(differences)),
        p: tested.ok().map(|(p, _)| p),
        p_holm: None,
        effect: tested.ok().and_then(|(_, effect)| effect),
        positions: differences.len(),
        pairs,
        undefined: tested.err(),
    }
}
