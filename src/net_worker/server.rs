//! Which network is in use, and what the answers are, apart from how messages travel.

use std::collections::BTreeSet;

use shakmaty::{Chess, Color};

use super::protocol::{MOST_POSITIONS, Output, PositionText, Reply, Seat};
use crate::net::{
    Network, NetworkOutput, Planes, RunError, Runner, Taps,
    evaluation::RawOutput,
    format::BodyFormat,
    network::{Description, SQUARES},
    read_network,
};

/// A network in use.
#[derive(Debug, Clone)]
pub struct Loaded {
    runner: Runner,
    description: Description,
}

/// The state of the worker.
#[derive(Debug, Default)]
pub struct Server {
    loaded: Option<Loaded>,
    running: BTreeSet<u32>,
    cancelled: BTreeSet<u32>,
}

impl Server {
    /// Notes that request `id` is being worked on.
    pub fn begin(&mut self, id: u32) {
        self.running.insert(id);
    }

    /// Asks request `id` to stop; nothing happens when it has ended.
    pub fn cancel(&mut self, id: u32) {
        if self.running.contains(&id) {
            self.cancelled.insert(id);
        }
    }

    /// Whether request `id` was asked to stop.
    #[must_use]
    pub fn is_cancelled(&self, id: u32) -> bool {
        self.cancelled.contains(&id)
    }

    /// Forgets request `id`, which has been answered.
    pub fn end(&mut self, id: u32) {
        self.running.remove(&id);
        self.cancelled.remove(&id);
    }

    /// Puts a network to use in place of the one before.
    pub fn use_network(&mut self, loaded: Loaded) {
        self.loaded = Some(loaded);
    }

    /// The network in use, for a whole request: one that is loaded meanwhile doesn't change it.
    #[must_use]
    pub fn in_use(&self) -> Option<Loaded> {
        self.loaded.clone()
    }
}

/// Reads a network's file that is there whole. The second step, [`Loaded::build`], is separate so that progress can be
/// reported.
///
/// # Errors
/// The reason, to follow "This network was not loaded: ".
pub fn read(bytes: &[u8]) -> Result<Network, String> {
    read_network(bytes).map_err(|e| e.to_string())
}

impl Loaded {
    /// Builds a network's graph; `built` hears how many blocks are built, and of how many.
    ///
    /// # Errors
    /// The reason, to follow "This network was not loaded: ".
    pub fn build(network: Network, built: impl FnMut(usize, usize)) -> Result<Self, String> {
        Ok(Self {
            description: network.description(),
            runner: Runner::from_network(network, Taps::All, built).map_err(|e| e.to_string())?,
        })
    }

    /// What the network is.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// What it says of a position, and every block's activations, the first block's first.
    ///
    /// # Errors
    /// When it fails on the position.
    pub fn evaluate(&self, history: &[Chess], position: &Chess) -> Result<(NetworkOutput, Vec<Vec<f32>>), RunError> {
        self.runner.evaluate_tapped(history, position)
    }

    /// The same of a bare position as `us` sees it, whoever is to move.
    ///
    /// # Errors
    /// When it fails on the position.
    pub fn evaluate_from(&self, us: Color, position: &Chess) -> Result<(NetworkOutput, Vec<Vec<f32>>), RunError> {
        self.runner.evaluate_from(us, position)
    }

    /// Whether several positions are faster together than one by one.
    fn is_wide(&self) -> bool {
        self.description.filters >= WIDE && self.description.format.body != BodyFormat::Attention
    }

    /// The same of several positions at once.
    ///
    /// # Errors
    /// As [`Loaded::evaluate`], for the first one that fails.
    fn evaluate_together(&self, seen: &[Seen]) -> Result<Vec<Evaluated>, RunError> {
        let planes: Vec<Planes> = seen
            .iter()
            .map(|(seat, history, position)| match seat {
                Some(seat) => Planes::seen_by(self.runner.input(), seat.color(), position),
                None => self.runner.planes(history, position),
            })
            .collect();
        let together = self.runner.run_together(&planes)?;
        let read = |(raw, (_, _, position)): (RawOutput, &Seen)| self.runner.read_tapped(raw, position);
        together.into_iter().zip(seen).map(read).collect()
    }
}

/// The seat that sees a position, where that is told; the history that led to it, and the position.
type Seen = (Option<Seat>, Vec<Chess>, Chess);

/// What is said of one, and every block's activations.
type Evaluated = (NetworkOutput, Vec<Vec<f32>>);

/// From how many filters on positions are faster together: the filters are larger than the processor's caches.
const WIDE: usize = 256;

/// Positions that a wide network is run on together: those of a comment. More would keep a `cancel` waiting.
const TOGETHER: usize = 3;

/// The positions of one request on their way through a network.
#[derive(Debug)]
pub struct Evaluation {
    id: u32,
    network: Loaded,
    waiting: std::vec::IntoIter<PositionText>,
    blocks: Vec<u8>,
    outputs: Vec<Output>,
    activations: Vec<f32>,
}

impl Evaluation {
    /// Starts on `positions` with the network in use; the activations of `blocks` are wanted.
    ///
    /// # Errors
    /// The `Failed` reply when there is no network, there are too many positions, or the network lacks a block.
    pub fn start(server: &Server, id: u32, positions: Vec<PositionText>, blocks: Vec<u8>) -> Result<Self, Reply> {
        let failed = |reason: String| Reply::Failed { id: Some(id), reason };
        let network = server
            .in_use()
            .ok_or_else(|| failed("no network is loaded yet".to_owned()))?;
        if positions.len() > MOST_POSITIONS {
            return Err(failed(format!("{} positions at once are too many", positions.len())));
        }
        let own = network.description.blocks;
        if let Some(block) = blocks.iter().find(|&&block| !(1..=own).contains(&usize::from(block))) {
            return Err(failed(format!("the network has {own} blocks and no block {block}")));
        }
        Ok(Self {
            id,
            network,
            waiting: positions.into_iter(),
            blocks,
            outputs: Vec::new(),
            activations: Vec::new(),
        })
    }

    /// Evaluates the next position, or a few where the network is so wide that they are faster together. `Ok(false)` when
    /// there is none left.
    ///
    /// # Errors
    /// The `Failed` reply when a position can't be read or run.
    pub fn step(&mut self) -> Result<bool, Reply> {
        let id = self.id;
        let failed = |reason: String| Reply::Failed { id: Some(id), reason };
        let count = if self.network.is_wide() { TOGETHER } else { 1 };
        let texts: Vec<PositionText> = self.waiting.by_ref().take(count).collect();
        if texts.is_empty() {
            return Ok(false);
        }
        let seen = texts.iter().map(|text| {
            let (history, position) = text.read().map_err(|e| e.to_string())?;
            Ok((text.seat, history, position))
        });
        let seen = seen.collect::<Result<Vec<_>, String>>().map_err(failed)?;
        let evaluated = match &seen[..] {
            [(Some(seat), _, position)] => self.network.evaluate_from(seat.color(), position).map(|one| vec![one]),
            [(None, history, position)] => self.network.evaluate(history, position).map(|one| vec![one]),
            several => self.network.evaluate_together(several),
        };
        let evaluated = evaluated.map_err(|e| failed(e.to_string()))?;
        for ((output, blocks), (_, _, position)) in evaluated.into_iter().zip(&seen) {
            self.outputs.push(Output::new(&output, position));
            for &block in &self.blocks {
                self.activations.extend(&blocks[usize::from(block) - 1]);
            }
        }
        Ok(true)
    }

    /// The answer, with the wanted activations of all positions one after the other.
    #[must_use]
    pub fn finish(self) -> (Reply, Vec<f32>) {
        let Description { filters, sha256, .. } = self.network.description;
        let reply = Reply::Evaluated {
            id: self.id,
            network: sha256,
            activations: filters * SQUARES,
            outputs: self.outputs,
        };
        (reply, self.activations)
    }
}
