//! Text: where sentences end; words, squares, moves and numbers; rules of thumb, which speak of no position.

pub mod sentences;
pub mod token;
