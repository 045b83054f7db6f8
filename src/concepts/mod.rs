//! The concepts a move changes: the 21 of the paper's Table 6, where their scores come from, and which matter most.

pub mod concept;

pub use concept::Concept;
