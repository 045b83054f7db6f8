//! Which network is in use, and what the answers are, apart from how messages travel.

use std::collections::BTreeSet;

use shakmaty::{Chess, Color};

use super::protocol::{MOST_POSITIONS, Output, PositionText, Reply};
use crate::net::{
    Network, NetworkOutput, RunError, Runner, Taps,
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

/// Reads a network's file. The second step, [`Loaded::build`], is separate so that progress can be reported.
///
/// # Errors
/// The reason, to follow "This network was not loaded: ".
pub fn read(bytes: &[u8]) -> Result<Network, String> {
    read_network(bytes).map_err(|e| e.to_string())
}

impl Loaded {
    /// Builds a network's graph.
    ///
    /// # Errors
    /// The reason, to follow "This network was not loaded: ".
    pub fn build(network: Network) -> Result<Self, String> {
        Ok(Self {
            description: network.description(),
            runner: Runner::from_network(network, Taps::All).map_err(|e| e.to_string())?,
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
}

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

    /// Evaluates the next position. `Ok(false)` when there is none left.
    ///
    /// # Errors
    /// The `Failed` reply when the position can't be read or run.
    pub fn step(&mut self) -> Result<bool, Reply> {
        let Some(text) = self.waiting.next() else {
            return Ok(false);
        };
        let failed = |reason: String| Reply::Failed {
            id: Some(self.id),
            reason,
        };
        let (history, position) = text.read().map_err(|e| failed(e.to_string()))?;
        let evaluated = match text.seat {
            Some(seat) => self.network.evaluate_from(seat.color(), &position),
            None => self.network.evaluate(&history, &position),
        };
        let (output, blocks) = evaluated.map_err(|e| failed(e.to_string()))?;
        self.outputs.push(Output::new(&output, &position));
        for &block in &self.blocks {
            self.activations.extend(&blocks[usize::from(block) - 1]);
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
