//! What a row, or a proposal, fixes of what it says.

/// Defines what can be fixed, each with its word in a row.
macro_rules! fixes {
    ($($fix:ident = $word:literal: $meaning:literal;)+) => {
        /// One thing that is fixed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Fix { $(#[doc = $meaning] $fix),+ }

        impl Fix {
            const ALL: &[(Self, &str)] = &[$((Self::$fix, $word)),+];
        }
    };
}

fixes! {
    Able = "able": "What can be done, which modal verbs say, too.";
    Any = "any": "Any man of the other side does it.";
    Bare = "bare": "Ahead by no amount that is named.";
    Both = "both": "Of both wings, or both bishops.";
    Castled = "castled": "The king has castled.";
    Dark = "dark": "Of dark squares.";
    Deed = "deed": "What the move does, unless another man does it.";
    Denied = "denied": "The words deny it.";
    Each = "each": "Of each side.";
    Exchange = "exchange": "By the exchange.";
    Extra = "extra": "The men are counted against the other side.";
    For = "for": "Men stand against others.";
    Kingside = "kingside": "Of the kingside.";
    Light = "light": "Of light squares.";
    Modal = "modal": "Only where a modal verb says that it can be done.";
    Moved = "moved": "Of the man or the move that was just spoken of.";
    None = "none": "Nobody does it.";
    Off = "off": "They have left the board.";
    One = "one": "There is one.";
    Opposite = "opposite": "Of squares of opposite colours.";
    Other = "other": "It is said of the other side's standing.";
    Queenside = "queenside": "Of the queenside.";
    Same = "same": "Of squares of the same colour.";
    Side = "side": "A side does it, by any of its men.";
    Sole = "sole": "The subject alone does it.";
    Told = "told": "Only where no modal verb stands by.";
    Twice = "twice": "The score, or the material: either may be meant.";
    Winning = "winning": "It is won.";
}

/// What is fixed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fixed(u32);

impl Fixed {
    /// As rows write it: words with spaces between.
    ///
    /// # Panics
    /// On a word that fixes nothing: rows are part of the program, and tests read them all.
    pub fn of_words(words: &str) -> Self {
        let of = |word: &str| {
            let found = Fix::ALL.iter().find(|(_, name)| *name == word);
            found.unwrap_or_else(|| panic!("{word:?} fixes nothing")).0
        };
        words.split_whitespace().map(of).collect()
    }

    /// Whether this is fixed.
    pub const fn has(self, fix: Fix) -> bool {
        self.0 & (1 << fix as u32) != 0
    }
}

impl FromIterator<Fix> for Fixed {
    fn from_iter<T: IntoIterator<Item = Fix>>(all: T) -> Self {
        Self(all.into_iter().fold(0, |found, fix| found | 1 << fix as u32))
    }
}
