//! Stockfish in a worker of its own that annotates boards, one after the other. What it says of a board depends on nothing but the
//! board, the engine and a limit in nodes: a board during which the engine was lost is begun again, and a search that overran its
//! time is none.

use thiserror::Error;

use super::{
    engine::SearchError,
    own_engine::{OwnEngine, OwnEngineError},
};
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

/// A board has no record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnnotatorError {
    /// The engine ended, twice, and with it what it remembered of the board's other searches.
    #[error("the engine ended while it searched the board, and so did the next one")]
    Lost,
    /// It said nothing of use.
    #[error(transparent)]
    Annotation(#[from] AnnotationError),
    /// It could not search.
    #[error(transparent)]
    Engine(#[from] OwnEngineError),
    /// A search was left out.
    #[error("not all of its searches were done")]
    Half,
}

impl AnnotatorError {
    /// Whether no other board can be annotated either.
    #[must_use]
    pub const fn is_of_the_engine(&self) -> bool {
        matches!(self, Self::Engine(error) if error.is_of_the_engine())
    }
}

/// The worker, started with the first board; it ends when this is dropped, in the middle of a search too.
#[derive(Debug)]
pub struct Annotator(OwnEngine);

impl Annotator {
    /// Nothing is fetched yet.
    #[must_use]
    pub fn new() -> Self {
        Self(OwnEngine::new(Vec::new()))
    }

    /// What the engine calls itself.
    ///
    /// # Errors
    /// When it cannot be started.
    pub async fn name(&self) -> Result<String, SearchError> {
        self.0.name().await
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
        // A new one has to start first, which is no time of the board's.
        self.0.name().await.map_err(OwnEngineError::from)?;
        let begun = clock::now();
        for _ in 0..2 {
            match self.once(board, limit, actions).await {
                Err(AnnotatorError::Engine(OwnEngineError::Lost)) => (),
                row => {
                    let millis = (clock::now() - begun).max(0.0) as u64;
                    return row.map(|row| AnnotationRow { millis, ..row });
                }
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
        while let Some(request) = annotation.next(self.0.id()) {
            annotation.take(&self.0.search(request).await?)?;
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
