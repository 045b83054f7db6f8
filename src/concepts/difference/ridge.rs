//! Ridge regression of several targets on the same rows, from sums that rows are added to one lot after the other.
//!
//! Minimises `‖y − X w − b‖² + α ‖w‖²` for each target, the intercept `b` not being shrunk, as scikit-learn's
//! `Ridge(alpha=α)` does. What is kept is one matrix as wide and high as a row has numbers, however many rows there are:
//! sums of several threads are [merged](Sums::merge).

use ndarray::{Array1, Array2, ArrayView2, linalg::general_mat_mul, s};

use super::cholesky::{Cholesky, NotPositive};

/// Rows and columns of the tiles in which products are added: those above the diagonal are left out.
const TILE: usize = 512;

/// Sums over rows and their targets.
#[derive(Debug, Clone)]
pub struct Sums {
    rows: f64,
    /// `Xᵀ X`, its lower triangle (tiles above the diagonal are left 0).
    products: Array2<f32>,
    /// `Xᵀ Y`: width × targets.
    with_targets: Array2<f64>,
    /// Sums of the columns.
    columns: Array1<f64>,
    targets: Array1<f64>,
}

/// Rows and targets that are not as wide as the sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{numbers} numbers are no rows of {width} for {targets} numbers to learn")]
pub struct WrongShape {
    /// Numbers given.
    pub numbers: usize,
    /// Numbers of a row.
    pub width: usize,
    /// Numbers to learn that were given.
    pub targets: usize,
}

/// What was learnt for one target.
#[derive(Debug, Clone, PartialEq)]
pub struct RidgeFit {
    /// One a number of the row.
    pub weights: Vec<f32>,
    /// The intercept.
    pub bias: f32,
}

impl Sums {
    /// Of rows of `width` numbers with `targets` numbers to learn each; none yet.
    #[must_use]
    pub fn new(width: usize, targets: usize) -> Self {
        Self {
            rows: 0.0,
            products: Array2::zeros((width, width)),
            with_targets: Array2::zeros((width, targets)),
            columns: Array1::zeros(width),
            targets: Array1::zeros(targets),
        }
    }

    /// Rows added so far.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Numbers of a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Adds rows, one after the other, with their targets, likewise.
    ///
    /// # Errors
    /// When they are not as wide as they should be; nothing is added then.
    pub fn add(&mut self, rows: &[f32], targets: &[f32]) -> Result<(), WrongShape> {
        let (width, wide) = (self.columns.len(), self.targets.len());
        let count = targets.len() / wide.max(1);
        let wrong = WrongShape {
            numbers: rows.len(),
            width,
            targets: targets.len(),
        };
        // A view may be of fewer numbers than there are.
        if rows.len() != count * width || targets.len() != count * wide {
            return Err(wrong);
        }
        let x = ArrayView2::from_shape((count, width), rows).map_err(|_| wrong)?;
        let y = ArrayView2::from_shape((count, wide), targets).map_err(|_| wrong)?;
        for from in (0..width).step_by(TILE) {
            let to = (from + TILE).min(width);
            for left in (0..=from).step_by(TILE) {
                let left_end = (left + TILE).min(width);
                let (below, beside) = (x.slice(s![.., from..to]), x.slice(s![.., left..left_end]));
                let mut tile = self.products.slice_mut(s![from..to, left..left_end]);
                general_mat_mul(1.0, &below.t(), &beside, 1.0, &mut tile);
            }
        }
        self.with_targets += &x.t().dot(&y).mapv(f64::from);
        for (row, target) in x.rows().into_iter().zip(y.rows()) {
            self.columns.zip_mut_with(&row, |sum, &x| *sum += f64::from(x));
            self.targets.zip_mut_with(&target, |sum, &y| *sum += f64::from(y));
        }
        self.rows += count as f64;
        Ok(())
    }

    /// Adds what another one, of the same shape, has summed.
    ///
    /// # Errors
    /// When the shapes differ.
    pub fn merge(&mut self, other: &Self) -> Result<(), WrongShape> {
        if self.with_targets.dim() != other.with_targets.dim() {
            let (width, targets) = other.with_targets.dim();
            return Err(WrongShape {
                numbers: width,
                width: self.width(),
                targets,
            });
        }
        self.rows += other.rows;
        self.products += &other.products;
        self.with_targets += &other.with_targets;
        self.columns += &other.columns;
        self.targets += &other.targets;
        Ok(())
    }

    /// The standard deviation of each column.
    #[must_use]
    pub fn deviations(&self) -> Vec<f64> {
        let n = self.rows.max(1.0);
        let squares = self.products.diag();
        squares
            .iter()
            .zip(&self.columns)
            .map(|(&square, sum)| (f64::from(square) / n - (sum / n).powi(2)).max(0.0).sqrt())
            .collect()
    }

    /// The lines for each target. `shrink`: α, the same for all columns once each is multiplied by its `factor`; a column
    /// of factor 0 is not read. The weights are those of the columns as they are.
    ///
    /// # Errors
    /// When the equations have no single solution, which only an α of 0 or numbers beyond all bounds bring about.
    pub fn solve(&self, factors: &[f64], shrink: f64) -> Result<Vec<RidgeFit>, NotPositive> {
        let n = self.rows.max(1.0);
        let width = self.width();
        let factor = |i: usize| factors.get(i).copied().unwrap_or(1.0);
        let mut matrix = self.products.clone();
        for i in 0..width {
            let (own, mean) = (factor(i), self.columns[i] / n);
            let row = matrix.row_mut(i).into_iter().take(i + 1);
            for (j, value) in row.enumerate() {
                let centred = f64::from(*value) - mean * self.columns[j];
                *value = (centred * own * factor(j)) as f32;
            }
            matrix[[i, i]] += shrink as f32;
            if own == 0.0 {
                // Nothing is known of it; so its weight comes out as 0 whatever α is.
                matrix[[i, i]] += 1.0;
            }
        }
        let mut right = Array2::<f32>::from_shape_fn(self.with_targets.dim(), |(i, t)| {
            let centred = self.with_targets[[i, t]] - self.columns[i] * self.targets[t] / n;
            (centred * factor(i)) as f32
        });
        Cholesky::of(matrix)?.solve(&mut right);
        Ok(right
            .columns()
            .into_iter()
            .zip(&self.targets)
            .map(|(column, sum)| {
                let weights: Vec<f32> = column
                    .iter()
                    .enumerate()
                    .map(|(i, w)| (f64::from(*w) * factor(i)) as f32)
                    .collect();
                let at_the_mean: f64 = weights
                    .iter()
                    .zip(&self.columns)
                    .map(|(&w, x)| f64::from(w) * x / n)
                    .sum();
                RidgeFit {
                    weights,
                    bias: (sum / n - at_the_mean) as f32,
                }
            })
            .collect())
    }
}

impl RidgeFit {
    /// `w·x + b`, summed in double precision.
    #[must_use]
    pub fn at(&self, row: &[f32]) -> f32 {
        let dot: f64 = self
            .weights
            .iter()
            .zip(row)
            .map(|(&w, &x)| f64::from(w) * f64::from(x))
            .sum();
        (dot + f64::from(self.bias)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    /// scikit-learn's own answers: `tests/data/prepare/ridge_expected.py`.
    #[derive(Deserialize)]
    struct Case {
        name: String,
        alpha: f64,
        rows: Vec<Vec<f32>>,
        targets: Vec<Vec<f32>>,
        weights: Vec<Vec<f32>>,
        biases: Vec<f32>,
    }

    fn cases() -> Vec<Case> {
        serde_json::from_str(include_str!("../../../tests/data/ridge/expected.json")).unwrap()
    }

    fn sums(case: &Case) -> Sums {
        let mut sums = Sums::new(case.rows[0].len(), case.targets[0].len());
        let mut other = sums.clone();
        let half = case.rows.len() / 2;
        sums.add(&case.rows[..half].concat(), &case.targets[..half].concat())
            .unwrap();
        other
            .add(&case.rows[half..].concat(), &case.targets[half..].concat())
            .unwrap();
        sums.merge(&other).unwrap();
        sums
    }

    #[test]
    fn fits_are_those_of_scikit_learn() {
        for case in cases() {
            let found = sums(&case).solve(&[], case.alpha).unwrap();
            let largest = case.weights.concat().iter().fold(1.0_f32, |most, w| most.max(w.abs()));
            for ((line, weights), bias) in found.iter().zip(&case.weights).zip(&case.biases) {
                for (a, b) in line.weights.iter().zip(weights) {
                    assert!((a - b).abs() < 1e-4 * largest, "{}: {a} {b}", case.name);
                }
                assert!((line.bias - bias).abs() < 1e-4 * largest, "{}", case.name);
            }
        }
    }

    #[test]
    fn factors_are_columns_scaled_beforehand() {
        let case = &cases()[0];
        let width = case.rows[0].len();
        let factors: Vec<f64> = (0..width).map(|i| if i == 2 { 0.0 } else { 0.5 + i as f64 }).collect();
        let scaled: Vec<f32> = case
            .rows
            .iter()
            .flat_map(|row| row.iter().zip(&factors).map(|(x, f)| (f64::from(*x) * f) as f32))
            .collect();
        let mut other = Sums::new(width, case.targets[0].len());
        other.add(&scaled, &case.targets.concat()).unwrap();
        let (by_factors, beforehand) = (sums(case).solve(&factors, 2.0).unwrap(), other.solve(&[], 2.0).unwrap());
        for (one, two) in by_factors.iter().zip(&beforehand) {
            assert_eq!(one.weights[2], 0.0);
            for ((a, b), f) in one.weights.iter().zip(&two.weights).zip(&factors) {
                assert!((f64::from(*a) - f64::from(*b) * f).abs() < 1e-3, "{a} {b}");
            }
            assert!((one.at(&case.rows[0]) - two.at(&scaled[..width])).abs() < 1e-3);
        }
    }

    #[test]
    fn other_shapes_are_refused() {
        let mut sums = Sums::new(3, 2);
        assert!(sums.add(&[0.0; 7], &[0.0; 4]).is_err());
        assert!(sums.add(&[0.0; 6], &[0.0; 5]).is_err());
        assert!(sums.merge(&Sums::new(3, 1)).is_err());
        assert_eq!(sums.rows(), 0);
    }
}
