//! Words in a row: whether they stand at the front of some tokens, and tokens made of words that the text does not have.

use phrases::is_one_of;
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

/// How many tokens the words take at the front, if they stand there.
pub fn len_of(words: &str, tokens: &[Token]) -> Option<usize> {
    let mut n = 0;
    for wanted in words.split(' ') {
        let word = tokens.get(n)?.word();
        if word.is_empty() || !is_one_of(word, wanted) {
            return None;
        }
        n += 1;
    }
    Some(n)
}
