//! Stockfish in a worker of its own that annotates boards, one after the other. What it says of a board depends on nothing but the
//! board, the engine and a limit in nodes: a board during which the engine was lost is begun again, and a search that overran its
//! time is none.

use std::{cell::Cell, rc::Rc, time::Duration};

use thiserror::Error;

use super::engine::{Engine, EngineError, EngineStatus, Kind, SearchError};
use crate::{
    browser::clock,
    chessbench::{
        annotation::{Annotation, AnnotationError},
        board::Board,
        record::ActionSearch,
        run_file::{Annotated, AnnotationRow},
    },
    uci::Limit,
};

/// Megabytes of the engine's memory, as many as the lab's engines have: with others the same nodes can give another score.
const HASH: &str = "16";

/// The slowest engine, in nodes a second.
const SLOWEST: u64 = 20_000;

/// Beyond the search itself, in seconds. The engine's own patience is longer, and would take what there is for the result.
const SPARE: u64 = 5;

/// A board has no record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnnotatorError {
    /// The engine hangs; another one takes its place.
    #[error("the engine did not finish a search within {0} seconds")]
    Overran(u64),
    /// It ended, twice, and with it what it remembered of the board's other searches.
    #[error("the engine ended while it searched the board, and so did the next one")]
    Lost,
    /// It said nothing of use.
    #[error(transparent)]
    Annotation(#[from] AnnotationError),
    /// It could not search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A search was left out.
    #[error("not all of its searches were done")]
    Half,
}

impl AnnotatorError {
    /// Whether no other board can be annotated either.
    #[must_use]
    pub const fn is_of_the_engine(&self) -> bool {
        matches!(
            self,
            Self::Search(SearchError::Engine(EngineError::Files(_) | EngineError::Worker(_)))
        )
    }
}

/// The worker, started with the first board; it ends when this is dropped, in the middle of a search too.
#[derive(Debug)]
pub struct Annotator {
    engine: Engine,
    lost: Rc<Cell<bool>>,
}

impl Annotator {
    /// Nothing is fetched yet.
    #[must_use]
    pub fn new() -> Self {
        let lost = Rc::new(Cell::new(false));
        Self {
            engine: engine(Rc::clone(&lost)),
            lost,
        }
    }

    /// What the engine calls itself.
    ///
    /// # Errors
    /// When it cannot be started.
    pub async fn name(&self) -> Result<String, SearchError> {
        self.engine.known_name().await
    }

    /// What a board and its moves are worth.
    ///
    /// # Errors
    /// When one of its searches failed.
    pub async fn annotate(
        &mut self,
        board: &Board,
        limit: Limit,
        actions: ActionSearch,
    ) -> Result<AnnotationRow, AnnotatorError> {
        // A new one has to start first, which takes longer than a search may.
        self.engine.known_name().await?;
        let begun = clock::now();
        for _ in 0..2 {
            self.lost.set(false);
            let mut row = self.once(board, limit, actions).await?;
            if !self.lost.get() {
                row.millis = (clock::now() - begun).max(0.0) as u64;
                return Ok(row);
            }
        }
        Err(AnnotatorError::Lost)
    }

    async fn once(
        &mut self,
        board: &Board,
        limit: Limit,
        actions: ActionSearch,
    ) -> Result<AnnotationRow, AnnotatorError> {
        let mut annotation = Annotation::new(board.clone(), limit, actions);
        let seconds = patience(limit);
        while let Some(request) = annotation.next(self.engine.id()) {
            let searched = clock::within(Duration::from_secs(seconds), self.engine.search(request, |_| ())).await;
            let Some(result) = searched else {
                self.engine = engine(Rc::clone(&self.lost));
                return Err(AnnotatorError::Overran(seconds));
            };
            annotation.take(&result?)?;
        }
        let record = annotation.record().ok_or(AnnotatorError::Half)?;
        Ok(AnnotationRow {
            annotated: Annotated::Record(Box::new(record)),
            nodes: annotation.nodes(),
            millis: 0,
        })
    }
}

impl Default for Annotator {
    fn default() -> Self {
        Self::new()
    }
}

fn engine(lost: Rc<Cell<bool>>) -> Engine {
    let kind = Kind::stockfish().with([("Hash".to_owned(), HASH.to_owned())]);
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
