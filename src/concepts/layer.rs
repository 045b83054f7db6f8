//! What a probe reads of a network.
//!
//! Residual blocks are numbered from 1, in the order in which a [`Runner`](crate::net) with `Taps::All` gives their
//! outputs. The output of the input convolution, before the first block, is not among them and can't be read.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::men::Men;

/// Squares of a filter's plane.
const SQUARES: usize = 64;
/// Ranks and files.
const LINES: usize = 16;

/// The squares of each rank, then of each file.
fn lines() -> impl Iterator<Item = u64> {
    (0..8)
        .map(|rank| 0xff << (8 * rank))
        .chain((0..8).map(|file| 0x0101_0101_0101_0101 << file))
}

/// What is read of every filter beside its 64 squares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pools {
    /// The 64 squares alone.
    #[default]
    None,
    /// The mean over the board, and the maximum.
    Board,
    /// These, and the mean and the maximum over the squares of each kind of man, ours PNBRQK, then theirs; 0 where there
    /// is none. What a network knows of "our queen" stands wherever she does: read square by square it has to be learnt
    /// 64 times.
    Men,
    /// The pools by men without the squares: less than half the numbers, for concepts that are about a man wherever it
    /// stands.
    MenAlone,
    /// Without the squares: the sums over the squares of each kind of man, ours PNBRQK, then theirs, over each rank, and
    /// over each file. Terms of an evaluation are sums over men, and a sum that loses a man changes by what the man was
    /// worth, where a mean changes for all; so this is what probes of changes read.
    Sums,
}

impl Pools {
    const ALL: [Self; 5] = [Self::None, Self::Board, Self::Men, Self::MenAlone, Self::Sums];

    /// Numbers a filter, its squares among them where they are read.
    const fn width(self) -> usize {
        match self {
            Self::None => SQUARES,
            Self::Board => SQUARES + 2,
            Self::Men => SQUARES + 2 + 2 * Men::KINDS,
            Self::MenAlone => 2 + 2 * Men::KINDS,
            Self::Sums => Men::KINDS + LINES,
        }
    }

    const fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Board => " with pools",
            Self::Men => " with pools by men",
            Self::MenAlone => " as pools by men",
            Self::Sums => " as sums by men and lines",
        }
    }
}

/// The outputs of one or several residual blocks, as one row of numbers.
///
/// For each block in turn: the plane, rank and file of every filter (filters × 64, as the network gives them); with
/// pools, then the mean over the 64 squares of every filter, then the maximum of every filter; with pools by men, then
/// the same two over the squares of each kind of man, kind by kind.
///
/// `Display`, `FromStr` and serde use a text: `block 6`, `blocks 2+6`, `block 6 with pools`, `block 6 with pools by men`,
/// `block 6 as pools by men`, `block 6 as sums by men and lines`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Layer {
    blocks: Vec<u8>,
    pools: Pools,
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
    pub fn new(blocks: Vec<u8>, pools: Pools) -> Result<Self, NoLayer> {
        let layer = Self { blocks, pools };
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
            pools: Pools::None,
        }
    }

    /// At most `most` of a network's blocks, evenly spread, the last one among them.
    #[must_use]
    pub fn spread(blocks: u8, most: u8) -> Self {
        let (all, most) = (u32::from(blocks.max(1)), u32::from(blocks.clamp(1, most.max(1))));
        Self {
            // Below 256, since `all` is.
            blocks: (1..=most).map(|i| (i * all / most) as u8).collect(),
            pools: Pools::None,
        }
    }

    /// The same blocks with pools.
    #[must_use]
    pub fn with_pools(mut self, pools: Pools) -> Self {
        self.pools = pools;
        self
    }

    /// The blocks' numbers, from 1, ascending.
    #[must_use]
    pub fn blocks(&self) -> &[u8] {
        &self.blocks
    }

    /// What is read beside the squares.
    #[must_use]
    pub const fn pools(&self) -> Pools {
        self.pools
    }

    /// Numbers in a row, of a network with `filters` filters.
    #[must_use]
    pub fn width(&self, filters: usize) -> usize {
        self.blocks.len() * filters * self.pools.width()
    }

    /// Appends the row of a position to `out`.
    ///
    /// `activations`: every block's, the first block first, each filters × 64. Blocks that are not read may be empty.
    /// `men`: where they stand in that position, as the network sees it.
    ///
    /// # Errors
    /// When a block is missing or has another size; `out` is left as it was.
    pub fn gather<B: AsRef<[f32]>>(
        &self,
        activations: &[B],
        men: &Men,
        filters: usize,
        out: &mut Vec<f32>,
    ) -> Result<(), WrongActivations> {
        self.check(activations, filters)?;
        for &block in &self.blocks {
            self.append(activations[usize::from(block) - 1].as_ref(), men, out);
        }
        Ok(())
    }

    /// Appends what is read of one block, given its filters × 64 activations.
    pub fn append(&self, block: &[f32], men: &Men, out: &mut Vec<f32>) {
        let planes = block.chunks_exact(SQUARES);
        if self.pools == Pools::Sums {
            for squares in men.squares().iter().copied().chain(lines()) {
                out.extend(planes.clone().map(|plane| fold_over(plane, squares, 0.0, |a, b| a + b)));
            }
            return;
        }
        if self.pools != Pools::MenAlone {
            out.extend_from_slice(block);
        }
        if self.pools == Pools::None {
            return;
        }
        out.extend(planes.clone().map(|plane| plane.iter().sum::<f32>() / SQUARES as f32));
        out.extend(
            planes
                .clone()
                .map(|plane| plane.iter().copied().fold(f32::NEG_INFINITY, f32::max)),
        );
        if self.pools != Pools::Board {
            for &squares in men.squares() {
                let share = 1.0 / squares.count_ones().max(1) as f32;
                out.extend(
                    planes
                        .clone()
                        .map(|plane| share * fold_over(plane, squares, 0.0, |a, b| a + b)),
                );
                out.extend(planes.clone().map(|plane| largest_over(plane, squares)));
            }
        }
    }
}

impl Layer {
    /// Deals `Σ weight × number` of a row out to the squares that its numbers come from, and adds each square's part to
    /// `shares`: exactly, for a number is an activation, a mean or a sum of some squares' activations, or the largest of
    /// them, which is all its square's.
    ///
    /// `weights`: of a row of this layer; `activations` and `men` as for [`Layer::gather`]. Square 0 is a1 as the network
    /// sees the board.
    ///
    /// # Errors
    /// When a block is missing or has another size; `shares` are left as they were.
    pub fn deal<B: AsRef<[f32]>>(
        &self,
        weights: &[f32],
        activations: &[B],
        men: &Men,
        filters: usize,
        shares: &mut [f64; SQUARES],
    ) -> Result<(), WrongActivations> {
        self.check(activations, filters)?;
        let own = weights.chunks_exact((filters * self.pools.width()).max(1));
        for (&block, own) in self.blocks.iter().zip(own) {
            let planes = activations[usize::from(block) - 1].as_ref().chunks_exact(SQUARES);
            // The numbers of a row come filter by filter for each pool.
            let (squares, pools) = match self.pools {
                Pools::None | Pools::Board | Pools::Men => own.split_at(filters * SQUARES),
                Pools::MenAlone | Pools::Sums => own.split_at(0),
            };
            for (plane, weights) in planes.clone().zip(squares.chunks_exact(SQUARES)) {
                for ((share, &a), &w) in shares.iter_mut().zip(plane).zip(weights) {
                    *share += f64::from(a) * f64::from(w);
                }
            }
            for ((over, mean), weights) in self.pools.parts(men).zip(pools.chunks_exact(filters.max(1))) {
                for (plane, &weight) in planes.clone().zip(weights) {
                    let weight = f64::from(weight);
                    match mean {
                        Some(mean) => {
                            for square in set(over) {
                                shares[square] += weight * mean * f64::from(plane[square]);
                            }
                        }
                        None => {
                            if let Some(square) = set(over).reduce(|a, b| if plane[b] > plane[a] { b } else { a }) {
                                shares[square] += weight * f64::from(plane[square]);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The direction in one block's activations along which `Σ weight × number` of a row grows: filters × 64 numbers, what
    /// each activation counts for in this position. (Of a maximum it is the square that has it now.) All 0 where the layer
    /// does not read that block.
    ///
    /// # Errors
    /// When a block is missing or has another size.
    pub fn direction<B: AsRef<[f32]>>(
        &self,
        weights: &[f32],
        activations: &[B],
        men: &Men,
        filters: usize,
        block: u8,
    ) -> Result<Vec<f32>, WrongActivations> {
        self.check(activations, filters)?;
        let mut direction = vec![0.0; filters * SQUARES];
        let own = weights.chunks_exact((filters * self.pools.width()).max(1));
        for (_, own) in self.blocks.iter().zip(own).filter(|(own, _)| **own == block) {
            let planes = activations[usize::from(block) - 1].as_ref().chunks_exact(SQUARES);
            let (squares, pools) = match self.pools {
                Pools::None | Pools::Board | Pools::Men => own.split_at(filters * SQUARES),
                Pools::MenAlone | Pools::Sums => own.split_at(0),
            };
            direction.iter_mut().zip(squares).for_each(|(d, w)| *d += w);
            for ((over, mean), weights) in self.pools.parts(men).zip(pools.chunks_exact(filters.max(1))) {
                for ((plane, own), &weight) in planes.clone().zip(direction.chunks_exact_mut(SQUARES)).zip(weights) {
                    match mean {
                        Some(mean) => set(over).for_each(|square| own[square] += weight * mean as f32),
                        None => {
                            if let Some(square) = set(over).reduce(|a, b| if plane[b] > plane[a] { b } else { a }) {
                                own[square] += weight;
                            }
                        }
                    }
                }
            }
        }
        Ok(direction)
    }

    fn check<B: AsRef<[f32]>>(&self, activations: &[B], filters: usize) -> Result<(), WrongActivations> {
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
        Ok(())
    }
}

impl Pools {
    /// The pools of a filter in the order of a row: over which squares, and what each counts for in the sum; `None` where
    /// it is the largest.
    fn parts(self, men: &Men) -> impl Iterator<Item = (u64, Option<f64>)> {
        let board = [(u64::MAX, Some(1.0 / SQUARES as f64)), (u64::MAX, None)];
        let kinds = *men.squares();
        let by_men = kinds.into_iter().flat_map(|squares| {
            [
                (squares, Some(1.0 / f64::from(squares.count_ones().max(1)))),
                (squares, None),
            ]
        });
        let sums = kinds.into_iter().chain(lines()).map(|squares| (squares, Some(1.0)));
        let takes = match self {
            Self::None => [0, 0, 0],
            Self::Board => [2, 0, 0],
            Self::Men | Self::MenAlone => [2, usize::MAX, 0],
            Self::Sums => [0, 0, usize::MAX],
        };
        board
            .into_iter()
            .take(takes[0])
            .chain(by_men.take(takes[1]))
            .chain(sums.take(takes[2]))
    }
}

/// The numbers of the squares that are set.
fn set(mut squares: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = (squares != 0).then(|| squares.trailing_zeros() as usize)?;
        squares &= squares - 1;
        Some(square)
    })
}

/// Folds a plane's values on the squares that are set.
fn fold_over(plane: &[f32], mut squares: u64, start: f32, fold: impl Fn(f32, f32) -> f32) -> f32 {
    let mut folded = start;
    while squares != 0 {
        folded = fold(folded, plane[squares.trailing_zeros() as usize]);
        squares &= squares - 1;
    }
    folded
}

/// The largest of a plane's values on the squares that are set; 0 where none is.
fn largest_over(plane: &[f32], squares: u64) -> f32 {
    if squares == 0 {
        return 0.0;
    }
    fold_over(plane, squares, f32::NEG_INFINITY, f32::max)
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.blocks.len() == 1 { "block " } else { "blocks " })?;
        for (i, block) in self.blocks.iter().enumerate() {
            write!(f, "{}{block}", if i == 0 { "" } else { "+" })?;
        }
        f.write_str(self.pools.suffix())
    }
}

impl FromStr for Layer {
    type Err = NoLayer;

    fn from_str(text: &str) -> Result<Self, NoLayer> {
        let no_layer = || NoLayer(text.chars().take(100).collect());
        // The longest suffix that fits: every text ends in the empty one.
        let (rest, pools) = Pools::ALL
            .into_iter()
            .rev()
            .find_map(|pools| Some((text.strip_suffix(pools.suffix())?, pools)))
            .ok_or_else(no_layer)?;
        let blocks = rest
            .strip_prefix("blocks ")
            .or_else(|| rest.strip_prefix("block "))
            .ok_or_else(no_layer)?
            .split('+')
            .map(|number| number.parse().map_err(|_| no_layer()))
            .collect::<Result<Vec<u8>, _>>()?;
        let layer = Self::new(blocks, pools).map_err(|_| no_layer())?;
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
    use crate::net::InputFormat;
    use proptest::prelude::*;

    #[test]
    fn texts() {
        for (text, blocks, pools) in [
            ("block 6", vec![6], Pools::None),
            ("blocks 2+6", vec![2, 6], Pools::None),
            ("block 255 with pools", vec![255], Pools::Board),
            ("blocks 1+2+3 with pools by men", vec![1, 2, 3], Pools::Men),
            ("block 2 as pools by men", vec![2], Pools::MenAlone),
            ("blocks 2+4 as sums by men and lines", vec![2, 4], Pools::Sums),
        ] {
            let layer = Layer::new(blocks, pools).unwrap();
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
        layer.gather(&blocks, &Men::default(), 2, &mut row).unwrap();
        assert_eq!(row.len() - 1, layer.width(2));
        assert_eq!(row[..3], [-1.0, 0.0, 1.0]);
        assert_eq!(row[129..134], [31.5, 95.5, 63.0, 127.0, 1000.0]);
        assert_eq!(row[261..], [1031.5, 1095.5, 1063.0, 1127.0]);
        let mut flat = Vec::new();
        Layer::block(3).gather(&blocks, &Men::default(), 2, &mut flat).unwrap();
        assert_eq!(flat, blocks[2]);
    }

    #[test]
    fn blocks_are_spread_to_the_last() {
        for (blocks, most, wanted) in [
            (6, 6, "blocks 1+2+3+4+5+6"),
            (20, 6, "blocks 3+6+10+13+16+20"),
            (255, 3, "blocks 85+170+255"),
            (3, 6, "blocks 1+2+3"),
            (0, 0, "block 1"),
        ] {
            assert_eq!(Layer::spread(blocks, most).to_string(), wanted);
        }
    }

    #[test]
    fn pools_by_men_are_means_over_their_squares() {
        let block: Vec<f32> = (0..128).map(|i| i as f32).collect();
        let men = Men::seen(InputFormat::Classical, &shakmaty::Chess::default());
        let layer = Layer::block(1).with_pools(Pools::Men);
        let mut row = Vec::new();
        layer.gather(&[block], &men, 2, &mut row).unwrap();
        assert_eq!(row.len(), layer.width(2));
        // Our pawns on the second rank, knights on b1 and g1, …; both filters, the means first.
        assert_eq!(row[132..140], [11.5, 75.5, 15.0, 79.0, 3.5, 67.5, 6.0, 70.0]);
        assert_eq!(row[148..152], [3.0, 67.0, 3.0, 67.0], "queen");
        assert_eq!(row[row.len() - 4..], [60.0, 124.0, 60.0, 124.0], "their king");
        let mut none = Vec::new();
        layer.append(&[1.0; 64], &Men::default(), &mut none);
        assert_eq!(
            (none[64], none[65], none[66..].iter().sum::<f32>()),
            (1.0, 1.0, 0.0),
            "no men"
        );
        let alone = layer.with_pools(Pools::MenAlone);
        let mut pools = Vec::new();
        alone.append(&[1.0; 64], &Men::default(), &mut pools);
        assert_eq!(pools, none[64..]);
        assert_eq!(pools.len(), alone.width(1));
    }

    #[test]
    fn sums_are_over_men_ranks_and_files() {
        let block: Vec<f32> = (0..128).map(|i| i as f32).collect();
        let men = Men::seen(InputFormat::Classical, &shakmaty::Chess::default());
        let layer = Layer::block(1).with_pools(Pools::Sums);
        let mut row = Vec::new();
        layer.gather(&[block], &men, 2, &mut row).unwrap();
        assert_eq!(row.len(), layer.width(2));
        assert_eq!(
            row[..4],
            [92.0, 604.0, 7.0, 135.0],
            "our pawns, our knights; both filters"
        );
        assert_eq!(row[24..26], [28.0, 540.0], "the first rank");
        assert_eq!(row[40..42], [224.0, 736.0], "the a-file");
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
        assert_eq!(layer.gather(&blocks, &Men::default(), 2, &mut row), Err(size));
        let none = WrongActivations::NoBlock { block: 3, found: 2 };
        assert_eq!(Layer::block(3).gather(&blocks, &Men::default(), 2, &mut row), Err(none));
        assert!(row.is_empty());
    }

    proptest! {
        #[test]
        fn every_layer_survives_its_text(blocks in proptest::collection::btree_set(1..=u8::MAX, 1..6), pools in 0usize..5) {
            let layer = Layer::new(blocks.into_iter().collect(), Pools::ALL[pools]).unwrap();
            prop_assert_eq!(layer.to_string().parse(), Ok(layer));
        }

        /// Whatever is read: the squares' shares sum to the value.
        #[test]
        fn shares_sum_to_the_value(
            numbers in proptest::collection::vec(-2.0f32..2.0, 256),
            weights in proptest::collection::vec(-1.0f32..1.0, 2 * 2 * 90),
            pools in 0usize..5,
            squares in proptest::array::uniform12(any::<u64>()),
        ) {
            let layer = Layer::new(vec![1, 2], Pools::ALL[pools]).unwrap();
            let men = Men::of_squares(squares);
            let blocks = [&numbers[..128], &numbers[128..]];
            let mut row = Vec::new();
            layer.gather(&blocks, &men, 2, &mut row).unwrap();
            let value: f64 = row.iter().zip(&weights).map(|(&x, &w)| f64::from(x) * f64::from(w)).sum();
            let mut shares = [0.0; SQUARES];
            layer.deal(&weights[..row.len()], &blocks, &men, 2, &mut shares).unwrap();
            prop_assert!((shares.iter().sum::<f64>() - value).abs() < 1e-4, "{:?}", layer);
        }

        /// The direction is what the value grows by when one activation does: of maxima while the largest stays it.
        #[test]
        fn directions_are_what_finite_differences_say(
            // No two alike, and far enough apart for the largest to stay it.
            order in proptest::sample::subsequence((0..512usize).collect::<Vec<_>>(), 256).prop_shuffle(),
            weights in proptest::collection::vec(-1.0f32..1.0, 2 * 2 * 90),
            pools in 0usize..5,
            squares in proptest::array::uniform12(any::<u64>()),
            block in 1u8..=2,
        ) {
            const STEP: f32 = 0.25;
            let layer = Layer::new(vec![1, 2], Pools::ALL[pools]).unwrap();
            let men = Men::of_squares(squares);
            let numbers: Vec<f32> = order.iter().map(|&number| number as f32).collect();
            let value = |numbers: &[f32]| -> f64 {
                let mut row = Vec::new();
                layer.gather(&[&numbers[..128], &numbers[128..]], &men, 2, &mut row).unwrap();
                row.iter().zip(&weights).map(|(&x, &w)| f64::from(x) * f64::from(w)).sum()
            };
            let blocks = [&numbers[..128], &numbers[128..]];
            let width = layer.width(2);
            let along = layer.direction(&weights[..width], &blocks, &men, 2, block).unwrap();
            prop_assert_eq!(along.len(), 128);
            for at in (0..128).step_by(7) {
                let moved = |by: f32| {
                    let mut numbers = numbers.clone();
                    numbers[usize::from(block - 1) * 128 + at] += by;
                    value(&numbers)
                };
                let slope = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
                prop_assert!((slope - f64::from(along[at])).abs() < 2e-3, "{:?} {at}: {slope} {}", layer, along[at]);
            }
        }

        #[test]
        fn no_text_panics(text in "(block|blocks)? ?[0-9+]{0,8}( with pools( by men)?| as pools by men| as sums by men and lines)?|.*") {
            if let Ok(layer) = text.parse::<Layer>() {
                prop_assert_eq!(layer.to_string(), text);
            }
        }
    }
}
