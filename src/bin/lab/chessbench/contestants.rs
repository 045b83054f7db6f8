//! Players of a tournament: by lot, Stockfish, models and networks without search, language models.

use kibitz::{
    chessbench::predictor::PredictorError,
    grading::{fault::Fault, level::Level, play::failure_kind},
    llm::ChatRequest,
    long_run::tokens::Tokens,
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
        endpoint::{AskError, Endpoint},
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
    /// Where a language model is asked.
    endpoint: Option<Endpoint>,
    /// Of its requests since they were last taken, where its server counts them.
    tokens: Option<Tokens>,
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
    #[error(transparent)]
    Endpoint(#[from] AskError),
    /// It has neither engine, model nor connection for what its turn asks.
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
        Ok(Self {
            way,
            player,
            engine,
            endpoint: None,
            tokens: None,
        })
    }

    /// A language model that is asked there.
    pub const fn chat(model: String, endpoint: Endpoint) -> Self {
        Self {
            way: Way::Chat { model },
            player: None,
            engine: None,
            endpoint: Some(endpoint),
            tokens: None,
        }
    }

    /// Tokens of its requests since this was last asked.
    pub const fn take_tokens(&mut self) -> Option<Tokens> {
        self.tokens.take()
    }

    /// Its move.
    pub fn choose(&mut self, game: &FixtureGame, lots: &mut Rng) -> Result<Moved, MoverError> {
        let mut turn = Turn::new(&self.way, game)?;
        loop {
            match turn.next(1, lots)? {
                Ask::Nothing(moved) => return Ok(moved),
                Ask::Search(request) => {
                    let engine = self.engine.as_mut().ok_or(MoverError::Nobody)?;
                    turn.take_search(engine.search(*request)?)?;
                }
                Ask::Prediction => {
                    let player = self.player.as_mut().ok_or(MoverError::Nobody)?;
                    turn.take_prediction(player.predict(game.history(), game.position())?)?;
                }
                Ask::Reply(request) => self.reply(&mut turn, *request)?,
            }
        }
    }

    /// Asks the language model; that it refuses, or says nothing, is an answer without a move.
    fn reply(&mut self, turn: &mut Turn<'_>, request: ChatRequest) -> Result<(), MoverError> {
        let endpoint = self.endpoint.as_ref().ok_or(MoverError::Nobody)?;
        let reply = match endpoint.ask(request) {
            Ok(reply) => reply,
            Err(error) => {
                let kind = failure_kind(error.kind());
                if kind.is_error() {
                    return Err(error.into());
                }
                return Ok(turn.take_fault("", Fault::new(kind, error.to_string()))?);
            }
        };
        let used = Tokens::of(std::slice::from_ref(&reply));
        self.tokens = self
            .tokens
            .into_iter()
            .chain(used)
            .reduce(|all, used| [all, used].into_iter().sum());
        Ok(turn.take_reply(&reply.text)?)
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
