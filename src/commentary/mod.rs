//! From facts to prose: the engine's verdict, the fact sheet, the narrator, the prompt.

pub mod assemble;
pub mod evaluation;

pub use assemble::AssembleError;
pub use evaluation::{Evaluation, Line};
