//! Players of a tournament: by lot, Stockfish, models and networks without search.

use kibitz::{
    chessbench::{
        action::legal_actions,
        annotation::{Annotation, AnnotationError},
        board::{Board, BoardError},
        policy::{PolicyChoice, PolicyRules, choose, decided_choice},
        prediction::Prediction,
        predictor::PredictorError,
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

use super::{
    super::{
        engine::{Engine, EngineError},
        setup::{Parts, SetupError},
    },
    players::Player,
};

/// Of each search of a move in a decided game: the paper does not say.
const DECIDED: Limit = Limit::Nodes(1_000);

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
    /// A model or a network, without search.
    Predictor {
        /// Who predicts.
        player: Box<Player>,
        /// The policy's switches.
        rules: PolicyRules,
        /// Who picks a move of a decided game, where that is switched on.
        engine: Option<Box<Engine>>,
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
    #[error(transparent)]
    Predictor(#[from] PredictorError),
    /// The moves so far are no game.
    #[error("the engine cannot be told the game")]
    Untold,
}

impl Mover {
    /// One that plays by lot or is Stockfish; `None` for other ways.
    pub fn new(way: &Way, parts: &Parts) -> Result<Option<Self>, SetupError> {
        let engine = |options: &[(String, String)]| -> Result<Box<Engine>, SetupError> {
            Ok(Box::new(parts.engine_with(options)?.ok_or(SetupError::NoEngine)?))
        };
        Ok(Some(match way {
            Way::Random => Self::Random,
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
            _ => return Ok(None),
        }))
    }

    /// A model or a network.
    pub fn predictor(player: Player, rules: PolicyRules, parts: &Parts) -> Result<Self, SetupError> {
        let engine = match rules.decided {
            true => Some(Box::new(parts.engine()?.ok_or(SetupError::NoEngine)?)),
            false => None,
        };
        Ok(Self::Predictor {
            player: Box::new(player),
            rules,
            engine,
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
            Self::Predictor { player, rules, engine } => {
                let prediction = player.predict(game.history(), position)?;
                let legal = legal_actions(position, CastlingMode::Standard);
                let legal: Vec<Move> = legal.into_iter().map(|(_, mv)| mv).collect();
                let place = chosen(&prediction, &legal, game, *rules, lots, engine.as_deref_mut())?;
                place.and_then(|place| legal.get(place).copied())
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

/// The place of the policy's move among the legal ones; Stockfish is asked where the game is decided and the rules say so.
fn chosen(
    prediction: &Prediction,
    legal: &[Move],
    game: &FixtureGame,
    rules: PolicyRules,
    lots: &mut Rng,
    engine: Option<&mut Engine>,
) -> Result<Option<usize>, EngineError> {
    let policy = |rules, lots: &mut Rng| choose(prediction, legal, game.position(), game.history(), rules, lots);
    let (best, engine) = match (policy(rules, lots), engine) {
        (Some(PolicyChoice::Play(place)), _) => return Ok(Some(place)),
        (None, _) | (Some(PolicyChoice::AskEngine(_)), None) => return Ok(None),
        (Some(PolicyChoice::AskEngine(best)), Some(engine)) => (best, engine),
    };
    let mut scores = Vec::with_capacity(best.len());
    for place in &best {
        let request = SearchRequest::new(1, game.position().clone(), CastlingMode::Standard, DECIDED);
        let result = engine.search(request.among(&legal[*place..=*place]))?;
        scores.extend(result.lines.first().map(|line| line.score));
    }
    let agreed = decided_choice(&best, &scores);
    Ok(agreed.or_else(|| {
        match policy(
            PolicyRules {
                decided: false,
                ..rules
            },
            lots,
        ) {
            Some(PolicyChoice::Play(place)) => Some(place),
            _ => None,
        }
    }))
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
