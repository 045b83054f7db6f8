//! A model that reads rows of symbols, many at a time.

use std::sync::Arc;

use thiserror::Error;
use tract_core::{
    internal::*,
    prelude::{IntoRunnable, TypedRunnableModel},
};

use super::{graph, header::SearchlessHeader, model::SearchlessModel};

/// Rows that are read at once: what goes through a layer stays in a processor's cache then.
const ROWS: usize = 4;

/// Why rows can't be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SearchlessReadError {
    /// The graph could not be built.
    #[error("the model's graph could not be built: {0}")]
    Build(String),
    /// The graph failed.
    #[error("the model failed: {0}")]
    Run(String),
    /// A row has not as many symbols as the model reads.
    #[error("a row has {found} symbols, and the model reads {needed}")]
    Length {
        /// Of the row.
        found: usize,
        /// Of the model.
        needed: usize,
    },
    /// A symbol is none.
    #[error("a row has the symbol {0}, which the model does not know")]
    NoSymbol(u16),
    /// What it says are not numbers.
    #[error("the model's answer is not a number")]
    NotNumbers,
}

type Plan = Arc<TypedRunnableModel>;

/// A model ready to read. Clones share its weights.
#[derive(Debug, Clone)]
pub struct SearchlessReader {
    model: Arc<SearchlessModel>,
    /// For one row, and for [`ROWS`]: shapes that are known beforehand let tract choose its kernels.
    one: Plan,
    many: Plan,
}

impl SearchlessReader {
    /// Builds the model's graphs.
    ///
    /// # Errors
    /// [`SearchlessReadError::Build`] when tract refuses them.
    pub fn new(model: SearchlessModel) -> Result<Self, SearchlessReadError> {
        let plan = |rows| {
            graph::build(&model, rows)
                .and_then(TypedModel::into_optimized)
                .and_then(IntoRunnable::into_runnable)
                .map_err(|error| SearchlessReadError::Build(format!("{error:#}")))
        };
        Ok(Self {
            one: plan(1)?,
            many: plan(ROWS)?,
            model: Arc::new(model),
        })
    }

    /// What it is.
    #[must_use]
    pub fn header(&self) -> &SearchlessHeader {
        &self.model.header
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &SearchlessModel {
        &self.model
    }

    /// What the model says of each row, before any softmax.
    ///
    /// # Errors
    /// When a row does not fit the model, or the model fails. It can be asked again then.
    pub fn outputs(&self, rows: &[Vec<u16>]) -> Result<Vec<Vec<f32>>, SearchlessReadError> {
        let mut all = Vec::with_capacity(rows.len());
        for some in rows.chunks(ROWS) {
            self.append(some, &mut all)?;
        }
        Ok(all)
    }

    /// The same for some rows, at most as many as are read at once.
    fn append(&self, rows: &[Vec<u16>], all: &mut Vec<Vec<f32>>) -> Result<(), SearchlessReadError> {
        let (plan, size) = match rows.len() {
            1 => (&self.one, 1),
            _ => (&self.many, ROWS),
        };
        let SearchlessHeader { symbols, width, .. } = self.model.header;
        let mut embedded = Vec::with_capacity(size * symbols * width);
        for row in rows {
            self.embed(row, &mut embedded)?;
        }
        // Rows that nobody asked for: the graph has a place for each.
        embedded.resize(size * symbols * width, 0.0);
        let said = run(plan, &[size * symbols, width], &embedded)
            .map_err(|error| SearchlessReadError::Run(format!("{error:#}")))?;
        let rows = said.chunks_exact(self.model.header.outputs).take(rows.len());
        for row in rows {
            if !row.iter().all(|number| number.is_finite()) {
                return Err(SearchlessReadError::NotNumbers);
            }
            all.push(row.to_vec());
        }
        Ok(())
    }

    fn embed(&self, row: &[u16], embedded: &mut Vec<f32>) -> Result<(), SearchlessReadError> {
        let SearchlessHeader { symbols, width, .. } = self.model.header;
        if row.len() != symbols {
            return Err(SearchlessReadError::Length {
                found: row.len(),
                needed: symbols,
            });
        }
        for (symbol, place) in row.iter().zip(self.model.positions.chunks_exact(width)) {
            let at = usize::from(*symbol) * width;
            let own = self.model.embedding.get(at..at + width);
            let own = own.ok_or(SearchlessReadError::NoSymbol(*symbol))?;
            embedded.extend(own.iter().zip(place).map(|(a, b)| a + b));
        }
        Ok(())
    }
}

fn run(plan: &Plan, shape: &[usize], embedded: &[f32]) -> TractResult<Vec<f32>> {
    let input = Tensor::from_shape(shape, embedded)?;
    let output = plan.run(tvec!(input.into()))?.into_iter().next();
    let output = output.context("the output is missing")?;
    Ok(output.try_as_plain_ram()?.as_slice::<f32>()?.to_vec())
}
