//! How plainly a sentence speaks. A short one about one thing is read well; one that goes on from thing to thing, or tells
//! what the engine would do, is often read as if all of it were said of the board.

use std::ops::Range;

/// Words up to which a sentence is short.
const SHORT: usize = 12;
/// Words up to which a sentence with a comma says one thing still.
const ONE_THING: usize = 14;
/// Words by which a sentence goes on to another thing.
const GOES_ON: [&str; 6] = ["and", "but", "while", "which", "then", "engine's"];
/// Words by which a sentence tells of moves that the engine would make.
const ENGINE: [&str; 7] = [
    "engine",
    "engine's",
    "machine",
    "machine's",
    "computer",
    "line",
    "reply",
];

/// A sentence of a text, and how plain it is.
#[derive(Debug, Clone, Copy)]
pub struct Plainness {
    /// It is all of its text.
    pub alone: bool,
    /// It has few words.
    pub short: bool,
    /// It goes on from one thing to another.
    pub compound: bool,
    /// It tells of moves that the engine would make.
    pub of_engine: bool,
}

impl Plainness {
    /// That of the sentence at this place of the text.
    #[must_use]
    pub fn of(text: &str, sentence: &Range<usize>) -> Self {
        let blank = |part: Option<&str>| part.is_none_or(|part| part.trim().is_empty());
        let said = text.get(sentence.clone()).unwrap_or_default();
        let count = said.split_whitespace().count();
        let goes_on = || said.contains([':', ';']) || has_any(said, &GOES_ON);
        Self {
            alone: blank(text.get(..sentence.start)) && blank(text.get(sentence.end..)),
            short: count <= SHORT,
            compound: count > ONE_THING && said.contains(',') && goes_on(),
            of_engine: has_any(said, &ENGINE),
        }
    }

    /// Whether all of it can be taken to be said of what it names: it stands alone and says one thing.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        self.alone && !self.compound
    }
}

fn has_any(said: &str, words: &[&str]) -> bool {
    said.split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .any(|word| words.iter().any(|one| word.eq_ignore_ascii_case(one)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Plainness {
        Plainness::of(text, &(0..text.len()))
    }

    #[test]
    fn a_short_sentence_by_itself_is_plain() {
        let plain = of("The knight on f6 attacks the pawn on e4.");
        assert!(plain.is_plain() && plain.short && !plain.of_engine);
        let text = "The knight attacks e4. That is all.";
        assert!(!Plainness::of(text, &(0..22)).is_plain(), "it does not stand alone");
    }

    #[test]
    fn a_long_sentence_that_goes_on_is_compound() {
        assert!(
            of("Queen takes rook, queen takes queen with check, and the bishop on e6 can't take back in any way.")
                .compound
        );
        // As long, without another thing; with another thing, but short.
        assert!(
            !of("White's pawn on the square e5 attacks the black knight that stands on the square f6 now.").compound
        );
        assert!(!of("The rook takes on e5, and Black is lost.").compound);
    }

    #[test]
    fn moves_of_the_engine_are_told_by_its_names() {
        assert!(of("The engine's reply is to castle.").of_engine);
        assert!(of("In the Computer line the queen checks.").of_engine);
        assert!(!of("The bishop lines up with the queen.").of_engine);
    }
}
