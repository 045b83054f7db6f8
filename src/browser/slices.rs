//! Long work of the page in slices, between which the browser draws and hears its user.

use std::cell::Cell;

use super::clock;
use crate::pace::Pace;

/// How long a slice is, in milliseconds: with the step that is under way when it ends, well below the 50 from which on
/// browsers speak of a long task.
const SLICE: f64 = 16.0;

/// A pace in slices.
#[derive(Debug)]
pub struct Slices {
    since: Cell<f64>,
    longest: Cell<f64>,
}

impl Slices {
    /// A slice begins.
    #[must_use]
    pub fn new() -> Self {
        Self {
            since: Cell::new(clock::now()),
            longest: Cell::new(0.0),
        }
    }

    /// Lets the browser have its turn now.
    pub async fn rest(&self) {
        self.longest
            .set(self.longest.get().max(clock::now() - self.since.get()));
        clock::yield_to_browser().await;
        self.since.set(clock::now());
    }

    /// The longest slice so far, in milliseconds.
    #[must_use]
    pub fn longest(&self) -> f64 {
        self.longest.get()
    }
}

impl Default for Slices {
    fn default() -> Self {
        Self::new()
    }
}

impl Pace for Slices {
    async fn turn(&self) {
        if clock::now() - self.since.get() > SLICE {
            self.rest().await;
        }
    }
}
