//! The sets of questions that come with the app.

use crate::services::paths;

/// A set that comes with the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShippedSet {
    /// After 51 to 100 half-moves, as the paper asks.
    Long,
    /// After 5 to 50.
    Short,
}

impl ShippedSet {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Long, Self::Short];

    /// Its name in notices and ids.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Long => "long",
            Self::Short => "short",
        }
    }

    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Long => "The long set: after 51 to 100 half-moves",
            Self::Short => "The short set: after 5 to 50",
        }
    }

    /// Where it is.
    pub(super) fn path(self) -> String {
        match self {
            Self::Long => paths::long_probes(),
            Self::Short => paths::short_probes(),
        }
    }
}
