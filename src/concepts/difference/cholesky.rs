//! Solves `A x = b` for a symmetric positive definite `A`, by Cholesky's decomposition in blocks.
//!
//! In blocks because nearly all of the work is then products of matrices, which ndarray does with vector instructions:
//! ten thousand unknowns are a matter of seconds. Of `A` only the lower triangle is read.

use ndarray::{Array2, ArrayView2, ArrayViewMut2, linalg::general_mat_mul, s};

/// Columns that are worked off at once.
const BLOCK: usize = 128;
/// Rows and columns of the tiles in which the rest is brought up to date: the upper triangle is left out.
const TILE: usize = 512;

/// The matrix is not positive definite: a column is a sum of others, and nothing was added to the diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the equations have no single solution: column {column} follows from those before it")]
pub struct NotPositive {
    /// The column, from 0.
    pub column: usize,
}

/// The lower triangle `L` of `A = L Lᵀ`.
#[derive(Debug, Clone)]
pub struct Cholesky {
    /// `L` in its lower triangle; above it there is what there was.
    lower: Array2<f32>,
}

impl Cholesky {
    /// Decomposes a square matrix in place.
    ///
    /// # Errors
    /// When it is not positive definite (or holds what is no number).
    pub fn of(mut matrix: Array2<f32>) -> Result<Self, NotPositive> {
        let n = matrix.nrows().min(matrix.ncols());
        for from in (0..n).step_by(BLOCK) {
            let to = (from + BLOCK).min(n);
            let inverse = decompose_block(matrix.slice_mut(s![from..to, from..to]), from)?;
            if to == n {
                break;
            }
            // The panel below the block: P = A (L⁻¹)ᵀ.
            let below = matrix.slice(s![to..n, from..to]).dot(&inverse.t());
            matrix.slice_mut(s![to..n, from..to]).assign(&below);
            subtract_product(matrix.slice_mut(s![to..n, to..n]), below.view());
        }
        Ok(Self { lower: matrix })
    }

    /// `X` of `A X = B`, a column of `B` each; in place.
    pub fn solve(&self, right: &mut Array2<f32>) {
        let n = self.lower.nrows();
        let blocks: Vec<(usize, usize)> = (0..n)
            .step_by(BLOCK)
            .map(|from| (from, (from + BLOCK).min(n)))
            .collect();
        for &(from, to) in &blocks {
            let (done, mut rest) = right.view_mut().split_at(ndarray::Axis(0), from);
            let mut own = rest.slice_mut(s![..to - from, ..]);
            general_mat_mul(-1.0, &self.lower.slice(s![from..to, ..from]), &done, 1.0, &mut own);
            forward(self.lower.slice(s![from..to, from..to]), own);
        }
        for &(from, to) in blocks.iter().rev() {
            let (mut rest, done) = right.view_mut().split_at(ndarray::Axis(0), to);
            let mut own = rest.slice_mut(s![from..to, ..]);
            general_mat_mul(-1.0, &self.lower.slice(s![to.., from..to]).t(), &done, 1.0, &mut own);
            backward(self.lower.slice(s![from..to, from..to]), own);
        }
    }
}

/// Decomposes a small block in place and gives the inverse of its `L`. Sums are in double precision. `first`: the number
/// of its first column in the whole.
fn decompose_block(mut block: ArrayViewMut2<f32>, first: usize) -> Result<Array2<f32>, NotPositive> {
    let n = block.nrows();
    let mut lower = block.mapv(f64::from);
    for j in 0..n {
        let known: f64 = (0..j).map(|k| lower[[j, k]] * lower[[j, k]]).sum();
        let square = lower[[j, j]] - known;
        // Not `<=`, which a NaN would pass.
        if !(square > 0.0 && square.is_finite()) {
            return Err(NotPositive { column: first + j });
        }
        let root = square.sqrt();
        lower[[j, j]] = root;
        for i in j + 1..n {
            let known: f64 = (0..j).map(|k| lower[[i, k]] * lower[[j, k]]).sum();
            lower[[i, j]] = (lower[[i, j]] - known) / root;
        }
    }
    let mut inverse = Array2::<f64>::zeros((n, n));
    for j in 0..n {
        inverse[[j, j]] = 1.0 / lower[[j, j]];
        for i in j + 1..n {
            let known: f64 = (j..i).map(|k| lower[[i, k]] * inverse[[k, j]]).sum();
            inverse[[i, j]] = -known / lower[[i, i]];
        }
    }
    for i in 0..n {
        for j in 0..=i {
            block[[i, j]] = lower[[i, j]] as f32;
        }
    }
    Ok(inverse.mapv(|x| x as f32))
}

/// `A − P Pᵀ`, of the lower triangle (and little more).
fn subtract_product(mut matrix: ArrayViewMut2<f32>, panel: ArrayView2<f32>) {
    let n = matrix.nrows();
    for rows in (0..n).step_by(TILE) {
        let rows_end = (rows + TILE).min(n);
        for columns in (0..=rows).step_by(TILE) {
            let columns_end = (columns + TILE).min(n);
            let mut tile = matrix.slice_mut(s![rows..rows_end, columns..columns_end]);
            let (left, right) = (
                panel.slice(s![rows..rows_end, ..]),
                panel.slice(s![columns..columns_end, ..]),
            );
            general_mat_mul(-1.0, &left, &right.t(), 1.0, &mut tile);
        }
    }
}

/// `X` of `L X = B`, in place.
fn forward(lower: ArrayView2<f32>, mut right: ArrayViewMut2<f32>) {
    for i in 0..lower.nrows() {
        for column in 0..right.ncols() {
            let known: f64 = (0..i)
                .map(|k| f64::from(lower[[i, k]]) * f64::from(right[[k, column]]))
                .sum();
            right[[i, column]] = ((f64::from(right[[i, column]]) - known) / f64::from(lower[[i, i]])) as f32;
        }
    }
}

/// `X` of `Lᵀ X = B`, in place.
fn backward(lower: ArrayView2<f32>, mut right: ArrayViewMut2<f32>) {
    let n = lower.nrows();
    for i in (0..n).rev() {
        for column in 0..right.ncols() {
            let known: f64 = (i + 1..n)
                .map(|k| f64::from(lower[[k, i]]) * f64::from(right[[k, column]]))
                .sum();
            right[[i, column]] = ((f64::from(right[[i, column]]) - known) / f64::from(lower[[i, i]])) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    /// `M Mᵀ` and a little on the diagonal.
    fn positive(n: usize, seed: u64) -> Array2<f32> {
        let mut rng = Rng::new(seed);
        let matrix = Array2::from_shape_fn((n, n), |_| rng.unit() as f32 - 0.5);
        matrix.dot(&matrix.t()) + Array2::<f32>::eye(n)
    }

    #[test]
    fn what_was_multiplied_is_found_again() {
        // Within a block, one block, several, and one more than a tile.
        for n in [1, 5, BLOCK, BLOCK + 1, 3 * BLOCK - 7, BLOCK + TILE + 3] {
            let matrix = positive(n, n as u64);
            let mut rng = Rng::new(3);
            let wanted = Array2::from_shape_fn((n, 3), |_| rng.unit() as f32);
            let mut found = matrix.dot(&wanted);
            Cholesky::of(matrix).unwrap().solve(&mut found);
            let worst = (&found - &wanted).iter().fold(0.0_f32, |most, x| most.max(x.abs()));
            assert!(worst < 2e-4, "{n}: {worst}");
        }
    }

    #[test]
    fn a_column_that_follows_from_others_is_named() {
        let mut matrix = positive(200, 1);
        for i in 0..200 {
            matrix[[150, i]] = matrix[[20, i]];
            matrix[[i, 150]] = matrix[[i, 20]];
        }
        matrix[[150, 150]] = matrix[[20, 20]];
        assert_eq!(Cholesky::of(matrix).unwrap_err().column, 150);
        assert!(Cholesky::of(Array2::from_elem((2, 2), f32::NAN)).is_err());
        assert!(Cholesky::of(Array2::zeros((0, 0))).is_ok());
    }
}
