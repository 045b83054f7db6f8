//! How intervals of the tables are made.

/// The level of intervals.
pub const LEVEL: f64 = 0.95;

/// The seed of resamples.
pub const SEED: u64 = 1;
