//! Cues as patterns of words, and what they say in words that the grammar knows.

pub mod cue;
pub mod restate;
pub mod restatements;
