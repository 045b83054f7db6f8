//! Tactical motifs, found on the board alone. Precision goes before coverage: what is named here is really there.

pub mod discovered;
pub mod fork;
pub mod line;
pub mod mate;
pub mod threat;
pub mod trapped;
