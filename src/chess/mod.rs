//! Positions and moves, and what can be said of them with certainty.

pub mod played;

pub use played::Played;
