//! Fleiss' kappa.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Undefined;

/// Agreement beyond chance on categories.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Kappa {
    /// (observed − expected) / (1 − expected): 1 for full agreement, 0 for that of chance.
    pub kappa: f64,
    /// Share of pairs of raters who agree, as the mean over items.
    pub observed: f64,
    /// The share that chance would give.
    pub expected: f64,
    /// Items rated by at least two.
    pub items: usize,
    /// The fewest ratings of an item.
    pub fewest: u32,
    /// The most ratings of an item. Where it is not `fewest`, this is the generalised kappa.
    pub most: u32,
}

/// The sums over some items that kappa is made of. Those of parts of a study add up, each as often as it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct KappaSums {
    items: usize,
    agreeing: f64,
    /// Of each category that was chosen the sum of its shares of the items' ratings.
    shares: BTreeMap<u32, f64>,
    fewest: u32,
    most: u32,
}

impl KappaSums {
    /// The sums over these items: of each, by category, how many raters chose it. Those with fewer than two ratings
    /// hold no pair and are left out.
    #[must_use]
    pub fn of(items: impl Iterator<Item = BTreeMap<u32, u32>>) -> Self {
        let mut sums = Self {
            items: 0,
            agreeing: 0.0,
            shares: BTreeMap::new(),
            fewest: u32::MAX,
            most: 0,
        };
        for counts in items {
            let raters: u32 = counts.values().sum();
            if raters < 2 {
                continue;
            }
            sums.items += 1;
            (sums.fewest, sums.most) = (sums.fewest.min(raters), sums.most.max(raters));
            let n = f64::from(raters);
            for (category, count) in counts {
                let count = f64::from(count);
                *sums.shares.entry(category).or_default() += count / n;
                sums.agreeing += count * (count - 1.0) / (n * (n - 1.0));
            }
        }
        sums
    }

    /// How many categories were chosen; 0 where no item has two ratings.
    #[must_use]
    pub fn categories(&self) -> usize {
        self.shares.len()
    }
}

/// The kappa of parts of a study, each as often as it is drawn; categories are below `categories`.
///
/// # Errors
/// As [`fleiss_kappa`].
pub fn kappa_of<'a>(parts: impl Iterator<Item = (&'a KappaSums, u32)>, categories: usize) -> Result<Kappa, Undefined> {
    let mut shares = vec![0.0_f64; categories];
    let (mut items, mut agreeing, mut fewest, mut most) = (0, 0.0, u32::MAX, 0);
    for (part, times) in parts.filter(|(_, times)| *times > 0) {
        let factor = f64::from(times);
        items += part.items * times as usize;
        agreeing += factor * part.agreeing;
        for (category, share) in &part.shares {
            shares[*category as usize] += factor * share;
        }
        (fewest, most) = (fewest.min(part.fewest), most.max(part.most));
    }
    if items == 0 {
        return Err(Undefined::TooFew {
            what: "items with two ratings",
            found: 0,
            needed: 1,
        });
    }
    if shares.iter().filter(|share| **share > 0.0).count() < 2 {
        return Err(Undefined::AllSame { what: "ratings" });
    }
    let observed = agreeing / items as f64;
    let expected: f64 = shares.iter().map(|share| (share / items as f64).powi(2)).sum();
    Ok(Kappa {
        kappa: (observed - expected) / (1.0 - expected),
        observed,
        expected,
        items,
        fewest,
        most,
    })
}

/// Fleiss' kappa of counts: for each item, how many raters chose each category (Fleiss, "Measuring nominal scale
/// agreement among many raters", Psychological Bulletin 76, 1971).
///
/// Fleiss defines it for equally many ratings of every item. Where they are unequal, items weigh equally all the same:
/// observed agreement is the mean of each item's share of agreeing pairs, and a category's share the mean of its share
/// of each item's ratings (Gwet, "Handbook of Inter-Rater Reliability", 4th ed. 2014, section 2.4), which is Fleiss'
/// definition where numbers are equal. `fewest` and `most` tell. Items with fewer than two ratings hold no pair and are
/// left out.
///
/// # Errors
/// When no item has two ratings, or all ratings are in one category.
pub fn fleiss_kappa(counts: &[Vec<u32>]) -> Result<Kappa, Undefined> {
    let counted = counts.iter().map(|item| {
        (0_u32..)
            .zip(item.iter().copied())
            .filter(|(_, count)| *count > 0)
            .collect()
    });
    kappa_of(
        [(&KappaSums::of(counted), 1)].into_iter(),
        counts.iter().map(Vec::len).max().unwrap_or(0),
    )
}
