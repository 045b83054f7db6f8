//! Table 3: how far raters agree.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Options,
    dataset::{Criterion, Dataset},
};
use crate::{
    pace::Pace,
    ranks::{DOUBLE, mid_ranks},
    stats::{
        Interval, Undefined,
        alpha::{Coincidences, Level, alpha_of, different_values, place_of},
        bootstrap::percentile_interval,
        icc::icc2,
        kappa::{KappaSums, kappa_of},
    },
};

/// The seed of the positions that are drawn for intervals.
pub const SEED: u64 = 1;

/// Numbers that go into one draw at most: a thousand draws of more would take minutes.
const MOST_PER_DRAW: usize = 50_000;

/// What a coefficient rests on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Base {
    /// Items that take part.
    pub items: usize,
    /// Raters of them.
    pub raters: usize,
    /// Ratings of them.
    pub ratings: usize,
}

/// Agreement on a criterion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgreementRow {
    /// The criterion's id, such as `correctness`.
    pub criterion: String,
    /// Fleiss' kappa of the ratings as categories; generalised where items have unequal numbers of ratings.
    pub fleiss_kappa: Option<f64>,
    /// The lower end of its bootstrap interval over positions.
    pub fleiss_kappa_low: Option<f64>,
    /// The upper end.
    pub fleiss_kappa_high: Option<f64>,
    /// Fleiss' kappa of ranks: each rater's order of a position's comments, ties sharing the mean of their ranks.
    pub fleiss_kappa_ranks: Option<f64>,
    /// The lower end of its bootstrap interval over positions.
    pub fleiss_kappa_ranks_low: Option<f64>,
    /// The upper end.
    pub fleiss_kappa_ranks_high: Option<f64>,
    /// Krippendorff's alpha, ordinal.
    pub krippendorff_alpha: Option<f64>,
    /// The lower end of its bootstrap interval over positions.
    pub krippendorff_alpha_low: Option<f64>,
    /// The upper end.
    pub krippendorff_alpha_high: Option<f64>,
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
    /// What kappa and the alphas rest on: items with at least two ratings.
    pub base: Base,
    /// What kappa of ranks rests on: comments on positions that at least two raters rated whole.
    pub base_ranks: Base,
    /// What the intraclass correlations rest on: items that all raters of the criterion rated.
    pub base_icc: Base,
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
    // In the order of their names: an interval does not depend on which file was read first.
    let mut order: Vec<usize> = (0..by_position.len()).collect();
    order.sort_by(|a, b| data.positions[*a].cmp(&data.positions[*b]));
    let by_position: Vec<Vec<usize>> = order.into_iter().map(|at| by_position[at].clone()).collect();
    let mut rows = Vec::new();
    for criterion in &data.criteria {
        rows.push(row(data, criterion, &by_position, options, pace).await);
    }
    rows
}

/// A figure and its interval.
pub(super) type Found = (Result<f64, Undefined>, Result<Interval, Undefined>);

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
    pace.turn().await;
    let (kappa, kappa_interval) = kappa(&values, by_position, options.level, pace).await;
    let (ranks, raters_of_ranks) = ranks(data, criterion, by_position, pace).await;
    let (kappa_ranks, ranks_interval) = self::kappa(&ranks, by_position, options.level, pace).await;
    let [(ordinal, ordinal_interval), (nominal, _), (interval_alpha, _)] =
        alphas(&values, by_position, options.level, pace).await;
    pace.turn().await;
    let raters = raters(data, criterion, 1);
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
    let icc_interval = icc.and_then(|icc| icc.average_interval);
    let sizes = || values.iter().map(Vec::len).filter(|ratings| *ratings > 0);
    let mut figure =
        |name: &'static str, found: Result<f64, Undefined>| found.map_err(|reason| undefined.insert(name, reason)).ok();
    let mut row = AgreementRow {
        criterion: criterion.name.clone(),
        fleiss_kappa: figure("fleiss_kappa", kappa),
        fleiss_kappa_low: None,
        fleiss_kappa_high: None,
        fleiss_kappa_ranks: figure("fleiss_kappa_ranks", kappa_ranks),
        fleiss_kappa_ranks_low: None,
        fleiss_kappa_ranks_high: None,
        krippendorff_alpha: figure("krippendorff_alpha", ordinal),
        krippendorff_alpha_low: None,
        krippendorff_alpha_high: None,
        alpha_nominal: figure("alpha_nominal", nominal),
        alpha_interval: figure("alpha_interval", interval_alpha),
        icc2k: figure("icc2k", icc.map(|icc| icc.average)),
        icc21: figure("icc21", icc.map(|icc| icc.single)),
        icc2k_low: figure("icc2k_interval", icc_interval.map(|ends| ends.low)),
        icc2k_high: icc_interval.ok().map(|ends| ends.high),
        base: Base {
            raters: self::raters(data, criterion, 2),
            ..base(&values)
        },
        base_ranks: Base {
            raters: raters_of_ranks,
            ..base(&ranks)
        },
        base_icc: Base {
            items: crossed_items,
            raters,
            ratings: crossed_items * raters,
        },
        items: sizes().filter(|ratings| *ratings > 1).count(),
        crossed_items,
        raters,
        ratings: sizes().sum(),
        ratings_per_item: [sizes().min().unwrap_or(0), sizes().max().unwrap_or(0)],
        undefined: BTreeMap::new(),
    };
    // Why a figure is missing is why its interval is.
    let mut ends = |name: &'static str, there: bool, interval: Result<Interval, Undefined>| match interval {
        Ok(Interval { low, high }) => (Some(low), Some(high)),
        Err(reason) => {
            if there {
                undefined.insert(name, reason);
            }
            (None, None)
        }
    };
    (row.fleiss_kappa_low, row.fleiss_kappa_high) =
        ends("fleiss_kappa_interval", row.fleiss_kappa.is_some(), kappa_interval);
    (row.fleiss_kappa_ranks_low, row.fleiss_kappa_ranks_high) = ends(
        "fleiss_kappa_ranks_interval",
        row.fleiss_kappa_ranks.is_some(),
        ranks_interval,
    );
    (row.krippendorff_alpha_low, row.krippendorff_alpha_high) = ends(
        "krippendorff_alpha_interval",
        row.krippendorff_alpha.is_some(),
        ordinal_interval,
    );
    row.undefined = undefined;
    row
}

/// Items with at least two values, and how many values these have.
fn base(values: &[Vec<f64>]) -> Base {
    let paired = || values.iter().map(Vec::len).filter(|count| *count > 1);
    Base {
        items: paired().count(),
        raters: 0,
        ratings: paired().sum(),
    }
}

/// Raters of items that at least so many rated.
fn raters(data: &Dataset, criterion: &Criterion, at_least: usize) -> usize {
    let mut rated = vec![false; data.raters.len()];
    for rating in criterion.by_item.iter().filter(|item| item.len() >= at_least).flatten() {
        rated[rating.rater] = true;
    }
    rated.into_iter().filter(|rated| *rated).count()
}

/// Fleiss' kappa of each item's values, equal numbers one category, with its interval over positions.
async fn kappa(values: &[Vec<f64>], by_position: &[Vec<usize>], level: f64, pace: &impl Pace) -> Found {
    let all = match different_values(values.iter().map(Vec::as_slice)) {
        Ok(all) => all,
        Err(reason) => return (Err(reason), Err(reason)),
    };
    let counted = |item: &usize| {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        for value in values[*item].iter().filter(|_| values[*item].len() > 1) {
            *counts.entry(place_of(*value, &all) as u32).or_default() += 1;
        }
        counts
    };
    let mut parts = Vec::new();
    for items in by_position {
        pace.turn().await;
        parts.push(KappaSums::of(items.iter().map(counted)));
    }
    // Positions without a pair of ratings have no part in it, and are not drawn.
    parts.retain(|part| part.categories() > 0);
    let all_values = all.len();
    let figure = |times: &dyn Fn(usize) -> u32| {
        let drawn = parts.iter().enumerate().map(|(place, part)| (part, times(place)));
        kappa_of(drawn, all_values).map(|found| found.kappa)
    };
    let size = parts.iter().map(KappaSums::categories).sum::<usize>() + all_values;
    with_interval(parts.len(), size, level, figure, pace).await
}

/// The three alphas, and the interval over positions of the ordinal one.
async fn alphas(values: &[Vec<f64>], by_position: &[Vec<usize>], level: f64, pace: &impl Pace) -> [Found; 3] {
    let all = match different_values(values.iter().map(Vec::as_slice)) {
        Ok(all) => all,
        Err(reason) => return [(Err(reason), Err(reason)); 3],
    };
    let mut parts = Vec::new();
    for items in by_position {
        pace.turn().await;
        parts.push(Coincidences::of(
            items.iter().map(|item| values[*item].as_slice()),
            &all,
        ));
    }
    parts.retain(|part| part.pairs() > 0);
    let alpha = |level: Level, times: &dyn Fn(usize) -> u32| {
        let drawn = parts.iter().enumerate().map(|(place, part)| (part, times(place)));
        alpha_of(drawn, &all, level).map(|found| found.alpha)
    };
    let size = parts.iter().map(Coincidences::pairs).sum::<usize>() + all.len() * all.len();
    let ordinal = |times: &dyn Fn(usize) -> u32| alpha(Level::Ordinal, times);
    let ordinal = with_interval(parts.len(), size, level, ordinal, pace).await;
    let mut others = [Level::Nominal, Level::Interval].map(|level| (level, Err(Undefined::NotFinite)));
    for (level, found) in &mut others {
        pace.turn().await;
        *found = alpha(*level, &|_| 1);
    }
    let [(_, nominal), (_, interval)] = others;
    [
        ordinal,
        (nominal, Err(Undefined::Resamples)),
        (interval, Err(Undefined::Resamples)),
    ]
}

/// A figure of positions, told how often each counts, and its interval. `size` is how many numbers go into one draw.
pub(super) async fn with_interval(
    positions: usize,
    size: usize,
    level: f64,
    figure: impl Fn(&dyn Fn(usize) -> u32) -> Result<f64, Undefined>,
    pace: &impl Pace,
) -> Found {
    let found = figure(&|_| 1);
    if let Err(reason) = found {
        return (Err(reason), Err(reason));
    }
    if size > MOST_PER_DRAW {
        let reason = Undefined::TooMany {
            what: "numbers in one resample",
            found: size,
            most: MOST_PER_DRAW,
        };
        return (found, Err(reason));
    }
    let drawn = |drawn: &[u32]| figure(&|place| drawn[place]).ok();
    (found, percentile_interval(positions, SEED, level, drawn, pace).await)
}

/// Each item's ranks among the comments on its position, one from each rater who rated them all, and how many raters
/// gave such ranks for items that another ranked too.
async fn ranks(
    data: &Dataset,
    criterion: &Criterion,
    by_position: &[Vec<usize>],
    pace: &impl Pace,
) -> (Vec<Vec<f64>>, usize) {
    let mut ranks = vec![Vec::new(); data.items.len()];
    let mut ranking = vec![false; data.raters.len()];
    for items in by_position.iter().filter(|items| items.len() > 1) {
        pace.turn().await;
        let mut given: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for item in items {
            for rated in &criterion.by_item[*item] {
                given.entry(rated.rater).or_default().push(rated.value);
            }
        }
        given.retain(|_, values| values.len() == items.len());
        let pairs = given.len() > 1;
        for (rater, values) in given {
            ranking[rater] |= pairs;
            for (item, rank) in items.iter().zip(mid_ranks(&values, DOUBLE)) {
                // Twice the mean rank, so that it is whole.
                ranks[*item].push(2.0 * rank);
            }
        }
    }
    (ranks, ranking.into_iter().filter(|ranking| *ranking).count())
}
