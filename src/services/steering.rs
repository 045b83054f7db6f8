//! Steering in the network's worker, turn by turn: evaluations asked for meanwhile are answered in between.

use std::time::Duration;

use super::{
    fitting::failure,
    net_worker::NetWorker,
    network::{Network, NetworkError},
};
use crate::{
    concepts::steering::Steered,
    net_worker::protocol::{Reply, Request, SteerText},
};

/// The largest networks take a minute to build.
const BUILD: Duration = Duration::from_secs(180);
/// A turn, with a position of the largest networks.
const TURN: Duration = Duration::from_secs(60);

/// How far steering is.
#[derive(Debug, Clone, PartialEq)]
pub enum SteerTurn {
    /// Runs of the network done, and all of them.
    Under(usize, usize),
    /// What was found.
    Done(Steered),
}

impl Network {
    /// Begins to steer a probe of the network in use; what was steered before is forgotten.
    ///
    /// # Errors
    /// When there is no network, or the probe does not fit it.
    pub async fn begin_steering(&self, steer: SteerText) -> Result<SteerTurn, NetworkError> {
        let data = self.file().await?;
        self.with_worker(async |running| {
            let id = running.id();
            let steer = Box::new(steer);
            running.post(&Request::Steer { id, steer }, Some(&data))?;
            answer(running, id, BUILD).await
        })
        .await
    }

    /// Works on it for about `millis` milliseconds.
    ///
    /// # Errors
    /// When nothing is being steered, or the worker fails.
    pub async fn steer_turn(&self, millis: u32) -> Result<SteerTurn, NetworkError> {
        self.with_worker(async |running| {
            let id = running.id();
            running.post(&Request::SteerTurn { id, millis }, None)?;
            answer(running, id, TURN).await
        })
        .await
    }
}

async fn answer(running: &mut NetWorker, id: u32, limit: Duration) -> Result<SteerTurn, NetworkError> {
    let answer = running.until(limit, |reply, _| match reply {
        Reply::Steering { id: of, done, total } if of == id => Some(Ok(SteerTurn::Under(done, total))),
        Reply::Steered { id: of, steered } if of == id => Some(Ok(SteerTurn::Done(steered))),
        other => failure(other, id),
    });
    answer.await?
}
