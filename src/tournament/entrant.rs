//! Who can be entered in a tournament before anything is fetched: the page's players.

use super::contestant::Way;
use crate::{grading::level::Level, searchless::header::Target, uci::Limit};

/// Ratings that Stockfish can be held to.
pub const ELO: (u64, u64) = (1_320, 3_190);

/// The strongest skill.
pub const SKILL: (u64, u64) = (0, 20);

/// A kind of player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntrantKind {
    /// By lot.
    Random,
    /// A model that comes with the app.
    Shipped(Target),
    /// The reader's own model.
    Own,
    /// The loaded network's policy alone.
    NetworkPolicy,
    /// Its value alone.
    NetworkValue,
    /// Stockfish at a skill level.
    Skill,
    /// Stockfish at a rating.
    Elo,
    /// Stockfish, one search a move.
    Engine,
    /// Stockfish, a search for each legal move.
    EachMove,
    /// The connected language model.
    Chat,
}

/// Somebody who is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entrant {
    /// What kind of player.
    pub kind: EntrantKind,
    /// Its skill or rating, where its kind has one; else 0.
    level: u16,
    /// Nodes of each of its searches, where it searches; else 0.
    nodes: u64,
}

impl EntrantKind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Random,
        Self::Shipped(Target::ActionValue),
        Self::Shipped(Target::StateValue),
        Self::Shipped(Target::BehavioralCloning),
        Self::Own,
        Self::NetworkPolicy,
        Self::NetworkValue,
        Self::Skill,
        Self::Elo,
        Self::Engine,
        Self::EachMove,
        Self::Chat,
    ];

    /// For choices.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Shipped(target) => target.short(),
            Self::Own => "own",
            Self::NetworkPolicy => "policy",
            Self::NetworkValue => "value",
            Self::Skill => "skill",
            Self::Elo => "elo",
            Self::Engine => "engine",
            Self::EachMove => "each",
            Self::Chat => "chat",
        }
    }

    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Random => "by lot among the legal moves",
            Self::Shipped(Target::ActionValue) => "AV, the model of action values",
            Self::Shipped(Target::StateValue) => "SV, the model of state values",
            Self::Shipped(Target::BehavioralCloning) => "BC, the model of Stockfish’s choices",
            Self::Own => "your own model",
            Self::NetworkPolicy => "the network’s likeliest move",
            Self::NetworkValue => "the move after which the network expects most",
            Self::Skill => "Stockfish at a skill level",
            Self::Elo => "Stockfish held to a rating",
            Self::Engine => "Stockfish, one search a move",
            Self::EachMove => "Stockfish, a search for each legal move",
            Self::Chat => "the connected language model",
        }
    }

    /// From where to where its level goes, if it has one.
    #[must_use]
    pub const fn levels(self) -> Option<(u64, u64)> {
        match self {
            Self::Skill => Some(SKILL),
            Self::Elo => Some(ELO),
            _ => None,
        }
    }

    /// Whether it searches, so many nodes.
    #[must_use]
    pub const fn searches(self) -> bool {
        matches!(self, Self::Skill | Self::Elo | Self::Engine | Self::EachMove)
    }
}

impl Entrant {
    /// One of this kind. A level beyond its kind's ends is brought to them.
    #[must_use]
    pub fn new(kind: EntrantKind, level: u64, nodes: u64) -> Self {
        let level = kind.levels().map_or(0, |(least, most)| level.clamp(least, most));
        Self {
            kind,
            level: u16::try_from(level).unwrap_or(u16::MAX),
            nodes: if kind.searches() { nodes.max(1) } else { 0 },
        }
    }

    /// How it plays, where nothing has to be fetched or connected for it.
    #[must_use]
    pub fn way(self) -> Option<Way> {
        let limit = Limit::Nodes(self.nodes);
        Some(match self.kind {
            EntrantKind::Random => Way::Random,
            EntrantKind::Skill => Way::Level {
                level: Level::Skill(u8::try_from(self.level).unwrap_or(u8::MAX)),
                limit,
            },
            EntrantKind::Elo => Way::Level {
                level: Level::Elo(self.level),
                limit,
            },
            EntrantKind::Engine => Way::Engine { limit },
            EntrantKind::EachMove => Way::EachMove { limit },
            EntrantKind::Shipped(_)
            | EntrantKind::Own
            | EntrantKind::NetworkPolicy
            | EntrantKind::NetworkValue
            | EntrantKind::Chat => return None,
        })
    }

    /// What it is called in a tournament, as on the command line; models of the reader's have names of their own there.
    #[must_use]
    pub fn name(self) -> String {
        let Self { kind, level, nodes } = self;
        match kind {
            EntrantKind::Skill | EntrantKind::Elo => format!("{} {level}@{nodes}", kind.word()),
            EntrantKind::Engine | EntrantKind::EachMove => format!("{}@{nodes}", kind.word()),
            EntrantKind::Own => "own model".to_owned(),
            EntrantKind::NetworkPolicy => "network (policy)".to_owned(),
            EntrantKind::NetworkValue => "network (value)".to_owned(),
            EntrantKind::Chat => "language model".to_owned(),
            EntrantKind::Random | EntrantKind::Shipped(_) => kind.word().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn entrants_are_called_as_on_the_command_line() {
        let names = EntrantKind::ALL.map(|kind| Entrant::new(kind, 5, 100).name());
        assert_eq!(names[..2], ["random", "AV"]);
        assert_eq!(names[7..11], ["skill 5@100", "elo 1320@100", "engine@100", "each@100"]);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        let words = EntrantKind::ALL.map(EntrantKind::word);
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
    }

    #[test]
    fn what_a_kind_has_not_does_not_tell_two_apart() {
        let random = Entrant::new(EntrantKind::Random, 7, 9);
        assert_eq!(random, Entrant::new(EntrantKind::Random, 0, 0));
        assert_eq!(random.way(), Some(Way::Random));
        assert_eq!(Entrant::new(EntrantKind::Own, 0, 0).way(), None);
        assert_eq!(
            Entrant::new(EntrantKind::Skill, 99, 0).way(),
            Some(Way::Level {
                level: Level::Skill(20),
                limit: Limit::Nodes(1),
            })
        );
    }
}
