//! How long a network takes for a position with each way to compute its convolutions, one after the other on every
//! position, so that whatever else the machine does falls on all of them.

use std::{error::Error, path::Path, time::Instant};

use kibitz::{
    chess::fen::read_fen,
    net::{Convolutions, Runner, Taps, Tile, read_network},
    view::bench::{POSITIONS, Spread},
};
use serde::Serialize;

/// Times that the list of positions is read, after once that is not counted: 40 measurements of each way.
const ROUNDS: usize = 4;

/// A way to compute convolutions.
#[derive(Debug, Serialize)]
pub struct ConvolutionsReport {
    /// Which.
    pub way: &'static str,
    /// Measurements.
    pub runs: usize,
    /// Milliseconds a position, one thread: the median.
    pub median_ms: f64,
    /// The shortest.
    pub lowest_ms: f64,
    /// The longest.
    pub highest_ms: f64,
}

/// The ways, with what they are called.
const WAYS: [(&str, Convolutions); 3] = [
    ("tract's own", Convolutions::Direct),
    ("Winograd, tiles of 2×2", Convolutions::Winograd(Tile::Two)),
    ("Winograd, tiles of 4×4", Convolutions::Winograd(Tile::Four)),
];

/// Measures with the network in `file`.
pub fn measure(file: &Path, bytes: &[u8]) -> Result<Vec<ConvolutionsReport>, Box<dyn Error>> {
    let network = read_network(bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    let runners = WAYS
        .iter()
        .map(|&(_, convolutions)| Runner::with_convolutions(&network, Taps::Last, convolutions))
        .collect::<Result<Vec<_>, _>>()?;
    let mut times = [const { Vec::new() }; WAYS.len()];
    for round in 0..=ROUNDS {
        for (fen, _) in POSITIONS {
            let planes = runners[0].planes(&[], &read_fen(fen)?.position);
            for (runner, times) in runners.iter().zip(&mut times) {
                let clock = Instant::now();
                runner.run(&planes)?;
                if round > 0 {
                    times.push(clock.elapsed().as_secs_f64() * 1e3);
                }
            }
        }
    }
    let spreads = times.iter().zip(WAYS).filter_map(|(times, (way, _))| {
        Spread::of(times).map(|spread| ConvolutionsReport {
            way,
            runs: times.len(),
            median_ms: spread.median,
            lowest_ms: spread.low,
            highest_ms: spread.high,
        })
    });
    Ok(spreads.collect())
}
