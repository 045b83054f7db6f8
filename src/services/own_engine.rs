//! A Stockfish of somebody's own, set like the lab's: what it says depends on nothing but what it was asked since it last forgot.
//! A search during which it was lost is none, for what it remembered is lost with it; nor is one that overran its time.

use std::{cell::Cell, rc::Rc, time::Duration};

use thiserror::Error;

use super::engine::{Engine, EngineError, EngineStatus, Kind, SearchError};
use crate::{
    browser::clock,
    uci::{Limit, SearchRequest, SearchResult},
};

/// The slowest engine, in nodes a second.
const SLOWEST: u64 = 20_000;

/// Beyond the search itself, in seconds. The engine's own patience is longer, and would take what there is for the result.
const SPARE: u64 = 5;

/// A search gave nothing that counts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OwnEngineError {
    /// It hangs; another one takes its place.
    #[error("the engine did not finish a search within {0} seconds")]
    Overran(u64),
    /// It ended, and with it what it remembered; another one takes its place.
    #[error("the engine ended during a search")]
    Lost,
    /// It could not search.
    #[error(transparent)]
    Search(#[from] SearchError),
}

impl OwnEngineError {
    /// Whether no other search can be made either.
    #[must_use]
    pub const fn is_of_the_engine(&self) -> bool {
        matches!(
            self,
            Self::Search(SearchError::Engine(EngineError::Files(_) | EngineError::Worker(_)))
        )
    }
}

/// The engine, started with the first search; it ends when this is dropped, in the middle of a search too.
#[derive(Debug)]
pub struct OwnEngine {
    options: Vec<(String, String)>,
    engine: Engine,
    lost: Rc<Cell<bool>>,
}

impl OwnEngine {
    /// With these options, as name and value. Nothing is fetched yet.
    #[must_use]
    pub fn new(options: Vec<(String, String)>) -> Self {
        let lost = Rc::new(Cell::new(false));
        Self {
            engine: engine(&options, Rc::clone(&lost)),
            options,
            lost,
        }
    }

    /// Its options, as name and value.
    #[must_use]
    pub fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// What it calls itself.
    ///
    /// # Errors
    /// When it cannot be started.
    pub async fn name(&self) -> Result<String, SearchError> {
        self.engine.known_name().await
    }

    /// A number for the next search.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.engine.id()
    }

    /// Searches.
    ///
    /// # Errors
    /// When it was lost or hung meanwhile, the game is over, or it cannot be started.
    pub async fn search(&mut self, request: SearchRequest) -> Result<SearchResult, OwnEngineError> {
        // A new one has to start first, which takes longer than a search may.
        self.engine.known_name().await?;
        self.lost.set(false);
        let seconds = patience(request.limit());
        let searched = clock::within(Duration::from_secs(seconds), self.engine.search(request, |_| ())).await;
        let Some(result) = searched else {
            self.engine = engine(&self.options, Rc::clone(&self.lost));
            return Err(OwnEngineError::Overran(seconds));
        };
        match self.lost.get() {
            true => Err(OwnEngineError::Lost),
            false => Ok(result?),
        }
    }
}

fn engine(options: &[(String, String)], lost: Rc<Cell<bool>>) -> Engine {
    let kind = Kind::stockfish().with(options.iter().cloned());
    Engine::new(kind, move |status| {
        if matches!(status, EngineStatus::Back(_)) {
            lost.set(true);
        }
    })
}

/// How long a search may take, in seconds.
fn patience(limit: Limit) -> u64 {
    let search = match limit {
        Limit::Time(ms) | Limit::DepthTime { ms, .. } => u64::from(ms).div_ceil(1000),
        Limit::Nodes(nodes) => 30 + nodes / SLOWEST,
        Limit::Depth(_) => 100,
    };
    search + SPARE
}
