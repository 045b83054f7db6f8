//! Words in a row: whether they stand at the front of some tokens, and tokens made of words that the text does not have.

use phrases::row_len;
use std::ops::Range;

use crate::commentary::claims::text::{Tok, Token};

/// A word as a token at this place.
pub fn made(word: &str, span: &Range<usize>) -> Token {
    Token {
        tok: Tok::Word(word.to_owned()),
        span: span.clone(),
        glued: false,
        capital: false,
    }
}

/// How many tokens the row of words takes at the front, if it stands there.
pub fn len_of(row: &str, tokens: &[Token]) -> Option<usize> {
    row_len(row, &|at| tokens.get(at).map_or("", Token::word))
}
