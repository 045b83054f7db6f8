//! Patterns: rows of words, `|` between words that will do as well, `*` behind the beginning of a word, `~` for up to three words
//! of any kind, `_` for one or none: `in no sense|way`, `yet to ~ develop*`.

use std::ops::Range;

use crate::beginnings::{Beginning, Beginnings, is_or_begins_as_one_of};

/// Words that a `~` may stand for.
const GAP: usize = 3;

/// A pattern, taken apart.
#[derive(Debug)]
pub struct Pattern(Box<[Element]>);

/// What stands for some words in a row.
#[derive(Debug)]
enum Element {
    /// So many words of any kind at the most.
    Any(usize),
    /// One of several words, with how they begin, where that can be told.
    One(&'static [u8], Option<Beginnings>),
}

impl Pattern {
    /// As it is written.
    pub fn of(pattern: &'static str) -> Self {
        let element = |element: &'static [u8]| match element {
            b"~" => Element::Any(GAP),
            b"_" => Element::Any(1),
            several => Element::One(several, Beginnings::of_one(several)),
        };
        Self(pattern.as_bytes().split(|byte| *byte == b' ').map(element).collect())
    }

    /// False where one of its words begins as none of those does.
    pub fn may_stand(&self, beginnings: &Beginnings) -> bool {
        self.0.iter().all(|element| match element {
            Element::One(_, Some(own)) => beginnings.meets(own),
            _ => true,
        })
    }

    /// Where it first stands in the words, of which it is known how each begins.
    pub fn find(&self, words: &[String], begin: &[Beginning]) -> Option<Range<usize>> {
        (0..words.len()).find_map(|at| matched(&self.0, words, begin, at).map(|end| at..end))
    }
}

/// Where the elements end that stand there.
fn matched(elements: &[Element], words: &[String], begin: &[Beginning], at: usize) -> Option<usize> {
    let Some((first, rest)) = elements.split_first() else {
        return Some(at);
    };
    match first {
        Element::Any(most) => (at..=(at + most).min(words.len())).find_map(|next| matched(rest, words, begin, next)),
        Element::One(several, own) => {
            let word = words.get(at)?.as_bytes();
            let may_be = own
                .as_ref()
                .is_none_or(|own| begin.get(at).is_none_or(|one| own.may_have_one(*one)));
            if may_be && is_or_begins_as_one_of(word, several) {
                matched(rest, words, begin, at + 1)
            } else {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str, pattern: &str) -> Option<Range<usize>> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let begin: Vec<Beginning> = words.iter().map(|word| Beginning::of(word)).collect();
        let pattern = Pattern::of(String::from(pattern).leak());
        let found = pattern.find(&words, &begin);
        // What is known of how words begin rules nothing out that stands there.
        assert_eq!(found, pattern.find(&words, &[]));
        let beginnings = Beginnings::of(words.iter().map(String::as_str));
        assert!(found.is_none() || pattern.may_stand(&beginnings));
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
