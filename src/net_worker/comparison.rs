//! How long the network takes with tract's own convolutions and with ours, one after the other on the same position.

use shakmaty::Chess;

use crate::net::{Convolutions, Network, Planes, RunError, Runner, Taps};

/// Milliseconds that a measurement takes at least: browsers round their clocks, some to a whole one.
const SHORTEST: f64 = 8.0;

/// A network that can be run both ways.
#[derive(Debug)]
pub struct Comparison {
    direct: Runner,
    ours: Runner,
}

impl Comparison {
    /// Builds both.
    ///
    /// # Errors
    /// When a graph can't be built.
    pub fn new(network: &Network) -> Result<Self, RunError> {
        Ok(Self {
            direct: Runner::with_convolutions(network, Taps::All, Convolutions::Direct)?,
            ours: Runner::with_taps(network, Taps::All)?,
        })
    }

    /// Milliseconds that the position takes with tract's own convolutions and with ours; `now` is the clock, in milliseconds.
    ///
    /// # Errors
    /// When the network fails on it.
    pub fn measure(&self, position: &Chess, now: impl Fn() -> f64) -> Result<[f64; 2], RunError> {
        let planes = self.direct.planes(&[], position);
        Ok([timed(&self.direct, &planes, &now)?, timed(&self.ours, &planes, &now)?])
    }
}

fn timed(runner: &Runner, planes: &Planes, now: &impl Fn() -> f64) -> Result<f64, RunError> {
    let (start, mut runs) = (now(), 0.0);
    loop {
        runner.run(planes)?;
        runs += 1.0;
        let past = now() - start;
        if past >= SHORTEST {
            return Ok(past / runs);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::net::read_network;

    #[test]
    fn a_measurement_is_the_mean_of_as_many_runs_as_it_needs() {
        let network = read_network(include_bytes!("../../public/networks/kibitz-64x6.pb.gz")).unwrap();
        let clock = Cell::new(0.0);
        let tick = || clock.replace(clock.get() + 3.0);
        let comparison = Comparison::new(&network).unwrap();
        // Three runs of 3 ms are the first that take 8 ms.
        assert_eq!(comparison.measure(&Chess::default(), tick), Ok([3.0, 3.0]));
    }
}
