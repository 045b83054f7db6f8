//! How long the network's worker takes from nothing to its first answer.

use leptos::prelude::*;

use super::Bench;
use crate::{
    browser::clock,
    chess::Played,
    services::{analysis::Services, network::NetworkError},
    view::bench::STARTS,
};

impl Bench {
    /// Workers of their own, one after another, each given the network's file, which the page has, and asked for a position.
    /// What the first one had to fetch, the others find in the browser's cache.
    pub(super) async fn network_start(&self, services: &Services, positions: &[Played]) -> Result<(), NetworkError> {
        let mut times = Vec::new();
        for played in positions.iter().cycle().take(STARTS + 1) {
            if self.running.try_get_value() != Some(true) {
                return Ok(());
            }
            let start = clock::now();
            let own = services.network.apart();
            own.evaluate(&[&played.before], played.mode).await?;
            times.push(clock::now() - start);
        }
        self.add(
            "network's worker, start to its first result",
            "ms",
            times.get(1..).unwrap_or_default(),
        );
        Ok(())
    }
}
