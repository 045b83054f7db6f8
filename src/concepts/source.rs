//! Which source the concept scores come from.

use std::fmt;

use serde::{Deserialize, Serialize};

use shakmaty::Color;

#[cfg(doc)]
use super::rule::CLIP;
use super::{
    Concept, ConceptChange,
    priority::{Around, prioritised},
    rule::Rule,
};

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
    /// Linear probes on a network's residual blocks.
    Probes {
        /// The SHA-256 of the network file, lower-case hexadecimal.
        network_hash: String,
    },
}

/// What a score, or a change of one, of 1 means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Pawns, mid-game: the terms of Stockfish 8.
    Pawns,
    /// Standard deviations of each probe's decision value.
    ProbeSpreads,
    /// Standard deviations of Stockfish 8's term: what probes of changes predict. The scores around the change are in
    /// [`Unit::ProbeSpreads`] then.
    TermSpreads,
    /// Decision values as they are, the paper's scores.
    DecisionValues,
    /// Decision values clipped to ±[`CLIP`], as the authors' code has them.
    ClippedValues,
}

impl Unit {
    /// In a word or two, to follow the number of a change.
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::Pawns => "pawns",
            Self::ProbeSpreads | Self::TermSpreads => "standard deviations",
            Self::DecisionValues | Self::ClippedValues => "units of decision value",
        }
    }

    /// The same in full, for a legend.
    #[must_use]
    pub const fn long(self) -> &'static str {
        match self {
            Self::Pawns => "pawns",
            Self::ProbeSpreads => "standard deviations of each probe's score",
            Self::TermSpreads => "standard deviations of Stockfish 8's term",
            Self::DecisionValues => "units of each probe's decision value",
            Self::ClippedValues => "units of each probe's decision value, clipped to ±10",
        }
    }

    /// The least change worth a sentence. A tenth of a pawn is what a careful reader of Stockfish's terms calls a
    /// difference. A probe's score wanders by a fraction of its spread from one quiet position to the next, so it has to
    /// move further before anything is said of it. Decision values have spreads around 1.
    #[must_use]
    pub const fn least_change(self) -> f32 {
        match self {
            Self::Pawns => 0.1,
            Self::ProbeSpreads | Self::TermSpreads | Self::DecisionValues | Self::ClippedValues => 0.3,
        }
    }

    const fn of_probes(rule: Rule, predicted: bool) -> Self {
        match rule {
            Rule::Ours if predicted => Self::TermSpreads,
            Rule::Ours => Self::ProbeSpreads,
            Rule::Paper => Self::DecisionValues,
            Rule::Authors => Self::ClippedValues,
        }
    }
}

/// What a move did to the concepts, in one source's words.
#[derive(Debug, Clone, PartialEq)]
pub struct Concepts {
    /// Who gave the scores.
    pub source: Source,
    /// All 21, by priority, the mover's view, in [`Concepts::unit`]s.
    pub changes: Vec<ConceptChange>,
    /// The rule that put them in order.
    pub rule: Rule,
    /// The same by the rule of the authors' code and in its scale, whatever the page's rule is: what the prompt of the
    /// paper's method names.
    pub by_authors: Vec<ConceptChange>,
    /// Those whose changes are too weak to rest a sentence on: they are shown, and are no facts. See
    /// [`ProbeSet::doubted`](super::ProbeSet::doubted).
    pub doubted: Vec<Concept>,
}

impl Concepts {
    /// What Stockfish 8's terms say of a move; `around`: in pawns, without predictions.
    #[must_use]
    pub fn of_terms(rule: Rule, around: &Around, mover: Color) -> Self {
        Self {
            source: Source::Stockfish8,
            changes: prioritised(rule, around, mover),
            rule,
            by_authors: prioritised(Rule::Authors, around, mover),
            doubted: Vec::new(),
        }
    }

    /// What the changes are in.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self.source {
            Source::Stockfish8 => Unit::Pawns,
            Source::Probes { .. } => {
                Unit::of_probes(self.rule, self.changes.iter().any(|change| change.rank.is_some()))
            }
        }
    }

    /// What [`Concepts::by_authors`] is in.
    #[must_use]
    pub const fn authors_unit(&self) -> Unit {
        match self.source {
            Source::Stockfish8 => Unit::Pawns,
            Source::Probes { .. } => Unit::of_probes(Rule::Authors, false),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_follows_the_rule() {
        let change = |rank| ConceptChange {
            concept: Concept::ALL[0],
            before: 0.0,
            after: 1.0,
            after_reply: None,
            rank,
        };
        let of = |source, rule, rank| Concepts {
            source,
            changes: vec![change(rank)],
            rule,
            by_authors: Vec::new(),
            doubted: Vec::new(),
        };
        let probes = || Source::Probes {
            network_hash: "ab".repeat(32),
        };
        for (rule, rank, unit) in [
            (Rule::Ours, None, Unit::ProbeSpreads),
            (Rule::Ours, Some(1.0), Unit::TermSpreads),
            (Rule::Paper, None, Unit::DecisionValues),
            (Rule::Authors, None, Unit::ClippedValues),
        ] {
            assert_eq!(of(probes(), rule, rank).unit(), unit);
            assert_eq!(of(probes(), rule, rank).authors_unit(), Unit::ClippedValues);
            assert_eq!(of(Source::Stockfish8, rule, None).unit(), Unit::Pawns);
        }
        assert_eq!(of(Source::Stockfish8, Rule::Ours, None).authors_unit(), Unit::Pawns);
        assert!(Unit::DecisionValues.short() != Unit::ProbeSpreads.short());
    }
}
