//! Who sees which items, where no rater sees all of them.
//!
//! A rater has a slot: a number from 1, from the link. Slots take their items one after another from one long row, in which
//! every item stands once in each round of the study's items: so after any number of slots the items' counts differ by at
//! most one, and a study of N items, M of them for each rater and R raters for each item needs ⌈N·R / M⌉ slots. The round
//! in which a rater meets an item is the rater's row in the design of methods on that item, so that each item's raters
//! take the rows in turn.

use serde::{Deserialize, Serialize};

use crate::random::{Rng, seeded_hash};

/// The highest slot.
pub const MAX_SLOT: u64 = 10_000;

/// How items are shared out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Allocation {
    /// Items that each rater sees; all of them where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items_per_rater: Option<usize>,
    /// Raters wanted for each item: with it the number of slots is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raters_per_item: Option<usize>,
    /// How many slots there are for raters whose link has none: their names are hashed to one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<u64>,
    /// Slots to be given out again, because those who had them did not finish: while there are any, raters without a slot
    /// in their link get one of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reissue: Vec<u64>,
}

/// An item of a rater's share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share {
    /// The index into the study's items.
    pub item: usize,
    /// How many raters had the item before, if every slot is taken.
    pub round: u64,
}

impl Allocation {
    /// Whether nothing is said: all items for everybody.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// How many of so many items a rater sees.
    #[must_use]
    pub fn items_for_one(&self, items: usize) -> usize {
        self.items_per_rater.map_or(items, |own| own.min(items))
    }

    /// The slots that a study of so many items needs; `None` where it does not say how many raters it wants.
    #[must_use]
    pub fn needed(&self, items: usize) -> Option<u64> {
        let each = self.items_for_one(items);
        let raters = self.raters_per_item?;
        (each > 0).then(|| (items * raters).div_ceil(each) as u64)
    }

    /// The slot of a rater whose link has none, by the rater's name: one to be given out again, else one of those that
    /// there are; `None` where the study has no slots.
    #[must_use]
    pub fn slot_by_name(&self, seed: u64, name: &str, items: usize) -> Option<u64> {
        let hash = seeded_hash(seed, name);
        if !self.reissue.is_empty() {
            return self
                .reissue
                .get(usize::try_from(hash % self.reissue.len() as u64).ok()?)
                .copied();
        }
        let slots = self.slots.or_else(|| self.needed(items)).filter(|slots| *slots > 0)?;
        Some(hash % slots + 1)
    }

    /// The items of a slot, counted from 1, in the order of the long row. `None` where everybody sees everything.
    #[must_use]
    pub fn share(&self, seed: u64, items: usize, slot: u64) -> Option<Vec<Share>> {
        let each = self.items_for_one(items);
        if self.items_per_rater.is_none() || each == 0 || each >= items {
            return None;
        }
        let slot = slot.clamp(1, MAX_SLOT);
        let first = usize::try_from(slot - 1).ok()? * each;
        // The rounds that this slot's piece of the row lies in, and those before, since each depends on the last one's end.
        let rounds = (first + each).div_ceil(items);
        let mut order: Vec<usize> = Vec::new();
        let mut share = Vec::with_capacity(each);
        for round in 0..rounds {
            order = next_round(seed, items, each, round, &order);
            let start = round * items;
            let own = (first.max(start)..(first + each).min(start + items)).map(|place| Share {
                item: order[place - start],
                round: round as u64,
            });
            share.extend(own);
        }
        Some(share)
    }
}

/// The order of the items in a round: shuffled, but so that no slot that lies across two rounds has an item twice.
fn next_round(seed: u64, items: usize, each: usize, round: usize, before: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items).collect();
    Rng::new(seeded_hash(seed, &format!("round {round}"))).shuffle(&mut order);
    let begun = (round * items) % each;
    if begun == 0 {
        return order;
    }
    // The slot that goes on here has these already, and takes so many more.
    let mut has = vec![false; items];
    for item in &before[items - begun..] {
        has[*item] = true;
    }
    let more = each - begun;
    let (mut others, mut again): (Vec<usize>, Vec<usize>) = order.iter().partition(|item| !has[**item]);
    // Of the others there are items − begun, at least as many as the slot still takes.
    let rest = others.split_off(more.min(others.len()));
    again.extend(rest);
    Rng::new(seeded_hash(seed, &format!("rest of round {round}"))).shuffle(&mut again);
    others.extend(again);
    others
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn allocation(each: usize, raters: usize) -> Allocation {
        Allocation {
            items_per_rater: Some(each),
            raters_per_item: Some(raters),
            ..Allocation::default()
        }
    }

    proptest! {
        #[test]
        fn items_are_shared_out_evenly(items in 2_usize..60, each in 1_usize..40, slots in 1_u64..60, seed: u64) {
            prop_assume!(each < items);
            let allocation = allocation(each, 3);
            let mut counts = vec![0_u64; items];
            for slot in 1..=slots {
                let share = allocation.share(seed, items, slot).unwrap();
                let distinct: BTreeSet<usize> = share.iter().map(|share| share.item).collect();
                prop_assert_eq!(distinct.len(), each, "no item twice");
                for share in share {
                    prop_assert_eq!(share.round, counts[share.item], "the raters before");
                    counts[share.item] += 1;
                }
            }
            let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            prop_assert!(most - least <= 1, "{counts:?}");
        }
    }

    #[test]
    fn the_slots_that_are_needed_are_known() {
        assert_eq!(allocation(10, 5).needed(50), Some(25));
        assert_eq!(allocation(7, 3).needed(50), Some(22));
        assert_eq!(Allocation::default().needed(50), None);
        assert_eq!(Allocation::default().share(1, 50, 3), None);
        assert_eq!(allocation(50, 5).share(1, 50, 3), None);
    }

    #[test]
    fn names_are_hashed_to_a_slot_that_there_is() {
        let mut allocation = allocation(10, 5);
        let slots: BTreeSet<u64> = (0..500)
            .filter_map(|n| allocation.slot_by_name(1, &format!("id{n}"), 50))
            .collect();
        assert_eq!(slots, (1..=25).collect());
        allocation.reissue = vec![4, 9];
        let slots: BTreeSet<u64> = (0..50)
            .filter_map(|n| allocation.slot_by_name(1, &format!("id{n}"), 50))
            .collect();
        assert_eq!(slots, BTreeSet::from([4, 9]));
        assert_eq!(Allocation::default().slot_by_name(1, "x", 50), None);
    }
}
