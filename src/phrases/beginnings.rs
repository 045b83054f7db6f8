//! How the words of a stretch begin: most of the words that are looked for are seen at once not to stand in it.

/// How a word begins; nothing where it is too short to tell.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beginning(Option<u8>);

impl Beginning {
    /// Of this word.
    pub fn of(word: &str) -> Self {
        Self(number(word.as_bytes()))
    }
}

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
    #[must_use]
    pub fn may_have(&self, beginning: &str) -> bool {
        self.may_have_bytes(beginning.as_bytes())
    }

    /// Of all of them together, `|` between them, `*` behind those that may go on; `None` where one of them is too short to tell.
    #[must_use]
    pub fn of_one(several: &[u8]) -> Option<Self> {
        let mut found = Self::default();
        for one in several.split(|byte| *byte == b'|') {
            let (at, bit) = place(one.strip_suffix(b"*").unwrap_or(one))?;
            found.0[at] |= bit;
        }
        Some(found)
    }

    /// False where no word of the one begins as one of the other.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).any(|(own, other)| own & other != 0)
    }

    /// False where the words begin otherwise, all of which are long enough to tell.
    pub(crate) fn may_have_one(&self, beginning: Beginning) -> bool {
        beginning.0.is_none_or(|number| {
            let (at, bit) = place_of(number);
            self.0[at] & bit != 0
        })
    }

    pub(crate) fn may_have_bytes(&self, beginning: &[u8]) -> bool {
        // What is shorter than what is known of the words may stand there.
        place(beginning).is_none_or(|(at, bit)| self.0[at] & bit != 0)
    }
}

fn place(word: &[u8]) -> Option<(usize, u64)> {
    number(word).map(place_of)
}

fn number(word: &[u8]) -> Option<u8> {
    let [first, second, ..] = *word else { return None };
    Some(first.wrapping_mul(31).wrapping_add(second))
}

fn place_of(number: u8) -> (usize, u64) {
    (usize::from(number >> 6), 1 << (number & 63))
}

/// Whether a word is one of several, `|` between them.
#[must_use]
pub fn is_one_of(word: &str, several: &str) -> bool {
    choice(word.as_bytes(), several.as_bytes(), None)
}

/// The same, where those with a star behind them may go on.
#[must_use]
pub fn is_or_begins_as_one_of(word: &[u8], several: &[u8]) -> bool {
    choice(word, several, Some(b'*'))
}

/// Goes through both letter by letter: the words are short, and most fail at the first.
pub(crate) fn choice(word: &[u8], several: &[u8], end: Option<u8>) -> bool {
    let mut at = 0;
    // One of them from `at` on.
    while at <= several.len() {
        let mut n = 0;
        loop {
            let wanted = several.get(at + n).copied().filter(|byte| *byte != b'|');
            match (wanted, word.get(n)) {
                (Some(wanted), _) if Some(wanted) == end && is_last(several, at + n) => return true,
                (Some(wanted), Some(found)) if wanted == *found => n += 1,
                (None, None) => return true,
                _ => break,
            }
        }
        match several[at + n..].iter().position(|byte| *byte == b'|') {
            Some(next) => at += n + next + 1,
            None => return false,
        }
    }
    false
}

fn is_last(several: &[u8], at: usize) -> bool {
    several.get(at + 1).is_none_or(|next| *next == b'|')
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
                prop_assert!(Beginnings::of_one(several.as_bytes()).is_none_or(|one| beginnings.meets(&one)));
                prop_assert!(is_or_begins_as_one_of(word.as_bytes(), several.as_bytes()));
                let own = format!("zz|{word}");
                prop_assert!(is_one_of(word, &own));
            }
        }
    }

    proptest! {
        #[test]
        fn one_of_several_is_found_letter_by_letter(word in "[ab*|]{0,4}", several in "[ab*|]{0,9}") {
            let plain = several.split('|').any(|one| one == word);
            prop_assert_eq!(is_one_of(&word, &several), plain && !word.contains('|'));
            let begins = several.split('|').any(|one| match one.strip_suffix('*') {
                Some(stem) => word.starts_with(stem),
                None => one == word,
            });
            prop_assert_eq!(is_or_begins_as_one_of(word.as_bytes(), several.as_bytes()), begins);
        }
    }

    #[test]
    fn most_others_are() {
        let beginnings = Beginnings::of(["the", "pawn", "is", "isolated"]);
        assert!(!beginnings.meets(&Beginnings::of_one(b"white|black|queen*").unwrap()));
        assert!(!is_one_of("pawn", "pawns|paw") && !is_or_begins_as_one_of(b"pawn", b"paws*|awn"));
    }
}
