//! The linear support vector machine that a probe is: L2-regularised, squared hinge loss.
//!
//! It minimises ½(‖w‖² + b²) + C Σ max(0, 1 − y(w·x + b))², as scikit-learn's `LinearSVC(penalty="l2",
//! loss="squared_hinge", intercept_scaling=1)` and LIBLINEAR do: the bias is the weight of a further activation that is
//! always 1, and is regularised like the others.
//!
//! Solved by coordinate descent on the dual (Hsieh et al., "A Dual Coordinate Descent Method for Large-scale Linear
//! SVM", ICML 2008), with their shrinking, in an order drawn from a seed: the same problem gives the same weights.

use wide::f32x8;

use crate::random::Rng;

/// Lanes of [`f32x8`].
const LANES: usize = 8;

/// Rows with their classes.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// The rows one after the other.
    rows: &'a [f32],
    /// Numbers in a row.
    width: usize,
    /// Each row's class.
    positive: &'a [bool],
}

/// Rows that can't be learnt from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unlearnable {
    /// The numbers are not as many as rows times width.
    #[error("{found} numbers are no rows of {width} for {classes} classes")]
    Shape {
        /// Numbers there are.
        found: usize,
        /// Numbers in a row.
        width: usize,
        /// Rows that there should be.
        classes: usize,
    },
    /// Not both classes are there.
    #[error("there are {positive} positive and {negative} negative rows to learn from")]
    OneClass {
        /// Positive rows.
        positive: usize,
        /// Negative rows.
        negative: usize,
    },
}

/// How exactly to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The weight of the loss against the size of the weights; positive.
    pub c: f64,
    /// The spread of the projected gradients at which to stop, in margins (LIBLINEAR's ε: 0.1 there, 10⁻⁴ in
    /// scikit-learn).
    pub tolerance: f64,
    /// Passes over the rows after which to stop at the latest.
    pub passes: u32,
    /// Of the order of the rows.
    pub seed: u64,
}

/// A solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// `w`.
    pub weights: Vec<f32>,
    /// `b`.
    pub bias: f32,
    /// The dual variables, one a row: where to start the next fit on the same rows from.
    pub duals: Vec<f64>,
    /// Passes over the rows.
    pub passes: u32,
    /// False when it was stopped by [`Settings::passes`].
    pub converged: bool,
}

impl<'a> Problem<'a> {
    /// `rows`: as many rows of `width` as there are classes, one after the other, all finite.
    ///
    /// # Errors
    /// When the shape is wrong, or a class has no row.
    pub fn new(rows: &'a [f32], width: usize, positive: &'a [bool]) -> Result<Self, Unlearnable> {
        let classes = positive.len();
        if width == 0 || rows.len() != classes * width {
            return Err(Unlearnable::Shape {
                found: rows.len(),
                width,
                classes,
            });
        }
        let positives = positive.iter().filter(|&&positive| positive).count();
        if positives == 0 || positives == classes {
            return Err(Unlearnable::OneClass {
                positive: positives,
                negative: classes - positives,
            });
        }
        Ok(Self { rows, width, positive })
    }

    fn row(&self, i: usize) -> &'a [f32] {
        &self.rows[i * self.width..(i + 1) * self.width]
    }

    fn sign(&self, i: usize) -> f64 {
        if self.positive[i] { 1.0 } else { -1.0 }
    }

    /// The value of what is minimised, in double precision.
    #[must_use]
    pub fn objective(&self, weights: &[f32], bias: f32, c: f64) -> f64 {
        let size: f64 = weights.iter().chain([&bias]).map(|&w| f64::from(w).powi(2)).sum();
        let loss: f64 = (0..self.positive.len())
            .map(|i| {
                let value: f64 = self
                    .row(i)
                    .iter()
                    .zip(weights)
                    .map(|(&x, &w)| f64::from(x) * f64::from(w))
                    .sum();
                (1.0 - self.sign(i) * (value + f64::from(bias))).max(0.0).powi(2)
            })
            .sum();
        0.5 * size + c * loss
    }

    /// Solves the problem, from the dual variables `start` of a fit on the same rows, or from nothing (`&[]`).
    #[must_use]
    pub fn solve(&self, settings: &Settings, start: &[f64]) -> Solution {
        let n = self.positive.len();
        let mut descent = Descent::new(self, settings.c, start);
        let mut order: Vec<usize> = (0..n).collect();
        let mut rng = Rng::new(settings.seed);
        let (mut active, mut bound, mut passes) = (n, f64::INFINITY, 0);
        let (mut exact, mut converged) = (false, false);
        while passes < settings.passes && !converged {
            passes += 1;
            rng.shuffle(&mut order[..active]);
            let (mut highest, mut lowest) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut at = 0;
            while at < active {
                let i = order[at];
                let gradient = descent.gradient(i);
                if descent.duals[i] == 0.0 && gradient > bound {
                    // This row is far on its own side: look at it again at the end only.
                    active -= 1;
                    order.swap(at, active);
                    continue;
                }
                let projected = if descent.duals[i] == 0.0 {
                    gradient.min(0.0)
                } else {
                    gradient
                };
                highest = highest.max(projected);
                lowest = lowest.min(projected);
                if projected != 0.0 {
                    descent.move_along(i, gradient);
                }
                at += 1;
            }
            if active == 0 || highest - lowest <= settings.tolerance {
                // The rows left out have a say in the end, and so has what single precision has lost in the sums.
                converged = active == n && exact;
                (active, bound, exact) = (n, f64::INFINITY, true);
                descent.sum_afresh();
            } else {
                bound = if highest > 0.0 { highest } else { f64::INFINITY };
                exact = false;
            }
        }
        let (weights, bias) = self.weights(&descent.duals);
        Solution {
            weights: weights.into_iter().map(|w| w as f32).collect(),
            bias: bias as f32,
            duals: descent.duals,
            passes,
            converged,
        }
    }

    /// Σ αyx in double precision, and Σ αy.
    fn weights(&self, duals: &[f64]) -> (Vec<f64>, f64) {
        let mut weights = vec![0.0; self.width];
        let mut bias = 0.0;
        for (i, &dual) in duals.iter().enumerate().filter(|(_, dual)| **dual != 0.0) {
            let step = dual * self.sign(i);
            bias += step;
            for (w, &x) in weights.iter_mut().zip(self.row(i)) {
                *w += step * f64::from(x);
            }
        }
        (weights, bias)
    }
}

/// The descent's state.
struct Descent<'a> {
    problem: &'a Problem<'a>,
    duals: Vec<f64>,
    /// Single precision, as the rows; summed afresh now and then.
    weights: Vec<f32>,
    bias: f64,
    /// 1/(2C): what the squared hinge adds to the diagonal.
    ridge: f64,
    /// ‖x‖² + 1 + ridge of each row.
    diagonal: Vec<f64>,
}

impl<'a> Descent<'a> {
    fn new(problem: &'a Problem<'a>, c: f64, start: &[f64]) -> Self {
        let n = problem.positive.len();
        let duals = if start.len() == n { start.to_vec() } else { vec![0.0; n] };
        let ridge = 0.5 / c;
        let mut descent = Self {
            diagonal: (0..n)
                .map(|i| f64::from(dot(problem.row(i), problem.row(i))) + 1.0 + ridge)
                .collect(),
            weights: Vec::new(),
            bias: 0.0,
            ridge,
            duals,
            problem,
        };
        descent.sum_afresh();
        descent
    }

    /// Takes the weights from the dual variables again.
    fn sum_afresh(&mut self) {
        let (weights, bias) = self.problem.weights(&self.duals);
        self.weights = weights.into_iter().map(|w| w as f32).collect();
        self.bias = bias;
    }

    /// The derivative of the dual by row i's variable.
    fn gradient(&self, i: usize) -> f64 {
        let value = f64::from(dot(self.problem.row(i), &self.weights)) + self.bias;
        self.problem.sign(i) * value - 1.0 + self.duals[i] * self.ridge
    }

    /// To the minimum along row i's variable.
    fn move_along(&mut self, i: usize, gradient: f64) {
        let before = self.duals[i];
        self.duals[i] = (before - gradient / self.diagonal[i]).max(0.0);
        let step = (self.duals[i] - before) * self.problem.sign(i);
        self.bias += step;
        add(&mut self.weights, step as f32, self.problem.row(i));
    }
}

/// a·b, in four vectors of partial sums. Both have the same length.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    const AT_ONCE: usize = 4 * LANES;
    let (a_chunks, a_rest) = a.as_chunks::<AT_ONCE>();
    let (b_chunks, b_rest) = b.as_chunks::<AT_ONCE>();
    let mut sums = [f32x8::ZERO; 4];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = f32x8::new(*a).mul_add(f32x8::new(*b), *sum);
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).reduce_add() + rest
}

/// y += factor · x. Both have the same length.
fn add(y: &mut [f32], factor: f32, x: &[f32]) {
    let factors = f32x8::splat(factor);
    let (y_chunks, y_rest) = y.as_chunks_mut::<LANES>();
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    for (y, x) in y_chunks.iter_mut().zip(x_chunks) {
        *y = f32x8::new(*x).mul_add(factors, f32x8::new(*y)).to_array();
    }
    for (y, x) in y_rest.iter_mut().zip(x_rest) {
        *y += factor * x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXACT: Settings = Settings {
        c: 1.0,
        tolerance: 1e-5,
        passes: 100_000,
        seed: 1,
    };

    #[test]
    fn one_number_is_solved_by_hand() {
        // ±1 at x = ±1: minimise ½w² + 2C(1 − w)², so w = 4C/(1 + 4C); the bias is 0.
        let problem = Problem::new(&[1.0, -1.0], 1, &[true, false]).unwrap();
        let solution = problem.solve(&Settings { c: 2.0, ..EXACT }, &[]);
        assert!(solution.converged);
        assert!((solution.weights[0] - 8.0 / 9.0).abs() < 1e-6 && solution.bias.abs() < 1e-6);
        let least = problem.objective(&solution.weights, solution.bias, 2.0);
        assert!((least - (0.5 * 64.0 / 81.0 + 4.0 / 81.0)).abs() < 1e-6);
    }

    #[derive(serde::Deserialize)]
    struct Fixture {
        rows: Vec<Vec<f32>>,
        positive: Vec<bool>,
        solutions: Vec<Expected>,
    }

    #[derive(serde::Deserialize)]
    struct Expected {
        c: f64,
        weights: Vec<f64>,
        bias: f64,
        objective: f64,
    }

    /// tests/data/prepare/svm_expected.py made the files.
    #[test]
    fn solutions_are_those_of_scikit_learn() {
        for (name, text) in [
            ("separable", include_str!("../../tests/data/svm/separable.json")),
            ("overlapping", include_str!("../../tests/data/svm/overlapping.json")),
            ("unbalanced", include_str!("../../tests/data/svm/unbalanced.json")),
            (
                "constant columns",
                include_str!("../../tests/data/svm/constant-columns.json"),
            ),
            ("wide", include_str!("../../tests/data/svm/more-columns-than-rows.json")),
        ] {
            let fixture: Fixture = serde_json::from_str(text).unwrap();
            let (flat, width) = (fixture.rows.concat(), fixture.rows[0].len());
            let problem = Problem::new(&flat, width, &fixture.positive).unwrap();
            let mut warm = Vec::new();
            for expected in &fixture.solutions {
                let solution = problem.solve(&Settings { c: expected.c, ..EXACT }, &warm);
                assert!(solution.converged, "{name}, C {}", expected.c);
                let largest = expected.weights.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
                let off = solution
                    .weights
                    .iter()
                    .chain([&solution.bias])
                    .zip(expected.weights.iter().chain([&expected.bias]))
                    .map(|(ours, theirs)| (f64::from(*ours) - theirs).abs())
                    .fold(0.0, f64::max);
                assert!(off / largest < 5e-5, "{name}, C {}: {off} of {largest}", expected.c);
                let objective = problem.objective(&solution.weights, solution.bias, expected.c);
                assert!(
                    (objective / expected.objective - 1.0).abs() < 1e-6,
                    "{name}: {objective}"
                );
                warm = solution.duals;
            }
        }
    }

    #[test]
    fn what_is_no_problem_is_refused() {
        let refused = |rows: &[f32], width, positive: &[bool]| Problem::new(rows, width, positive).unwrap_err();
        assert!(matches!(refused(&[1.0], 0, &[true]), Unlearnable::Shape { .. }));
        assert!(matches!(refused(&[1.0], 1, &[true, false]), Unlearnable::Shape { .. }));
        assert_eq!(
            refused(&[1.0, 2.0], 1, &[true, true]),
            Unlearnable::OneClass {
                positive: 2,
                negative: 0
            }
        );
    }

    proptest! {
        /// Whatever the rows: the order does not matter, nor where it starts from, and no small step is better.
        #[test]
        fn the_least_is_found(
            rows in proptest::collection::vec(proptest::collection::vec(-3f32..3.0, 37), 4..20),
            c in prop_oneof![Just(0.01), Just(1.0)],
        ) {
            let positive: Vec<bool> = (0..rows.len()).map(|i| i % 3 == 0).collect();
            let flat = rows.concat();
            let problem = Problem::new(&flat, 37, &positive).unwrap();
            let settings = Settings { c, ..EXACT };
            let one = problem.solve(&settings, &[]);
            let warm = problem.solve(&Settings { c: c * 3.0, ..EXACT }, &[]);
            let other = problem.solve(&Settings { seed: 2, ..settings }, &warm.duals);
            prop_assert!(one.converged && other.converged);
            let least = problem.objective(&one.weights, one.bias, c);
            prop_assert!((problem.objective(&other.weights, other.bias, c) / least - 1.0).abs() < 1e-4);
            for at in [0, 36] {
                for step in [-0.01, 0.01] {
                    let mut moved = one.weights.clone();
                    moved[at] += step;
                    prop_assert!(problem.objective(&moved, one.bias, c) > least - 1e-6);
                }
            }
        }

        #[test]
        fn sums_are_right(pairs in proptest::collection::vec((-9i8..9, -9i8..9), 0..200)) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.iter().map(|&(a, b)| (f32::from(a), f32::from(b))).unzip();
            prop_assert_eq!(dot(&a, &b), a.iter().zip(&b).map(|(a, b)| a * b).sum::<f32>());
            let mut y = a.clone();
            add(&mut y, 2.0, &b);
            prop_assert!(y.iter().zip(a.iter().zip(&b)).all(|(y, (a, b))| *y == a + 2.0 * b));
        }
    }
}
