//! How the words of a stretch begin: most of the words that are looked for are seen at once not to stand in it.

/// The beginnings of some words: of each, its first two bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beginnings([u64; 4]);

impl Beginnings {
    /// Of these words.
    pub fn of<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut found = Self::default();
        for word in words {
            if let Some((at, bit)) = place(word.as_bytes()) {
                found.0[at] |= bit;
            }
        }
        found
    }

    /// False where none of the words is this one or begins so.
    pub fn may_have(&self, beginning: &str) -> bool {
        self.may_have_bytes(beginning.as_bytes())
    }

    /// The same of one of several, `|` between them, `*` behind those that may go on.
    pub fn may_have_one(&self, several: &str) -> bool {
        several.as_bytes().split(|byte| *byte == b'|').any(|one| {
            let beginning = one.strip_suffix(b"*").unwrap_or(one);
            self.may_have_bytes(beginning)
        })
    }

    fn may_have_bytes(&self, beginning: &[u8]) -> bool {
        // What is shorter than what is known of the words may stand there.
        place(beginning).is_none_or(|(at, bit)| self.0[at] & bit != 0)
    }
}

fn place(word: &[u8]) -> Option<(usize, u64)> {
    let [first, second, ..] = *word else { return None };
    let number = first.wrapping_mul(31).wrapping_add(second);
    Some((usize::from(number >> 6), 1 << (number & 63)))
}

/// Whether a word is one of several, `|` between them.
pub fn is_one_of(word: &str, several: &str) -> bool {
    several
        .as_bytes()
        .split(|byte| *byte == b'|')
        .any(|one| one == word.as_bytes())
}

/// The same, where those with `end` behind them may go on.
pub fn is_or_begins_as_one_of(word: &str, several: &str, end: u8) -> bool {
    several
        .as_bytes()
        .split(|byte| *byte == b'|')
        .any(|one| match one.strip_suffix(&[end]) {
            Some(stem) => word.as_bytes().starts_with(stem),
            None => one == word.as_bytes(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_word_that_is_there_is_ruled_out(words in proptest::collection::vec("[a-c']{0,5}", 0..8), cut in 0_usize..6) {
            let beginnings = Beginnings::of(words.iter().map(String::as_str));
            for word in &words {
                let stem = word.get(..cut).unwrap_or(word);
                prop_assert!(beginnings.may_have(word) && beginnings.may_have(stem));
                let several = format!("zz|{stem}*");
                prop_assert!(beginnings.may_have_one(&several));
                prop_assert!(is_or_begins_as_one_of(word, &several, b'*'));
                let own = format!("zz|{word}");
                prop_assert!(is_one_of(word, &own));
            }
        }
    }

    #[test]
    fn most_others_are() {
        let beginnings = Beginnings::of(["the", "pawn", "is", "isolated"]);
        assert!(!beginnings.may_have_one("white|black|queen*"));
        assert!(!is_one_of("pawn", "pawns|paw") && !is_or_begins_as_one_of("pawn", "paws*|awn", b'*'));
    }
}
