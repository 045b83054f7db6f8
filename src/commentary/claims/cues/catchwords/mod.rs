//! Motifs and deeds by their names, whatever the grammar around them.

pub mod catchword;
pub mod constellation;
pub mod occurrence;
pub mod passage;
