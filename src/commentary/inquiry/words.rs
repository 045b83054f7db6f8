//! The words of a question.

use shakmaty::{Color, Role, Square};

use super::super::claims::move_len;
use crate::chess::names::role_name;

/// Words of a question that are read.
const MOST_WORDS: usize = 400;

/// A word of a question.
pub(super) struct Word<'a> {
    /// Without the punctuation around it and without a move number before it.
    pub(super) text: &'a str,
    /// Whether there was a move number.
    pub(super) numbered: bool,
    /// Whose move the number says it is.
    pub(super) side: Option<Color>,
}

/// The words of `question`; punctuation and move numbers by themselves are left out.
pub(super) fn words(question: &str) -> Vec<Word<'_>> {
    question
        .split_whitespace()
        .take(MOST_WORDS)
        .map(Word::read)
        .filter(|word| !word.text.is_empty())
        .collect()
}

impl<'a> Word<'a> {
    fn read(word: &'a str) -> Self {
        let text = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '='));
        let text = text.trim_end_matches(['+', '#']);
        match text.rfind('.') {
            Some(dot) if text[..dot].bytes().all(|b| b.is_ascii_digit() || b == b'.') => Self {
                text: &text[dot + 1..],
                numbered: true,
                side: Some(if text[..dot].ends_with('.') {
                    Color::Black
                } else {
                    Color::White
                }),
            },
            _ => Self {
                text,
                numbered: false,
                side: None,
            },
        }
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }
}

pub(super) fn square(word: &str) -> Option<Square> {
    word.to_ascii_lowercase().parse().ok()
}

pub(super) fn role(word: &str) -> Option<Role> {
    Role::ALL
        .into_iter()
        .find(|role| word.eq_ignore_ascii_case(role_name(*role)))
}

/// Written as moves are, by the reader that the claim check has. A bare square is a move only where one is `called` for.
pub(super) fn is_move(word: &str, called: bool) -> bool {
    if square(word).is_some() {
        return called;
    }
    move_len(word) == Some(word.len())
}

/// A piece's move whose letters are not in the case that moves have, "nc3" or "NC3", as it should be.
pub(super) fn respelled(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let mut letters = lower.chars();
    let first = letters
        .next()
        .filter(|letter| matches!(letter, 'k' | 'q' | 'r' | 'b' | 'n'))?;
    let spelled: String = std::iter::once(first.to_ascii_uppercase()).chain(letters).collect();
    (spelled != word && move_len(&spelled) == Some(spelled.len())).then_some(spelled)
}
