//! Players of a tournament that find moves here: by lot, by Stockfish.

use kibitz::{
    chessbench::{
        annotation::{Annotation, AnnotationError},
        board::{Board, BoardError},
        record::ActionSearch,
    },
    grading::level::Level,
    random::Rng,
    tournament::{
        contestant::{Contestant, Way},
        fixture_game::FixtureGame,
    },
    uci::{Limit, SearchRequest},
};
use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

use super::super::{
    engine::{Engine, EngineError},
    setup::{Parts, SetupError},
};

/// Reads a player: `random`, `skill 5@1000`, `engine@1000`, `each@100`, with `NAME=` before it.
pub fn contestant(text: &str) -> Result<Contestant, String> {
    let (name, how) = match text.split_once('=') {
        Some((name, how)) => (name.trim(), how.trim()),
        None => (text.trim(), text.trim()),
    };
    if name.is_empty() {
        return Err("a player's name is empty".to_owned());
    }
    let with_nodes = |what: &str, nodes: &str| {
        let limit = match nodes.parse() {
            Ok(nodes) if nodes > 0 => Limit::Nodes(nodes),
            _ => return Err(format!("“{nodes}” is no number of nodes")),
        };
        Ok(match what {
            "engine" => Way::Engine { limit },
            "each" => Way::EachMove { limit },
            level => Way::Level {
                level: level.parse::<Level>().map_err(|error| error.to_string())?,
                limit,
            },
        })
    };
    let way = match how.split_once('@') {
        _ if how == "random" => Way::Random,
        Some((what, nodes)) => with_nodes(what, nodes)?,
        None => {
            return Err(format!(
                "“{how}” is no player: random, skill 5@1000, elo 1500@1000, engine@1000, each@100"
            ));
        }
    };
    Ok(Contestant {
        name: name.to_owned(),
        way,
    })
}

/// A player's answer.
pub enum Moved {
    /// Its move.
    Move(Move),
    /// It named none.
    None,
}

/// Who finds moves.
pub enum Mover {
    /// By lot.
    Random,
    /// Stockfish, one search a move.
    Engine {
        /// Set to its level.
        engine: Box<Engine>,
        /// Of each search.
        limit: Limit,
        /// Whether its next search is a game's first.
        afresh: bool,
    },
    /// Stockfish, a search for each move.
    EachMove {
        /// With all its strength.
        engine: Box<Engine>,
        /// Of each search.
        limit: Limit,
    },
}

/// Why a player has no answer.
#[derive(Debug, thiserror::Error)]
pub enum MoverError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Annotation(#[from] AnnotationError),
    /// The moves so far are no game.
    #[error("the engine cannot be told the game")]
    Untold,
}

impl Mover {
    /// One that plays this way.
    pub fn new(way: &Way, parts: &Parts) -> Result<Self, SetupError> {
        let engine = |options: &[(String, String)]| -> Result<Box<Engine>, SetupError> {
            Ok(Box::new(parts.engine_with(options)?.ok_or(SetupError::NoEngine)?))
        };
        Ok(match way {
            Way::Level { level, limit } => Self::Engine {
                engine: engine(&level.options())?,
                limit: *limit,
                afresh: true,
            },
            Way::Engine { limit } => Self::Engine {
                engine: engine(&[])?,
                limit: *limit,
                afresh: true,
            },
            Way::EachMove { limit } => Self::EachMove {
                engine: engine(&[])?,
                limit: *limit,
            },
            _ => Self::Random,
        })
    }

    /// A game begins: what is remembered of the last one is forgotten.
    pub const fn begin(&mut self) {
        if let Self::Engine { afresh, .. } = self {
            *afresh = true;
        }
    }

    /// Its move.
    pub fn choose(&mut self, game: &FixtureGame, lots: &mut Rng) -> Result<Moved, MoverError> {
        let position = game.position();
        let found = match self {
            Self::Random => {
                let legal = position.legal_moves();
                legal.get(lots.below(legal.len())).copied()
            }
            Self::Engine { engine, limit, afresh } => {
                let request = SearchRequest::new(1, Chess::default(), CastlingMode::Standard, *limit)
                    .played_on(game.moves())
                    .map_err(|_| MoverError::Untold)?;
                let first = std::mem::replace(afresh, false);
                let result = engine.search(if first { request.afresh() } else { request })?;
                result.best.as_ref().and_then(|best| best.to_move(position).ok())
            }
            Self::EachMove { engine, limit } => {
                let mut annotation =
                    Annotation::new(Board::of_position(position.clone())?, *limit, ActionSearch::EachMove);
                while let Some(request) = annotation.next(1) {
                    annotation.take(&engine.search(request)?)?;
                }
                let best = annotation.record().and_then(|record| record.best);
                best.and_then(|action| action.to_string().parse::<UciMove>().ok()?.to_move(position).ok())
            }
        };
        Ok(found.map_or(Moved::None, Moved::Move))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let way = |text: &str| contestant(text).map(|player| (player.name, player.way));
        assert_eq!(way("random"), Ok(("random".to_owned(), Way::Random)));
        assert_eq!(
            way("weak = skill 5@1000"),
            Ok((
                "weak".to_owned(),
                Way::Level {
                    level: Level::Skill(5),
                    limit: Limit::Nodes(1000)
                }
            ))
        );
        assert!(matches!(way("each@100"), Ok((name, Way::EachMove { .. })) if name == "each@100"));
        for wrong in [
            "",
            "=random",
            "engine",
            "engine@0",
            "engine@x",
            "skill 30@10",
            "nobody@10",
        ] {
            assert!(contestant(wrong).is_err(), "{wrong}");
        }
    }
}
