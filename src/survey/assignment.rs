//! Who sees what in which order: balanced over raters, of chance within each, and the same from the same seed.
//!
//! Every rater sees every comment (within-participant), or every comment on a share of the items
//! ([`super::allocation`]). The order of the methods on an item follows a Williams design: a Latin square, so that over as many raters as methods each method stands once in each place, and over all its rows
//! (twice as many where the methods are odd in number) each follows each other equally often. Items start at different
//! rows, so the places even out within a rater too. Sources: E. J. Williams, "Experimental designs balanced for the
//! estimation of residual effects of treatments", 1949.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    allocation::MAX_SLOT,
    span::Prefill,
    study::{Grouping, PLANTED, Study},
};
use crate::random::{Rng, seeded_hash};

/// What a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PageKind {
    /// A comment on an item: indices into the study's `items` and the item's `comments`.
    Comment(usize, usize),
    /// The same a second time.
    Repeat(usize, usize),
    /// A planted check: the index into `checks.planted`.
    Planted(usize),
}

/// A page: one comment to rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its name in the results, the same for all raters: `item/method`, `item/method#2` for a repetition, `check/id`.
    pub id: String,
    /// What it shows.
    pub kind: PageKind,
}

impl Page {
    fn new(study: &Study, kind: PageKind) -> Self {
        let name = |item: usize, comment: usize| {
            let item = &study.items[item];
            format!("{}/{}", item.id, item.comments[comment].method)
        };
        let id = match kind {
            PageKind::Comment(item, comment) => name(item, comment),
            PageKind::Repeat(item, comment) => format!("{}#2", name(item, comment)),
            PageKind::Planted(check) => format!("{PLANTED}/{}", study.checks.planted[check].id),
        };
        Self { id, kind }
    }
}

/// The pages of one rater in their order: those of the rater's [`slot`].
#[must_use]
pub fn assign(study: &Study, rater: &str) -> Vec<Page> {
    assign_slot(study, rater, slot(study, rater, None))
}

/// The slot of a rater: that of the link, else one by the rater's name. `None` where the study has no slots and the link
/// names none: everybody sees all items then, in the row that the name gives.
#[must_use]
pub fn slot(study: &Study, rater: &str, in_link: Option<u64>) -> Option<u64> {
    let allocation = &study.options.allocation;
    let in_link = in_link.filter(|slot| (1..=MAX_SLOT).contains(slot));
    in_link
        // Codes that were numbered by hand are slots, where raters do not come with names of a recruiting site's.
        .or_else(|| number_at_end(rater).filter(|_| study.has_numbered_codes() && !allocation.is_none()))
        .or_else(|| allocation.slot_by_name(study.options.order.seed, rater, study.items.len()))
}

/// The pages of a rater with this slot.
///
/// The slot is the rater's row in the design of methods. Without one it is the number at the end of the rater's name
/// (`R07`, `12`), so that raters numbered without gaps are balanced; other names take a row by chance. Where each rater
/// sees a share of the items, an item's raters take the rows in turn.
#[must_use]
pub fn assign_slot(study: &Study, rater: &str, slot: Option<u64>) -> Vec<Page> {
    let order = study.options.order;
    let number = design_row(study, rater, slot);
    let mut rng = Rng::new(seeded_hash(order.seed, rater));
    let share = slot.and_then(|slot| study.options.allocation.share(order.seed, study.items.len(), slot));
    // The row on each item of the rater's.
    let own: BTreeMap<usize, u64> = match &share {
        Some(share) => share.iter().map(|share| (share.item, share.round)).collect(),
        None => (0..study.items.len()).map(|item| (item, number)).collect(),
    };
    let rows = methods_in_order(study, order.seed, |item| own.get(&item).copied().unwrap_or(number));
    // As the study has them, so that a study that does not shuffle keeps their order.
    let mut items: Vec<usize> = own.keys().copied().collect();
    let mut pages = Vec::with_capacity(study.pages());
    // After these many pages one item ends and another begins.
    let mut ends = BTreeSet::new();
    match order.pages {
        Grouping::ByItem => {
            if order.shuffle {
                rng.shuffle(&mut items);
            }
            for item in items {
                pages.extend(rows[item].iter().map(|comment| PageKind::Comment(item, *comment)));
                ends.insert(pages.len());
            }
        }
        Grouping::Rounds => {
            let longest = items.iter().map(|item| rows[*item].len()).max().unwrap_or_default();
            for place in 0..longest {
                if order.shuffle {
                    rng.shuffle(&mut items);
                }
                let round = items.iter().filter_map(|item| Some((*item, *rows[*item].get(place)?)));
                pages.extend(round.map(|(item, comment)| PageKind::Comment(item, comment)));
            }
            ends.extend(1..=pages.len());
        }
    }
    with_checks(study, pages, &ends, &mut rng)
        .into_iter()
        .map(|kind| Page::new(study, kind))
        .collect()
}

/// The row of a rater in the designs that go over raters.
fn design_row(study: &Study, rater: &str, slot: Option<u64>) -> u64 {
    let seed = study.options.order.seed;
    match slot {
        Some(slot) => slot,
        None if study.has_numbered_codes() => rater_number(seed, rater),
        None => seeded_hash(seed, rater),
    }
}

/// The row of the design, from 1, in which a rater meets the methods on items that have a comment by each; `None` where
/// raters see a share of the items, on which the rows go over the item's own raters. Raters with the same row have the methods
/// in the same orders.
#[must_use]
pub fn row(study: &Study, rater: &str, slot: Option<u64>) -> Option<u64> {
    let items = study.items.len();
    let share = slot.is_some() && study.options.allocation.items_for_one(items) < items;
    let rows = williams(study.methods().len()).len() as u64;
    // The first of raters numbered from 1 has the first row.
    (!share && rows > 0).then(|| (design_row(study, rater, slot) % rows + rows - 1) % rows + 1)
}

/// Which marks a rater's comment carries at first; `None` where the study asks for none. Practice, checks and repetitions
/// carry none.
#[must_use]
pub fn prefill(study: &Study, rater: &str, slot: Option<u64>, kind: PageKind) -> Option<Prefill> {
    let all = &study.spans.as_ref()?.prefill;
    let PageKind::Comment(item, _) = kind else {
        return Some(Prefill::Hidden);
    };
    let row = design_row(study, rater, slot).wrapping_add(item as u64) % all.len().max(1) as u64;
    // Reason for the fallback: a study that was checked has at least one.
    Some(
        all.get(usize::try_from(row).unwrap_or_default())
            .copied()
            .unwrap_or(Prefill::Hidden),
    )
}

/// A rater's number in the design: the digits at the end of the name, else one of chance.
#[must_use]
pub fn rater_number(seed: u64, rater: &str) -> u64 {
    number_at_end(rater).unwrap_or_else(|| seeded_hash(seed, rater))
}

fn number_at_end(rater: &str) -> Option<u64> {
    let digits = rater.len() - rater.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    rater[rater.len() - digits..].parse().ok()
}

/// For each item its comments' indices in the order in which a rater of this row sees them.
fn methods_in_order(study: &Study, seed: u64, row: impl Fn(usize) -> u64) -> Vec<Vec<usize>> {
    let methods = study.methods();
    // Of the study alone, so that it is the same for all raters.
    let mut rng = Rng::new(seed);
    let mut starts: Vec<usize> = Vec::new();
    study
        .items
        .iter()
        .enumerate()
        .map(|(index, item)| {
            let rater = row(index);
            let mut comments: Vec<usize> = (0..item.comments.len()).collect();
            comments.sort_by_key(|c| methods.iter().position(|m| *m == item.comments[*c].method));
            let design = williams(comments.len());
            if starts.is_empty() {
                starts = (0..comments.len()).collect();
                rng.shuffle(&mut starts);
            }
            let start = starts.pop().unwrap_or_default() as u64;
            let mirror = rng.below(2) as u64;
            let n = comments.len().max(1) as u64;
            let halves = design.len() as u64 / n;
            let row = ((rater / n).wrapping_add(mirror) % halves.max(1)) * n + (rater % n + start) % n;
            #[allow(clippy::cast_possible_truncation)] // a row of the design
            let row = design.get(row as usize).cloned().unwrap_or_default();
            row.into_iter().map(|method| comments[method]).collect()
        })
        .collect()
}

/// Orders of 0 to `n` − 1, as many as `n` where it is even, else twice as many: the first `n` rows are a Latin square,
/// the others its mirror, and over all rows each number follows each other one equally often.
#[must_use]
pub fn williams(n: usize) -> Vec<Vec<usize>> {
    // 0, 1, n − 1, 2, n − 2, …
    let zigzag = |place: usize| {
        if place % 2 == 1 {
            place.div_ceil(2)
        } else {
            (n - place / 2) % n
        }
    };
    let square: Vec<Vec<usize>> = (0..n)
        .map(|row| (0..n).map(|place| (zigzag(place) + row) % n).collect())
        .collect();
    if n.is_multiple_of(2) || n == 1 {
        return square;
    }
    let mirror: Vec<Vec<usize>> = square.iter().map(|row| row.iter().rev().copied().collect()).collect();
    [square, mirror].concat()
}

/// Strews the checks among the pages: never first, no two side by side, a repetition at least the study's gap behind its
/// original; between two items where there is room, and at the very end only where there is none.
fn with_checks(study: &Study, pages: Vec<PageKind>, ends: &BTreeSet<usize>, rng: &mut Rng) -> Vec<PageKind> {
    let checks = &study.checks;
    if checks.is_none() {
        return pages;
    }
    let last = pages.len();
    // A place is the number of pages before it; the best ones come first.
    let (mut places, mut others): (Vec<usize>, Vec<usize>) = (1..last).partition(|place| ends.contains(place));
    rng.shuffle(&mut places);
    rng.shuffle(&mut others);
    places.append(&mut others);
    places.push(last);

    let far_enough = |place: &&usize| **place > checks.repeat_gap;
    let mut repeats: Vec<usize> = places.iter().filter(far_enough).take(checks.repeats).copied().collect();
    repeats.sort_unstable();
    let mut put: Vec<(usize, PageKind)> = Vec::new();
    let mut repeated = BTreeSet::new();
    for place in &repeats {
        let originals: Vec<usize> = (0..place - checks.repeat_gap)
            .filter(|page| !repeated.contains(page))
            .collect();
        // From the lowest place up there is one more original than repetitions so far.
        let Some(original) = originals.get(rng.below(originals.len())) else {
            continue;
        };
        repeated.insert(*original);
        if let PageKind::Comment(item, comment) = pages[*original] {
            put.push((*place, PageKind::Repeat(item, comment)));
        }
    }
    let free = places.iter().filter(|place| !repeats.contains(place));
    let mut planted: Vec<usize> = (0..checks.planted.len()).collect();
    rng.shuffle(&mut planted);
    put.extend(free.copied().zip(planted.into_iter().map(PageKind::Planted)));
    put.sort_unstable();

    let mut strewn = Vec::with_capacity(last + put.len());
    let mut put = put.into_iter().peekable();
    for (before, page) in pages.into_iter().enumerate() {
        if let Some((_, check)) = put.next_if(|(place, _)| *place == before) {
            strewn.push(check);
        }
        strewn.push(page);
    }
    strewn.extend(put.map(|(_, check)| check));
    strewn
}
