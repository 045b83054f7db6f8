//! A network in memory: every layer as plain 32-bit floats, batch normalisation folded in.

use serde::{Deserialize, Serialize};

#[cfg(feature = "net")]
use super::attention::Encoder;
pub use super::dense::{Dense, SQUARES};
use super::{
    attention::AttentionBody,
    format::{BodyFormat, Format},
    memory,
};

/// Input planes of every format.
pub const INPUT_PLANES: usize = 112;
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

    fn layers(&self) -> [&Vec<f32>; 2] {
        [&self.weights, &self.biases]
    }

    fn layers_mut(&mut self) -> [&mut Vec<f32>; 2] {
        [&mut self.weights, &mut self.biases]
    }

    /// The dense layer `dense` on every square alike.
    pub(super) fn of_squares(dense: Dense) -> Self {
        Self {
            inputs: dense.inputs,
            outputs: dense.outputs,
            size: 1,
            weights: dense.weights,
            biases: dense.biases,
        }
    }

    /// Whether every weight and bias is a number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.weights.iter().chain(&self.biases).all(|v| v.is_finite())
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
        /// Filters → the head's width; SELU follows it, after an attention body the network's activation.
        embedding: Dense,
        /// The head's width → queries.
        query: Dense,
        /// The head's width → keys, as many.
        key: Dense,
        /// Keys → what a promotion to queen, rook or bishop adds, and what all three add. Without biases: they are 0.
        promotion: Dense,
    },
}

/// From the body to the expected result, or to how many moves are left.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueHead {
    /// Filters → a few planes. In an attention body this is the head's embedding: a dense layer on each square.
    pub convolution: Convolution,
    /// Those planes, flattened → hidden.
    pub hidden: Dense,
    /// Hidden → 3 (win, draw, loss logits) or 1 (through tanh; through max(x, 0) for moves that are left).
    pub output: Dense,
}

/// What stands between the input planes and the heads.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Convolutions.
    Residual {
        /// 112 planes → filters.
        input: Convolution,
        /// The blocks; at least one.
        blocks: Vec<Block>,
    },
    /// Encoders.
    Attention(Box<AttentionBody>),
}

impl Body {
    fn layers(&self) -> Vec<&Vec<f32>> {
        let (input, blocks) = match self {
            Self::Residual { input, blocks } => (input, blocks),
            Self::Attention(body) => return body.layers(),
        };
        let mut layers = input.layers().to_vec();
        for Block { first, second, se } in blocks {
            layers.extend(first.layers().into_iter().chain(second.layers()));
            if let Some(se) = se {
                layers.extend(se.squeeze.layers().into_iter().chain(se.excite.layers()));
            }
        }
        layers
    }

    fn layers_mut(&mut self) -> Vec<&mut Vec<f32>> {
        let (input, blocks) = match self {
            Self::Residual { input, blocks } => (input, blocks),
            Self::Attention(body) => return body.layers_mut(),
        };
        let mut layers: Vec<_> = input.layers_mut().into_iter().collect();
        layers.extend(blocks.iter_mut().flat_map(Block::layers_mut));
        layers
    }

    /// Gives back the memory of a block's weights, the first block is 0: a graph has them.
    #[cfg(feature = "net")]
    pub(super) fn forget_block(&mut self, block: usize) {
        let layers = match self {
            Self::Residual { blocks, .. } => blocks.get_mut(block).map(Block::layers_mut),
            Self::Attention(body) => body.encoders.get_mut(block).map(Encoder::layers_mut),
        };
        for layer in layers.into_iter().flatten() {
            *layer = Vec::new();
        }
    }
}

impl Block {
    fn layers_mut(&mut self) -> Vec<&mut Vec<f32>> {
        let Self { first, second, se } = self;
        let mut layers: Vec<_> = first.layers_mut().into_iter().chain(second.layers_mut()).collect();
        if let Some(se) = se {
            layers.extend(se.squeeze.layers_mut().into_iter().chain(se.excite.layers_mut()));
        }
        layers
    }
}

/// A network that has been read whole and checked: every layer has the size its place asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// What it reads and gives.
    pub format: Format,
    /// SHA-256 in hex of the **uncompressed** file, so a `.pb` and its `.pb.gz` are the same network. Probes are bound
    /// to it.
    pub sha256: String,
    /// From the input planes to what the heads read.
    pub body: Body,
    /// The policy head.
    pub policy: PolicyHead,
    /// The value head.
    pub value: ValueHead,
    /// The moves-left head. Of residual networks it is not read.
    pub moves_left: Option<ValueHead>,
}

impl Network {
    /// Planes of the body: filters, or the width of an attention body's embedding.
    #[must_use]
    pub fn filters(&self) -> usize {
        match &self.body {
            Body::Residual { input, .. } => input.outputs,
            Body::Attention(body) => body.width(),
        }
    }

    /// Residual blocks or encoders.
    #[must_use]
    pub fn blocks(&self) -> usize {
        match &self.body {
            Body::Residual { blocks, .. } => blocks.len(),
            Body::Attention(body) => body.encoders.len(),
        }
    }

    /// How many times fewer numbers the squeeze keeps than there are filters; `None` without squeeze-excitation.
    #[must_use]
    pub fn se_ratio(&self) -> Option<usize> {
        let Body::Residual { blocks, .. } = &self.body else {
            return None;
        };
        let se = blocks.first()?.se.as_ref()?;
        Some(self.filters() / se.squeeze.outputs.max(1))
    }

    /// Numbers in one block's activations: filters × 8 × 8.
    #[must_use]
    pub fn activations(&self) -> usize {
        self.filters() * SQUARES
    }

    /// About how many bytes it takes to build the network's graph, what the graph holds in the end included; see
    /// [`super::memory`].
    #[must_use]
    pub fn bytes_to_build(&self) -> u64 {
        let weights: usize = self.layers().into_iter().map(<[f32]>::len).sum();
        memory::to_build(weights as u64, self.format.body)
    }

    /// Every layer's weights and biases, in an order that only depends on the network's kind and size.
    #[must_use]
    pub fn layers(&self) -> Vec<&[f32]> {
        let mut layers = self.body.layers();
        match &self.policy {
            PolicyHead::Classical { convolution, dense } => {
                layers.extend(convolution.layers().into_iter().chain(dense.layers()));
            }
            PolicyHead::Convolution { hidden, planes } => {
                layers.extend(hidden.layers().into_iter().chain(planes.layers()));
            }
            PolicyHead::Attention {
                embedding,
                query,
                key,
                promotion,
            } => layers.extend([embedding, query, key, promotion].into_iter().flat_map(Dense::layers)),
        }
        for head in [&self.value].into_iter().chain(&self.moves_left) {
            layers.extend(head.convolution.layers());
            layers.extend(head.hidden.layers().into_iter().chain(head.output.layers()));
        }
        layers.into_iter().map(Vec::as_slice).collect()
    }

    /// The same in the same order, to change them.
    pub(super) fn layers_mut(&mut self) -> Vec<&mut Vec<f32>> {
        let mut layers = self.body.layers_mut();
        match &mut self.policy {
            PolicyHead::Classical { convolution, dense } => {
                layers.extend(convolution.layers_mut().into_iter().chain(dense.layers_mut()));
            }
            PolicyHead::Convolution { hidden, planes } => {
                layers.extend(hidden.layers_mut().into_iter().chain(planes.layers_mut()));
            }
            PolicyHead::Attention {
                embedding,
                query,
                key,
                promotion,
            } => layers.extend(
                [embedding, query, key, promotion]
                    .into_iter()
                    .flat_map(Dense::layers_mut),
            ),
        }
        for head in [&mut self.value].into_iter().chain(&mut self.moves_left) {
            layers.extend(head.convolution.layers_mut());
            layers.extend(head.hidden.layers_mut().into_iter().chain(head.output.layers_mut()));
        }
        layers
    }

    /// What to tell a reader about the network.
    #[must_use]
    pub fn description(&self) -> Description {
        Description {
            format: self.format,
            filters: self.filters(),
            blocks: self.blocks(),
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
    /// See [`Network::filters`].
    pub filters: usize,
    /// See [`Network::blocks`].
    pub blocks: usize,
    /// See [`Network::se_ratio`].
    pub se_ratio: Option<usize>,
    /// See [`Network::sha256`].
    pub sha256: String,
}

impl Description {
    /// How large the body is, in words: `64 filters, 6 blocks` or `embedding of 1024, 15 encoders`.
    #[must_use]
    pub fn size(&self) -> String {
        let Self { filters, blocks, .. } = self;
        match self.format.body {
            BodyFormat::Attention => format!("embedding of {filters}, {blocks} encoders"),
            BodyFormat::Residual | BodyFormat::SqueezeExcitation => format!("{filters} filters, {blocks} blocks"),
        }
    }
}
