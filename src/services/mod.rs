//! One typed handle for each outside thing. A service owns its worker or connection, fails requests rather than leave
//! them pending, can be stopped, and times out.

pub mod analysis;
pub mod annotator;
pub mod attempt;
pub mod built_in;
pub mod collection;
pub mod comparison;
pub mod contestants;
pub mod endpoint;
pub mod engine;
pub mod engines;
pub mod fitting;
pub mod game_annotator;
pub mod labels;
pub mod language_model;
pub mod live_source;
pub mod network;
pub mod own_engine;
pub mod paths;
pub mod saved;
pub mod saved_lines;
pub mod search_memory;
pub mod searchless;
pub mod settings;
pub mod shipped;
pub mod steering;
pub mod survey_store;

mod net_worker;
mod preflight;
