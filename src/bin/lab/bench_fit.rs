//! How fast probes are fitted: the page's benchmark does the same with the same positions.

use std::{error::Error, path::Path, time::Instant};

use kibitz::{
    concepts::sampled::{self, Sampled},
    net_worker::{
        gathering::Gathering,
        protocol::Row,
        server::{self, Loaded},
    },
    view::bench::{FIT_POSITIONS, Spread},
};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::labels::Labels;

/// A fit of the 21 probes, stage by stage.
#[derive(Debug, Serialize)]
pub struct FitReport {
    /// Positions that were labelled, evaluated and fitted on: the first that ship with the app.
    pub positions: usize,
    /// Positions that Stockfish 8 labels in a second.
    pub labels_per_second: f64,
    /// Positions a second whose activations, every block's, are taken and kept; one thread.
    pub activations_per_second: Option<f64>,
    /// Seconds a probe.
    pub seconds_per_fit: Option<Seconds>,
    /// The most memory that this process has held, in MB; absent where the system doesn't tell.
    pub peak_memory_mb: Option<f64>,
}

/// The fastest, the middle and the slowest.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Seconds {
    pub lowest: f64,
    pub median: f64,
    pub highest: f64,
}

impl Seconds {
    /// Of a spread of seconds.
    pub fn of(spread: Spread) -> Self {
        Self {
            lowest: millis(spread.low),
            median: millis(spread.median),
            highest: millis(spread.high),
        }
    }
}

/// Labels the positions in `file`, runs the network in `net` on them and fits the probes.
pub fn measure(labels: &mut Labels, net: Option<&[u8]>, file: &Path) -> Result<FitReport, Box<dyn Error>> {
    let bytes = std::fs::read(file).map_err(|error| format!("{} can't be read: {error}", file.display()))?;
    let text = sampled::text(&bytes)?;
    let pieces = sampled::pieces(&text)?;
    let rows = pieces
        .into_iter()
        .enumerate()
        .flat_map(|(i, piece)| sampled::read(piece, i));
    let rows: Vec<Sampled> = rows.take(FIT_POSITIONS).collect();
    let positions = rows
        .iter()
        .map(|row| Ok(row.fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?));
    let positions: Vec<Chess> = positions.collect::<Result<_, Box<dyn Error>>>()?;
    let clock = Instant::now();
    let evals = labels.evaluate(&positions)?;
    let mut report = FitReport {
        positions: rows.len(),
        labels_per_second: rate(rows.len(), clock),
        activations_per_second: None,
        seconds_per_fit: None,
        peak_memory_mb: None,
    };
    if let Some(net) = net {
        let mut gathering = Gathering::new(Loaded::build(server::read(net)?, |_, _| {})?);
        let clock = Instant::now();
        for (Sampled { game, fen }, eval) in rows.into_iter().zip(evals) {
            let labels = eval.labels();
            gathering.add(Row { game, fen, labels })?;
        }
        report.activations_per_second = Some(rate(gathering.len(), clock));
        report.seconds_per_fit = fits(&mut gathering)?;
    }
    report.peak_memory_mb = peak_memory_mb();
    Ok(report)
}

fn fits(gathering: &mut Gathering) -> Result<Option<Seconds>, Box<dyn Error>> {
    let (mut times, mut clock) = (Vec::new(), Instant::now());
    gathering.begin(Vec::new(), Vec::new());
    loop {
        let turn = gathering.turn(|| true)?;
        if !turn.fitted.is_empty() {
            times.push(clock.elapsed().as_secs_f64());
        }
        if !turn.fitted.is_empty() || !turn.refused.is_empty() {
            clock = Instant::now();
        }
        if turn.concept.is_none() {
            break;
        }
    }
    Ok(Spread::of(&times).map(Seconds::of))
}

fn rate(count: usize, clock: Instant) -> f64 {
    (count as f64 / clock.elapsed().as_secs_f64()).round()
}

fn millis(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// What Linux says of this process.
fn peak_memory_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kilobytes / 1024.0 * 10.0).round() / 10.0)
}
