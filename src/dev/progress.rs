//! Says what is being done and how far it is.

use std::fmt::Display;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Numbered steps with the time they took. Threads that work side by side share one.
pub struct Progress {
    total: usize,
    step: AtomicUsize,
    start: Instant,
}

impl Progress {
    /// Starts the clock over `total` steps.
    pub fn new(total: usize) -> Progress {
        Progress {
            total,
            step: AtomicUsize::new(0),
            start: Instant::now(),
        }
    }

    /// Announces the next step and what it is about.
    pub fn step(&self, what: impl Display) {
        let step = self.step.fetch_add(1, Ordering::Relaxed) + 1;
        eprintln!("[{step}/{}] {:>6}  {what}", self.total, elapsed(self.start));
    }

    /// A line under the current step: what takes long, or what was found.
    pub fn note(&self, what: impl Display) {
        eprintln!("      {:>6}    {what}", elapsed(self.start));
    }

    /// The last line.
    pub fn done(&self, what: impl Display) {
        eprintln!("[{0}/{0}] {1:>6}  done: {what}", self.total, elapsed(self.start));
    }
}

/// Time since `start` as `m:ss`.
pub fn elapsed(start: Instant) -> String {
    let seconds = start.elapsed().as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
