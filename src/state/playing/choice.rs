//! What is taken of games and files.

use crate::grading::suite::{games::Take, source::Wanted};

/// What is taken of a file or games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Of games.
    pub wanted: Wanted,
    /// Positions at most.
    pub most: usize,
    /// Of what is drawn.
    pub seed: u64,
}

impl Default for Choice {
    /// The plan's: an early and a late position of each game, 1,000 at most.
    fn default() -> Self {
        Self {
            wanted: Wanted::Positions(Take::PLAN),
            most: 1_000,
            seed: 1,
        }
    }
}
