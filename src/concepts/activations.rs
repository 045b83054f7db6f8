//! Where a fit takes its positions' activations from.

use half::{f16, slice::HalfFloatSliceExt};

use super::layer::{Layer, WrongActivations};
use super::men::Men;

/// The activations of many positions, known by their numbers.
pub trait Activations {
    /// Why rows can't be had.
    type Error: std::error::Error;

    /// Filters of the network.
    fn filters(&self) -> usize;

    /// Appends the rows of `layer` of `positions` to `out`, in the order given.
    ///
    /// # Errors
    /// When a row can't be had.
    fn rows(&self, layer: &Layer, positions: &[u32], out: &mut Vec<f32>) -> Result<(), Self::Error>;
}

/// Activations in memory, in half precision: 49 kB a position of a network with 64 filters and 6 blocks.
#[derive(Debug, Clone, Default)]
pub struct HalfStore {
    filters: usize,
    /// One list a block, positions one after the other.
    blocks: Vec<Vec<f16>>,
    men: Vec<Men>,
}

/// Rows that are not in the store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoRow {
    /// The store has fewer positions.
    #[error("there are no activations of position {0}")]
    Position(u32),
    /// The store has other blocks.
    #[error(transparent)]
    Activations(#[from] WrongActivations),
}

impl HalfStore {
    /// A store for a network with this many filters and blocks; empty.
    #[must_use]
    pub fn new(filters: usize, blocks: usize) -> Self {
        Self {
            filters,
            blocks: vec![Vec::new(); blocks],
            men: Vec::new(),
        }
    }

    /// Positions in the store.
    #[must_use]
    pub fn len(&self) -> usize {
        self.men.len()
    }

    /// True when there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the next position, from all its blocks' activations and where its men stand.
    ///
    /// # Errors
    /// When blocks are missing or have another size; nothing is added then.
    pub fn push<B: AsRef<[f32]>>(&mut self, activations: &[B], men: Men) -> Result<(), WrongActivations> {
        let wanted = self.filters * 64;
        for (i, _) in self.blocks.iter().enumerate() {
            let block = u8::try_from(i + 1).unwrap_or(u8::MAX);
            let found = activations.get(i).map(|own| own.as_ref().len());
            match found {
                None => {
                    return Err(WrongActivations::NoBlock {
                        block,
                        found: activations.len(),
                    });
                }
                Some(found) if found != wanted => return Err(WrongActivations::Size { block, wanted, found }),
                Some(_) => {}
            }
        }
        for (kept, given) in self.blocks.iter_mut().zip(activations) {
            let from = kept.len();
            kept.resize(from + wanted, f16::ZERO);
            kept[from..].convert_from_f32_slice(given.as_ref());
        }
        self.men.push(men);
        Ok(())
    }
}

impl Activations for HalfStore {
    type Error = NoRow;

    fn filters(&self) -> usize {
        self.filters
    }

    fn rows(&self, layer: &Layer, positions: &[u32], out: &mut Vec<f32>) -> Result<(), NoRow> {
        let width = self.filters * 64;
        let mut block_row = vec![0.0; width];
        for &position in positions {
            let men = self.men.get(position as usize).ok_or(NoRow::Position(position))?;
            for &block in layer.blocks() {
                let kept = self
                    .blocks
                    .get(usize::from(block) - 1)
                    .ok_or(WrongActivations::NoBlock {
                        block,
                        found: self.blocks.len(),
                    })?;
                let from = position as usize * width;
                let kept = kept.get(from..from + width).ok_or(NoRow::Position(position))?;
                kept.convert_to_f32_slice(&mut block_row);
                layer.append(&block_row, men, out);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_gathered() {
        let mut store = HalfStore::new(2, 3);
        let position = |from: usize| -> Vec<Vec<f32>> {
            (0..3)
                .map(|b| (0..128).map(|i| (from + 200 * b + i) as f32).collect())
                .collect()
        };
        for i in 0..4 {
            store.push(&position(i), Men::default()).unwrap();
        }
        assert_eq!(store.len(), 4);
        let layer: Layer = "blocks 1+3 with pools".parse().unwrap();
        let (mut rows, mut wanted) = (Vec::new(), Vec::new());
        store.rows(&layer, &[2, 0], &mut rows).unwrap();
        layer.gather(&position(2), &Men::default(), 2, &mut wanted).unwrap();
        layer.gather(&position(0), &Men::default(), 2, &mut wanted).unwrap();
        assert_eq!(rows, wanted);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let mut store = HalfStore::new(1, 2);
        let block = vec![0.0; 64];
        assert_eq!(
            store.push(std::slice::from_ref(&block), Men::default()),
            Err(WrongActivations::NoBlock { block: 2, found: 1 })
        );
        store.push(&[&block, &block], Men::default()).unwrap();
        let mut rows = Vec::new();
        assert_eq!(store.rows(&Layer::block(1), &[1], &mut rows), Err(NoRow::Position(1)));
        assert!(store.rows(&Layer::block(3), &[0], &mut rows).is_err());
    }
}
