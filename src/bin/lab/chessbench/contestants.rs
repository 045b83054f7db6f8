//! Players of a tournament: by lot, Stockfish, models and networks without search.

use kibitz::{
    chessbench::predictor::PredictorError,
    grading::level::Level,
    random::Rng,
    tournament::{
        contestant::{Contestant, Way},
        fixture_game::FixtureGame,
        turn::{Ask, Moved, Turn, TurnError},
    },
    uci::Limit,
};

use super::{
    super::{
        engine::{Engine, EngineError},
        setup::{Parts, SetupError},
    },
    players::Player,
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

/// Who finds moves.
pub struct Mover {
    way: Way,
    /// A model or a network, without search.
    player: Option<Player>,
    /// Who searches for it.
    engine: Option<Engine>,
}

/// Why a player has no answer.
#[derive(Debug, thiserror::Error)]
pub enum MoverError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Predictor(#[from] PredictorError),
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// Language models play in the page.
    #[error("nobody here can be asked for that")]
    Nobody,
}

impl Mover {
    /// One that plays like this; `player` is who predicts, where somebody does.
    pub fn new(way: Way, player: Option<Player>, parts: &Parts) -> Result<Self, SetupError> {
        let engine = match way.engine() {
            Some(options) => Some(parts.engine_with(&options)?.ok_or(SetupError::NoEngine)?),
            None => None,
        };
        Ok(Self { way, player, engine })
    }

    /// Its move.
    pub fn choose(&mut self, game: &FixtureGame, lots: &mut Rng) -> Result<Moved, MoverError> {
        let mut turn = Turn::new(&self.way, game)?;
        loop {
            match (turn.next(1, lots)?, &mut self.engine, &mut self.player) {
                (Ask::Nothing(moved), ..) => return Ok(moved),
                (Ask::Search(request), Some(engine), _) => turn.take_search(engine.search(*request)?)?,
                (Ask::Prediction, _, Some(player)) => {
                    turn.take_prediction(player.predict(game.history(), game.position())?)?;
                }
                _ => return Err(MoverError::Nobody),
            }
        }
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
