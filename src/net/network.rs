//! A network in memory: every layer as plain 32-bit floats, batch normalisation folded in.

use serde::{Deserialize, Serialize};

use super::format::Format;

/// Input planes of every format.
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

/// What Lc0 and PyTorch add to a variance before its root is taken.
const EPSILON: f64 = 1e-5;

/// A batch normalisation: what follows a convolution in training and is folded into it afterwards. One number per
/// output of the convolution each.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchNorm {
    /// Running means of the outputs, one a filter.
    pub means: Vec<f32>,
    /// Running variances of the outputs, one a filter.
    pub variances: Vec<f32>,
    /// What each filter's normalised output is multiplied by (γ).
    pub gammas: Vec<f32>,
    /// What is then added to it (β).
    pub betas: Vec<f32>,
}

impl Convolution {
    /// Folds the batch normalisation that follows into the weights and biases. Outputs beyond the shortest of its lists
    /// stay as they are; what is negative or too large in it leaves weights that are not numbers.
    pub fn fold(&mut self, norm: &BatchNorm) {
        let kernel = self.inputs * self.size * self.size;
        let factors = norm.gammas.iter().zip(&norm.variances);
        let offsets = norm.betas.iter().zip(&norm.means);
        let layers = self.weights.chunks_exact_mut(kernel.max(1)).zip(&mut self.biases);
        for ((weights, bias), ((&gamma, &variance), (&beta, &mean))) in layers.zip(factors.zip(offsets)) {
            // In doubles: the fold is done once, the sums over it many times.
            let scale = f64::from(gamma) / (f64::from(variance) + EPSILON).sqrt();
            for w in weights {
                *w = (f64::from(*w) * scale) as f32;
            }
            *bias = (f64::from(beta) - scale * (f64::from(mean) - f64::from(*bias))) as f32;
        }
    }

    fn layers(&self) -> [&[f32]; 2] {
        [&self.weights, &self.biases]
    }

    /// Whether every weight and bias is a number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.weights.iter().chain(&self.biases).all(|v| v.is_finite())
    }
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

impl Dense {
    fn layers(&self) -> [&[f32]; 2] {
        [&self.weights, &self.biases]
    }
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
    /// Each square's vector goes through dense layers; a move's logit is the product of the query of the square it
    /// leaves and the key of the square it goes to.
    Attention {
        /// Filters → the head's width; SELU follows it.
        embedding: Dense,
        /// The head's width → queries.
        query: Dense,
        /// The head's width → keys, as many.
        key: Dense,
        /// Keys → what a promotion to queen, rook or bishop adds, and what all three add. Without biases: they are 0.
        promotion: Dense,
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

    /// Every layer's weights and biases, in an order that only depends on the network's kind and size.
    #[must_use]
    pub fn layers(&self) -> Vec<&[f32]> {
        let mut layers = self.input.layers().to_vec();
        for block in &self.blocks {
            layers.extend(block.first.layers());
            layers.extend(block.second.layers());
            if let Some(se) = &block.se {
                layers.extend(se.squeeze.layers());
                layers.extend(se.excite.layers());
            }
        }
        match &self.policy {
            PolicyHead::Classical { convolution, dense } => {
                layers.extend(convolution.layers());
                layers.extend(dense.layers());
            }
            PolicyHead::Convolution { hidden, planes } => {
                layers.extend(hidden.layers());
                layers.extend(planes.layers());
            }
            PolicyHead::Attention {
                embedding,
                query,
                key,
                promotion,
            } => layers.extend([embedding, query, key, promotion].into_iter().flat_map(Dense::layers)),
        }
        layers.extend(self.value.convolution.layers());
        layers.extend(self.value.hidden.layers());
        layers.extend(self.value.output.layers());
        layers
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
