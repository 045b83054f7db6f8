//! Stretches of a sentence by their cue words, men and denials, where the grammar finds nothing.

pub mod answer_cues;
pub mod contact_cues;
pub mod contact_words;
pub mod deed_cues;
pub mod placement_cues;
pub mod segment;
pub mod segment_words;
