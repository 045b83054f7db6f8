//! A language model's weights.

use super::{description::LanguageModelDescription, header::Header};
use crate::tensors::layers::{Dense, Norm};

/// A model that was read from a file: every number is finite, every shape as the header says.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// What it is.
    pub header: Header,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// Vocabulary × width: what stands for each token, and what the last layer is held against.
    pub(super) embedding: Vec<f32>,
    /// The layers.
    pub(super) body: Body,
}

/// The layers.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Body {
    /// Of a transformer.
    Transformer(Transformer),
    /// Of a recurrent network, the first layer first.
    Lstm(Vec<LstmLayer>),
}

/// The layers of a transformer like GPT-2: normalised before attention and before the dense part, learned positions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Transformer {
    /// Context × width.
    pub positions: Vec<f32>,
    /// The first block first.
    pub blocks: Vec<Block>,
    /// Before the vocabulary.
    pub norm: Norm,
}

/// A block of a transformer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    /// Before attention.
    pub before_attention: Norm,
    /// Queries, keys and values of all heads, in this order: width → 3 × width.
    pub attention: Dense,
    /// What attention gave, put together: width → width.
    pub out: Dense,
    /// Before the dense part.
    pub before_dense: Norm,
    /// Width → 4 × width.
    pub up: Dense,
    /// 4 × width → width.
    pub down: Dense,
}

/// A layer of a recurrent network: gates for input, forgetting, the cell and output, in this order, each as wide as the layer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LstmLayer {
    /// What comes in → 4 × width.
    pub input: Dense,
    /// What the layer gave before → 4 × width.
    pub hidden: Dense,
}

impl Model {
    /// What is said of it; its file has so many bytes.
    #[must_use]
    pub fn description(&self, bytes: usize) -> LanguageModelDescription {
        LanguageModelDescription {
            header: self.header.clone(),
            sha256: self.sha256.clone(),
            bytes,
        }
    }

    /// What stands for a token; nothing for one beyond the vocabulary.
    pub(super) fn embedded(&self, token: u8) -> Option<&[f32]> {
        let (width, token) = (self.header.width, usize::from(token));
        self.embedding.get(token * width..(token + 1) * width)
    }
}
