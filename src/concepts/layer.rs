//! What a probe reads of a network.
//!
//! Residual blocks are numbered from 1, in the order in which a [`Runner`](crate::net) with `Taps::All` gives their
//! outputs. The output of the input convolution, before the first block, is not among them and can't be read.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Squares of a filter's plane.
const SQUARES: usize = 64;

/// The outputs of one or several residual blocks, as one row of numbers.
///
/// For each block in turn: the plane, rank and file of every filter (filters × 64, as the network gives them); with
/// pools, then the mean over the 64 squares of every filter, then the maximum of every filter.
///
/// `Display`, `FromStr` and serde use a text: `block 6`, `blocks 2+6`, `block 6 with pools`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Layer {
    blocks: Vec<u8>,
    pooled: bool,
}

/// No layer: see [`Layer::new`] and the text that [`Layer`] has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no layer: it should read like \"block 6\", \"blocks 2+6\" or \"block 6 with pools\"")]
pub struct NoLayer(pub String);

/// The activations don't fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongActivations {
    /// There are not that many blocks.
    #[error("block {block} is to be read, and the network gave the activations of {found}")]
    NoBlock {
        /// The number of the block, from 1.
        block: u8,
        /// Blocks there are.
        found: usize,
    },
    /// The block is narrower or wider than it should be.
    #[error("block {block} should have {wanted} activations, the network gave {found}")]
    Size {
        /// The number of the block, from 1.
        block: u8,
        /// Filters × 64.
        wanted: usize,
        /// Activations there are.
        found: usize,
    },
}

impl Layer {
    /// The outputs of `blocks`, numbered from 1.
    ///
    /// # Errors
    /// When there is none, when they are not in ascending order, or when one is 0.
    pub fn new(blocks: Vec<u8>, pooled: bool) -> Result<Self, NoLayer> {
        let layer = Self { blocks, pooled };
        let ascending = layer.blocks.is_sorted_by(|a, b| a < b);
        match layer.blocks.first() {
            Some(1..) if ascending => Ok(layer),
            _ => Err(NoLayer(layer.to_string())),
        }
    }

    /// The output of one block; 0 is taken for 1.
    #[must_use]
    pub fn block(block: u8) -> Self {
        Self {
            blocks: vec![block.max(1)],
            pooled: false,
        }
    }

    /// The same blocks with pools.
    #[must_use]
    pub fn with_pools(mut self) -> Self {
        self.pooled = true;
        self
    }

    /// The blocks' numbers, from 1, ascending.
    #[must_use]
    pub fn blocks(&self) -> &[u8] {
        &self.blocks
    }

    /// Whether the filters' means and maxima are read too.
    #[must_use]
    pub const fn is_pooled(&self) -> bool {
        self.pooled
    }

    /// Numbers in a row, of a network with `filters` filters.
    #[must_use]
    pub fn width(&self, filters: usize) -> usize {
        self.blocks.len() * filters * if self.pooled { SQUARES + 2 } else { SQUARES }
    }

    /// Appends the row of a position to `out`.
    ///
    /// `activations`: every block's, the first block first, each filters × 64. Blocks that are not read may be empty.
    ///
    /// # Errors
    /// When a block is missing or has another size; `out` is left as it was.
    pub fn gather<B: AsRef<[f32]>>(
        &self,
        activations: &[B],
        filters: usize,
        out: &mut Vec<f32>,
    ) -> Result<(), WrongActivations> {
        let wanted = filters * SQUARES;
        for &block in &self.blocks {
            let found = activations
                .get(usize::from(block) - 1)
                .ok_or(WrongActivations::NoBlock {
                    block,
                    found: activations.len(),
                })?
                .as_ref()
                .len();
            if found != wanted {
                return Err(WrongActivations::Size { block, wanted, found });
            }
        }
        for &block in &self.blocks {
            self.append(activations[usize::from(block) - 1].as_ref(), out);
        }
        Ok(())
    }

    /// Appends what is read of one block, given its filters × 64 activations.
    pub fn append(&self, block: &[f32], out: &mut Vec<f32>) {
        out.extend_from_slice(block);
        if self.pooled {
            let planes = block.chunks_exact(SQUARES);
            out.extend(planes.clone().map(|plane| plane.iter().sum::<f32>() / SQUARES as f32));
            out.extend(planes.map(|plane| plane.iter().copied().fold(f32::NEG_INFINITY, f32::max)));
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.blocks.len() == 1 { "block " } else { "blocks " })?;
        for (i, block) in self.blocks.iter().enumerate() {
            write!(f, "{}{block}", if i == 0 { "" } else { "+" })?;
        }
        f.write_str(if self.pooled { " with pools" } else { "" })
    }
}

impl FromStr for Layer {
    type Err = NoLayer;

    fn from_str(text: &str) -> Result<Self, NoLayer> {
        let no_layer = || NoLayer(text.chars().take(100).collect());
        let (rest, pooled) = match text.strip_suffix(" with pools") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let blocks = rest
            .strip_prefix("blocks ")
            .or_else(|| rest.strip_prefix("block "))
            .ok_or_else(no_layer)?
            .split('+')
            .map(|number| number.parse().map_err(|_| no_layer()))
            .collect::<Result<Vec<u8>, _>>()?;
        let layer = Self::new(blocks, pooled).map_err(|_| no_layer())?;
        // One text a layer: no "block 1+2", no "block 06".
        if layer.to_string() == text {
            Ok(layer)
        } else {
            Err(no_layer())
        }
    }
}

impl Serialize for Layer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Layer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts() {
        for (text, blocks, pooled) in [
            ("block 6", vec![6], false),
            ("blocks 2+6", vec![2, 6], false),
            ("block 255 with pools", vec![255], true),
            ("blocks 1+2+3 with pools", vec![1, 2, 3], true),
        ] {
            let layer = Layer::new(blocks, pooled).unwrap();
            assert_eq!(layer.to_string(), text);
            assert_eq!(text.parse(), Ok(layer));
        }
        for text in [
            "",
            "block",
            "block ",
            "block 0",
            "block 06",
            "block 256",
            "block 1+2",
            "blocks 1",
            "blocks 2+1",
            "blocks 1+1",
            "block 1 with",
            "Block 1",
            "block 1 ",
            "block +1",
        ] {
            assert!(text.parse::<Layer>().is_err(), "{text}");
        }
    }

    #[test]
    fn rows_hold_blocks_then_means_then_maxima() {
        let ramp = |from: f32| (0..128).map(|i| from + i as f32).collect::<Vec<_>>();
        let blocks = [ramp(0.0), Vec::new(), ramp(1000.0)];
        let layer: Layer = "blocks 1+3 with pools".parse().unwrap();
        let mut row = vec![-1.0];
        layer.gather(&blocks, 2, &mut row).unwrap();
        assert_eq!(row.len() - 1, layer.width(2));
        assert_eq!(row[..3], [-1.0, 0.0, 1.0]);
        assert_eq!(row[129..134], [31.5, 95.5, 63.0, 127.0, 1000.0]);
        assert_eq!(row[261..], [1031.5, 1095.5, 1063.0, 1127.0]);
        let mut flat = Vec::new();
        Layer::block(3).gather(&blocks, 2, &mut flat).unwrap();
        assert_eq!(flat, blocks[2]);
    }

    #[test]
    fn what_does_not_fit_is_refused_whole() {
        let blocks = [vec![0.0; 128], vec![0.0; 64]];
        let mut row = Vec::new();
        let layer: Layer = "blocks 1+2".parse().unwrap();
        let size = WrongActivations::Size {
            block: 2,
            wanted: 128,
            found: 64,
        };
        assert_eq!(layer.gather(&blocks, 2, &mut row), Err(size));
        let none = WrongActivations::NoBlock { block: 3, found: 2 };
        assert_eq!(Layer::block(3).gather(&blocks, 2, &mut row), Err(none));
        assert!(row.is_empty());
    }

    proptest! {
        #[test]
        fn every_layer_survives_its_text(blocks in proptest::collection::btree_set(1..=u8::MAX, 1..6), pooled: bool) {
            let layer = Layer::new(blocks.into_iter().collect(), pooled).unwrap();
            prop_assert_eq!(layer.to_string().parse(), Ok(layer));
        }

        #[test]
        fn no_text_panics(text in "(block|blocks)? ?[0-9+]{0,8}( with pools)?|.*") {
            if let Ok(layer) = text.parse::<Layer>() {
                prop_assert_eq!(layer.to_string(), text);
            }
        }
    }
}
