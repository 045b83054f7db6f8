//! Text: where sentences end; words, squares, moves and numbers; idioms, questions and answers put plainly.

pub mod ability;
pub mod beginnings;
pub mod cleft;
pub mod dialogue;
pub mod general;
pub mod idiom;
pub mod openings;
pub mod question;
pub mod sentences;
pub mod token;

pub use self::token::{Tok, Token};
