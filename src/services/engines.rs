//! How many engines work at the same time.

use crate::browser::worker::cores;

/// Engines to begin with, where there are cores for more: each takes some 60 MB.
const BEGUN: usize = 4;

/// The most engines at the same time: one core is the page's.
#[must_use]
pub fn most_engines() -> usize {
    cores().saturating_sub(1).max(1)
}

/// As many as are at work unless the user says otherwise.
#[must_use]
pub fn usual_engines() -> usize {
    most_engines().min(BEGUN)
}
