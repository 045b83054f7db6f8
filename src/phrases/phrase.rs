//! Phrases: words with a blank between them, where a star stands for any ending.

use crate::Beginnings;

/// True where one of the phrases stands among the words, of which it is known how they begin.
#[must_use]
pub fn says(words: &[&str], beginnings: &Beginnings, phrases: &[&str]) -> bool {
    let mut likely = phrases.iter().filter(|phrase| may_stand(beginnings, phrase));
    likely.any(|phrase| {
        // Most words fail by their first letter.
        let first = phrase.as_bytes().first();
        let mut places = (0..words.len()).filter(|at| words[*at].as_bytes().first() == first);
        places.any(|at| phrase_at(words, at, phrase).is_some())
    })
}

/// False where the first word of the phrase is none of those whose beginnings are known.
#[must_use]
pub fn may_stand(beginnings: &Beginnings, phrase: &str) -> bool {
    match *phrase.as_bytes() {
        [first, second, ..] if second != b' ' && second != b'*' => beginnings.may_have_bytes(&[first, second]),
        _ => true,
    }
}

/// The length of the phrase where it stands at `at`.
#[must_use]
pub fn phrase_at(words: &[&str], at: usize, phrase: &str) -> Option<usize> {
    // Most phrases fail by their first letter.
    if words.get(at)?.as_bytes().first() != phrase.as_bytes().first() {
        return None;
    }
    let mut n = 0;
    for wanted in phrase.as_bytes().split(|byte| *byte == b' ') {
        let word = words.get(at + n)?.as_bytes();
        let fits = match wanted.strip_suffix(b"*") {
            Some(stem) => word.starts_with(stem),
            None => word == wanted,
        };
        if !fits || word.is_empty() {
            return None;
        }
        n += 1;
    }
    Some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_a_row_of_words() {
        let words = ["white", "", "is", "winning", "at", "once"];
        assert_eq!(phrase_at(&words, 4, "at once"), Some(2));
        assert_eq!(phrase_at(&words, 3, "win* at"), Some(2));
        assert_eq!(phrase_at(&words, 3, "win at"), None);
        assert_eq!(phrase_at(&words, 5, "once more"), None);
        assert_eq!(phrase_at(&words, 6, "at"), None);
        // What is no word is none of a phrase's.
        assert_eq!(phrase_at(&words, 1, ""), None);
        let beginnings = Beginnings::of(words);
        let says = |phrases: &[&str]| says(&words, &beginnings, phrases);
        assert!(says(&["black", "is winning"]) && !says(&["black", "is lost", "white is"]));
        assert!(says(&["w*"]) && !says(&["b*", "w at"]));
    }
}
