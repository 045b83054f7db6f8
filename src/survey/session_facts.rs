//! What a response set says of its rater, without the ratings.

use std::collections::BTreeMap;

use super::{
    responses::{Outcome, ResponseSet},
    time::from_rfc3339,
};

/// What a response set says of its rater.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    /// The name by which a recruiting site knows the rater.
    pub participant: Option<String>,
    /// The slot.
    pub slot: Option<u64>,
    /// The row of the design of methods, where all raters see all items.
    pub row: Option<u64>,
    /// Whether it was a try before the study.
    pub pilot: bool,
    /// How far it went.
    pub outcome: Outcome,
    /// What the rater said of themselves, by the form's fields.
    pub form: BTreeMap<String, String>,
    /// Pages answered, checks included.
    pub answered: usize,
    /// Pages in all.
    pub pages: usize,
    /// Planted checks passed.
    pub passed: usize,
    /// Planted checks failed.
    pub failed: usize,
    /// The first event or answer, milliseconds since 1970 by the rater's device.
    pub first: Option<u64>,
    /// The last one.
    pub last: Option<u64>,
    /// Milliseconds that the study's pages were looked at, checks included, practice not.
    pub active_ms: u64,
}

impl SessionFacts {
    /// Milliseconds from the first event to the last, pauses and nights included.
    #[must_use]
    pub fn total_ms(&self) -> Option<u64> {
        self.first.zip(self.last).map(|(first, last)| last - first)
    }
}

impl From<&ResponseSet> for SessionFacts {
    fn from(set: &ResponseSet) -> Self {
        let checks = |wanted: bool| set.pages.iter().filter(|page| page.passed == Some(wanted)).count();
        let of_pages = set.pages.iter().flat_map(|page| [&page.shown_at, &page.answered_at]);
        let of_pages = of_pages.flatten().filter_map(|time| from_rfc3339(time));
        let times: Vec<u64> = set.journal.iter().map(|event| event.at.wall).chain(of_pages).collect();
        Self {
            participant: set.participant.clone(),
            slot: set.slot,
            row: set.row,
            pilot: set.pilot,
            outcome: set.outcome,
            form: set.form.clone(),
            answered: set.answered(),
            pages: set.pages_in_all,
            passed: checks(true),
            failed: checks(false),
            first: times.iter().min().copied(),
            last: times.iter().max().copied(),
            active_ms: set
                .pages
                .iter()
                .fold(0, |sum: u64, page| sum.saturating_add(page.active_ms)),
        }
    }
}
