//! Whether a server and model can do something.

/// Whether a server and model give token probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Support {
    /// Token probabilities come with the replies.
    Yes,
    /// They do not.
    No,
    /// Nobody has asked yet, or the answer did not tell.
    #[default]
    Unknown,
}

impl Support {
    /// Its word: yes, no, unknown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}
