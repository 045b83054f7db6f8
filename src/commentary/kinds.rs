//! Kinds that are words: an enumeration each of whose variants has one in lower case, as JSON and data files write it.

/// Defines such an enumeration with all of its kinds, the word of each, and the kind of a word.
macro_rules! kinds {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $kind:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$doc])* $kind),+ }

        impl $name {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// One lower-case word.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$kind => $word),+ }
            }

            /// The kind of this word.
            #[must_use]
            pub fn of_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$kind),)+ _ => None }
            }
        }
    };
}
pub(crate) use kinds;
