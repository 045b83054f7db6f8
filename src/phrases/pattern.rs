//! Patterns: rows of words, `|` between words that will do as well, `*` behind the beginning of a word, `~` for up to three words
//! of any kind, `_` for one or none: `in no sense|way`, `yet to ~ develop*`.

use std::ops::Range;

use crate::beginnings::{Beginnings, is_or_begins_as_one_of};

/// Words that a `~` may stand for.
const GAP: usize = 3;

/// Where the pattern first stands in the words.
#[must_use]
pub fn find(words: &[String], pattern: &str) -> Option<Range<usize>> {
    (0..words.len()).find_map(|at| matched(words, at, Some(pattern.as_bytes())).map(|end| at..end))
}

/// How the words begin of which a pattern needs one, for each of its places that do not take any word.
pub fn needed(pattern: &str) -> Box<[Beginnings]> {
    let elements = pattern.as_bytes().split(|byte| *byte == b' ');
    elements
        .filter(|element| !matches!(*element, b"~" | b"_"))
        .filter_map(Beginnings::of_one)
        .collect()
}

/// Where the pattern ends that stands there.
fn matched(words: &[String], at: usize, pattern: Option<&[u8]>) -> Option<usize> {
    let Some(pattern) = pattern else { return Some(at) };
    let (first, rest) = match pattern.iter().position(|byte| *byte == b' ') {
        Some(blank) => (&pattern[..blank], Some(&pattern[blank + 1..])),
        None => (pattern, None),
    };
    let most = match first {
        b"~" => GAP,
        b"_" => 1,
        _ if is_or_begins_as_one_of(words.get(at)?.as_bytes(), first) => return matched(words, at + 1, rest),
        _ => return None,
    };
    (at..=(at + most).min(words.len())).find_map(|next| matched(words, next, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str, pattern: &str) -> Option<Range<usize>> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let beginnings = Beginnings::of(words.iter().map(String::as_str));
        let found = find(&words, pattern);
        assert!(found.is_none() || needed(pattern).iter().all(|one| beginnings.meets(one)));
        found
    }

    proptest! {
        #[test]
        fn what_a_pattern_needs_is_there_where_it_stands(text in "[abc ]{0,12}", pattern in "([abc]{1,2}[*|]?){1,3}( [abc~]{1,2}\\*?){0,2}") {
            found(&text, &pattern);
        }
    }

    #[test]
    fn words_may_be_one_of_several_go_on_or_be_of_any_kind() {
        assert_eq!(found("the pawn is in no way weak", "in no sense|way"), Some(3..6));
        assert_eq!(
            found("black has yet to really develop it", "yet to ~ develop*"),
            Some(2..6)
        );
        assert_eq!(found("yet to develop", "yet to ~ develop*"), Some(0..3));
        assert_eq!(found("yet to a b c d develop", "yet to ~ develop*"), None);
        assert_eq!(found("the weak pawn", "the _ pawn"), Some(0..3));
        assert_eq!(found("the very weak pawn", "the _ pawn"), None);
        assert_eq!(found("the pawn", "the pawns"), None);
        assert_eq!(found("the pawn", "pawn ~"), Some(1..2));
        assert_eq!(found("", "pawn"), None);
    }
}
