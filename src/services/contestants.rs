//! Whoever plays in the page without a person: Stockfish, models and networks without search, a language model, lots. Each way to
//! find a move is the lab's ([`Turn`]); here is who answers what a turn asks.

use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Color, Position};
use thiserror::Error;

use super::{
    endpoint::{AskError, Endpoint, stopper},
    network::{Network, NetworkError},
    own_engine::{OwnEngine, OwnEngineError},
    searchless::{Searchless, SearchlessError},
};
use crate::{
    chessbench::{
        model_rows::{ModelRows, OutputsError},
        network_prediction::{policy_alone, positions_after, value_alone},
        prediction::{Prediction, PredictionError},
        token::TokenError,
    },
    grading::{fault::Fault, play::failure_kind},
    llm::ChatRequest,
    long_run::tokens::Tokens,
    random::Rng,
    searchless::{SearchlessDescription, header::Target},
    tournament::{
        contestant::Way,
        fixture_game::FixtureGame,
        turn::{Ask, Moved, Turn, TurnError},
    },
    uci::Score,
};

/// A contestant has no answer, and has not lost by that: it could not be asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ContestantError {
    /// Stockfish failed.
    #[error(transparent)]
    Engine(#[from] OwnEngineError),
    /// The model cannot be asked.
    #[error(transparent)]
    Model(#[from] SearchlessError),
    /// The model that comes with the app is another one by now.
    #[error("the {} model of this game is not the one that comes with the app: load its file", .0.short())]
    OtherModel(Target),
    /// The model cannot read the position.
    #[error(transparent)]
    Tokens(#[from] TokenError),
    /// The model's outputs are no prediction.
    #[error(transparent)]
    Outputs(#[from] OutputsError),
    /// The network cannot be asked.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Another network is in use, or none.
    #[error("the network that plays is not in use: choose it on the board page")]
    OtherNetwork,
    /// The network's outputs are no prediction.
    #[error(transparent)]
    Prediction(#[from] PredictionError),
    /// The language model did not answer.
    #[error(transparent)]
    Endpoint(#[from] AskError),
    /// No language model is connected.
    #[error("no language model is connected")]
    NoEndpoint,
    /// A turn went wrong.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// Nobody looks whether a game like this is decided, or the engine has no score of it.
    #[error("the engine that looks whether a game is decided has no score")]
    NoLook,
}

impl ContestantError {
    /// Whether the other contestants and games are likely to fail as well: the engine cannot be had.
    #[must_use]
    pub const fn is_of_the_engine(&self) -> bool {
        matches!(self, Self::Engine(error) if error.is_of_the_engine())
    }
}

/// A language model's connection.
#[derive(Debug, Clone)]
pub struct Connection {
    /// Where it is asked.
    pub endpoint: Endpoint,
    /// How long it may say nothing; `None` for the usual time.
    pub silence: Option<Duration>,
}

/// An engine that plays, and for whom.
#[derive(Debug)]
struct Seat {
    /// `None` from the end of a game until somebody sits down again.
    colour: Option<Color>,
    engine: OwnEngine,
}

/// Whoever can find moves. Engines are started when they are needed, and end with this.
///
/// Every wait ends: with an answer, with an error, or by dropping its future, which ends whatever worked for it. Afterwards the
/// same can be asked again.
#[derive(Debug)]
pub struct Contestants {
    searchless: Searchless,
    network: Network,
    /// The language model's.
    pub connection: Option<Connection>,
    seats: Vec<Seat>,
    judge: Option<OwnEngine>,
    tokens: Option<Tokens>,
}

impl Contestants {
    /// With these models and this network.
    #[must_use]
    pub const fn new(searchless: Searchless, network: Network) -> Self {
        Self {
            searchless,
            network,
            connection: None,
            seats: Vec::new(),
            judge: None,
            tokens: None,
        }
    }

    /// Another game begins. Engines are kept, for whoever plays with the same options; each forgets the game before with its first
    /// search.
    pub fn new_game(&mut self) {
        for seat in &mut self.seats {
            seat.colour = None;
        }
    }

    /// Tokens of language models' requests since this was last asked, where the servers count them.
    pub const fn take_tokens(&mut self) -> Option<Tokens> {
        self.tokens.take()
    }

    /// The move of whoever is to move, who plays like this. `lots` is the game's ([`Fixture::lots`]).
    ///
    /// # Errors
    /// When the contestant could not be asked. One that was, and named no move, is [`Moved::None`]: it loses.
    ///
    /// [`Fixture::lots`]: crate::tournament::schedule::Fixture::lots
    pub async fn find_move(&mut self, way: &Way, game: &FixtureGame, lots: &mut Rng) -> Result<Moved, ContestantError> {
        let mut turn = Turn::new(way, game)?;
        let colour = game.position().turn();
        // Out of its seat for the time: where this future is dropped, the engine ends with it.
        let mut engine = way.engine().map(|options| self.seated(colour, options));
        let moved = self.take_turn(&mut turn, way, game, engine.as_mut(), lots).await;
        if let Some(engine) = engine {
            let colour = Some(colour);
            self.seats.push(Seat { colour, engine });
        }
        moved
    }

    /// Stockfish's look at a game that wants one ([`Next::Look`]): its score, the view of the side to move.
    ///
    /// # Errors
    /// When it could not look.
    ///
    /// [`Next::Look`]: crate::tournament::fixture_game::Next::Look
    pub async fn look(&mut self, game: &FixtureGame) -> Result<Score, ContestantError> {
        let mut judge = self.judge.take().unwrap_or_else(|| OwnEngine::new(Vec::new()));
        let request = game.look_request(judge.id()).ok_or(ContestantError::NoLook)?;
        let result = judge.search(request).await;
        self.judge = Some(judge);
        let score = result?.lines.first().map(|line| line.score);
        score.ok_or(ContestantError::NoLook)
    }

    /// What the engine calls itself, for the record of a tournament.
    ///
    /// # Errors
    /// When it cannot be started.
    pub async fn engine_name(&mut self) -> Result<String, ContestantError> {
        let judge = self.judge.take().unwrap_or_else(|| OwnEngine::new(Vec::new()));
        let name = judge.name().await.map_err(OwnEngineError::from);
        self.judge = Some(judge);
        Ok(name?)
    }

    async fn take_turn(
        &mut self,
        turn: &mut Turn<'_>,
        way: &Way,
        game: &FixtureGame,
        mut engine: Option<&mut OwnEngine>,
        lots: &mut Rng,
    ) -> Result<Moved, ContestantError> {
        loop {
            let id = engine.as_ref().map_or(0, |engine| engine.id());
            match turn.next(id, lots)? {
                Ask::Nothing(moved) => return Ok(moved),
                Ask::Search(request) => {
                    let engine = engine.as_deref_mut().ok_or(TurnError::Unasked)?;
                    turn.take_search(engine.search(*request).await?)?;
                }
                Ask::Prediction => turn.take_prediction(self.prediction(way, game).await?)?,
                Ask::Reply(request) => self.reply(turn, *request).await?,
            }
        }
    }

    /// The engine with these options of whoever plays this colour, or one that nobody plays with.
    fn seated(&mut self, colour: Color, options: Vec<(String, String)>) -> OwnEngine {
        let fits = |seat: &Seat| seat.engine.options() == options;
        let own = |seat: &Seat| fits(seat) && seat.colour == Some(colour);
        let free = |seat: &Seat| fits(seat) && seat.colour.is_none();
        let place = self.seats.iter().position(own);
        if let Some(place) = place.or_else(|| self.seats.iter().position(free)) {
            return self.seats.swap_remove(place).engine;
        }
        // At most two are kept beside the judge's: memory is small.
        let other = |seat: &Seat| seat.colour == Some(!colour);
        self.seats.retain(other);
        OwnEngine::new(options)
    }

    async fn prediction(&self, way: &Way, game: &FixtureGame) -> Result<Prediction, ContestantError> {
        match way {
            Way::Model { target, sha256, .. } => {
                let model = self.model(*target, sha256).await?;
                let rows = ModelRows::new(&model.header, game.position())?;
                let outputs = self.searchless.outputs(sha256, rows.rows()).await?;
                Ok(rows.prediction(&outputs)?)
            }
            Way::NetworkPolicy { sha256 } => {
                let own = self.evaluated(sha256, game.history(), &[game.position()]).await?;
                let own = own.first().ok_or_else(too_few)?;
                Ok(policy_alone(own, game.position())?)
            }
            Way::NetworkValue { sha256 } => {
                let position = game.position();
                let own = self.evaluated(sha256, game.history(), &[position]).await?;
                let own = own.first().ok_or_else(too_few)?.q;
                let mut line = game.history().to_vec();
                line.push(position.clone());
                let after = positions_after(position);
                let after = self.evaluated(sha256, &line, &after.iter().collect::<Vec<_>>()).await?;
                let after: Vec<f32> = after.iter().map(|output| output.q).collect();
                Ok(value_alone(own, &after)?)
            }
            _ => Err(TurnError::Unasked.into()),
        }
    }

    /// A model in use; one that comes with the app is fetched.
    async fn model(&self, target: Target, sha256: &str) -> Result<SearchlessDescription, ContestantError> {
        if let Some(known) = self.searchless.description(sha256) {
            return Ok(known);
        }
        let shipped = self.searchless.shipped(target).await?;
        match shipped.sha256 == sha256 {
            true => Ok(shipped),
            false => Err(ContestantError::OtherModel(target)),
        }
    }

    async fn evaluated(
        &self,
        sha256: &str,
        history: &[Chess],
        positions: &[&Chess],
    ) -> Result<Vec<crate::net::NetworkOutput>, ContestantError> {
        if self.network.hash().as_deref() != Some(sha256) {
            return Err(ContestantError::OtherNetwork);
        }
        let outputs = self
            .network
            .evaluate_reached(history, positions, CastlingMode::Standard)
            .await?;
        match outputs.len() == positions.len() {
            true => Ok(outputs),
            false => Err(too_few()),
        }
    }

    /// Asks the language model; that it refuses, or says nothing, is an answer without a move.
    async fn reply(&mut self, turn: &mut Turn<'_>, request: ChatRequest) -> Result<(), ContestantError> {
        let connection = self.connection.clone().ok_or(ContestantError::NoEndpoint)?;
        // Kept to the end: nobody stops it but by dropping this.
        let (_stop, stopped) = stopper();
        let asked = connection.endpoint.ask(request, stopped, connection.silence, |_| ());
        let reply = match asked.await {
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

fn too_few() -> ContestantError {
    NetworkError::Failed("it answered for fewer positions than were asked".to_owned()).into()
}
