//! Fitting probes in the network's worker, request by request: evaluations asked for meanwhile are answered in between.

use std::time::Duration;

use super::{
    net_worker::NetWorker,
    network::{Network, NetworkError},
};
use crate::{
    concepts::{Control, difference::ChangeProbes, fit::Fitted, fitting::Refused},
    net_worker::protocol::{MoveRow, Reply, Request, Row, Turn},
};

/// A position of the largest networks takes a second or two.
const POSITION: Duration = Duration::from_secs(60);
/// A step of a fit takes a second on a slow machine; the first one reads all labels as well.
const TURN: Duration = Duration::from_secs(120);

/// What the worker says of the positions that it was given.
#[derive(Debug)]
pub struct Gathered {
    /// Hash of the network in use.
    pub network: String,
    /// The moves that it finds most probable, in UCI: one a position, `None` where there is none.
    pub moves: Vec<Option<String>>,
}

impl Network {
    /// Runs the network, or what a control reads in its place, on positions and keeps the activations in the worker; `afresh`
    /// forgets earlier ones.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn gather(
        &self,
        rows: Vec<Row>,
        control: Option<Control>,
        afresh: bool,
    ) -> Result<Gathered, NetworkError> {
        let data = if afresh && control == Some(Control::Shuffled) {
            Some(self.file().await?)
        } else {
            None
        };
        self.with_worker(async |running| {
            let limit = POSITION * u32::try_from(rows.len().max(1)).unwrap_or(u32::MAX);
            let id = running.id();
            let request = Request::Gather {
                id,
                afresh,
                control,
                rows,
            };
            running.post(&request, data.as_ref())?;
            let answer = running.until(limit, |reply, _| match reply {
                Reply::Gathered {
                    id: of, network, moves, ..
                } if of == id => Some(Ok(Gathered { network, moves })),
                other => failure(other, id),
            });
            answer.await?
        })
        .await
    }

    /// Runs the network on both positions of moves, from both seats, and keeps the differences in the worker. Returns the
    /// hash of the network that was run.
    ///
    /// # Errors
    /// When there is no network, it is too wide, or its worker fails.
    pub async fn gather_moves(&self, rows: Vec<MoveRow>, afresh: bool) -> Result<String, NetworkError> {
        self.with_worker(async |running| {
            let limit = 4 * POSITION * u32::try_from(rows.len().max(1)).unwrap_or(u32::MAX);
            let id = running.id();
            running.post(&Request::GatherMoves { id, afresh, rows }, None)?;
            let answer = running.until(limit, |reply, _| match reply {
                Reply::GatheredMoves { id: of, network, .. } if of == id => Some(Ok(network)),
                other => failure(other, id),
            });
            answer.await?
        })
        .await
    }

    /// Works on the fit of probes of changes for about `millis` milliseconds: steps done, all steps, and the probes once
    /// they are there.
    ///
    /// # Errors
    /// When the moves don't suffice, or the worker fails.
    pub async fn fit_changes(&self, millis: u32) -> Result<(usize, usize, Option<Box<ChangeProbes>>), NetworkError> {
        self.with_worker(async |running| {
            let id = running.id();
            running.post(&Request::FitChanges { id, millis }, None)?;
            let answer = running.until(TURN, |reply, _| match reply {
                Reply::FittedChanges {
                    id: of,
                    done,
                    total,
                    probes,
                } if of == id => Some(Ok((done, total, probes))),
                other => failure(other, id),
            });
            answer.await?
        })
        .await
    }

    /// Begins the fit on what was gathered; `fitted` and `refused` were done before.
    ///
    /// # Errors
    /// When nothing was gathered, or the worker fails.
    pub async fn begin_fit(&self, fitted: Vec<Fitted>, refused: Vec<Refused>) -> Result<Turn, NetworkError> {
        self.with_worker(async |running| {
            let id = running.id();
            running.post(&Request::Fit { id, fitted, refused }, None)?;
            turned(running, id).await
        })
        .await
    }

    /// Works on the fit for about `millis` milliseconds.
    ///
    /// # Errors
    /// When there is no fit, or it or the worker fails.
    pub async fn fit_turn(&self, millis: u32) -> Result<Turn, NetworkError> {
        self.with_worker(async |running| {
            let id = running.id();
            running.post(&Request::Turn { id, millis }, None)?;
            turned(running, id).await
        })
        .await
    }

    /// Gives the memory of a fit back.
    pub async fn end_fit(&self) {
        // WebAssembly's memory never shrinks: only a new worker has less.
        self.restart().await;
    }
}

async fn turned(running: &mut NetWorker, id: u32) -> Result<Turn, NetworkError> {
    let answer = running.until(TURN, |reply, _| match reply {
        Reply::Turned { id: of, turn } if of == id => Some(Ok(turn)),
        other => failure(other, id),
    });
    answer.await?
}

/// The error in a reply to request `id`, if it is one.
pub(super) fn failure<T>(reply: Reply, id: u32) -> Option<Result<T, NetworkError>> {
    match reply {
        Reply::Failed { id: Some(of), reason } if of == id => Some(Err(NetworkError::Fit(reason))),
        Reply::Failed { id: None, reason } => Some(Err(NetworkError::Died(reason))),
        _ => None,
    }
}
