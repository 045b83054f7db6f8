//! Facts as they are found.

use crate::commentary::fact::{Detail, Moment};

/// A fact without number and text.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// When it holds.
    pub moment: Moment,
    /// What it says.
    pub detail: Detail,
}

/// Facts that are being collected, in the order in which they are found.
#[derive(Default)]
pub(super) struct Facts(Vec<Found>);

impl Facts {
    /// Adds all of `found`.
    pub(super) fn extend(&mut self, found: impl IntoIterator<Item = Found>) {
        self.0.extend(found);
    }

    /// All of them.
    pub(super) fn into_vec(self) -> Vec<Found> {
        self.0
    }

    pub(super) fn add(&mut self, moment: Moment, detail: Detail) {
        self.0.push(Found { moment, detail });
    }
}
