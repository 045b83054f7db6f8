//! Which source the concept scores come from.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Concept, ConceptChange, rule::Rule};

/// Which source the reader wants to hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// The probes of the network in use; Stockfish 8 where it has none.
    #[default]
    Probes,
    /// Stockfish 8.
    Stockfish8,
    /// Both, side by side; facts and prose rest on the probes.
    Both,
}

impl Choice {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Probes, Self::Stockfish8, Self::Both];

    /// As a choice is called in text and in the page's controls.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Probes => "Network probes",
            Self::Stockfish8 => "Stockfish 8",
            Self::Both => "Both",
        }
    }

    /// Whether the probes are asked.
    #[must_use]
    pub const fn wants_probes(self) -> bool {
        matches!(self, Self::Probes | Self::Both)
    }
}

/// Which source the reader wants to hear, and in which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Wanted {
    /// The source.
    pub choice: Choice,
    /// The rule of priority.
    pub rule: Rule,
}

/// Who gave the scores. Scores of two sources are never mixed: their units differ.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// The evaluation terms of Stockfish 8, mid-game values.
    Stockfish8,
    /// Linear probes on a network's residual blocks: standardised scores.
    Probes {
        /// The SHA-256 of the network file, lower-case hexadecimal.
        network_hash: String,
    },
}

impl Source {
    /// The unit in a word or two, to follow a number.
    #[must_use]
    pub const fn short_unit(&self) -> &'static str {
        match self {
            Self::Stockfish8 => "pawns",
            Self::Probes { .. } => "standard deviations",
        }
    }

    /// The least change worth a sentence, in [`Source::unit`]s. A tenth of a pawn is what a careful reader of
    /// Stockfish's terms calls a difference. A probe's score wanders by a fraction of its spread from one quiet position
    /// to the next, so it has to move further before anything is said of it.
    #[must_use]
    pub const fn least_change(&self) -> f32 {
        match self {
            Self::Stockfish8 => 0.1,
            Self::Probes { .. } => 0.3,
        }
    }

    /// What a score of 1 means, for a legend.
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        match self {
            Self::Stockfish8 => "pawns",
            Self::Probes { .. } => "standard deviations of the probe's decision value",
        }
    }
}

/// What a move did to the concepts, in one source's words.
#[derive(Debug, Clone, PartialEq)]
pub struct Concepts {
    /// Who gave the scores.
    pub source: Source,
    /// All 21, by priority, the mover's view, in the source's units.
    pub changes: Vec<ConceptChange>,
    /// The rule that put them in order.
    pub rule: Rule,
    /// Those whose scores are too weak to rest a sentence on: they are shown, and are no facts. See
    /// [`ProbeSet::doubted`](super::ProbeSet::doubted).
    pub doubted: Vec<Concept>,
}

/// For the user: `Stockfish 8`, `probes on network 0123456789ab`.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stockfish8 => f.write_str("Stockfish 8"),
            Self::Probes { network_hash } => {
                write!(
                    f,
                    "probes on network {}",
                    network_hash.chars().take(12).collect::<String>()
                )
            }
        }
    }
}
