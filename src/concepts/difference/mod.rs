//! Probes of **changes**: what a move does to a concept, read from a network's activations before and after it.
//!
//! Probes of positions ([`fit`](super::fit)) learn to tell extremes apart, and the difference of two of their scores says
//! little of what a move changed. These are fitted on pairs of positions a move apart, against the change of the term
//! itself.

pub mod cholesky;
pub mod figures;
pub mod fit;
pub mod fitting;
pub mod pairs;
pub mod probe;
pub mod ridge;
pub mod seats;
pub mod seen_move;
pub mod targets;

pub use figures::Figures;
pub use fitting::{ChangeFitting, PairRows};
pub use probe::ChangeProbes;
pub use seats::{Seats, Seen};
pub use seen_move::SeenMove;
