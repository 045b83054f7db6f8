//! Diagrams that instructions can show. They are drawn by the page; a study names them.

use serde::{Deserialize, Serialize};

/// A diagram that ships with the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Diagram {
    /// What matters and what the comment says as two circles that overlap: what is left out (A) lowers completeness, what
    /// is beside the point (C) lowers relevance. The relation of the paper's figure A2.
    RelevanceCompleteness,
}

impl Diagram {
    /// Every diagram.
    pub const ALL: [Self; 1] = [Self::RelevanceCompleteness];

    /// As files name it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::RelevanceCompleteness => "relevance-completeness",
        }
    }

    /// What the builder calls it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::RelevanceCompleteness => "How relevance and completeness differ",
        }
    }

    /// The diagram of this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|diagram| diagram.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_a_diagram_by_its_word() {
        for diagram in Diagram::ALL {
            assert_eq!(
                serde_json::to_string(&diagram).unwrap(),
                format!("\"{}\"", diagram.word())
            );
            assert_eq!(Diagram::from_word(diagram.word()), Some(diagram));
        }
        assert_eq!(Diagram::from_word("pie"), None);
        assert!(serde_json::from_str::<Diagram>("\"pie\"").is_err());
    }
}
