//! Which source the concept scores come from.

use std::fmt;

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
    /// What a score of 1 means, for a legend.
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        match self {
            Self::Stockfish8 => "pawns",
            Self::Probes { .. } => "standard deviations of the probe's decision value",
        }
    }
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
