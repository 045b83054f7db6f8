//! Fits probes of changes step by step: a lot of pairs or an α at a time, the same procedure on the command line and in the
//! browser.

use std::thread;

use super::super::concept::frame_name;
use super::super::{Concept, layer::Layer};
use super::cholesky::NotPositive;
use super::figures::Figures;
use super::fit::{
    Heads, Learnt, Named, Origin, Ranking, SHRINKS, add_changes, add_ranks, assemble, factors, gains, rank_rows, ranks,
    values,
};
use super::probe::{COUNT, ChangeProbes, NoChanges};
use super::ridge::{RidgeFit, Sums, WrongShape};
use super::targets::{Units, usual};

/// The differences of pairs of positions, known by their numbers.
pub trait PairRows {
    /// Why rows can't be had.
    type Error: std::error::Error + Send + 'static;

    /// Numbers in a row: of both seats.
    fn width(&self) -> usize;

    /// Appends the rows of `pairs` to `out`, in the order given.
    ///
    /// # Errors
    /// When a row can't be had.
    fn append(&self, pairs: &[u32], out: &mut Vec<f32>) -> Result<(), Self::Error>;
}

/// What is to be learnt of pairs.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// What each changed of the terms, in the mover's frame; see [`change`](super::targets::change).
    pub changes: Vec<[f32; COUNT]>,
    /// The terms before the move, likewise.
    pub before: Vec<[f32; COUNT]>,
    /// Whether the pair chooses in place of being learnt from: the same for all pairs of a game.
    pub chooses: Vec<bool>,
}

/// Why there are no probes of changes.
#[derive(Debug, thiserror::Error)]
pub enum ChangeFitError<E> {
    /// None to learn from, or none to choose by.
    #[error("there are {training} moves to learn changes from and {choosing} to choose by")]
    TooFew {
        /// To learn from.
        training: usize,
        /// To choose by.
        choosing: usize,
    },
    /// Rows of another width.
    #[error(transparent)]
    Shape(#[from] WrongShape),
    /// The equations have no single solution.
    #[error(transparent)]
    Equations(#[from] NotPositive),
    /// Rows can't be had.
    #[error("{0}")]
    Rows(E),
}

/// How to fit.
#[derive(Debug, Clone)]
pub struct ChangeSettings {
    /// Columns of a row that rank heads read the size of; see [`rank_shape`](super::fit::rank_shape).
    pub columns: Vec<u32>,
    /// Pairs worked on at once.
    pub lot: usize,
    /// Lots worked on at the same time; 1 where there are no threads.
    pub threads: usize,
}

/// A fit under way.
#[derive(Debug)]
pub struct ChangeFitting {
    pairs: Pairs,
    settings: ChangeSettings,
    training: Vec<u32>,
    choosing: Vec<u32>,
    truth: Vec<[f32; COUNT]>,
    units: Units,
    stage: Stage,
    done: usize,
}

/// The change heads once they are chosen.
#[derive(Debug)]
struct Chosen {
    factors: Vec<f64>,
    heads: Heads,
    /// What they say of the pairs that choose.
    roots: Vec<[f32; COUNT]>,
}

/// Values of pairs, for each α one list.
type Predicted = Vec<Vec<[f32; COUNT]>>;

/// What is done next. Where the change heads are chosen, the rank heads are fitted on what they say.
#[derive(Debug)]
enum Stage {
    Sum {
        chosen: Option<Chosen>,
        at: usize,
        sums: Vec<Sums>,
    },
    Solve {
        chosen: Option<Chosen>,
        sums: Sums,
        solved: Vec<Vec<RidgeFit>>,
    },
    Try {
        chosen: Option<Chosen>,
        factors: Vec<f64>,
        solved: Vec<Vec<RidgeFit>>,
        at: usize,
        predicted: Predicted,
    },
    Done(Box<FittedChanges>),
    /// An error has ended it.
    Ended,
}

/// What was learnt.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedChanges {
    /// What changes were measured by.
    pub units: Units,
    /// The change heads.
    pub heads: Heads,
    /// The rank heads and λ.
    pub ranking: Ranking,
    /// Factors of the change heads' columns.
    pub factors: Vec<f64>,
    /// Factors of the rank heads' columns.
    pub rank_factors: Vec<f64>,
    /// See [`gains`].
    pub gains: [f64; COUNT],
    /// Columns that the rank heads read the size of.
    pub columns: Vec<u32>,
    /// The concepts, those first that are most often among the five.
    pub usual: Vec<u8>,
    /// Pairs learnt from.
    pub n: usize,
}

impl ChangeFitting {
    /// A fit of rows of this width, on all pairs.
    #[must_use]
    pub fn new(pairs: Pairs, width: usize, settings: ChangeSettings) -> Self {
        let all: Vec<u32> = (0..pairs.changes.len() as u32).collect();
        Self::of(pairs, &all, width, settings)
    }

    /// The same on the pairs with these numbers; the others judge.
    #[must_use]
    pub fn of(pairs: Pairs, numbers: &[u32], width: usize, settings: ChangeSettings) -> Self {
        let (choosing, training): (Vec<u32>, Vec<u32>) =
            numbers.iter().copied().partition(|&i| pairs.chooses[i as usize]);
        let of = |list: &[u32], all: &[[f32; COUNT]]| list.iter().map(|&i| all[i as usize]).collect::<Vec<_>>();
        Self {
            units: Units::of(&of(&training, &pairs.changes), &of(&training, &pairs.before)),
            truth: of(&choosing, &pairs.changes),
            stage: Stage::Sum {
                chosen: None,
                at: 0,
                sums: vec![Sums::new(width, COUNT)],
            },
            done: 0,
            training,
            choosing,
            pairs,
            settings: ChangeSettings {
                lot: settings.lot.max(1),
                threads: settings.threads.max(1),
                ..settings
            },
        }
    }

    /// Steps done, and all steps.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        let at_once = self.settings.lot * self.settings.threads;
        let each = self.training.len().div_ceil(at_once) + SHRINKS.len() + self.choosing.len().div_ceil(at_once);
        (self.done, 2 * each)
    }

    /// How many pairs are learnt from and how many choose.
    #[must_use]
    pub fn counts(&self) -> [usize; 2] {
        [self.training.len(), self.choosing.len()]
    }

    /// What was learnt, once it is done.
    #[must_use]
    pub fn fitted(&self) -> Option<&FittedChanges> {
        match &self.stage {
            Stage::Done(fitted) => Some(fitted),
            _ => None,
        }
    }

    /// Does the next bit of work; `false` once all is done.
    ///
    /// # Errors
    /// When rows can't be had or nothing can be learnt from them; the fit is over then.
    pub fn step<R: PairRows + Sync>(&mut self, rows: &R) -> Result<bool, ChangeFitError<R::Error>> {
        let counts = self.counts();
        if counts.contains(&0) {
            return Err(ChangeFitError::TooFew {
                training: counts[0],
                choosing: counts[1],
            });
        }
        let next = match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Sum { chosen, at, sums } => self.sum(rows, chosen, at, sums)?,
            Stage::Solve {
                chosen,
                sums,
                mut solved,
            } => {
                let factors = factors(&sums);
                let shrink = SHRINKS[solved.len()];
                solved.push(sums.solve(&factors, shrink * sums.rows() as f64)?);
                if solved.len() < SHRINKS.len() {
                    Stage::Solve { chosen, sums, solved }
                } else {
                    Stage::Try {
                        chosen,
                        factors,
                        solved,
                        at: 0,
                        predicted: vec![Vec::new(); SHRINKS.len()],
                    }
                }
            }
            Stage::Try {
                chosen,
                factors,
                solved,
                at,
                predicted,
            } => self.attempt(rows, chosen, factors, solved, at, predicted)?,
            done @ (Stage::Done(_) | Stage::Ended) => {
                self.stage = done;
                return Ok(false);
            }
        };
        self.done += 1;
        self.stage = next;
        Ok(!matches!(self.stage, Stage::Done(_)))
    }

    fn sum<R: PairRows + Sync>(
        &self,
        rows: &R,
        chosen: Option<Chosen>,
        at: usize,
        mut sums: Vec<Sums>,
    ) -> Result<Stage, ChangeFitError<R::Error>> {
        let ChangeSettings { columns, lot, threads } = &self.settings;
        let till = (at + lot * threads).min(self.training.len());
        let lots: Vec<&[u32]> = self.training[at..till].chunks(*lot).collect();
        let width = sums.first().map_or(0, Sums::width);
        sums.resize_with(sums.len().max(lots.len()), || Sums::new(width, COUNT));
        let add = |sums: &mut Sums, lot: &[u32]| -> Result<(), ChangeFitError<R::Error>> {
            let mut own = Vec::with_capacity(lot.len() * rows.width());
            rows.append(lot, &mut own).map_err(ChangeFitError::Rows)?;
            let changes: Vec<_> = lot.iter().map(|&i| self.pairs.changes[i as usize]).collect();
            match &chosen {
                None => add_changes(sums, &own, &changes, &self.units)?,
                Some(chosen) => add_ranks(sums, &chosen.heads, columns, &own, &changes, &self.units)?,
            }
            Ok(())
        };
        in_threads(sums.iter_mut().zip(lots).collect(), &|(sums, lot)| add(sums, lot))?;
        if till < self.training.len() {
            return Ok(Stage::Sum { chosen, at: till, sums });
        }
        let mut all = sums.into_iter();
        // There is one at least, from the beginning.
        let mut first = all.next().unwrap_or_else(|| Sums::new(width, COUNT));
        for other in all {
            first.merge(&other)?;
        }
        Ok(Stage::Solve {
            chosen,
            sums: first,
            solved: Vec::new(),
        })
    }

    fn attempt<R: PairRows + Sync>(
        &self,
        rows: &R,
        chosen: Option<Chosen>,
        factors: Vec<f64>,
        solved: Vec<Vec<RidgeFit>>,
        at: usize,
        mut predicted: Predicted,
    ) -> Result<Stage, ChangeFitError<R::Error>> {
        let ChangeSettings { columns, lot, threads } = &self.settings;
        let till = (at + lot * threads).min(self.choosing.len());
        let lots: Vec<&[u32]> = self.choosing[at..till].chunks(*lot).collect();
        let predict = |lot: &[u32]| -> Result<Predicted, ChangeFitError<R::Error>> {
            let mut own = Vec::with_capacity(lot.len() * rows.width());
            rows.append(lot, &mut own).map_err(ChangeFitError::Rows)?;
            if let Some(chosen) = &chosen {
                own = rank_rows(&values(&chosen.heads.lines, &own), columns, &own);
            }
            Ok(solved.iter().map(|lines| values(lines, &own)).collect())
        };
        for found in in_threads(lots, &predict)? {
            for (all, own) in predicted.iter_mut().zip(found) {
                all.extend(own);
            }
        }
        if till < self.choosing.len() {
            return Ok(Stage::Try {
                chosen,
                factors,
                solved,
                at: till,
                predicted,
            });
        }
        let Some(chosen) = chosen else {
            let heads = Heads::choose(solved, &predicted, &self.truth);
            // Each concept's from the α that was chosen for it.
            let numbers: Vec<usize> = heads
                .shrinks
                .iter()
                .map(|shrink| SHRINKS.iter().position(|own| own == shrink).unwrap_or(0))
                .collect();
            let roots = (0..self.choosing.len())
                .map(|pair| std::array::from_fn(|i| predicted[numbers[i]][pair][i]))
                .collect();
            return Ok(Stage::Sum {
                chosen: Some(Chosen { factors, heads, roots }),
                at: 0,
                sums: vec![Sums::new(columns.len() + COUNT, COUNT)],
            });
        };
        let ranking = Ranking::choose(solved, &predicted, &chosen.roots, &self.truth, &self.units);
        let learnt: Vec<_> = self.training.iter().map(|&i| self.pairs.changes[i as usize]).collect();
        Ok(Stage::Done(Box::new(FittedChanges {
            gains: gains(&chosen.roots, &self.truth, &self.units),
            usual: usual(&learnt, &self.units),
            units: self.units,
            heads: chosen.heads,
            ranking,
            factors: chosen.factors,
            rank_factors: factors,
            columns: columns.clone(),
            n: self.training.len(),
        })))
    }
}

/// What `work` gives for each of `all`, in their order; in as many threads where there is more than one.
fn in_threads<T: Send, U: Send, E: Send>(all: Vec<T>, work: &(impl Fn(T) -> Result<U, E> + Sync)) -> Result<Vec<U>, E> {
    if all.len() <= 1 {
        return all.into_iter().map(work).collect();
    }
    thread::scope(|scope| {
        let running: Vec<_> = all.into_iter().map(|one| scope.spawn(move || work(one))).collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

impl FittedChanges {
    /// Roots of the changes and ranks of the concepts of rows, one after the other.
    #[must_use]
    pub fn judge(&self, rows: &[f32]) -> (Vec<[f32; COUNT]>, Vec<[f32; COUNT]>) {
        let roots = values(&self.heads.lines, rows);
        let by_heads = values(&self.ranking.heads.lines, &rank_rows(&roots, &self.columns, rows));
        let ranks = ranks(&by_heads, &roots, &self.units, self.ranking.lambda);
        (roots, ranks)
    }

    /// As a file holds it, with `figures` of games that took no part where there are any.
    ///
    /// # Errors
    /// When the parts don't fit together: `layer` is not what was read.
    pub fn probes(&self, layer: &Layer, labels: &str, seed: u64, filters: usize) -> Result<ChangeProbes, NoChanges> {
        let origin = Origin {
            layer: layer.clone(),
            labels: labels.to_owned(),
            n: self.n as u64,
            seed,
            usual: self.usual.clone(),
        };
        assemble(
            origin,
            filters,
            &Learnt {
                heads: &self.heads,
                factors: &self.factors,
                ranking: &self.ranking,
                rank_factors: &self.rank_factors,
                units: &self.units,
                gains: &self.gains,
            },
        )
    }
}

/// How well probes of changes do on pairs that were not learnt from.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedChanges {
    /// Of the changes.
    pub figures: Figures,
    /// Of the order of the concepts.
    pub named: Named,
}

impl JudgedChanges {
    /// From what was predicted and what was true.
    #[must_use]
    pub fn of(roots: &[[f32; COUNT]], ranks: &[[f32; COUNT]], truth: &[[f32; COUNT]], units: &Units) -> Self {
        let sizes: Vec<_> = truth.iter().map(|change| units.sizes(change)).collect();
        Self {
            figures: Figures::of(roots, truth),
            named: Named::of(ranks, &sizes),
        }
    }
}

/// The units that probes were fitted with, from their cards.
#[must_use]
pub fn units_of(probes: &ChangeProbes) -> Units {
    let heads = &probes.card().heads;
    let of = |number: &dyn Fn(usize) -> f64| std::array::from_fn(number);
    debug_assert_eq!(
        heads.first().map(|head| head.name.clone()),
        Some(frame_name(Concept::ALL[0]))
    );
    Units {
        units: of(&|i| heads[i].unit),
        spreads: of(&|i| heads[i].spread),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fit::rank_shape;
    use super::*;
    use crate::random::Rng;
    use std::convert::Infallible;

    struct Made {
        rows: Vec<Vec<f32>>,
    }

    impl PairRows for Made {
        type Error = Infallible;

        fn width(&self) -> usize {
            self.rows[0].len()
        }

        fn append(&self, pairs: &[u32], out: &mut Vec<f32>) -> Result<(), Infallible> {
            pairs.iter().for_each(|&i| out.extend(&self.rows[i as usize]));
            Ok(())
        }
    }

    fn layer() -> Layer {
        "block 1 as sums by men and lines".parse().unwrap()
    }

    /// One filter. Column i, of the mover's seat, holds the root of concept i's change with a little noise.
    fn made(count: usize) -> (Made, Pairs) {
        let mut rng = Rng::new(3);
        let (mut rows, mut pairs) = (Vec::new(), Pairs::default());
        for i in 0..count {
            let change: [f32; COUNT] = std::array::from_fn(|_| match rng.below(3) {
                0 => rng.below(9) as f32 / 4.0 - 1.0,
                _ => 0.0,
            });
            let mut row: Vec<f32> = (0..56).map(|_| rng.unit() as f32 / 10.0).collect();
            for (x, change) in row.iter_mut().zip(change) {
                *x += change.abs().sqrt().copysign(change);
            }
            rows.push(row);
            pairs.changes.push(change);
            pairs.before.push(std::array::from_fn(|_| rng.unit() as f32));
            pairs.chooses.push(i / 10 % 5 == 0);
        }
        (Made { rows }, pairs)
    }

    fn fitted(lot: usize, threads: usize) -> FittedChanges {
        let (rows, pairs) = made(600);
        let (columns, _) = rank_shape(&layer(), 1);
        let mut fit = ChangeFitting::new(pairs, rows.width(), ChangeSettings { columns, lot, threads });
        let mut steps = 1;
        while fit.step(&rows).unwrap() {
            steps += 1;
            assert!(fit.fitted().is_none());
        }
        assert_eq!(fit.progress(), (steps, steps), "as many as were promised");
        assert!(!fit.step(&rows).unwrap(), "it stays done");
        fit.fitted().unwrap().clone()
    }

    #[test]
    fn steps_end_in_probes_that_read_the_changes() {
        let fitted = fitted(64, 1);
        let (rows, pairs) = made(900);
        let probes = fitted.probes(&layer(), "made up", 1, 1).unwrap();
        // Pairs that were not learnt from.
        let later: Vec<usize> = (600..900).collect();
        let roots: Vec<_> = later.iter().map(|&i| probes.roots(&rows.rows[i])).collect();
        let ranks: Vec<_> = later.iter().map(|&i| probes.predict_row(&rows.rows[i]).rank).collect();
        let truth: Vec<_> = later.iter().map(|&i| pairs.changes[i]).collect();
        let judged = JudgedChanges::of(&roots, &ranks, &truth, &fitted.units);
        assert!(
            judged.figures.spearman > 0.9 && judged.figures.sign > 0.95,
            "{judged:?}"
        );
        assert!(judged.named.five > 0.7, "{judged:?}");
        let units = units_of(&probes);
        assert_eq!(units, fitted.units);
        let (whole, _) = fitted.judge(&rows.rows[600]);
        assert!((whole[0][0] - roots[0][0]).abs() < 0.05, "but for the rounding");
    }

    #[test]
    fn lots_and_threads_change_nothing_of_note() {
        let (one, other) = (fitted(64, 1), fitted(50, 3));
        let rows = made(600).0.rows.concat();
        let (roots, _) = one.judge(&rows);
        let (others, _) = other.judge(&rows);
        assert_eq!(roots.len(), 600);
        let apart = roots
            .iter()
            .flatten()
            .zip(others.iter().flatten())
            .map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f32::max) < 0.2, "no more than another α makes");
    }

    #[test]
    fn a_fit_needs_pairs_on_both_sides() {
        let (rows, mut pairs) = made(20);
        pairs.chooses.fill(false);
        let settings = ChangeSettings {
            columns: rank_shape(&layer(), 1).0,
            lot: 8,
            threads: 1,
        };
        let error = ChangeFitting::new(pairs, 56, settings).step(&rows).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there are 20 moves to learn changes from and 0 to choose by"
        );
    }
}
