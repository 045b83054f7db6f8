//! A comment as words that can be marked.

use crate::survey::{criteria::Kind, span::Span};

/// A word of a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its first character in the comment, from 0.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
    /// The word, with the marks of punctuation that touch it.
    pub text: String,
    /// The blanks and line ends after it.
    pub gap: String,
}

/// The words of a comment: what blanks part.
#[must_use]
pub fn words(comment: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut inside = false;
    for (place, letter) in comment.chars().enumerate() {
        match (letter.is_whitespace(), words.last_mut()) {
            (true, None) => {}
            (true, Some(word)) => {
                word.gap.push(letter);
                inside = false;
            }
            (false, Some(word)) if inside => {
                word.text.push(letter);
                word.end = place + 1;
            }
            (false, _) => {
                words.push(Word {
                    start: place,
                    end: place + 1,
                    text: letter.to_string(),
                    gap: String::new(),
                });
                inside = true;
            }
        }
    }
    words
}

/// The words from one to another, in either order, as a span of this kind. Marks of punctuation at its ends stay outside.
#[must_use]
pub fn span(words: &[Word], from: usize, to: usize, kind: &str) -> Option<Span> {
    let (first, last) = (words.get(from.min(to))?, words.get(from.max(to))?);
    let opening = |c: char| "“„\"'(«".contains(c);
    let closing = |c: char| ".,;:!?…”\"')»".contains(c);
    let before = first.text.chars().take_while(|c| opening(*c)).count();
    let after = last.text.chars().rev().take_while(|c| closing(*c)).count();
    let (start, end) = (first.start + before, last.end.saturating_sub(after));
    // A word that is nothing but such marks can be marked too.
    let (start, end) = if start < end {
        (start, end)
    } else {
        (first.start, last.end)
    };
    Some(Span {
        start,
        end,
        kind: kind.to_owned(),
    })
}

/// The marks with one more: what it meets gives way.
#[must_use]
pub fn with(marks: &[Span], new: Span) -> Vec<Span> {
    let mut all: Vec<Span> = marks.iter().filter(|mark| !mark.meets(&new)).cloned().collect();
    all.push(new);
    all.sort_unstable();
    all
}

/// The mark that a word is in.
#[must_use]
pub fn mark_on<'a>(marks: &'a [Span], word: &Word) -> Option<&'a Span> {
    marks.iter().find(|mark| mark.start < word.end && word.start < mark.end)
}

/// A kind's label; its id where the study has it no more.
#[must_use]
pub fn label<'a>(kinds: &'a [Kind], id: &'a str) -> &'a str {
    kinds.iter().find(|kind| kind.id == id).map_or(id, |kind| &kind.label)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_comment_is_its_words(comment in "[a-zż .\n“”]{0,60}") {
            let words = words(&comment);
            let text: String = words.iter().map(|word| format!("{}{}", word.text, word.gap)).collect();
            prop_assert_eq!(&text, comment.trim_start());
            for (index, word) in words.iter().enumerate() {
                let whole = Span { start: word.start, end: word.end, kind: "k".to_owned() };
                prop_assert_eq!(whole.words(&comment), word.text.as_str());
                let span = span(&words, index, words.len() - 1, "k").unwrap();
                prop_assert!(span.fits(comment.chars().count()));
            }
        }
    }

    #[test]
    fn marks_end_at_the_words_and_give_way() {
        let comment = "The knight “takes” the queen.";
        let all = words(comment);
        let made = span(&all, 4, 2, "wrong").unwrap();
        assert_eq!(made.words(comment), "takes” the queen");
        let one = span(&all, 1, 1, "piece").unwrap();
        let both = with(std::slice::from_ref(&made), one.clone());
        assert_eq!(both, [one.clone(), made.clone()]);
        assert_eq!(mark_on(&both, &all[3]), Some(&made));
        assert_eq!(mark_on(&both, &all[0]), None);
        let over = span(&all, 0, 4, "all").unwrap();
        assert_eq!(with(&both, over.clone()), [over]);
        assert_eq!(span(&all, 0, 9, "k"), None);
    }
}
