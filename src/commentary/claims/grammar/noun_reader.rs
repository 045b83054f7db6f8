//! A reader's place in a noun phrase: its head and its modifiers are read from there.

use shakmaty::Square;

use super::phrase::{Np, Part};
use crate::commentary::claims::text::{Tok, Token};

/// A noun phrase as far as it is read.
pub struct Reader<'a> {
    /// The sentence.
    pub tokens: &'a [Token],
    /// The next token.
    pub at: usize,
    /// What is read.
    pub np: Np,
    /// The parts before it.
    pub before: &'a [Part],
    /// A determiner or adjective has been read.
    pub any: bool,
    /// Words that were read over.
    pub skipped: usize,
}

impl<'a> Reader<'a> {
    /// The word so many tokens on; empty where there is none.
    pub fn word(&self, offset: usize) -> &'a str {
        self.tokens.get(self.at + offset).map_or("", Token::word)
    }

    /// The token so many on.
    pub fn tok(&self, offset: usize) -> Option<&Tok> {
        self.tokens.get(self.at + offset).map(|t| &t.tok)
    }

    /// `'s` stands so many tokens on.
    pub fn possessive(&self, offset: usize) -> bool {
        matches!(self.tok(offset), Some(Tok::Possessive))
    }

    /// A hyphen joins the token so many on to the one before it.
    pub fn glued(&self, offset: usize) -> bool {
        self.tokens.get(self.at + offset).is_some_and(|t| t.glued)
    }

    /// The square that stands so many tokens on.
    pub fn square(&self, offset: usize) -> Option<Square> {
        match self.tok(offset) {
            Some(Tok::Square(square)) => Some(*square),
            _ => None,
        }
    }

    /// Takes tokens into the phrase.
    pub fn step(&mut self, n: usize) {
        self.any = true;
        self.at += n;
    }
}
