//! Claims by their cue words, where the grammar finds none or misses a denial. Four readers, each of which gives way to
//! what is known already:
//!
//! | reader | how it reads |
//! |---|---|
//! | [`segments`] | stretches of a sentence by their cue words, men and denials: contacts, deeds, places |
//! | [`catchwords`] | motifs and deeds by their names, whatever the grammar around them |
//! | [`patterns`] | patterns of words, put into words that the grammar knows |
//! | [`keywords`] | files, pawns, development and kings by the words of their subject |

pub mod catchwords;
pub mod keywords;
pub mod patterns;
pub mod segments;
