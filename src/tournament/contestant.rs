//! Who plays in a tournament, and how.

use serde::{Deserialize, Serialize};

use crate::{chessbench::policy::PolicyRules, grading::level::Level, searchless::header::Target, uci::Limit};

/// A player in a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contestant {
    /// What it is called; no other of the tournament is called so.
    pub name: String,
    /// How it plays.
    #[serde(flatten)]
    pub way: Way,
}

/// How a player finds its moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "plays", rename_all = "kebab-case")]
pub enum Way {
    /// By lot among the legal moves.
    Random,
    /// Stockfish at a level of strength.
    Level {
        /// How strong.
        level: Level,
        /// Of each search.
        limit: Limit,
    },
    /// Stockfish with all its strength and one search a move.
    Engine {
        /// Of each search.
        limit: Limit,
    },
    /// The best of a search for each legal move: the oracle that models of chess without search learn from.
    EachMove {
        /// Of each search.
        limit: Limit,
    },
    /// A model of chess without search.
    Model {
        /// What it predicts.
        target: Target,
        /// The SHA-256 of its file.
        sha256: String,
        /// Its policy's switches.
        rules: PolicyRules,
    },
    /// The move that a Lc0 network finds likeliest.
    NetworkPolicy {
        /// The SHA-256 of its file.
        sha256: String,
    },
    /// The move after which a Lc0 network expects most.
    NetworkValue {
        /// The SHA-256 of its file.
        sha256: String,
    },
    /// A language model that is shown the game and asked for a move.
    Chat {
        /// As its server calls it.
        model: String,
    },
    /// The reader.
    Person,
}

impl Way {
    /// The options of the Stockfish that searches for it, as name and value; `None` where none does.
    #[must_use]
    pub fn engine(&self) -> Option<Vec<(String, String)>> {
        match self {
            Self::Level { level, .. } => Some(level.options()),
            Self::Engine { .. } | Self::EachMove { .. } => Some(Vec::new()),
            Self::Model { rules, .. } => rules.decided.then(Vec::new),
            _ => None,
        }
    }

    /// In words, for tables.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Random => "by lot among the legal moves".to_owned(),
            Self::Level { level, limit } => format!("Stockfish, {level}, {}", limit.words()),
            Self::Engine { limit } => format!("Stockfish, one search a move, {}", limit.words()),
            Self::EachMove { limit } => format!("Stockfish, a search for each legal move, {}", limit.words()),
            Self::Model { target, rules, .. } => {
                let switches = [
                    (rules.repetition, "repetitions are draws"),
                    (rules.early_softmax, "the first five moves drawn"),
                    (rules.decided, "decided games to Stockfish"),
                ];
                let on: Vec<&str> = switches
                    .into_iter()
                    .filter_map(|(on, words)| on.then_some(words))
                    .collect();
                let switches = match on.is_empty() {
                    true => "no switches".to_owned(),
                    false => on.join(", "),
                };
                format!("{} without search; {switches}", target.short())
            }
            Self::NetworkPolicy { .. } => "a Lc0 network's likeliest move".to_owned(),
            Self::NetworkValue { .. } => "the move after which a Lc0 network expects most".to_owned(),
            Self::Chat { model } => format!("{model}, shown the game as PGN"),
            Self::Person => "a person".to_owned(),
        }
    }
}
