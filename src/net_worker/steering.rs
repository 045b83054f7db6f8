//! Steering in the network's worker and in the lab: positions go through the network, then their activations in one block
//! are shifted and the rest of it is run.

use shakmaty::Chess;

use super::protocol::{PositionText, SteerText};
use crate::{
    concepts::{
        Layer, Men, WrongActivations,
        steering::{Plan, Said, Steered, Steering, deviation},
    },
    net::{Network, NetworkOutput, RunError, Runner, Taps},
};

/// Why nothing can be steered.
#[derive(Debug, thiserror::Error)]
pub enum SteerError {
    /// The network fails.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The probe reads what the network has not.
    #[error(transparent)]
    Activations(#[from] WrongActivations),
    /// The probe does not read that block.
    #[error("the probe reads {layer}, and not block {block}")]
    Block {
        /// What it reads.
        layer: Layer,
        /// The block that was to be shifted.
        block: u8,
    },
    /// Shifts have no size where nothing varies.
    #[error("the positions do not differ along the probe's direction")]
    Flat,
}

/// What is steered.
#[derive(Debug, Clone, PartialEq)]
pub struct Steer {
    /// What the probe reads.
    pub layer: Layer,
    /// Its weights, in any unit.
    pub weights: Vec<f32>,
    /// The block whose activations are shifted, from 1; one that the probe reads.
    pub block: u8,
    /// Positions by which the standard deviation is measured: the set.
    pub measured: Vec<Chess>,
    /// Positions that are steered; `None` for the same.
    pub steered: Option<Vec<Chess>>,
    /// Shifts and directions of chance.
    pub plan: Plan,
}

impl Steer {
    /// From a request.
    ///
    /// # Errors
    /// When a position can't be read.
    pub fn read(text: SteerText) -> Result<Self, String> {
        let positions = |fens: Vec<String>| -> Result<Vec<Chess>, String> {
            fens.into_iter()
                .map(|fen| {
                    let text = PositionText {
                        fens: vec![fen],
                        moves: Vec::new(),
                        chess960: false,
                        seat: None,
                    };
                    text.read().map(|(_, position)| position).map_err(|e| e.to_string())
                })
                .collect()
        };
        Ok(Self {
            layer: text.layer,
            weights: text.weights,
            block: text.block,
            measured: positions(text.measured)?,
            steered: text.steered.map(positions).transpose()?,
            plan: Plan {
                shifts: text.shifts,
                chances: text.chances,
                seed: text.seed,
            },
        })
    }
}

/// A position's activations in the block, and the direction there.
type Seen = (Vec<f32>, Vec<f32>);

/// Steering of a probe under way.
#[derive(Debug)]
pub struct ProbeSteering {
    whole: Runner,
    rest: Runner,
    filters: usize,
    steer: Steer,
    measured: Vec<Seen>,
    own: Vec<Seen>,
    steering: Option<Steering>,
}

impl ProbeSteering {
    /// Builds what is needed of the network.
    ///
    /// # Errors
    /// When the graph can't be built, or the probe does not read the block.
    pub fn new(network: &Network, steer: Steer) -> Result<Self, SteerError> {
        if !steer.layer.blocks().contains(&steer.block) {
            return Err(SteerError::Block {
                layer: steer.layer,
                block: steer.block,
            });
        }
        Ok(Self {
            whole: Runner::with_taps(network, Taps::All)?,
            rest: Runner::after_block(network, usize::from(steer.block))?,
            filters: network.filters(),
            steer,
            measured: Vec::new(),
            own: Vec::new(),
            steering: None,
        })
    }

    /// The positions that are steered.
    fn positions(&self) -> &[Chess] {
        self.steer.steered.as_deref().unwrap_or(&self.steer.measured)
    }

    /// Runs of the network that are done, and all of them.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        let seen = self.steer.measured.len() + self.steer.steered.as_ref().map_or(0, Vec::len);
        let Plan { shifts, chances, .. } = &self.steer.plan;
        let runs = self.positions().len() * (1 + shifts.len() * (1 + chances));
        let done = match &self.steering {
            Some(steering) => seen + steering.progress().0,
            None => self.measured.len() + self.own.len(),
        };
        (done, seen + runs)
    }

    /// Runs the network once more; `false` once all is done.
    ///
    /// # Errors
    /// When the network fails, or nothing varies along the direction.
    pub fn step(&mut self) -> Result<bool, SteerError> {
        if self.steering.is_none() {
            if let Some(position) = self.steer.measured.get(self.measured.len()) {
                let seen = self.see(position)?;
                self.measured.push(seen);
                return Ok(true);
            }
            let own = self.steer.steered.as_ref().and_then(|own| own.get(self.own.len()));
            if let Some(position) = own {
                let seen = self.see(position)?;
                self.own.push(seen);
                return Ok(true);
            }
            let (measured, along): (Vec<_>, Vec<_>) = self.measured.drain(..).unzip();
            let deviation = deviation(&measured, &along);
            if deviation <= 0.0 || !deviation.is_finite() {
                return Err(SteerError::Flat);
            }
            let (activations, along) = match &self.steer.steered {
                Some(_) => self.own.drain(..).unzip(),
                None => (measured, along),
            };
            self.steering = Some(Steering::new(activations, &along, deviation, &self.steer.plan));
        }
        let positions = self.steer.steered.as_deref().unwrap_or(&self.steer.measured);
        let rest = &self.rest;
        let Some(steering) = &mut self.steering else {
            return Ok(false);
        };
        let more = steering.step(|i, shifted| {
            let raw = rest.run_on(shifted)?;
            Ok::<_, RunError>(said(&rest.read(raw, &positions[i])?))
        })?;
        Ok(more)
    }

    /// What was found, once all is done.
    #[must_use]
    pub fn steered(&self) -> Option<Steered> {
        let steering = self.steering.as_ref()?;
        let (done, total) = steering.progress();
        (done == total).then(|| steering.steered())
    }

    fn see(&self, position: &Chess) -> Result<Seen, SteerError> {
        let (_, mut activations) = self.whole.evaluate_tapped(&[], position)?;
        let men = Men::seen(self.whole.input(), position);
        let Steer {
            layer, weights, block, ..
        } = &self.steer;
        let along = layer.direction(weights, &activations, &men, self.filters, *block)?;
        Ok((activations.swap_remove(usize::from(*block) - 1), along))
    }
}

/// Probabilities in the moves' own order, which a shift leaves as it is.
fn said(output: &NetworkOutput) -> Said {
    let mut policy: Vec<(String, f32)> = output.policy.iter().map(|(mv, p)| (format!("{mv:?}"), *p)).collect();
    policy.sort_by(|a, b| a.0.cmp(&b.0));
    Said {
        q: output.q,
        policy: policy.into_iter().map(|(_, p)| p).collect(),
    }
}
