//! Probes of changes, and what they say of a move.
//!
//! A concept's **change head** is a line over the difference of two rows, the position after the move less the one
//! before it, each [seen from both seats](super::seats). What it was fitted to is the signed root of the change over a
//! unit: the roots of large changes lie closer together, so that a lost queen does not outweigh a thousand quiet moves.
//! Its **rank head** is a line over sizes: of the mover's differences summed by men, and of all concepts' predicted
//! roots. It was fitted to whether the concept was among the five that changed most, plus the root of the size of its
//! change; for most concepts of most moves do not change at all, and a change head alone leaves noise there.

use serde::{Deserialize, Serialize};

use super::super::layer::{Layer, Pools, WrongActivations};
use super::super::men::Men;
use super::super::priority::Predicted;
use super::super::shares::Shares;
use super::figures::ConceptFigures;
use super::seats::{self, Seats};

/// The paper's concepts, in the order of [`Concept::ALL`](crate::concepts::Concept::ALL).
pub const COUNT: usize = 21;

/// How a concept's probe of changes was made and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeCard {
    /// The concept in the mover's frame ([`frame_name`](crate::concepts::concept::frame_name)).
    pub name: String,
    /// α of the change head over the pairs, the columns standardised.
    pub shrink: f64,
    /// What changes were divided by before the root was taken, in pawns: the deviation of the changes that are not 0.
    pub unit: f64,
    /// The term's standard deviation over positions, in pawns.
    pub spread: f64,
    /// What squared predictions are multiplied by to give changes in units: squares of means fall short of means of
    /// squares.
    pub gain: f64,
    /// Of the change head.
    pub bias: f32,
    /// Largest weight of the change head on standardised columns: the stored ones are over this.
    pub scale: f32,
    /// Of the rank head.
    pub rank_bias: f32,
    /// Largest weight of the rank head on standardised columns: the stored ones are over this.
    pub rank_scale: f32,
    /// On games that took no part in the fit.
    pub figures: ConceptFigures,
}

/// How all of them were made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangesCard {
    /// What is read from each seat; its pools are [`Pools::Sums`].
    pub layer: Layer,
    /// Where the labels came from.
    pub labels: String,
    /// Pairs learnt from.
    pub n: u64,
    /// Of the split.
    pub seed: u64,
    /// Weight of the predicted root beside the rank head.
    pub lambda: f32,
    /// The concepts that are most often among the five that a move of the training games changes most, most often first:
    /// numbers in the order of [`Concept::ALL`](crate::concepts::Concept::ALL). A baseline.
    pub usual: Vec<u8>,
    /// One a concept, in that order.
    pub heads: Vec<ChangeCard>,
}

/// Probes of changes for the 21 concepts. As text they travel between the network's worker and the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeProbes {
    pub(in crate::concepts) card: ChangesCard,
    pub(in crate::concepts) filters: usize,
    /// What each column is multiplied by to be standardised; half precision holds them.
    pub(in crate::concepts) factors: Vec<f32>,
    /// The same for the columns of the rank heads.
    pub(in crate::concepts) rank_factors: Vec<f32>,
    /// Weights of the change heads on standardised columns, in 127ths of the card's scale.
    pub(in crate::concepts) weights: Vec<Vec<i8>>,
    /// Of the rank heads.
    pub(in crate::concepts) rank_weights: Vec<Vec<i8>>,
}

/// What makes no probes of changes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoChanges {
    /// Not one head a concept, in order.
    #[error("there should be {wanted:?} as head number {number} of the probes of changes")]
    Concepts {
        /// The name that is missing there.
        wanted: String,
        /// From 1.
        number: usize,
    },
    /// Another layer than sums.
    #[error("probes of changes read sums by men and lines, not {0:?}")]
    Layer(String),
    /// Weights or factors are not as many as columns.
    #[error("the probes of changes have {found} numbers for {wanted} columns")]
    Width {
        /// Numbers that a row has at these layers.
        wanted: usize,
        /// Numbers that the file has for it.
        found: usize,
    },
    /// A figure that is not a number, or a unit or spread that is not positive.
    #[error("the probe of changes {0:?} holds a value that is not a number, or no unit")]
    Value(String),
    /// The five usual ones are no concepts.
    #[error("the probes of changes name concepts that there are not")]
    Usual,
}

/// The columns of a difference that rank heads read the size of: the sums by men from the mover's seat.
#[must_use]
pub fn rank_columns(layer: &Layer, filters: usize) -> Vec<u32> {
    let block = layer.width(filters) / layer.blocks().len().max(1);
    (0..layer.blocks().len())
        .flat_map(|number| (number * block..number * block + Men::KINDS * filters).map(|column| column as u32))
        .collect()
}

/// Numbers in a row of the rank heads.
#[must_use]
pub fn rank_width(layer: &Layer, filters: usize) -> usize {
    layer.blocks().len() * Men::KINDS * filters + COUNT
}

/// The row of the rank heads: sizes of `columns` of a difference, then of the predicted roots.
pub fn rank_row(difference: &[f32], columns: &[u32], roots: &[f32; COUNT], out: &mut Vec<f32>) {
    out.extend(columns.iter().map(|&column| difference[column as usize].abs()));
    out.extend(roots.map(f32::abs));
}

impl ChangeProbes {
    /// Checks that everything fits.
    ///
    /// # Errors
    /// When it doesn't.
    pub fn checked(self) -> Result<Self, NoChanges> {
        for (i, concept) in crate::concepts::Concept::ALL.into_iter().enumerate() {
            let wanted = crate::concepts::concept::frame_name(concept);
            if self.card.heads.get(i).map(|head| &head.name) != Some(&wanted) || self.card.heads.len() != COUNT {
                return Err(NoChanges::Concepts { wanted, number: i + 1 });
            }
        }
        if self.card.layer.pools() != Pools::Sums {
            return Err(NoChanges::Layer(self.card.layer.to_string()));
        }
        let wide = seats::width(&self.card.layer, self.filters);
        let rank_wide = rank_width(&self.card.layer, self.filters);
        let lists = [(&self.weights, wide), (&self.rank_weights, rank_wide)];
        for (found, wanted) in lists
            .iter()
            .flat_map(|(list, wanted)| list.iter().map(|own| (own.len(), *wanted)))
            .chain([(self.factors.len(), wide), (self.rank_factors.len(), rank_wide)])
            .chain(lists.iter().map(|(list, _)| (list.len(), COUNT)))
        {
            if found != wanted {
                return Err(NoChanges::Width { wanted, found });
            }
        }
        for head in &self.card.heads {
            let positive = [head.unit, head.spread, head.gain];
            let numbers = [head.bias, head.scale, head.rank_bias, head.rank_scale];
            if !positive.iter().all(|&x| x.is_finite() && x > 0.0) || !numbers.iter().all(|x| x.is_finite()) {
                return Err(NoChanges::Value(head.name.clone()));
            }
        }
        let whole = self.factors.iter().chain(&self.rank_factors).all(|x| x.is_finite());
        if !whole || !self.card.lambda.is_finite() {
            return Err(NoChanges::Value("of all".to_owned()));
        }
        let usual = &self.card.usual;
        if usual.iter().any(|&i| usize::from(i) >= COUNT) {
            return Err(NoChanges::Usual);
        }
        Ok(self)
    }

    /// How they were made and how good they are.
    #[must_use]
    pub const fn card(&self) -> &ChangesCard {
        &self.card
    }

    /// Filters of the network.
    #[must_use]
    pub const fn filters(&self) -> usize {
        self.filters
    }

    /// The blocks that are read, from 1.
    #[must_use]
    pub fn blocks(&self) -> &[u8] {
        self.card.layer.blocks()
    }

    /// The heads' values of a difference of two rows: the signed root of each concept's change over its unit.
    #[must_use]
    pub fn roots(&self, difference: &[f32]) -> [f32; COUNT] {
        let standardised: Vec<f32> = difference.iter().zip(&self.factors).map(|(x, f)| x * f).collect();
        std::array::from_fn(|i| {
            let head = &self.card.heads[i];
            value(&self.weights[i], &standardised, head.scale) + head.bias
        })
    }

    /// Everything that is said of a difference of two rows but what the reply leaves of it.
    #[must_use]
    pub fn predict_row(&self, difference: &[f32]) -> Predicted {
        let roots = self.roots(difference);
        let mut row = Vec::new();
        rank_row(
            difference,
            &rank_columns(&self.card.layer, self.filters),
            &roots,
            &mut row,
        );
        for (x, factor) in row.iter_mut().zip(&self.rank_factors) {
            *x *= factor;
        }
        let rank = std::array::from_fn(|i| {
            let head = &self.card.heads[i];
            let by_head = value(&self.rank_weights[i], &row, head.rank_scale) + head.rank_bias;
            by_head + self.card.lambda * root_size(roots[i], head.unit, head.spread)
        });
        Predicted {
            change: self.changes(&roots),
            settled: None,
            rank,
        }
    }

    /// What they say of a move: `before` it, `after` it and after the expected reply too, each seen by the mover of the
    /// move and by the opponent.
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn predict(
        &self,
        before: &Seats,
        after: &Seats,
        after_reply: Option<&Seats>,
    ) -> Result<Predicted, WrongActivations> {
        let mut predicted = self.predict_row(&self.difference(before, after)?);
        if let Some(reply) = after_reply {
            let roots = self.roots(&self.difference(before, reply)?);
            predicted.settled = Some(self.changes(&roots));
        }
        Ok(predicted)
    }

    /// The shares of the board's squares in the **root** that a concept's change head gives a move (`concept`: its number
    /// in the mover's frame). They sum to it exactly.
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn shares(
        &self,
        concept: usize,
        before: &Seats,
        after: &Seats,
        mover: shakmaty::Color,
    ) -> Result<Shares, WrongActivations> {
        let head = &self.card.heads[concept % COUNT];
        let weights: Vec<f32> = self.weights[concept % COUNT]
            .iter()
            .zip(&self.factors)
            .map(|(&w, factor)| f32::from(w) * factor)
            .collect();
        let of = |seats: &Seats| seats.deal(&self.card.layer, &weights, self.filters, mover);
        let mut shares = of(after)?.since(&of(before)?).scaled(f64::from(head.scale) / 127.0);
        shares.constant = f64::from(head.bias);
        Ok(shares)
    }

    fn difference(&self, before: &Seats, after: &Seats) -> Result<Vec<f32>, WrongActivations> {
        let (mut row, mut earlier) = (Vec::new(), Vec::new());
        after.gather(&self.card.layer, self.filters, &mut row)?;
        before.gather(&self.card.layer, self.filters, &mut earlier)?;
        for (x, before) in row.iter_mut().zip(&earlier) {
            *x -= before;
        }
        Ok(row)
    }

    /// Changes in spreads of the terms.
    fn changes(&self, roots: &[f32; COUNT]) -> [f32; COUNT] {
        std::array::from_fn(|i| {
            let head = &self.card.heads[i];
            let root = f64::from(roots[i]);
            (root * root.abs() * head.gain * head.unit / head.spread) as f32
        })
    }
}

/// The root of the size of a change in spreads, from that of its root in units.
#[must_use]
pub fn root_size(root: f32, unit: f64, spread: f64) -> f32 {
    root.abs() * (unit / spread).sqrt() as f32
}

fn value(weights: &[i8], row: &[f32], scale: f32) -> f32 {
    let dot: f64 = weights
        .iter()
        .zip(row)
        .map(|(&w, &x)| f64::from(w) * f64::from(x))
        .sum();
    (dot * f64::from(scale) / 127.0) as f32
}

#[cfg(test)]
pub(in crate::concepts) mod tests {
    use super::*;
    use crate::concepts::Concept;
    use crate::concepts::concept::frame_name;
    use crate::random::Rng;
    use shakmaty::Color;

    /// Probes of changes with weights of chance, for two blocks.
    pub(in crate::concepts) fn made(filters: usize, seed: u64) -> ChangeProbes {
        let layer: Layer = "blocks 1+2 as sums by men and lines".parse().unwrap();
        let mut rng = Rng::new(seed);
        let (wide, rank_wide) = (seats::width(&layer, filters), rank_width(&layer, filters));
        let mut weights = |width: usize| -> Vec<Vec<i8>> {
            let one = |rng: &mut Rng| (0..width).map(|_| (rng.below(255) as i16 - 127) as i8).collect();
            (0..COUNT).map(|_| one(&mut rng)).collect()
        };
        let (change, rank) = (weights(wide), weights(rank_wide));
        let heads = Concept::ALL
            .into_iter()
            .map(|concept| ChangeCard {
                name: frame_name(concept),
                shrink: 0.1,
                unit: 1.0,
                spread: 2.0,
                gain: 1.0,
                bias: 0.25,
                scale: 0.01,
                rank_bias: -0.5,
                rank_scale: 0.02,
                figures: ConceptFigures {
                    changed: 7,
                    spearman: Some(0.5),
                    sign: None,
                },
            })
            .collect();
        ChangeProbes {
            filters,
            factors: vec![0.5; wide],
            rank_factors: vec![0.25; rank_wide],
            weights: change,
            rank_weights: rank,
            card: ChangesCard {
                layer,
                labels: "synthetic".into(),
                n: 10,
                seed,
                lambda: 0.5,
                usual: vec![1, 2, 3, 4, 5],
                heads,
            },
        }
        .checked()
        .unwrap()
    }

    /// A position of chance, as both see it.
    fn seats(rng: &mut Rng, filters: usize) -> Seats {
        let mut seen = || super::seats::Seen {
            activations: (0..2)
                .map(|_| (0..filters * 64).map(|_| rng.unit() as f32 - 0.5).collect())
                .collect(),
            men: Men::of_squares(std::array::from_fn(|_| {
                rng.next_u64() & rng.next_u64() & rng.next_u64()
            })),
        };
        Seats {
            mover: seen(),
            opponent: seen(),
        }
    }

    #[test]
    fn shares_sum_to_the_root_on_a_hundred_moves() {
        let (probes, mut rng) = (made(3, 5), Rng::new(6));
        for i in 0..100 {
            let (before, after) = (seats(&mut rng, 3), seats(&mut rng, 3));
            let difference = probes.difference(&before, &after).unwrap();
            let root = probes.roots(&difference)[i % COUNT];
            let shares = probes.shares(i % COUNT, &before, &after, Color::Black).unwrap();
            assert!(
                (shares.value() - f64::from(root)).abs() < 1e-4,
                "{} {root}",
                shares.value()
            );
        }
    }

    #[test]
    fn a_reply_settles_the_change_and_a_root_is_squared() {
        let (probes, mut rng) = (made(1, 5), Rng::new(6));
        let [before, after, reply] = [(); 3].map(|()| seats(&mut rng, 1));
        let predicted = probes.predict(&before, &after, Some(&reply)).unwrap();
        assert_eq!(
            predicted.settled,
            Some(probes.predict(&before, &reply, None).unwrap().change)
        );
        let root = probes.roots(&probes.difference(&before, &after).unwrap())[2];
        assert!((predicted.change[2] - root * root.abs() / 2.0).abs() < 1e-6);
        let mut short = after.clone();
        short.opponent.activations.pop();
        assert!(probes.predict(&before, &short, None).is_err());
    }
}
