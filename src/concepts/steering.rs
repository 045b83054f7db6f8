//! Does a network **use** what can be read from it? Its activations are shifted along a concept's direction, and policy
//! and value are watched; the same is done along directions of chance of equal length.
//!
//! A concept whose direction moves the outputs no more than chance does is *readable*; one that moves them clearly more
//! is *also used*. That is said of a shift of this size in this block, and no more: other blocks may still use it.

use serde::{Deserialize, Serialize};

use crate::random::Rng;

/// A concept is also used where its direction moves the outputs more than this share of the directions of chance.
const CLEARLY: f64 = 0.95;

/// What is said of a concept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Use {
    /// It can be read, and shifting it changes the outputs no more than a shift by chance does.
    Readable,
    /// Shifting it changes the outputs more than nearly all shifts by chance do.
    Used,
}

/// What a network says once its activations are shifted.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Expected result, −1 to 1, the side to move's view.
    pub q: f32,
    /// Probabilities of the legal moves, in any order that stays.
    pub policy: Vec<f32>,
}

impl Said {
    /// How far two differ: half the sum of the differences of probabilities (total variation), 0 to 1.
    #[must_use]
    pub fn policy_moved(&self, other: &Self) -> f64 {
        let pairs = self.policy.iter().zip(&other.policy);
        pairs.map(|(a, b)| f64::from((a - b).abs())).sum::<f64>() / 2.0
    }
}

/// A point of the curve: means over positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The shift, in standard deviations of the projection on the direction.
    pub shift: f64,
    /// By how much the expected result changes, signed: the side to move's view.
    pub value: f64,
    /// By how much it changes, whichever way.
    pub value_moved: f64,
    /// By how much the policy changes, see [`Said::policy_moved`].
    pub policy_moved: f64,
    /// Means of the same two along directions of chance.
    pub by_chance: [f64; 2],
    /// Share of the directions of chance that move the value less than the concept's does; the policy.
    pub above: [f64; 2],
}

/// A concept's curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Steered {
    /// One a shift, in the order given.
    pub points: Vec<Point>,
    /// What follows from the point of the largest shift.
    pub verdict: Use,
}

/// Mean changes along one direction: signed value, size of the value's, policy.
#[derive(Debug, Clone, Copy, Default)]
struct Moved {
    value: f64,
    value_moved: f64,
    policy_moved: f64,
}

/// What is measured: see [`Steering::new`].
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Shifts, in standard deviations of the projection on the direction.
    pub shifts: Vec<f64>,
    /// Directions of chance to hold the concept's against.
    pub chances: usize,
    /// Of the directions of chance.
    pub seed: u64,
}

/// Steering under way: one run of the network after the other.
#[derive(Debug)]
pub struct Steering {
    activations: Vec<Vec<f32>>,
    shifts: Vec<f64>,
    deviation: f64,
    /// The concept's directions, one a position, then those of chance; all of length 1.
    directions: Vec<Vec<Vec<f32>>>,
    plain: Vec<Said>,
    /// For each shift each direction's sums.
    sums: Vec<Moved>,
    done: usize,
}

/// Standard deviation of positions' projections on their directions. `activations`: of positions, in one block; `along`:
/// the direction in each of them.
#[must_use]
pub fn deviation(activations: &[Vec<f32>], along: &[Vec<f32>]) -> f64 {
    let projections: Vec<f32> = activations
        .iter()
        .zip(along)
        .map(|(own, direction)| own.iter().zip(of_length_one(direction)).map(|(a, u)| a * u).sum())
        .collect();
    super::quality::mean_and_spread(&projections).1
}

impl Steering {
    /// `activations`: of positions, in one block. `along`: the direction in each of them. `deviation`: what shifts are
    /// multiplied by, from [`deviation`] of these positions or of others.
    #[must_use]
    pub fn new(activations: Vec<Vec<f32>>, along: &[Vec<f32>], deviation: f64, plan: &Plan) -> Self {
        let unit: Vec<Vec<f32>> = along.iter().map(|direction| of_length_one(direction)).collect();
        let mut rng = Rng::new(plan.seed);
        // Only where the concept's own direction is not 0: as many numbers take part.
        let mut any = || (0..12).map(|_| rng.unit()).sum::<f64>() as f32 - 6.0;
        let mut by_chance = |direction: &Vec<f32>| {
            let drawn: Vec<f32> = direction.iter().map(|&u| if u == 0.0 { 0.0 } else { any() }).collect();
            of_length_one(&drawn)
        };
        let mut directions: Vec<Vec<Vec<f32>>> = (0..plan.chances)
            .map(|_| unit.iter().map(&mut by_chance).collect())
            .collect();
        directions.insert(0, unit);
        Self {
            sums: vec![Moved::default(); plan.shifts.len() * directions.len()],
            shifts: plan.shifts.clone(),
            plain: Vec::with_capacity(activations.len()),
            activations,
            deviation,
            directions,
            done: 0,
        }
    }

    /// Runs of the network that are done, and all of them.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.done, self.activations.len() * (1 + self.sums.len()))
    }

    /// Runs the network once more; `false` once all is done. `run`: what the network says of shifted activations of a
    /// position, by its number.
    ///
    /// # Errors
    /// That of `run`; the run can be tried again.
    pub fn step<E>(&mut self, run: impl FnOnce(usize, &[f32]) -> Result<Said, E>) -> Result<bool, E> {
        let (done, total) = self.progress();
        if done >= total {
            return Ok(false);
        }
        let (series, i) = (done / self.activations.len(), done % self.activations.len());
        let own = &self.activations[i];
        match series.checked_sub(1) {
            None => self.plain.push(run(i, own)?),
            Some(at) => {
                let shift = self.shifts[at / self.directions.len()];
                let direction = &self.directions[at % self.directions.len()][i];
                let by = (shift * self.deviation) as f32;
                let shifted: Vec<f32> = own.iter().zip(direction).map(|(a, u)| a + by * u).collect();
                let said = run(i, &shifted)?;
                let (sum, plain) = (&mut self.sums[at], &self.plain[i]);
                let value = f64::from(said.q - plain.q);
                sum.value += value;
                sum.value_moved += value.abs();
                sum.policy_moved += said.policy_moved(plain);
            }
        }
        self.done += 1;
        Ok(self.done < total)
    }

    /// What was found. Before the end it is of fewer runs, and means nothing.
    #[must_use]
    pub fn steered(&self) -> Steered {
        let n = self.activations.len().max(1) as f64;
        let each = self.sums.chunks_exact(self.directions.len());
        let points: Vec<Point> = self
            .shifts
            .iter()
            .zip(each)
            .map(|(&shift, sums)| point(shift, sums, n))
            .collect();
        let largest = points.iter().max_by(|a, b| a.shift.abs().total_cmp(&b.shift.abs()));
        let used = largest.is_some_and(|point| point.above.iter().any(|&share| share >= CLEARLY));
        Steered {
            points,
            verdict: if used { Use::Used } else { Use::Readable },
        }
    }
}

/// The point of a shift from sums over `n` positions: the concept's first, then those by chance.
fn point(shift: f64, sums: &[Moved], n: f64) -> Point {
    let (own, others) = sums
        .split_first()
        .map_or((Moved::default(), sums), |(own, others)| (*own, others));
    let count = others.len().max(1) as f64;
    let mean = |of: fn(&Moved) -> f64| others.iter().map(of).sum::<f64>() / count / n;
    let below = |of: fn(&Moved) -> f64| others.iter().filter(|other| of(other) < of(&own)).count() as f64 / count;
    Point {
        shift,
        value: own.value / n,
        value_moved: own.value_moved / n,
        policy_moved: own.policy_moved / n,
        by_chance: [mean(|m| m.value_moved), mean(|m| m.policy_moved)],
        above: [below(|m| m.value_moved), below(|m| m.policy_moved)],
    }
}

/// A direction of length 1; of length 0 where it had none.
fn of_length_one(direction: &[f32]) -> Vec<f32> {
    let length = direction.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
    let by = if length > 0.0 { 1.0 / length } else { 0.0 };
    direction.iter().map(|&x| (f64::from(x) * by) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// A network whose value is what activation 0 says and whose policy is what activation 1 says; activation 2 holds a
    /// concept as readable as the others that nothing reads.
    fn run(_: usize, activations: &[f32]) -> Result<Said, Infallible> {
        let p = 1.0 / (1.0 + (-activations[1]).exp());
        Ok(Said {
            q: activations[0].tanh(),
            policy: vec![p, 1.0 - p],
        })
    }

    fn steered(number: usize) -> Steered {
        let mut rng = Rng::new(3);
        let activations: Vec<Vec<f32>> = (0..40)
            .map(|_| (0..64).map(|_| rng.unit() as f32 - 0.5).collect())
            .collect();
        // Read with noise: every other activation has a little weight too.
        let mut direction = vec![0.02; 64];
        direction[number] = 1.0;
        let along = vec![direction; 40];
        let plan = Plan {
            shifts: vec![-2.0, 1.0, 2.0],
            chances: 40,
            seed: 7,
        };
        let measured = deviation(&activations, &along);
        let mut steering = Steering::new(activations, &along, measured, &plan);
        let total = steering.progress().1;
        let mut runs = 1;
        while steering.step(run).unwrap() {
            runs += 1;
        }
        assert_eq!((runs, steering.progress()), (total, (total, total)));
        steering.steered()
    }

    #[test]
    fn a_causal_direction_is_found_and_a_readable_unused_one_is_not() {
        let value = steered(0);
        assert_eq!(value.verdict, Use::Used);
        assert!(value.points[2].value > 0.2 && value.points[0].value < -0.2, "{value:?}");
        assert!(value.points[2].value > value.points[1].value);
        assert!(value.points[2].value_moved > 3.0 * value.points[2].by_chance[0]);
        assert_eq!(steered(1).verdict, Use::Used, "the policy alone counts too");
        let unused = steered(2);
        assert_eq!(unused.verdict, Use::Readable, "{unused:?}");
    }
}
