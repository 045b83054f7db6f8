//! Fits probes of changes: sums over pairs of positions, then α, then the rank heads on what the change heads say.
//!
//! α and λ are chosen on the validation games alone. The work on many rows is [`add_changes`] and
//! [`add_ranks`], to be called for one lot of pairs after the other, in several threads if there are any: each has
//! its own [`Sums`], which are merged.

use half::f16;
use ndarray::{ArrayView1, ArrayView2};

use super::super::concept::frame_name;
use super::super::layer::Layer;
use super::super::{Concept, overlap::NAMED};
use super::cholesky::NotPositive;
use super::figures::{ConceptFigures, Figures};
use super::probe::{COUNT, ChangeCard, ChangeProbes, ChangesCard, NoChanges, rank_columns, rank_row, root_size};
use super::ridge::{RidgeFit, Sums, WrongShape};
use super::targets::{Units, most_changed};

/// Least deviation of a column, as a share of the mean deviation: what hardly ever moves is not blown up.
const FLOOR: f64 = 0.05;

/// What is shrunk how much is chosen from these: α over the number of pairs, for standardised columns.
pub const SHRINKS: [f64; 4] = [0.03, 0.1, 0.3, 1.0];
/// What the predicted root may weigh beside the rank head.
pub const LAMBDAS: [f32; 6] = [0.0, 0.25, 0.5, 1.0, 1.5, 2.0];

/// The lines of all concepts over the columns as they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Heads {
    /// One a concept.
    pub lines: Vec<RidgeFit>,
    /// Each one's α over the pairs.
    pub shrinks: Vec<f64>,
}

/// What a column is multiplied by before all are shrunk alike.
#[must_use]
pub fn factors(sums: &Sums) -> Vec<f64> {
    let deviations = sums.deviations();
    let floor = FLOOR * deviations.iter().sum::<f64>() / deviations.len().max(1) as f64;
    deviations
        .into_iter()
        .map(|deviation| {
            if deviation > 0.0 {
                // What a file holds, so that the probes judge as those that are read back.
                f64::from(f16::from_f64(1.0 / deviation.max(floor)).to_f32())
            } else {
                0.0
            }
        })
        .collect()
}

/// Adds a lot of pairs to the sums of the change heads: `rows` of differences, one after the other, and the changes.
///
/// # Errors
/// When they are not as wide as they should be.
pub fn add_changes(sums: &mut Sums, rows: &[f32], changes: &[[f32; COUNT]], units: &Units) -> Result<(), WrongShape> {
    let targets: Vec<f32> = changes.iter().flat_map(|change| units.roots(change)).collect();
    sums.add(rows, &targets)
}

/// Adds a lot to the sums of the rank heads.
///
/// # Errors
/// When they are not as wide as they should be.
pub fn add_ranks(
    sums: &mut Sums,
    heads: &Heads,
    columns: &[u32],
    rows: &[f32],
    changes: &[[f32; COUNT]],
    units: &Units,
) -> Result<(), WrongShape> {
    let own = rank_rows(&values(&heads.lines, rows), columns, rows);
    let targets: Vec<f32> = changes.iter().flat_map(|change| units.ranks(change)).collect();
    sums.add(&own, &targets)
}

/// The lines' values of rows, one after the other.
#[must_use]
pub fn values(lines: &[RidgeFit], rows: &[f32]) -> Vec<[f32; COUNT]> {
    let width = lines.first().map_or(1, |line| line.weights.len().max(1));
    let weights: Vec<f32> = lines.iter().flat_map(|line| line.weights.iter().copied()).collect();
    let (Ok(weights), Ok(rows)) = (
        ArrayView2::from_shape((lines.len(), width), &weights),
        ArrayView2::from_shape((rows.len() / width, width), rows),
    ) else {
        return Vec::new();
    };
    let products = rows.dot(&weights.t());
    let value = |row: ArrayView1<f32>| std::array::from_fn(|i| lines.get(i).map_or(0.0, |line| row[i] + line.bias));
    products.rows().into_iter().map(value).collect()
}

/// Rows of the rank heads, one after the other, of rows of differences and the change heads' values of them.
#[must_use]
pub fn rank_rows(roots: &[[f32; COUNT]], columns: &[u32], rows: &[f32]) -> Vec<f32> {
    let width = rows.len() / roots.len().max(1);
    let mut own = Vec::with_capacity(roots.len() * (columns.len() + COUNT));
    for (row, roots) in rows.chunks_exact(width.max(1)).zip(roots) {
        rank_row(row, columns, roots, &mut own);
    }
    own
}

impl Heads {
    /// One set of lines for each α of [`SHRINKS`].
    ///
    /// # Errors
    /// When the equations have no single solution.
    pub fn solve(sums: &Sums) -> Result<Vec<Vec<RidgeFit>>, NotPositive> {
        let factors = factors(sums);
        SHRINKS
            .iter()
            .map(|shrink| sums.solve(&factors, shrink * sums.rows() as f64))
            .collect()
    }

    /// For each concept the lines whose predictions have the best rank correlation over the validation pairs in which
    /// it changed. `predicted`: for each α the lines' values of those pairs.
    #[must_use]
    pub fn choose(mut solved: Vec<Vec<RidgeFit>>, predicted: &[Vec<[f32; COUNT]>], truth: &[[f32; COUNT]]) -> Self {
        let figures: Vec<Figures> = predicted.iter().map(|own| Figures::of(own, truth)).collect();
        let (mut lines, mut shrinks) = (Vec::new(), Vec::new());
        for i in 0..COUNT {
            let of = |number: usize| figures[number].concepts[i].spearman.unwrap_or(0.0);
            let best = (0..solved.len().min(figures.len())).max_by(|&a, &b| of(a).total_cmp(&of(b)));
            let best = best.unwrap_or(0);
            lines.push(std::mem::replace(
                &mut solved[best][i],
                RidgeFit {
                    weights: Vec::new(),
                    bias: 0.0,
                },
            ));
            shrinks.push(SHRINKS.get(best).copied().unwrap_or(0.0));
        }
        Self { lines, shrinks }
    }
}

/// Shares of moves and of concepts that an order of concepts names rightly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Named {
    /// Of the five that changed most (fewer where fewer changed): the share among the five named.
    pub five: f64,
    /// Moves whose most changed concept is among the five named.
    pub first_among_five: f64,
    /// Moves whose most changed concept is the first one named.
    pub first: f64,
}

impl Named {
    /// Of ranks (the highest is named first) and true sizes of changes, one list a move. Moves that change nothing are
    /// left out.
    #[must_use]
    pub fn of(ranks: &[[f32; COUNT]], sizes: &[[f32; COUNT]]) -> Self {
        let (mut five, mut among, mut first, mut moves) = (0.0, 0.0, 0.0, 0.0);
        for (ranks, sizes) in ranks.iter().zip(sizes) {
            let wanted = most_changed(sizes);
            let Some(most) = wanted.first() else { continue };
            let mut order: [usize; COUNT] = std::array::from_fn(|i| i);
            order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]));
            let named = &order[..NAMED];
            let found = wanted.iter().filter(|i| named.contains(i)).count();
            five += found as f64 / wanted.len() as f64;
            among += f64::from(u8::from(named.contains(most)));
            first += f64::from(u8::from(order[0] == *most));
            moves += 1.0;
        }
        let share = |sum: f64| if moves > 0.0 { sum / moves } else { 0.0 };
        Self {
            five: share(five),
            first_among_five: share(among),
            first: share(first),
        }
    }

    fn sum(&self) -> f64 {
        self.five + self.first_among_five + self.first
    }
}

/// The rank heads, and how much the root counts beside them.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The lines.
    pub heads: Heads,
    /// See [`LAMBDAS`].
    pub lambda: f32,
}

impl Ranking {
    /// The α and the λ whose orders name most on the validation pairs. `predicted`: for each α the rank heads' values;
    /// `roots`: those of the change heads.
    #[must_use]
    pub fn choose(
        mut solved: Vec<Vec<RidgeFit>>,
        predicted: &[Vec<[f32; COUNT]>],
        roots: &[[f32; COUNT]],
        truth: &[[f32; COUNT]],
        units: &Units,
    ) -> Self {
        let sizes: Vec<[f32; COUNT]> = truth.iter().map(|change| units.sizes(change)).collect();
        let (mut best, mut most) = ((0, LAMBDAS[0]), f64::NEG_INFINITY);
        for (number, own) in predicted.iter().enumerate() {
            for lambda in LAMBDAS {
                let named = Named::of(&ranks(own, roots, units, lambda), &sizes).sum();
                if named > most {
                    (best, most) = ((number, lambda), named);
                }
            }
        }
        let (number, lambda) = best;
        Self {
            heads: Heads {
                shrinks: vec![SHRINKS.get(number).copied().unwrap_or(0.0); COUNT],
                lines: solved.swap_remove(number.min(solved.len().saturating_sub(1))),
            },
            lambda,
        }
    }
}

/// Rank heads' values and the roots' sizes together.
#[must_use]
pub fn ranks(by_heads: &[[f32; COUNT]], roots: &[[f32; COUNT]], units: &Units, lambda: f32) -> Vec<[f32; COUNT]> {
    by_heads
        .iter()
        .zip(roots)
        .map(|(head, roots)| {
            std::array::from_fn(|i| head[i] + lambda * root_size(roots[i], units.units[i], units.spreads[i]))
        })
        .collect()
}

/// What squared predictions are multiplied by to give changes in units, by least squares.
#[must_use]
pub fn gains(roots: &[[f32; COUNT]], truth: &[[f32; COUNT]], units: &Units) -> [f64; COUNT] {
    std::array::from_fn(|i| {
        let (mut products, mut squares) = (0.0, 0.0);
        for (roots, truth) in roots.iter().zip(truth) {
            let squared = f64::from(roots[i]) * f64::from(roots[i].abs());
            products += squared * f64::from(truth[i]) / units.units[i];
            squares += squared * squared;
        }
        let gain = products / squares;
        if gain.is_finite() && gain > 0.0 { gain } else { 1.0 }
    })
}

/// What the card says beside the heads.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// What is read from each seat.
    pub layer: Layer,
    /// Where the labels came from.
    pub labels: String,
    /// Pairs learnt from.
    pub n: u64,
    /// Of the split.
    pub seed: u64,
    /// See [`ChangesCard::usual`].
    pub usual: Vec<u8>,
}

/// What was learnt, before it is rounded.
#[derive(Debug, Clone, Copy)]
pub struct Learnt<'a> {
    /// The change heads.
    pub heads: &'a Heads,
    /// Factors of their columns.
    pub factors: &'a [f64],
    /// The rank heads.
    pub ranking: &'a Ranking,
    /// Factors of their columns.
    pub rank_factors: &'a [f64],
    /// What changes were measured by.
    pub units: &'a Units,
    /// See [`gains`].
    pub gains: &'a [f64; COUNT],
}

/// Puts everything together, the weights rounded to what a file holds. The figures are to be set once the probes are
/// judged, with [`ChangeProbes::judged`].
///
/// # Errors
/// When the parts don't fit together.
pub fn assemble(origin: Origin, filters: usize, learnt: &Learnt) -> Result<ChangeProbes, NoChanges> {
    let Learnt {
        heads,
        factors,
        ranking,
        rank_factors,
        units,
        gains,
    } = *learnt;
    let mut cards = Vec::new();
    let (mut weights, mut rank_weights) = (Vec::new(), Vec::new());
    for (i, concept) in Concept::ALL.into_iter().enumerate() {
        let (line, rank_line) = (&heads.lines[i], &ranking.heads.lines[i]);
        let (scale, own) = rounded(&line.weights, factors);
        let (rank_scale, rank_own) = rounded(&rank_line.weights, rank_factors);
        weights.push(own);
        rank_weights.push(rank_own);
        cards.push(ChangeCard {
            name: frame_name(concept),
            shrink: heads.shrinks[i],
            unit: units.units[i],
            spread: units.spreads[i],
            gain: gains[i],
            bias: line.bias,
            scale,
            rank_bias: rank_line.bias,
            rank_scale,
            figures: ConceptFigures {
                changed: 0,
                spearman: None,
                sign: None,
            },
        });
    }
    let Origin {
        layer,
        labels,
        n,
        seed,
        usual,
    } = origin;
    let single = |all: &[f64]| all.iter().map(|&x| x as f32).collect();
    ChangeProbes {
        filters,
        factors: single(factors),
        rank_factors: single(rank_factors),
        weights,
        rank_weights,
        card: ChangesCard {
            layer,
            labels,
            n,
            seed,
            lambda: ranking.lambda,
            usual: usual.into_iter().take(NAMED).collect(),
            heads: cards,
        },
    }
    .checked()
}

impl ChangeProbes {
    /// The same with what was found on games that took no part.
    #[must_use]
    pub fn judged(mut self, figures: &Figures) -> Self {
        for (head, own) in self.card.heads.iter_mut().zip(&figures.concepts) {
            head.figures = *own;
        }
        self
    }
}

/// Weights on standardised columns in 127ths of the largest.
fn rounded(weights: &[f32], factors: &[f64]) -> (f32, Vec<i8>) {
    let standardised: Vec<f64> = weights
        .iter()
        .zip(factors)
        .map(|(&w, &factor)| if factor > 0.0 { f64::from(w) / factor } else { 0.0 })
        .collect();
    let largest = standardised.iter().fold(0.0_f64, |most, w| most.max(w.abs()));
    let scale = if largest > 0.0 { largest } else { 1.0 };
    let own = standardised.iter().map(|w| (w / scale * 127.0).round() as i8).collect();
    (scale as f32, own)
}

/// The columns that rank heads read beside the 21 roots, and how wide their rows are.
#[must_use]
pub fn rank_shape(layer: &Layer, filters: usize) -> (Vec<u32>, usize) {
    let columns = rank_columns(layer, filters);
    let width = columns.len() + COUNT;
    (columns, width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    /// What scikit-learn and NumPy say of the same moves: `tests/data/prepare/ridge_expected.py`.
    #[derive(Deserialize)]
    struct Case {
        learnt: usize,
        columns: Vec<u32>,
        units: Vec<f64>,
        spreads: Vec<f64>,
        rows: Vec<Vec<f32>>,
        roots: Vec<Vec<f32>>,
        changes: Vec<Vec<f32>>,
        targets: Vec<Vec<f32>>,
        weights: Vec<Vec<Vec<f32>>>,
        biases: Vec<Vec<f32>>,
        shrink: f64,
        lambda: f32,
    }

    fn of_concepts<T: Copy + std::fmt::Debug>(list: &[T]) -> [T; COUNT] {
        list.try_into().unwrap()
    }

    #[test]
    fn rank_heads_are_those_of_scikit_learn() {
        let case: Case = serde_json::from_str(include_str!("../../../tests/data/ridge/ranks.json")).unwrap();
        let units = Units {
            units: of_concepts(&case.units),
            spreads: of_concepts(&case.spreads),
        };
        let all = |lists: &[Vec<f32>]| -> Vec<[f32; COUNT]> { lists.iter().map(|list| of_concepts(list)).collect() };
        let (roots, changes) = (all(&case.roots), all(&case.changes));
        for (change, wanted) in changes.iter().zip(&case.targets) {
            let own = units.ranks(change);
            assert!(
                own.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-4),
                "{own:?} {wanted:?}"
            );
        }
        let width = case.columns.len() + COUNT;
        let own = rank_rows(&roots, &case.columns, &case.rows.concat());
        assert_eq!(own.len(), case.rows.len() * width);
        let mut sums = Sums::new(width, COUNT);
        let targets: Vec<f32> = changes[..case.learnt]
            .iter()
            .flat_map(|change| units.ranks(change))
            .collect();
        sums.add(&own[..case.learnt * width], &targets).unwrap();
        let solved: Vec<Vec<RidgeFit>> = SHRINKS
            .iter()
            .map(|shrink| sums.solve(&[], shrink * case.learnt as f64).unwrap())
            .collect();
        for (lines, (weights, biases)) in solved.iter().zip(case.weights.iter().zip(&case.biases)) {
            for (line, (weights, bias)) in lines.iter().zip(weights.iter().zip(biases)) {
                assert!(line.weights.iter().zip(weights).all(|(a, b)| (a - b).abs() < 1e-4));
                assert!((line.bias - bias).abs() < 1e-4, "{} {bias}", line.bias);
            }
        }
        let judged = &own[case.learnt * width..];
        let predicted: Vec<_> = solved.iter().map(|lines| values(lines, judged)).collect();
        let ranking = Ranking::choose(
            solved,
            &predicted,
            &roots[case.learnt..],
            &changes[case.learnt..],
            &units,
        );
        assert_eq!((ranking.heads.shrinks[0], ranking.lambda), (case.shrink, case.lambda));
    }
}
