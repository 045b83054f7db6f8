//! The moves of players that are not asked in words: engines and networks.

use shakmaty::{Chess, Move, Position};

use crate::{
    grading::{
        level::Level,
        play::by_value,
        player::{Head, Player, PlayerKind},
        suite::position::Reached,
    },
    services::{
        engine::{Engine, Kind, SearchError},
        network::{Network, NetworkError},
    },
    uci::SearchRequest,
};

/// Why a built-in player gave no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum MoveFailure {
    /// The engine.
    #[error(transparent)]
    Engine(#[from] SearchError),
    /// The network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// It named none.
    #[error("The player has no move here.")]
    None,
}

/// What built-in players play with. One engine at a time is up: that of the last player, set to its level.
pub(super) struct Tools {
    network: Network,
    engine: Option<(String, Engine)>,
}

impl Tools {
    /// Without an engine yet.
    pub(super) const fn new(network: Network) -> Self {
        Self { network, engine: None }
    }

    /// The move of an engine or a network.
    ///
    /// # Errors
    /// When it cannot be used, or gives none.
    pub(super) async fn play(&mut self, player: &Player, reached: &Reached) -> Result<Move, MoveFailure> {
        let best = match &player.kind {
            PlayerKind::Engine { level, limit, .. } => {
                let engine = self.engine_of(&player.name, *level);
                let id = engine.id();
                let request =
                    SearchRequest::reached(id, &reached.history, reached.position.clone(), reached.mode, *limit)
                        .afresh();
                let best = engine.search(request, |_| ()).await?.best;
                best.and_then(|best| best.to_move(&reached.position).ok())
            }
            PlayerKind::Network { head: Head::Policy, .. } => {
                let network = &self.network;
                let outputs = network
                    .evaluate_reached(&reached.history, &[&reached.position], reached.mode)
                    .await?;
                outputs
                    .first()
                    .and_then(|output| output.policy.first())
                    .map(|(mv, _)| *mv)
            }
            PlayerKind::Network { head: Head::Value, .. } => self.best_by_value(reached).await?,
            _ => None,
        };
        best.ok_or(MoveFailure::None)
    }

    fn engine_of(&mut self, name: &str, level: Option<Level>) -> &Engine {
        let known = self.engine.take().filter(|(known, _)| known == name);
        let make = || {
            let options = level.map(Level::options).unwrap_or_default();
            (name.to_owned(), Engine::new(Kind::stockfish().with(options), |_| ()))
        };
        &self.engine.insert(known.unwrap_or_else(make)).1
    }

    async fn best_by_value(&self, reached: &Reached) -> Result<Option<Move>, MoveFailure> {
        let mut history = reached.history.clone();
        history.push(reached.position.clone());
        // Asked at once; `by_value` takes them in this order.
        let afters: Vec<Chess> = reached
            .position
            .legal_moves()
            .into_iter()
            .map(|mv| {
                let mut after = reached.position.clone();
                after.play_unchecked(mv);
                after
            })
            .filter(|after| after.outcome() == shakmaty::Outcome::Unknown)
            .collect();
        let outputs = match afters.is_empty() {
            true => Vec::new(),
            false => {
                let positions: Vec<&Chess> = afters.iter().collect();
                self.network
                    .evaluate_reached(&history, &positions, reached.mode)
                    .await?
            }
        };
        let mut values = outputs.into_iter().map(|output| output.q);
        by_value(reached, |_, _| values.next().ok_or(MoveFailure::None))
    }
}
