//! Fleiss' kappa.

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
    let mut shares = vec![0.0; counts.first().map_or(0, Vec::len)];
    let (mut items, mut agreeing, mut fewest, mut most) = (0_usize, 0.0, u32::MAX, 0);
    for item in counts {
        let raters: u32 = item.iter().sum();
        if raters < 2 {
            continue;
        }
        items += 1;
        (fewest, most) = (fewest.min(raters), most.max(raters));
        shares.resize(shares.len().max(item.len()), 0.0);
        let n = f64::from(raters);
        for (share, count) in shares.iter_mut().zip(item) {
            let count = f64::from(*count);
            *share += count / n;
            agreeing += count * (count - 1.0) / (n * (n - 1.0));
        }
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
