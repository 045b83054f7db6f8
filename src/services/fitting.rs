//! Fitting probes in the network's worker, request by request: evaluations asked for meanwhile are answered in between.

use std::time::Duration;

use super::network::{Network, NetworkError, Running};
use crate::{
    concepts::{fit::Fitted, fitting::Refused},
    net_worker::protocol::{Reply, Request, Row, Turn},
};

/// A position of the largest networks takes a second or two.
const POSITION: Duration = Duration::from_secs(60);
/// A step of a fit takes a second on a slow machine; the first one reads all labels as well.
const TURN: Duration = Duration::from_secs(120);

impl Network {
    /// Runs the network on positions and keeps the activations in the worker; `afresh` forgets earlier ones. Returns how
    /// many there are by now and the hash of the network that was run.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn gather(&self, rows: Vec<Row>, afresh: bool) -> Result<(usize, String), NetworkError> {
        self.with_worker(async |running| {
            let limit = POSITION * u32::try_from(rows.len().max(1)).unwrap_or(u32::MAX);
            let id = running.id();
            running.post(&Request::Gather { id, afresh, rows }, None)?;
            let answer = running.until(limit, |reply, _| match reply {
                Reply::Gathered {
                    id: of,
                    network,
                    positions,
                } if of == id => Some(Ok((positions, network))),
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

async fn turned(running: &mut Running, id: u32) -> Result<Turn, NetworkError> {
    let answer = running.until(TURN, |reply, _| match reply {
        Reply::Turned { id: of, turn } if of == id => Some(Ok(turn)),
        other => failure(other, id),
    });
    answer.await?
}

/// The error in a reply to request `id`, if it is one.
fn failure<T>(reply: Reply, id: u32) -> Option<Result<T, NetworkError>> {
    match reply {
        Reply::Failed { id: Some(of), reason } if of == id => Some(Err(NetworkError::Fit(reason))),
        Reply::Failed { id: None, reason } => Some(Err(NetworkError::Died(reason))),
        _ => None,
    }
}
