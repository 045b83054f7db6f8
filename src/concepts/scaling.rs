//! Standardised activations: each to mean 0 and deviation 1 over the rows that are learnt from.
//!
//! Blocks and filters have very different scales, and a support vector machine's regularisation takes the scale for
//! importance. The probe that comes out reads the activations as they are: scaling is folded into its weights.

/// Least deviation, as a share of the mean deviation of all columns: what hardly ever moves is not blown up to the size
/// of the others.
const FLOOR: f64 = 0.05;

/// The columns' means and deviations.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaling {
    means: Vec<f32>,
    /// 1 over the floored deviation; 0 for columns that never move.
    factors: Vec<f32>,
}

impl Scaling {
    /// Of `rows` of `width` numbers, one after the other.
    #[must_use]
    pub fn of(rows: &[f32], width: usize) -> Self {
        let n = (rows.len() / width.max(1)).max(1) as f64;
        let mut means = vec![0.0_f64; width];
        for row in rows.chunks_exact(width.max(1)) {
            for (sum, &x) in means.iter_mut().zip(row) {
                *sum += f64::from(x);
            }
        }
        means.iter_mut().for_each(|sum| *sum /= n);
        let mut squares = vec![0.0_f64; width];
        for row in rows.chunks_exact(width.max(1)) {
            for ((square, &x), mean) in squares.iter_mut().zip(row).zip(&means) {
                let difference = f64::from(x) - mean;
                *square += difference * difference;
            }
        }
        let deviations: Vec<f64> = squares.into_iter().map(|square| (square / n).sqrt()).collect();
        let floor = FLOOR * deviations.iter().sum::<f64>() / width.max(1) as f64;
        Self {
            means: means.into_iter().map(|mean| mean as f32).collect(),
            factors: deviations
                .into_iter()
                .map(|deviation| {
                    if deviation > 0.0 {
                        (1.0 / deviation.max(floor)) as f32
                    } else {
                        0.0
                    }
                })
                .collect(),
        }
    }

    /// Standardises rows in place.
    pub fn apply(&self, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.means.len().max(1)) {
            for ((x, mean), factor) in row.iter_mut().zip(&self.means).zip(&self.factors) {
                *x = (*x - mean) * factor;
            }
        }
    }

    /// Weights and bias for rows as they are, from those for standardised rows.
    #[must_use]
    pub fn fold(&self, weights: &[f32], bias: f32) -> (Vec<f32>, f32) {
        let folded: Vec<f32> = weights
            .iter()
            .zip(&self.factors)
            .map(|(w, factor)| w * factor)
            .collect();
        let shift: f64 = folded
            .iter()
            .zip(&self.means)
            .map(|(&w, &mean)| f64::from(w) * f64::from(mean))
            .sum();
        (folded, (f64::from(bias) - shift) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_mean_0_and_deviation_1() {
        // The third column never moves; the fourth hardly does.
        let mut rows = vec![1.0, -10.0, 7.0, 0.001, 3.0, 30.0, 7.0, 0.0];
        let scaling = Scaling::of(&rows, 4);
        scaling.apply(&mut rows);
        assert_eq!(rows[..3], [-1.0, -1.0, 0.0]);
        assert_eq!(rows[4..7], [1.0, 1.0, 0.0]);
        assert!(rows[3].abs() < 0.01 && rows[3] > 0.0, "{}", rows[3]);
    }

    #[test]
    fn folded_weights_judge_the_rows_as_they_are() {
        let raw: Vec<f32> = (0..60).map(|i| ((i * 37) % 23) as f32 / 3.0).collect();
        let scaling = Scaling::of(&raw, 5);
        let mut rows = raw.clone();
        scaling.apply(&mut rows);
        let weights = [0.5, -1.0, 2.0, 0.25, -0.125];
        let (folded, bias) = scaling.fold(&weights, 0.75);
        let value = |row: &[f32], w: &[f32], b: f32| row.iter().zip(w).map(|(x, w)| x * w).sum::<f32>() + b;
        for (raw, row) in raw.chunks(5).zip(rows.chunks(5)) {
            assert!((value(raw, &folded, bias) - value(row, &weights, 0.75)).abs() < 1e-4);
        }
    }
}
