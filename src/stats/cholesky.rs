//! Linear equations with a symmetric, positive definite matrix.

/// The lower triangle L of Cholesky's decomposition A = L Lᵀ.
pub struct Cholesky {
    n: usize,
    /// Row by row; what is above the diagonal is A's.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Takes A apart, given row by row. `None` where rounding leaves it not positive definite, or a number is not finite.
    pub fn of(mut a: Vec<f64>, n: usize) -> Option<Self> {
        for row in 0..n {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| a[row * n + k] * a[column * n + k]).sum();
                let rest = a[row * n + column] - known;
                a[row * n + column] = if row == column {
                    if rest <= 0.0 || !rest.is_finite() {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / a[column * n + column]
                };
            }
        }
        Some(Self { n, lower: a })
    }

    /// The x of A x = b.
    pub fn solve(&self, mut b: Vec<f64>) -> Vec<f64> {
        let (n, a) = (self.n, &self.lower);
        for row in 0..n {
            let known: f64 = (0..row).map(|k| a[row * n + k] * b[k]).sum();
            b[row] = (b[row] - known) / a[row * n + row];
        }
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|k| a[k * n + row] * b[k]).sum();
            b[row] = (b[row] - known) / a[row * n + row];
        }
        b
    }

    /// A's inverse, row by row.
    pub fn inverse(&self) -> Vec<f64> {
        let unit = |row: usize| (0..self.n).map(|place| f64::from(u8::from(place == row))).collect();
        (0..self.n).flat_map(|row| self.solve(unit(row))).collect()
    }
}
