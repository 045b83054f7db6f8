//! From facts to prose: the engine's verdict, the fact sheet, the narrator, the prompt.

pub mod evaluation;

pub use evaluation::{Evaluation, Line};
