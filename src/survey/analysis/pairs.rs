//! How far each two raters agree: what the heat map shows.

use super::{
    dataset::Dataset,
    table::{Cell, Table},
};
use crate::{
    pace::Pace,
    stats::{
        Undefined,
        alpha::{Level, krippendorff_alpha},
    },
    survey::rater_code::is_simulated,
};

/// How far two raters agree on a criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Items that both rated.
    pub items: usize,
    /// Krippendorff's alpha of the two, ordinal.
    pub alpha: Result<f64, Undefined>,
}

/// Some raters, each with each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pairs {
    /// The criterion's id, such as `correctness`.
    pub criterion: String,
    /// The raters' names, in the order of the dataset.
    pub raters: Vec<String>,
    /// For each rater, the pairs with those before it.
    pub rows: Vec<Vec<Pair>>,
}

impl Pairs {
    /// The pair of two different raters, by their places here.
    #[must_use]
    pub fn get(&self, a: usize, b: usize) -> Option<&Pair> {
        self.rows.get(a.max(b))?.get(a.min(b))
    }

    /// A rater's mean alpha with the others, over the pairs that have one.
    #[must_use]
    pub fn mean(&self, rater: usize) -> Option<f64> {
        let found: Vec<f64> = (0..self.raters.len())
            .filter(|other| *other != rater)
            .filter_map(|other| self.get(rater, other)?.alpha.ok())
            .collect();
        (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
    }

    /// All pairs, one a row.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut rows = Vec::new();
        let mut notes = Vec::new();
        for (second, pairs) in self.rows.iter().enumerate() {
            for (first, pair) in pairs.iter().enumerate() {
                let names = [&self.raters[first], &self.raters[second]];
                if let Err(reason) = pair.alpha {
                    notes.push(format!("No α for {} and {}: {reason}.", names[0], names[1]));
                }
                let mut row = vec![Cell::from(self.criterion.as_str())];
                row.extend(names.map(|name| Cell::from(name.as_str())));
                row.extend([Cell::number(pair.alpha.ok(), 3), Cell::Count(pair.items)]);
                rows.push(row);
            }
        }
        let simulated = self.raters.iter().any(|rater| is_simulated(rater));
        let mark = if simulated {
            "Simulated raters, not people. "
        } else {
            ""
        };
        Table {
            caption: format!(
                "{mark}Agreement of each two raters on {}: Krippendorff's α, ordinal, of the items that both rated.",
                self.criterion
            ),
            head: ["criterion", "rater", "with", "alpha", "items"]
                .map(str::to_owned)
                .to_vec(),
            rows,
            notes,
        }
    }
}

/// How far some raters, by their places in the dataset, agree on a criterion, by its place.
pub async fn pairs(data: &Dataset, criterion: usize, raters: &[usize], pace: &impl Pace) -> Pairs {
    let Some(criterion) = data.criteria.get(criterion) else {
        return Pairs::default();
    };
    // Each rater's ratings by item.
    let mut own: Vec<Vec<Option<f64>>> = vec![vec![None; data.items.len()]; raters.len()];
    for (item, rated) in criterion.by_item.iter().enumerate() {
        for (place, rater) in raters.iter().enumerate() {
            let found = rated.binary_search_by_key(rater, |rated| rated.rater);
            own[place][item] = found.ok().map(|found| rated[found].value);
        }
        pace.turn().await;
    }
    let mut rows = Vec::with_capacity(raters.len());
    for second in 0..raters.len() {
        let mut row = Vec::with_capacity(second);
        for first in 0..second {
            pace.turn().await;
            let both: Vec<Vec<f64>> = own[first]
                .iter()
                .zip(&own[second])
                .filter_map(|(first, second)| Some(vec![(*first)?, (*second)?]))
                .collect();
            row.push(Pair {
                items: both.len(),
                alpha: krippendorff_alpha(&both, Level::Ordinal).map(|found| found.alpha),
            });
        }
        rows.push(row);
    }
    Pairs {
        criterion: criterion.name.clone(),
        raters: raters.iter().map(|rater| data.raters[*rater].clone()).collect(),
        rows,
    }
}

/// At most `most` raters of a criterion, by their places: those whose ratings go least with the others' first to be
/// kept, given how each goes with them. In the dataset's order.
#[must_use]
pub fn least_agreeing(with_others: &[Option<f64>], most: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..with_others.len()).collect();
    if places.len() > most {
        let key = |place: usize| with_others[place].unwrap_or(-2.0);
        places.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
        places.truncate(most);
        places.sort_unstable();
    }
    places
}
