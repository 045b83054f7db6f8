//! A network in memory: every layer as plain 32-bit floats, batch normalisation folded in.

use serde::{Deserialize, Serialize};

use super::format::Format;

/// Input planes of the classical format.
pub const INPUT_PLANES: usize = 112;
/// Squares of a plane.
pub const SQUARES: usize = 64;
/// Moves a policy knows.
pub const POLICY_MOVES: usize = 1858;
/// Planes of a convolutional policy; the last seven are never read.
pub const POLICY_PLANES: usize = 80;

/// A convolution over the board, with zeros beyond its edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Convolution {
    /// Planes in.
    pub inputs: usize,
    /// Planes out.
    pub outputs: usize,
    /// Squares a side: 1 or 3.
    pub size: usize,
    /// Output × input × rank × file.
    pub weights: Vec<f32>,
    /// One per output.
    pub biases: Vec<f32>,
}

/// A dense layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    /// Numbers in.
    pub inputs: usize,
    /// Numbers out.
    pub outputs: usize,
    /// Output × input.
    pub weights: Vec<f32>,
    /// One per output.
    pub biases: Vec<f32>,
}

/// Squeeze-excitation: each plane's mean goes through two dense layers, which give each plane a factor (through a
/// sigmoid) and an offset.
#[derive(Debug, Clone, PartialEq)]
pub struct SqueezeExcitation {
    /// Filters → a few.
    pub squeeze: Dense,
    /// A few → filters' factors, then filters' offsets.
    pub excite: Dense,
}

/// A residual block.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The first convolution; the activation follows it.
    pub first: Convolution,
    /// The second.
    pub second: Convolution,
    /// Applied before the skip connection is added.
    pub se: Option<SqueezeExcitation>,
}

/// From the body to logits.
#[derive(Debug, Clone, PartialEq)]
pub enum PolicyHead {
    /// A 1×1 convolution, then dense to [`POLICY_MOVES`].
    Classical {
        /// Filters → a few planes.
        convolution: Convolution,
        /// Those planes, flattened → moves.
        dense: Dense,
    },
    /// A 3×3 convolution, then another to [`POLICY_PLANES`].
    Convolution {
        /// Filters → filters.
        hidden: Convolution,
        /// Filters → planes.
        planes: Convolution,
    },
}

/// From the body to the expected result.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueHead {
    /// Filters → a few planes.
    pub convolution: Convolution,
    /// Those planes, flattened → hidden.
    pub hidden: Dense,
    /// Hidden → 3 (win, draw, loss logits) or 1 (through tanh).
    pub output: Dense,
}

/// A network that has been read whole and checked: every layer has the size its place asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// What it reads and gives.
    pub format: Format,
    /// SHA-256 in hex of the **uncompressed** file, so a `.pb` and its `.pb.gz` are the same network. Probes are bound
    /// to it.
    pub sha256: String,
    /// 112 planes → filters.
    pub input: Convolution,
    /// The body; at least one block.
    pub blocks: Vec<Block>,
    /// The policy head.
    pub policy: PolicyHead,
    /// The value head.
    pub value: ValueHead,
}

impl Network {
    /// Planes of the body.
    #[must_use]
    pub fn filters(&self) -> usize {
        self.input.outputs
    }

    /// How many times fewer numbers the squeeze keeps than there are filters; `None` without squeeze-excitation.
    #[must_use]
    pub fn se_ratio(&self) -> Option<usize> {
        let se = self.blocks.first()?.se.as_ref()?;
        Some(self.filters() / se.squeeze.outputs.max(1))
    }

    /// Numbers in one block's activations: filters × 8 × 8.
    #[must_use]
    pub fn activations(&self) -> usize {
        self.filters() * SQUARES
    }

    /// What to tell a reader about the network.
    #[must_use]
    pub fn description(&self) -> Description {
        Description {
            format: self.format,
            filters: self.filters(),
            blocks: self.blocks.len(),
            se_ratio: self.se_ratio(),
            sha256: self.sha256.clone(),
        }
    }
}

/// A network without its weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// What it reads and gives.
    pub format: Format,
    /// Planes of the body.
    pub filters: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// See [`Network::se_ratio`].
    pub se_ratio: Option<usize>,
    /// See [`Network::sha256`].
    pub sha256: String,
}
