//! Table 3: how far raters agree.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Options,
    dataset::{Criterion, Dataset},
};
use crate::{
    pace::Pace,
    stats::{
        Undefined,
        alpha::{Level, krippendorff_alpha},
        icc::icc2,
        kappa::fleiss_kappa,
    },
};

/// Agreement on a criterion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgreementRow {
    /// The criterion.
    pub criterion: String,
    /// Fleiss' kappa of the ratings as categories; generalised where items have unequal numbers of ratings.
    pub fleiss_kappa: Option<f64>,
    /// Fleiss' kappa of ranks: each rater's order of a position's comments, ties sharing the mean of their ranks.
    pub fleiss_kappa_ranks: Option<f64>,
    /// Krippendorff's alpha, ordinal.
    pub krippendorff_alpha: Option<f64>,
    /// Krippendorff's alpha, nominal.
    pub alpha_nominal: Option<f64>,
    /// Krippendorff's alpha, interval.
    pub alpha_interval: Option<f64>,
    /// The reliability of the mean of all raters: two-way random effects, absolute agreement.
    pub icc2k: Option<f64>,
    /// The lower end of its interval.
    pub icc2k_low: Option<f64>,
    /// The upper end.
    pub icc2k_high: Option<f64>,
    /// The reliability of one rater.
    pub icc21: Option<f64>,
    /// Items rated by at least two.
    pub items: usize,
    /// Items rated by all, on which the intraclass correlations rest.
    pub crossed_items: usize,
    /// Raters of this criterion.
    pub raters: usize,
    /// Ratings of it.
    pub ratings: usize,
    /// The fewest and the most ratings of an item.
    pub ratings_per_item: [usize; 2],
    /// Why a figure is not there, by the figure's name.
    pub undefined: BTreeMap<&'static str, Undefined>,
}

/// Agreement on every criterion.
#[must_use]
pub async fn agreement(data: &Dataset, options: &Options, pace: &impl Pace) -> Vec<AgreementRow> {
    let by_position = data.items_by_position();
    let mut rows = Vec::new();
    for criterion in &data.criteria {
        rows.push(row(data, criterion, &by_position, options, pace).await);
    }
    rows
}

async fn row(
    data: &Dataset,
    criterion: &Criterion,
    by_position: &[Vec<usize>],
    options: &Options,
    pace: &impl Pace,
) -> AgreementRow {
    let values: Vec<Vec<f64>> = criterion
        .by_item
        .iter()
        .map(|rated| rated.iter().map(|rated| rated.value).collect())
        .collect();
    let mut undefined = BTreeMap::new();
    let mut figure =
        |name: &'static str, found: Result<f64, Undefined>| found.map_err(|reason| undefined.insert(name, reason)).ok();
    pace.turn().await;
    let kappa = fleiss_kappa(&counted(&values)).map(|found| found.kappa);
    pace.turn().await;
    let ranks = ranks(data, criterion, by_position);
    pace.turn().await;
    let ranks = fleiss_kappa(&counted(&ranks)).map(|found| found.kappa);
    let mut alphas = [Level::Ordinal, Level::Nominal, Level::Interval].map(|level| (level, Err(Undefined::NotFinite)));
    for (level, alpha) in &mut alphas {
        pace.turn().await;
        *alpha = krippendorff_alpha(&values, *level).map(|found| found.alpha);
    }
    let [(_, ordinal), (_, nominal), (_, interval_alpha)] = alphas;
    pace.turn().await;
    let raters = raters(data, criterion);
    let crossed: Vec<Vec<f64>> = values.iter().filter(|values| values.len() == raters).cloned().collect();
    let crossed_items = crossed.len();
    let icc = if raters > 1 && crossed_items < 2 {
        Err(Undefined::NotCrossed {
            items: crossed_items,
            raters,
        })
    } else {
        icc2(&crossed, options.level)
    };
    let interval = icc.and_then(|icc| icc.average_interval);
    let sizes = || values.iter().map(Vec::len).filter(|ratings| *ratings > 0);
    AgreementRow {
        criterion: criterion.name.clone(),
        fleiss_kappa: figure("fleiss_kappa", kappa),
        fleiss_kappa_ranks: figure("fleiss_kappa_ranks", ranks),
        krippendorff_alpha: figure("krippendorff_alpha", ordinal),
        alpha_nominal: figure("alpha_nominal", nominal),
        alpha_interval: figure("alpha_interval", interval_alpha),
        icc2k: figure("icc2k", icc.map(|icc| icc.average)),
        icc21: figure("icc21", icc.map(|icc| icc.single)),
        icc2k_low: figure("icc2k_interval", interval.map(|ends| ends.low)),
        icc2k_high: interval.ok().map(|ends| ends.high),
        items: sizes().filter(|ratings| *ratings > 1).count(),
        crossed_items,
        raters,
        ratings: sizes().sum(),
        ratings_per_item: [sizes().min().unwrap_or(0), sizes().max().unwrap_or(0)],
        undefined,
    }
}

fn raters(data: &Dataset, criterion: &Criterion) -> usize {
    let mut rated = vec![false; data.raters.len()];
    for rating in criterion.by_item.iter().flatten() {
        rated[rating.rater] = true;
    }
    rated.into_iter().filter(|rated| *rated).count()
}

/// For each item how many raters chose each value; values in any order, equal numbers one category.
fn counted(values: &[Vec<f64>]) -> Vec<Vec<u32>> {
    let mut all: Vec<f64> = values.iter().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    values
        .iter()
        .map(|item| {
            let mut counts = vec![0; all.len()];
            for value in item {
                counts[all.partition_point(|other| other < value)] += 1;
            }
            counts
        })
        .collect()
}

/// Each item's ranks among the comments on its position, one from each rater who rated them all.
fn ranks(data: &Dataset, criterion: &Criterion, by_position: &[Vec<usize>]) -> Vec<Vec<f64>> {
    let mut ranks = vec![Vec::new(); data.items.len()];
    let mut given = vec![Vec::new(); data.raters.len()];
    for items in by_position.iter().filter(|items| items.len() > 1) {
        given.iter_mut().for_each(Vec::clear);
        for item in items {
            for rated in &criterion.by_item[*item] {
                given[rated.rater].push(rated.value);
            }
        }
        for values in given.iter().filter(|values| values.len() == items.len()) {
            for (item, value) in items.iter().zip(values) {
                let below = values.iter().filter(|other| *other < value).count();
                let equal = values.iter().filter(|other| *other == value).count();
                // Twice the mean rank, so that it is whole.
                ranks[*item].push((2 * below + equal + 1) as f64);
            }
        }
    }
    ranks
}
