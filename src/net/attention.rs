//! Attention bodies: Lc0's networks of today, such as BT4. Every square is a row of numbers, the embedding, which the encoders
//! change in turn.
//!
//! In the files a board goes square by square; here, as everywhere in [`crate::net`], plane by plane: the embedding's first
//! number on all 64 squares, then its second. Layers that read or give whole boards are turned on the way in and out
//! (see `Dense::reading_planes`).

use super::{dense::Dense, format::Activation};

/// A normalisation over one row: mean 0, variance 1, then a factor and an offset for each number.
#[derive(Debug, Clone, PartialEq)]
pub struct Norm {
    /// Factors (γ).
    pub gammas: Vec<f32>,
    /// Offsets (β).
    pub betas: Vec<f32>,
}

/// Two dense layers with an activation between.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedForward {
    /// Embedding → hidden.
    pub first: Dense,
    /// Hidden → embedding.
    pub second: Dense,
}

/// Generates attention from the whole position: a few numbers of every square make, for each head, what is added to each pair of
/// squares' product.
#[derive(Debug, Clone, PartialEq)]
pub struct Smolgen {
    /// Embedding → a few numbers a square, without biases (they are 0).
    pub compress: Dense,
    /// Those of all squares, by planes → hidden.
    pub first: Dense,
    /// After the first layer and its activation.
    pub first_norm: Norm,
    /// Hidden → heads × what [`AttentionBody::generator`] reads.
    pub second: Dense,
    /// After the second layer and its activation.
    pub second_norm: Norm,
}

/// An encoder: attention, then a feed-forward layer on every square. Each is scaled ([`AttentionBody::skip_scale`]), added to
/// what it read, and normalised.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder {
    /// Embedding → the heads' queries, head after head.
    pub query: Dense,
    /// Embedding → as many keys.
    pub key: Dense,
    /// Embedding → as many values.
    pub value: Dense,
    /// What the heads have gathered → embedding.
    pub output: Dense,
    /// What is added to the products of queries and keys.
    pub smolgen: Option<Smolgen>,
    /// After the attention.
    pub attention_norm: Norm,
    /// The feed-forward layer.
    pub feed_forward: FeedForward,
    /// After it.
    pub feed_forward_norm: Norm,
}

/// How a square's numbers say which square it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Positions {
    /// 64 numbers: [`reach`].
    Map,
    /// A dense layer gives every square a part of what the whole board has.
    Dense(Box<DensePositions>),
}

/// The newer way: positions from a dense layer, a normalised embedding, and a feed-forward layer of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct DensePositions {
    /// The first [`DensePositions::PLANES`] planes → some planes more, all by planes.
    pub layer: Dense,
    /// After the embedding's activation.
    pub norm: Norm,
    /// After the gates.
    pub feed_forward: FeedForward,
    /// After that.
    pub feed_forward_norm: Norm,
}

impl DensePositions {
    /// The men of the position, without its history.
    pub const PLANES: usize = 12;
}

/// From the input planes to the first encoder.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// Which square it is.
    pub positions: Positions,
    /// A square's planes and position → embedding; the network's activation follows.
    pub layer: Dense,
    /// Factors by plane and square, embedding × 64.
    pub factors: Option<Vec<f32>>,
    /// Then offsets.
    pub offsets: Option<Vec<f32>>,
}

/// A body of encoders.
#[derive(Debug, Clone, PartialEq)]
pub struct AttentionBody {
    /// From the input planes.
    pub embedding: Embedding,
    /// The encoders; at least one.
    pub encoders: Vec<Encoder>,
    /// Heads of each encoder.
    pub heads: usize,
    /// The last layer of smolgen, which all encoders share: a head's numbers → 64 × 64 (from-square × to-square), without
    /// biases (they are 0).
    pub generator: Option<Dense>,
    /// Inside smolgen.
    pub smolgen_activation: Activation,
    /// Inside feed-forward layers.
    pub feed_forward_activation: Activation,
}

/// What smolgen's normalisations, and all of a network with dense positions, add to a variance.
pub(super) const EPSILON: f32 = 1e-3;

impl AttentionBody {
    /// Numbers a square.
    #[must_use]
    pub fn width(&self) -> usize {
        self.embedding.layer.outputs
    }

    /// What a layer's outputs are multiplied by before they are added to what it read: with N encoders (2N)^−¼, which keeps deep
    /// bodies trainable (Wang et al., "DeepNet", 2022).
    #[must_use]
    pub fn skip_scale(&self) -> f32 {
        skip_scale(self.encoders.len())
    }

    /// What the encoders' normalisations add to a variance before its root is taken.
    #[must_use]
    pub fn epsilon(&self) -> f32 {
        epsilon(&self.embedding.positions)
    }

    /// Every layer's weights and biases, input first.
    pub(super) fn layers(&self) -> Vec<&Vec<f32>> {
        let Embedding {
            positions,
            layer,
            factors,
            offsets,
        } = &self.embedding;
        let mut layers = Vec::new();
        if let Positions::Dense(positions) = positions {
            layers.extend(positions.layer.layers());
            layers.extend(positions.norm.layers());
        }
        layers.extend(layer.layers());
        layers.extend(factors.iter().chain(offsets));
        if let Positions::Dense(positions) = positions {
            layers.extend(positions.feed_forward.layers());
            layers.extend(positions.feed_forward_norm.layers());
        }
        layers.extend(self.encoders.iter().flat_map(Encoder::layers));
        layers.extend(self.generator.iter().flat_map(Dense::layers));
        layers
    }

    /// The same, to change them.
    pub(super) fn layers_mut(&mut self) -> Vec<&mut Vec<f32>> {
        let Embedding {
            positions,
            layer,
            factors,
            offsets,
        } = &mut self.embedding;
        let mut layers = Vec::new();
        let mut later = Vec::new();
        if let Positions::Dense(positions) = positions {
            let DensePositions {
                layer,
                norm,
                feed_forward,
                feed_forward_norm,
            } = &mut **positions;
            layers.extend(layer.layers_mut());
            layers.extend(norm.layers_mut());
            later.extend(feed_forward.layers_mut());
            later.extend(feed_forward_norm.layers_mut());
        }
        layers.extend(layer.layers_mut());
        layers.extend(factors.iter_mut().chain(offsets));
        layers.extend(later);
        layers.extend(self.encoders.iter_mut().flat_map(Encoder::layers_mut));
        layers.extend(self.generator.iter_mut().flat_map(Dense::layers_mut));
        layers
    }
}

/// See [`AttentionBody::skip_scale`].
pub(super) fn skip_scale(encoders: usize) -> f32 {
    (2.0 * encoders as f32).powf(-0.25)
}

/// See [`AttentionBody::epsilon`].
pub(super) fn epsilon(positions: &Positions) -> f32 {
    match positions {
        Positions::Map => 1e-6,
        Positions::Dense(_) => EPSILON,
    }
}

impl Norm {
    fn layers(&self) -> [&Vec<f32>; 2] {
        [&self.gammas, &self.betas]
    }

    fn layers_mut(&mut self) -> [&mut Vec<f32>; 2] {
        [&mut self.gammas, &mut self.betas]
    }
}

impl FeedForward {
    fn layers(&self) -> impl Iterator<Item = &Vec<f32>> {
        [&self.first, &self.second].into_iter().flat_map(Dense::layers)
    }

    fn layers_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        [&mut self.first, &mut self.second]
            .into_iter()
            .flat_map(Dense::layers_mut)
    }
}

impl Encoder {
    fn layers(&self) -> Vec<&Vec<f32>> {
        let dense = [&self.query, &self.key, &self.value, &self.output];
        let mut layers: Vec<_> = dense.into_iter().flat_map(Dense::layers).collect();
        if let Some(smolgen) = &self.smolgen {
            layers.extend(smolgen.compress.layers());
            layers.extend(smolgen.first.layers());
            layers.extend(smolgen.first_norm.layers());
            layers.extend(smolgen.second.layers());
            layers.extend(smolgen.second_norm.layers());
        }
        layers.extend(self.attention_norm.layers());
        layers.extend(self.feed_forward.layers());
        layers.extend(self.feed_forward_norm.layers());
        layers
    }

    pub(super) fn layers_mut(&mut self) -> Vec<&mut Vec<f32>> {
        let dense = [&mut self.query, &mut self.key, &mut self.value, &mut self.output];
        let mut layers: Vec<_> = dense.into_iter().flat_map(Dense::layers_mut).collect();
        if let Some(smolgen) = &mut self.smolgen {
            layers.extend(smolgen.compress.layers_mut());
            layers.extend(smolgen.first.layers_mut());
            layers.extend(smolgen.first_norm.layers_mut());
            layers.extend(smolgen.second.layers_mut());
            layers.extend(smolgen.second_norm.layers_mut());
        }
        layers.extend(self.attention_norm.layers_mut());
        layers.extend(self.feed_forward.layers_mut());
        layers.extend(self.feed_forward_norm.layers_mut());
        layers
    }
}

/// What [`Positions::Map`] says of a square about another (each 0 to 63, a1, b1 … h8): −1 of itself, 1 of a square that a queen or
/// a knight could go to from it, 0 of the rest.
#[must_use]
pub fn reach(square: usize, other: usize) -> f32 {
    let files = (square % 8).abs_diff(other % 8);
    let ranks = (square / 8).abs_diff(other / 8);
    match (files, ranks) {
        (0, 0) => -1.0,
        (0, _) | (_, 0) | (1, 2) | (2, 1) => 1.0,
        _ if files == ranks => 1.0,
        _ => 0.0,
    }
}
