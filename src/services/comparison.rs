//! The network's two ways to compute convolutions, timed in its worker a position at a time.

use std::time::Duration;

use shakmaty::{CastlingMode, Chess};

use super::{
    fitting::failure,
    net_worker::NetWorker,
    network::{Network, NetworkError},
};
use crate::net_worker::protocol::{PositionText, Reply, Request};

/// The largest networks take a minute to build, and two are built.
const BUILD: Duration = Duration::from_secs(300);
/// A position of the largest networks, both ways.
const MEASUREMENT: Duration = Duration::from_secs(60);

impl Network {
    /// Builds the network in use both ways; [`Network::end_comparison`] gives the memory back.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn begin_comparison(&self) -> Result<(), NetworkError> {
        let data = self.file().await?;
        self.with_worker(async |running| {
            let id = running.id();
            running.post(&Request::Compare { id, position: None }, Some(&data))?;
            answer(running, id, BUILD).await
        })
        .await
        .map(drop)
    }

    /// Milliseconds that a position takes with tract's own convolutions and with ours.
    ///
    /// # Errors
    /// When the comparison has not begun, or the worker fails.
    pub async fn compare(&self, position: &Chess) -> Result<[f64; 2], NetworkError> {
        let position = PositionText::new(&[], position, CastlingMode::Standard);
        self.with_worker(async |running| {
            let id = running.id();
            let position = Some(position.clone());
            running.post(&Request::Compare { id, position }, None)?;
            answer(running, id, MEASUREMENT).await
        })
        .await
    }

    /// Gives the memory of a comparison back.
    pub async fn end_comparison(&self) {
        // WebAssembly's memory never shrinks: only a new worker has less.
        self.restart().await;
    }
}

async fn answer(running: &mut NetWorker, id: u32, limit: Duration) -> Result<[f64; 2], NetworkError> {
    let answer = running.until(limit, |reply, _| match reply {
        Reply::Compared { id: of, millis } if of == id => Some(Ok(millis)),
        other => failure(other, id),
    });
    answer.await?
}
