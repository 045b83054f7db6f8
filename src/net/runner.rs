//! Runs a network on positions, one at a time, as tract is slower on batches; or several side by side, with their convolutions together.

use std::{borrow::Cow, sync::Arc};

use shakmaty::{Chess, Color};
use tract_core::{
    internal::*,
    prelude::{IntoRunnable, TypedRunnableModel},
};

pub use super::graph::{BlockSet, Taps};
use super::{
    evaluation::{NetworkOutput, OutputError, RawOutput},
    format::{Format, InputFormat, PolicyFormat},
    graph, lockstep,
    memory::MOST_MEMORY,
    network::{INPUT_PLANES, Network},
    operators::Convolutions,
    planes::Planes,
};

/// Why a network can't be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The graph could not be built or optimised.
    #[error("the network's graph could not be built: {0}")]
    Build(String),
    /// There is not as much memory as building takes, by [`Network::bytes_to_build`].
    #[error("running it takes about {} MB of memory, and a page has {} MB at most", needed / 1_000_000, most / 1_000_000)]
    TooLarge {
        /// In bytes.
        needed: u64,
        /// In bytes.
        most: u64,
    },
    /// The graph failed on a position.
    #[error("the network failed on this position: {0}")]
    Run(String),
    /// Planes of another input format than the network's.
    #[error("the network reads the input format {needed:?}, these planes are {found:?}")]
    Planes {
        /// The network's input format.
        needed: InputFormat,
        /// The input format that the planes were made for.
        found: InputFormat,
    },
    /// It ran, and gave something else than a network gives.
    #[error(transparent)]
    Output(#[from] OutputError),
}

fn fits(network: &Network, most: u64) -> Result<(), RunError> {
    let needed = network.bytes_to_build();
    if needed <= most {
        Ok(())
    } else {
        Err(RunError::TooLarge { needed, most })
    }
}

/// A network ready to run. Building one takes a fraction of a second for small networks, seconds for large ones; it
/// needs the [`Network`] no longer.
#[derive(Debug, Clone)]
pub struct Runner {
    plan: Arc<TypedRunnableModel>,
    format: Format,
}

impl Runner {
    /// Builds and optimises the graph, with the last block's activations.
    ///
    /// # Errors
    /// [`RunError::Build`] when tract refuses the graph.
    pub fn new(network: &Network) -> Result<Self, RunError> {
        Self::with_taps(network, Taps::Last)
    }

    /// The same with the blocks' activations that `taps` names, for [`Runner::run`].
    ///
    /// # Errors
    /// [`RunError::Build`] when tract refuses the graph.
    pub fn with_taps(network: &Network, taps: Taps) -> Result<Self, RunError> {
        Self::with_convolutions(network, taps, fitting(network))
    }

    /// The same with the network's 3×3 convolutions computed as `convolutions` says.
    ///
    /// # Errors
    /// [`RunError::Build`] when tract refuses the graph.
    pub fn with_convolutions(network: &Network, taps: Taps, convolutions: Convolutions) -> Result<Self, RunError> {
        let graph = graph::build(Cow::Borrowed(network), taps, convolutions, |_, _| {});
        Self::of(graph, network.format)
    }

    /// The same as [`Runner::with_taps`], in less memory: a block's weights go as soon as the graph has its own. One that is too
    /// large for a page (see [`MOST_MEMORY`]) is refused before anything is built. `built` hears how many blocks are built,
    /// and of how many.
    ///
    /// # Errors
    /// [`RunError::TooLarge`]; [`RunError::Build`] when tract refuses the graph.
    pub fn from_network(network: Network, taps: Taps, built: impl FnMut(usize, usize)) -> Result<Self, RunError> {
        fits(&network, MOST_MEMORY)?;
        let (format, convolutions) = (network.format, fitting(&network));
        Self::of(graph::build(Cow::Owned(network), taps, convolutions, built), format)
    }

    fn of(graph: TractResult<TypedModel>, format: Format) -> Result<Self, RunError> {
        let plan = graph
            .and_then(TypedModel::into_optimized)
            .and_then(IntoRunnable::into_runnable)
            .map_err(|e| RunError::Build(format!("{e:#}")))?;
        Ok(Self { plan, format })
    }

    /// The format of what it reads.
    #[must_use]
    pub const fn input(&self) -> InputFormat {
        self.format.input
    }

    /// The part of the network that follows block number `block` (from 1), for [`Runner::run_on`].
    ///
    /// # Errors
    /// [`RunError::Build`] when tract refuses the graph.
    pub fn after_block(network: &Network, block: usize) -> Result<Self, RunError> {
        Self::of(graph::build_after(network, block, fitting(network)), network.format)
    }

    /// Value and policy of activations, filters × 64, that a block might have given: of a runner that
    /// [`Runner::after_block`] made.
    ///
    /// # Errors
    /// [`RunError::Run`] when the graph fails, or the activations are too many or too few.
    pub fn run_on(&self, activations: &[f32]) -> Result<RawOutput, RunError> {
        let run = || {
            let input = Tensor::from_shape(&[1, activations.len() / 64, 8, 8], activations)?;
            self.outputs_of(input)
        };
        run().map_err(|e: TractError| RunError::Run(format!("{e:#}")))
    }

    /// Reads what [`Runner::run_on`] gave as what the network says of `position`.
    ///
    /// # Errors
    /// When outputs are not numbers.
    pub fn read(&self, raw: RawOutput, position: &Chess) -> Result<NetworkOutput, RunError> {
        Ok(NetworkOutput::read(raw, self.format, position)?)
    }

    /// The same, with the activations of the tapped blocks.
    ///
    /// # Errors
    /// As [`Runner::read`].
    pub fn read_tapped(
        &self,
        mut raw: RawOutput,
        position: &Chess,
    ) -> Result<(NetworkOutput, Vec<Vec<f32>>), RunError> {
        let last = raw.activations.last().cloned().into_iter().collect();
        let activations = std::mem::replace(&mut raw.activations, last);
        Ok((self.read(raw, position)?, activations))
    }

    /// What the network reads of `position`, reached through `history` (see [`Planes::new`]).
    #[must_use]
    pub fn planes(&self, history: &[Chess], position: &Chess) -> Planes {
        Planes::with_format(self.format.input, history, position)
    }

    /// Evaluates `position`, reached through `history` (see [`Planes::new`]). The side to move's view.
    ///
    /// # Errors
    /// When the graph fails, or its outputs are not numbers.
    pub fn evaluate(&self, history: &[Chess], position: &Chess) -> Result<NetworkOutput, RunError> {
        let raw = self.run(&self.planes(history, position))?;
        Ok(NetworkOutput::read(raw, self.format, position)?)
    }

    /// The same, with the activations of the tapped blocks (see [`RawOutput::activations`]), which probes read.
    ///
    /// # Errors
    /// As [`Runner::evaluate`].
    pub fn evaluate_tapped(
        &self,
        history: &[Chess],
        position: &Chess,
    ) -> Result<(NetworkOutput, Vec<Vec<f32>>), RunError> {
        let raw = self.run(&self.planes(history, position))?;
        self.read_tapped(raw, position)
    }

    /// A bare position as `us` sees it, **whoever is to move** (see [`Planes::seen_by`]). Where `us` is not to move only
    /// the activations mean something: no move of the output's policy is theirs.
    ///
    /// # Errors
    /// As [`Runner::evaluate`].
    pub fn evaluate_from(&self, us: Color, position: &Chess) -> Result<(NetworkOutput, Vec<Vec<f32>>), RunError> {
        let raw = self.run(&Planes::seen_by(self.format.input, us, position))?;
        self.read_tapped(raw, position)
    }

    /// The graph's outputs for `planes`, which [`Runner::planes`] gives, as they are.
    ///
    /// # Errors
    /// [`RunError::Run`] when the graph fails, [`RunError::Planes`] when the planes are of another format.
    pub fn run(&self, planes: &Planes) -> Result<RawOutput, RunError> {
        let (needed, found) = (self.format.input, planes.format());
        if needed != found {
            return Err(RunError::Planes { needed, found });
        }
        self.outputs(planes).map_err(|e| RunError::Run(format!("{e:#}")))
    }

    /// The same for several planes, in their order: in networks whose convolutions are ours and wide, faster than one by one.
    ///
    /// # Errors
    /// As [`Runner::run`], for the first one that fails.
    pub fn run_together(&self, planes: &[Planes]) -> Result<Vec<RawOutput>, RunError> {
        let needed = self.format.input;
        if let Some(other) = planes.iter().find(|planes| planes.format() != needed) {
            let found = other.format();
            return Err(RunError::Planes { needed, found });
        }
        let run = || {
            let inputs = planes.iter().map(input).collect::<TractResult<Vec<_>>>()?;
            let outputs = lockstep::run(&self.plan, inputs)?.into_iter();
            outputs
                .map(|outputs| self.sorted(outputs))
                .collect::<TractResult<Vec<_>>>()
        };
        run().map_err(|e| RunError::Run(format!("{e:#}")))
    }

    fn outputs(&self, planes: &Planes) -> TractResult<RawOutput> {
        self.outputs_of(input(planes)?)
    }

    fn outputs_of(&self, input: Tensor) -> TractResult<RawOutput> {
        self.sorted(self.plan.run(tvec!(input.into()))?)
    }

    fn sorted(&self, outputs: TVec<TValue>) -> TractResult<RawOutput> {
        let mut outputs = outputs.into_iter();
        let mut next = || match outputs.next() {
            Some(tensor) => Ok(Some(tensor.try_as_plain_ram()?.as_slice::<f32>()?.to_vec())),
            None => TractResult::Ok(None),
        };
        let value = next()?.unwrap_or_default();
        let mut policy = next()?.unwrap_or_default();
        if self.format.policy == PolicyFormat::Attention {
            policy.extend(next()?.unwrap_or_default());
        }
        let moves_left = if self.format.moves_left {
            next()?.and_then(|given| given.first().copied())
        } else {
            None
        };
        let mut activations = Vec::new();
        while let Some(block) = next()? {
            activations.push(block);
        }
        Ok(RawOutput {
            policy,
            value,
            moves_left,
            activations,
        })
    }
}

fn input(planes: &Planes) -> TractResult<Tensor> {
    Tensor::from_shape(&[1, INPUT_PLANES, 8, 8], &planes.values())
}

fn fitting(network: &Network) -> Convolutions {
    Convolutions::fitting(network.filters())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::read_network;

    #[test]
    fn what_does_not_fit_is_refused_before_it_is_built() {
        let network = read_network(include_bytes!("../../public/networks/kibitz-64x6.pb.gz")).unwrap();
        let needed = network.bytes_to_build();
        let weights: usize = network.layers().into_iter().map(<[f32]>::len).sum();
        assert!(needed > 4 * weights as u64 && needed < 20 * weights as u64);
        assert_eq!(fits(&network, needed), Ok(()));
        let refused = fits(&network, needed - 1).unwrap_err();
        assert!(refused.to_string().starts_with("running it takes about "), "{refused}");
        assert!(Runner::from_network(network, Taps::Last, |_, _| {}).is_ok());
    }
}
