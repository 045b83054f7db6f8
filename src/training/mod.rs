//! Data for a network and its probes: self-play among engines, positions sampled from games, and targets to train on.
//!
//! Nothing here knows of concepts: a network learns from the engine's moves and results alone, so that what probes find
//! in it is its own.

pub mod agreement;
pub mod choices;
pub mod packed;
pub mod position_record;
pub mod sample;
pub mod selfplay;
pub mod target;

pub use choices::{Choice, Choices};
pub use position_record::PositionRecord;
