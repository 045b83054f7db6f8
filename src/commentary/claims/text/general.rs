//! Rules of thumb: "Moral: look at every check", "In positions like this a passed pawn decides". They tell of no position.

use phrases::row_len;

use super::token::{Tok, Token};

/// Words at the beginning of a sentence that make it a rule.
const BEGIN: &[&str] = &[
    "moral",
    "moral of the story",
    "lesson",
    "remember",
    "always",
    "never",
    "whenever",
    "as a rule",
    "in general",
    "generally",
    "a good rule",
    "the general rule",
    "rule of thumb",
    "a rule of thumb",
    "the lesson",
    "the moral",
    "before every",
    "after every",
];

/// Words anywhere in a sentence that make it one.
const WITHIN: &[&str] = &[
    "positions like this",
    "positions like these",
    "such positions",
    "positions of this kind",
    "rule of thumb",
    "as a rule",
    "in general",
    "ask yourself",
    "of your pieces",
    "your attackers",
];

/// True where a sentence tells a rule, and not what is so here. What names a square or a move is said of this game.
#[must_use]
pub fn is_general(tokens: &[Token]) -> bool {
    let row = |at: usize, phrase: &str| {
        let word = |n: usize| tokens.get(at + n).map_or("", Token::word);
        row_len(phrase, &word).is_some()
    };
    let begins = BEGIN.iter().any(|phrase| row(0, phrase));
    let within = (0..tokens.len()).any(|at| WITHIN.iter().any(|phrase| row(at, phrase)));
    let placed = tokens.iter().any(|t| matches!(t.tok, Tok::Square(_) | Tok::Move(_)));
    !placed && (begins || within)
}
