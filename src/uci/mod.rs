//! The Universal Chess Interface: engine text to typed lines and back.

pub mod line;
pub mod score;

pub use line::{Info, Limit, UciLine};
pub use score::Score;
