//! Phrases: words with a blank between them, where a star stands for any ending.

/// True where one of the phrases stands among the words.
#[must_use]
pub fn says(words: &[&str], phrases: &[&str]) -> bool {
    phrases
        .iter()
        .any(|phrase| (0..words.len()).any(|at| phrase_at(words, at, phrase).is_some()))
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
        assert!(says(&words, &["black", "is winning"]) && !says(&words, &["black", "is lost", "white is"]));
    }
}
