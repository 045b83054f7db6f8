//! Stockfish 8 in its worker: the evaluation terms of a position, about half a millisecond each.

use std::{rc::Rc, time::Duration};

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::{StreamExt, lock::Mutex};
use shakmaty::{CastlingMode, Chess};
use thiserror::Error;

use super::{
    paths,
    preflight::{self, FileType, PreflightError},
};
use crate::{
    browser::{
        clock,
        worker::{Script, Worker, WorkerError, WorkerEvent},
    },
    chess::fen::write_fen,
    concepts::sf8::{Eval, ReadError, TableReader},
};

/// The terms of a position could not be had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LabelsError {
    /// The file is not as it must be.
    #[error("Stockfish 8 cannot be loaded: {0}.")]
    Files(#[from] PreflightError),
    /// The browser would not start the worker.
    #[error("Stockfish 8 cannot be started: {0}.")]
    Worker(#[from] WorkerError),
    /// It failed while at work.
    #[error("Stockfish 8 stopped working: {0}.")]
    Died(String),
    /// It did not answer in time.
    #[error("Stockfish 8 did not answer within {0} seconds.")]
    Silent(u64),
    /// Its table cannot be read.
    #[error("Stockfish 8 printed something unexpected: {0}.")]
    Unreadable(#[from] ReadError),
}

/// A handle on the one Stockfish 8. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    running: Rc<Mutex<Option<Running>>>,
}

#[derive(Debug)]
struct Running {
    worker: Worker,
    events: UnboundedReceiver<WorkerEvent>,
}

/// Start-up is a megabyte of JavaScript to parse; an evaluation is half a millisecond, so a worker that takes seconds is
/// gone. It is missed within five.
const START: Duration = Duration::from_secs(30);
const EVALUATION: Duration = Duration::from_secs(3);

impl Labels {
    /// The evaluation of each position, in order. Requests wait for one another. After an error the worker is thrown
    /// away; where it had worked before, another one is asked once.
    ///
    /// # Errors
    /// When the worker cannot be started, dies, stays silent, or prints no table.
    pub async fn evaluate(&self, positions: &[Chess]) -> Result<Vec<Eval>, LabelsError> {
        let mut slot = self.running.lock().await;
        if let Some(running) = slot.take()
            && let Ok(evals) = Self::evaluate_with(running, positions, &mut slot).await
        {
            return Ok(evals);
        }
        Self::evaluate_with(Running::start().await?, positions, &mut slot).await
    }

    /// A worker that did its work is kept in `slot`.
    async fn evaluate_with(
        mut running: Running,
        positions: &[Chess],
        slot: &mut Option<Running>,
    ) -> Result<Vec<Eval>, LabelsError> {
        let mut evals = Vec::with_capacity(positions.len());
        for position in positions {
            evals.push(running.evaluate(position).await?);
        }
        *slot = Some(running);
        Ok(evals)
    }
}

impl Running {
    async fn start() -> Result<Self, LabelsError> {
        preflight::fetch(&paths::labels(), FileType::Script).await?;
        let (worker, events) = Worker::start(&paths::labels(), Script::Classic)?;
        let mut running = Self { worker, events };
        running.worker.post_text("uci")?;
        running
            .until(START, |line| (line.trim() == "uciok").then_some(()))
            .await?;
        Ok(running)
    }

    async fn evaluate(&mut self, position: &Chess) -> Result<Eval, LabelsError> {
        // Stockfish 8 knows Chess960 castling rights in X-FEN too; its evaluation does not depend on the option.
        self.worker
            .post_text(&format!("position fen {}", write_fen(position, CastlingMode::Standard)))?;
        self.worker.post_text("eval")?;
        let mut table = TableReader::new();
        Ok(self.until(EVALUATION, move |line| table.on_line(line)).await??)
    }

    async fn until<T>(&mut self, limit: Duration, mut found: impl FnMut(&str) -> Option<T>) -> Result<T, LabelsError> {
        let search = async {
            while let Some(event) = self.events.next().await {
                match event {
                    WorkerEvent::Message(data) => {
                        let text = data.as_string().unwrap_or_default();
                        if let Some(result) = text.lines().find_map(&mut found) {
                            return Ok(result);
                        }
                    }
                    WorkerEvent::Failed(text) => return Err(LabelsError::Died(text)),
                }
            }
            Err(LabelsError::Died("its channel closed".into()))
        };
        clock::within(limit, search)
            .await
            .unwrap_or(Err(LabelsError::Silent(limit.as_secs())))
    }
}
