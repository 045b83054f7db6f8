//! The built-in players that can be chosen.

use crate::grading::{
    level::Level,
    player::{Head, Player, PlayerKind},
};

/// A player that needs no model. They calibrate the scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltIn {
    /// Any legal move.
    Random,
    /// The first legal move.
    First,
    /// The game's own move.
    Played,
    /// What the suite says is right.
    Solution,
    /// Stockfish at a level, or with all its strength.
    Engine(Option<Level>),
    /// One of the network's heads.
    Network(Head),
}

impl BuiltIn {
    /// Those that can be chosen, weakest first as far as anybody knows.
    pub const ALL: [Self; 12] = [
        Self::Random,
        Self::First,
        Self::Played,
        Self::Solution,
        Self::Engine(Some(Level::Skill(5))),
        Self::Engine(Some(Level::Skill(10))),
        Self::Engine(Some(Level::Skill(15))),
        Self::Engine(Some(Level::Skill(18))),
        Self::Engine(Some(Level::Skill(20))),
        Self::Engine(None),
        Self::Network(Head::Policy),
        Self::Network(Head::Value),
    ];

    /// Its name in rows and tables, the command line's.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::First => "first".to_owned(),
            Self::Played => "played".to_owned(),
            Self::Solution => "solution".to_owned(),
            Self::Engine(None) => "engine".to_owned(),
            Self::Engine(Some(level)) => level.to_string(),
            Self::Network(Head::Policy) => "policy".to_owned(),
            Self::Network(Head::Value) => "value".to_owned(),
        }
    }

    /// For people.
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::Random => "Any legal move".to_owned(),
            Self::First => "The first legal move".to_owned(),
            Self::Played => "The game’s own move".to_owned(),
            Self::Solution => "The solution".to_owned(),
            Self::Engine(None) => "Stockfish, full strength".to_owned(),
            Self::Engine(Some(level)) => format!("Stockfish, {level}"),
            Self::Network(Head::Policy) => "The network’s policy".to_owned(),
            Self::Network(Head::Value) => "The network’s value".to_owned(),
        }
    }

    /// The one that a player of a run is; `None` of models.
    #[must_use]
    pub fn of(player: &Player) -> Option<Self> {
        match &player.kind {
            PlayerKind::Endpoint { .. } => None,
            PlayerKind::Random => Some(Self::Random),
            PlayerKind::First => Some(Self::First),
            PlayerKind::Played => Some(Self::Played),
            PlayerKind::Solution => Some(Self::Solution),
            PlayerKind::Engine { level, .. } => Some(Self::Engine(*level)),
            PlayerKind::Network { head, .. } => Some(Self::Network(*head)),
        }
    }
}
