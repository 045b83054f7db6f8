//! Who plays: language models, and built-in players that calibrate the scale.

use serde::{Deserialize, Serialize};
use shakmaty::{Move, Position};

use super::{
    level::Level,
    suite::{
        goal::Goal,
        position::{Reached, TestPosition},
    },
};
use crate::{
    chess::motifs::mate::mates_in_one,
    random::{Rng, seeded_hash},
    uci::Limit,
};

/// A player. No key is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Its name in rows and tables.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: PlayerKind,
}

/// What plays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PlayerKind {
    /// A language model.
    Endpoint {
        /// The API that is spoken, a [`Provider`](crate::llm::Provider)'s word.
        provider: String,
        /// The server: `scheme://host:port`, without path, key or query.
        server: String,
        /// The model that is asked for; which one answered is in every row.
        model: String,
    },
    /// A UCI engine.
    Engine {
        /// What it calls itself.
        engine: String,
        /// How strong it is set; `None` for all its strength.
        level: Option<Level>,
        /// Each search's limit.
        limit: Limit,
    },
    /// A network without a search.
    Network {
        /// The file's name.
        network: String,
        /// Its SHA-256.
        hash: String,
        /// By which of its heads.
        head: Head,
    },
    /// Any legal move, drawn with the run's seed.
    Random,
    /// The first legal move by its UCI notation.
    First,
    /// The move that was played in the game.
    Played,
    /// What the suite says is right: the move with the most points, the first that is best, a puzzle's line, a mate. People
    /// vouch for it, so that grades can be held against it.
    Solution,
}

/// A network's head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Head {
    /// The most probable move.
    Policy,
    /// The move to the position that is worst for the opponent, mates first.
    Value,
}

impl PlayerKind {
    /// Whether it is asked in words.
    #[must_use]
    pub const fn is_endpoint(&self) -> bool {
        matches!(self, Self::Endpoint { .. })
    }

    /// Whether it answers in a position at all: the move that was played is known of positions from games alone, a solution
    /// of those that can be solved.
    #[must_use]
    pub fn knows(&self, at: &TestPosition) -> bool {
        match self {
            Self::Played => at.played.is_some(),
            Self::Solution => match &at.goal {
                Goal::Grade => false,
                Goal::Best { best, .. } => !best.is_empty(),
                Goal::Mate | Goal::Line { .. } | Goal::Points { .. } => true,
            },
            _ => true,
        }
    }

    /// The rating that is given for it.
    #[must_use]
    pub fn nominal_elo(&self) -> Option<u16> {
        match self {
            Self::Engine { level: Some(level), .. } => level.nominal_elo(),
            _ => None,
        }
    }

    /// The move of a player that needs nothing but the position; `None` of the others.
    #[must_use]
    pub fn own_move(&self, at: &TestPosition, reached: &Reached, seed: u64) -> Option<Move> {
        let mut moves: Vec<(String, Move)> = reached
            .position
            .legal_moves()
            .into_iter()
            .map(|mv| (mv.to_uci(reached.mode).to_string(), mv))
            .collect();
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        match self {
            Self::Random => {
                let ply = reached.moves.len();
                let mut random = Rng::new(seeded_hash(seed, &format!("{} {ply}", at.id)));
                moves.get(random.below(moves.len())).map(|(_, mv)| *mv)
            }
            Self::First => moves.first().map(|(_, mv)| *mv),
            Self::Played => {
                let played = at.played.as_deref()?;
                moves.iter().find(|(uci, _)| uci == played).map(|(_, mv)| *mv)
            }
            Self::Solution => {
                let right = match &at.goal {
                    Goal::Grade => None,
                    Goal::Mate => return mates_in_one(&reached.position).first().copied(),
                    // The line has both sides' moves, of which so many are on the board.
                    Goal::Line { line } => line.get(reached.moves.len() - at.moves.split_whitespace().count()),
                    // Of moves with the same points the first by its UCI notation.
                    Goal::Points { points } => points
                        .iter()
                        .max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)))
                        .map(|(uci, _)| uci),
                    Goal::Best { best, .. } => best.first(),
                }?;
                moves.iter().find(|(uci, _)| uci == right).map(|(_, mv)| *mv)
            }
            Self::Endpoint { .. } | Self::Engine { .. } | Self::Network { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess};

    #[test]
    fn own_moves_depend_on_position_and_seed_alone() {
        let mut at = TestPosition::new("x", &Chess::default(), CastlingMode::Standard, Goal::Grade);
        let reached = at.read().unwrap();
        let uci = |kind: PlayerKind, at: &TestPosition, seed| {
            kind.own_move(at, &reached, seed)
                .map(|mv| mv.to_uci(reached.mode).to_string())
        };
        assert_eq!(uci(PlayerKind::First, &at, 1).as_deref(), Some("a2a3"));
        assert_eq!(uci(PlayerKind::Random, &at, 1), uci(PlayerKind::Random, &at, 1));
        let drawn: std::collections::BTreeSet<_> = (0..50).map(|seed| uci(PlayerKind::Random, &at, seed)).collect();
        assert!(drawn.len() > 10);
        assert!(!PlayerKind::Played.knows(&at));
        at.played = Some("e2e4".to_owned());
        assert_eq!(uci(PlayerKind::Played, &at, 1).as_deref(), Some("e2e4"));
    }

    #[test]
    fn solutions_are_what_the_suite_says() {
        let with = |goal: Goal| {
            let at = TestPosition::new("x", &Chess::default(), CastlingMode::Standard, goal);
            let reached = at.read().unwrap();
            let mv = PlayerKind::Solution.own_move(&at, &reached, 1);
            (
                PlayerKind::Solution.knows(&at),
                mv.map(|mv| mv.to_uci(reached.mode).to_string()),
            )
        };
        let moves = |moves: &[&str]| moves.iter().map(|mv| (*mv).to_owned()).collect::<Vec<_>>();
        assert_eq!(with(Goal::Grade), (false, None));
        let points = [("a2a3", 5), ("e2e4", 100), ("d2d4", 100)].map(|(uci, worth)| (uci.to_owned(), worth));
        assert_eq!(with(Goal::Points { points: points.into() }).1.as_deref(), Some("d2d4"));
        let avoid = Goal::Best {
            best: Vec::new(),
            avoid: moves(&["f2f3"]),
        };
        assert_eq!(with(avoid), (false, None));
        let line = moves(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!(with(Goal::Line { line }).1.as_deref(), Some("e2e4"));
    }

    #[test]
    fn players_come_back() {
        let player = Player {
            name: "sf5".to_owned(),
            kind: PlayerKind::Engine {
                engine: "Stockfish".to_owned(),
                level: Some(Level::Skill(5)),
                limit: Limit::Nodes(10),
            },
        };
        let text = serde_json::to_string(&player).unwrap();
        assert_eq!(serde_json::from_str::<Player>(&text).unwrap(), player);
        assert_eq!(player.kind.nominal_elo(), Some(1200));
    }
}
