//! What a rater answers on one page, with every change.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    criteria::{Criterion, FollowUp, OTHER},
    span::{SPAN, Span},
    study::{Expected, Study},
};

/// The answers on a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// When the page was first shown, milliseconds since 1970.
    pub shown: Option<u64>,
    /// When it was last submitted; `None` where it was not.
    pub submitted: Option<u64>,
    /// Milliseconds that the page was looked at: those elsewhere do not count.
    pub active_ms: u64,
    /// Ratings by criterion.
    pub ratings: BTreeMap<String, u8>,
    /// Kinds ticked, by follow-up.
    pub kinds: BTreeMap<String, BTreeSet<String>>,
    /// Texts under "other", by follow-up.
    pub texts: BTreeMap<String, String>,
    /// Words marked as wrong; `None` before the page was shown, and where the study does not ask for them.
    pub spans: Option<Vec<Span>>,
    /// Everything that was answered, in its order.
    pub changes: Vec<Change>,
}

/// An answer, or another one in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// When, milliseconds since 1970 by the device's clock.
    pub at: u64,
    /// Milliseconds that the page had been looked at.
    pub active_ms: u64,
    /// The criterion or follow-up.
    pub criterion: String,
    /// The rating; a kind with `+` or `-` before it; the text with `=` before it; a mark as in the long form with `+` or `-`
    /// before it.
    pub value: String,
}

/// Something still to be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The criterion's id, or its follow-up's.
    pub id: String,
    /// What raters see.
    pub title: String,
}

/// The follow-up with this id, and its criterion.
#[must_use]
pub fn follow_up<'a>(study: &'a Study, id: &str) -> Option<(&'a Criterion, &'a FollowUp)> {
    study
        .criteria
        .iter()
        .filter_map(|criterion| Some((criterion, criterion.follow_up.as_ref()?)))
        .find(|(_, follow_up)| follow_up.id == id)
}

impl Answer {
    fn changed(&mut self, criterion: &str, value: String, at: u64) {
        self.changes.push(Change {
            at,
            active_ms: self.active_ms,
            criterion: criterion.to_owned(),
            value,
        });
    }

    /// Sets a criterion’s rating; `at` is in milliseconds since 1970 by the device’s clock.
    pub fn rate(&mut self, criterion: &str, value: u8, at: u64) {
        if self.ratings.insert(criterion.to_owned(), value) != Some(value) {
            self.changed(criterion, value.to_string(), at);
        }
    }

    /// Ticks a kind, or takes the tick away.
    pub fn tick(&mut self, follow_up: &str, kind: &str, on: bool, at: u64) {
        let kinds = self.kinds.entry(follow_up.to_owned()).or_default();
        let changed = if on {
            kinds.insert(kind.to_owned())
        } else {
            kinds.remove(kind)
        };
        if changed {
            self.changed(follow_up, format!("{}{kind}", if on { '+' } else { '-' }), at);
        }
    }

    /// Writes the text under "other". Text that is written is ticked, and without text the tick goes.
    pub fn write(&mut self, follow_up: &str, text: &str, at: u64) {
        if self.texts.get(follow_up).map_or("", String::as_str) != text {
            self.texts.insert(follow_up.to_owned(), text.to_owned());
            self.changed(follow_up, format!("={text}"), at);
        }
        self.tick(follow_up, OTHER, !text.trim().is_empty(), at);
    }

    /// Sets the marks.
    pub fn mark(&mut self, spans: &[Span], at: u64) {
        let before = self.spans.replace(spans.to_vec()).unwrap_or_default();
        for (sign, some, others) in [('-', before.as_slice(), spans), ('+', spans, before.as_slice())] {
            for span in some.iter().filter(|span| !others.contains(span)) {
                self.changed(SPAN, format!("{sign}{}", span.to_value()), at);
            }
        }
    }

    /// Whether a follow-up is asked after the ratings so far.
    #[must_use]
    pub fn asks(&self, criterion: &Criterion) -> bool {
        let follow_up = criterion.follow_up.as_ref();
        follow_up.is_some_and(|f| {
            self.ratings
                .get(&criterion.id)
                .is_some_and(|value| f.when.contains(value))
        })
    }

    /// What is ticked of a follow-up that is asked; nothing where it is not asked.
    #[must_use]
    pub fn ticked(&self, criterion: &Criterion) -> BTreeSet<String> {
        match &criterion.follow_up {
            Some(follow_up) if self.asks(criterion) => self.kinds.get(&follow_up.id).cloned().unwrap_or_default(),
            _ => BTreeSet::new(),
        }
    }

    /// What is still to be answered.
    #[must_use]
    pub fn missing(&self, study: &Study) -> Vec<Missing> {
        let mut missing = Vec::new();
        for criterion in &study.criteria {
            let Some(value) = self.ratings.get(&criterion.id) else {
                missing.push(Missing {
                    id: criterion.id.clone(),
                    title: criterion.title.clone(),
                });
                continue;
            };
            if let Some(follow_up) = &criterion.follow_up
                && follow_up.required.contains(value)
                && self.ticked(criterion).is_empty()
            {
                missing.push(Missing {
                    id: follow_up.id.clone(),
                    title: follow_up.question.clone(),
                });
            }
        }
        missing
    }

    /// Whether all expected ratings were given.
    #[must_use]
    pub fn meets(&self, expected: &[Expected]) -> bool {
        let given = |expected: &Expected| {
            self.ratings
                .get(&expected.criterion)
                .is_some_and(|v| expected.values.contains(v))
        };
        expected.iter().all(given)
    }
}
