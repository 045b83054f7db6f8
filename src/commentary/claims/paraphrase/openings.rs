//! Phrases by the words that they begin with, so that few of many are tried at a place.

use std::collections::HashMap;

/// Numbers of phrases (`of|from the best`: blanks between words, `|` between those that will do as well), by first word.
#[derive(Debug)]
pub struct Openings(HashMap<&'static str, Vec<usize>>);

impl Openings {
    /// Of these phrases, numbered from 0.
    pub fn of(phrases: impl IntoIterator<Item = &'static str>) -> Self {
        let mut by_word: HashMap<&'static str, Vec<usize>> = HashMap::new();
        for (number, phrase) in phrases.into_iter().enumerate() {
            let first = phrase.split(' ').next().unwrap_or_default();
            for word in first.split('|') {
                by_word.entry(word).or_default().push(number);
            }
        }
        Self(by_word)
    }

    /// The phrases that begin with this word, the first ones first.
    pub fn with(&self, word: &str) -> impl Iterator<Item = usize> + '_ {
        self.0.get(word).into_iter().flatten().copied()
    }
}
