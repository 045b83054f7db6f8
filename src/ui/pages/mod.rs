//! The pages.

pub mod about;
pub mod analysis;
pub mod bench;
pub mod blindfold;
pub mod comment;
pub mod compare;
pub mod judge;
pub mod players;
pub mod probes;
pub mod searchless;
pub mod study;
pub mod survey;
