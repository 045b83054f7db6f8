//! Probes of **changes**: what a move does to a concept, read from a network's activations before and after it.

pub mod cholesky;
pub mod ridge;
