//! Text: where sentences end; words, squares, moves and numbers; rules of thumb, which speak of no position.

pub mod general;
pub mod plain;
pub mod sentences;
pub mod token;

pub use self::token::{Tok, Token};
