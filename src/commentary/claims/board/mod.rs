//! What is spoken of: the positions of a line, the men that a phrase may mean, and what a clause asks of them.

pub mod anaphora;
pub mod clause;
pub mod deeds;
pub mod lines;
pub mod men;
pub mod resolve;
pub mod scene;
pub mod setting;
pub mod visited;

pub use self::{
    clause::{Clause, Mode, denies},
    scene::{Point, View, World},
};
