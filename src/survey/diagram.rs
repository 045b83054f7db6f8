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

/// What is written in a diagram and below it. All that a rater can read of it is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// Its name for screen readers.
    pub title: &'static str,
    /// What a screen reader says instead of the drawing.
    pub description: &'static str,
    /// Above the left circle.
    pub left: &'static str,
    /// Above the right circle.
    pub right: &'static str,
    /// Letters of the areas with what lies there, from left to right.
    pub areas: [(&'static str, &'static str); 3],
    /// Below the drawing.
    pub caption: &'static str,
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

    /// What is written in it.
    #[must_use]
    pub const fn words(self) -> Words {
        match self {
            Self::RelevanceCompleteness => Words {
                title: "Relevance and completeness",
                description: "Two circles overlap. The left one is what matters on the board, the right one is what the \
                              comment says. A is what matters and is not said, B is what matters and is said, C is what is \
                              said and does not matter.",
                left: "What matters",
                right: "What the comment says",
                areas: [
                    ("A", "matters, but is not said"),
                    ("B", "matters, and is said"),
                    ("C", "is said, but does not matter"),
                ],
                caption: "The smaller A is, the more complete the comment; the smaller C is, the more relevant.",
            },
        }
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
