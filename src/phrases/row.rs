//! Rows: words with a blank between them, `|` between those that will do as well: `it is|was not`.

use crate::beginnings::choice;

/// How many words a row takes from the front of some words, of which `word` gives each by its number, `""` where there is none;
/// `None` where the row does not stand there.
#[must_use]
pub fn row_len<'a>(row: &str, word: &dyn Fn(usize) -> &'a str) -> Option<usize> {
    let mut rest = row.as_bytes();
    let mut n = 0;
    loop {
        let next = word(n).as_bytes();
        let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
        if next.is_empty() || !choice(next, &rest[..end], None) {
            return None;
        }
        n += 1;
        if end == rest.len() {
            return Some(n);
        }
        rest = &rest[end + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::is_one_of;
    use proptest::prelude::*;

    fn len(row: &str, words: &[String]) -> Option<usize> {
        row_len(row, &|at| words.get(at).map_or("", String::as_str))
    }

    proptest! {
        #[test]
        fn each_word_is_one_of_its_own(row in "[ab]{1,2}([ |][ab]{1,2}){0,4}", words in proptest::collection::vec("[ab]{0,2}", 0..5)) {
            let wanted: Vec<&str> = row.split(' ').collect();
            let stands = wanted.len() <= words.len()
                && wanted.iter().zip(&words).all(|(several, word)| !word.is_empty() && is_one_of(word, several));
            prop_assert_eq!(len(&row, &words), stands.then_some(wanted.len()));
        }
    }

    #[test]
    fn a_row_stands_at_the_front() {
        let words: Vec<String> = ["it", "was", "not", "so"].map(str::to_owned).into();
        assert_eq!(len("it is|was not", &words), Some(3));
        assert_eq!(len("it|that was|is", &words), Some(2));
        assert_eq!(len("it is", &words), None);
        assert_eq!(len("it wa", &words), None);
        assert_eq!(len("it was not so far", &words), None);
    }
}
