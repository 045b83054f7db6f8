//! Rows: words with a blank between them, `|` between those that will do as well: `it is|was not`.

/// How many words a row takes from the front of some words, of which `word` gives each by its number, `""` where there is none;
/// `None` where the row does not stand there.
#[must_use]
pub fn row_len<'a>(row: &str, word: &dyn Fn(usize) -> &'a str) -> Option<usize> {
    let row = row.as_bytes();
    let (mut at, mut n) = (0, 0);
    loop {
        let next = word(n).as_bytes();
        if next.is_empty() {
            return None;
        }
        at = behind(row, at, next)?;
        n += 1;
        if at == row.len() {
            return Some(n);
        }
        at += 1; // the blank
    }
}

/// Where those end, of which one begins at `at`, if the word is one of them.
fn behind(row: &[u8], mut at: usize, word: &[u8]) -> Option<usize> {
    let ends = |at: usize| row.get(at).is_none_or(|byte| matches!(byte, b' ' | b'|'));
    loop {
        let mut n = 0;
        while word.get(n).is_some_and(|byte| row.get(at + n) == Some(byte)) {
            n += 1;
        }
        let found = n == word.len() && ends(at + n);
        at += n;
        let until = |byte: &u8| *byte == b' ' || *byte == b'|' && !found;
        at += row[at..].iter().position(until).unwrap_or(row.len() - at);
        if found {
            return Some(at);
        }
        if row.get(at) != Some(&b'|') {
            return None;
        }
        at += 1;
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
