//! The transforms of F(4×4, 3×3), with the matrices of Lavin and Gray (their section 4.3). A vector holds the same number of
//! the four tiles of a board.

use wide::f32x4;

use super::{SQUARES, WEIGHTS, at_least::at_least};

/// G.
const FILTER: [[f64; 3]; 6] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];

/// Squares in a row of the board with its edges.
const EDGED: usize = 10;

/// G g Gᵀ, number by number to `put`.
pub fn filter(weights: &[f32; WEIGHTS], mut put: impl FnMut(usize, f32)) {
    for (i, down) in FILTER.iter().enumerate() {
        for (j, across) in FILTER.iter().enumerate() {
            let terms = weights.iter().enumerate();
            let sum: f64 = terms
                .map(|(at, &weight)| down[at / 3] * across[at % 3] * f64::from(weight))
                .sum();
            put(6 * i + j, sum as f32);
        }
    }
}

/// Bᵀ d.
fn forth(d: [f32x4; 6]) -> [f32x4; 6] {
    let (two, four, five) = (f32x4::splat(2.0), f32x4::splat(4.0), f32x4::splat(5.0));
    let (even, odd) = (d[4] - four * d[2], d[3] - four * d[1]);
    let (outer, inner) = (d[4] - d[2], two * (d[3] - d[1]));
    [
        four * d[0] - five * d[2] + d[4],
        even + odd,
        even - odd,
        outer + inner,
        outer - inner,
        four * d[1] - five * d[3] + d[5],
    ]
}

/// Aᵀ m.
fn back(m: [f32x4; 6]) -> [f32x4; 4] {
    let (two, four, eight) = (f32x4::splat(2.0), f32x4::splat(4.0), f32x4::splat(8.0));
    let (near, near_apart) = (m[1] + m[2], m[1] - m[2]);
    let (far, far_apart) = (m[3] + m[4], m[3] - m[4]);
    [
        m[0] + near + far,
        near_apart + two * far_apart,
        near + four * far,
        near_apart + eight * far_apart + m[5],
    ]
}

/// Bᵀ d B of every tile of a plane, four tiles at each point; the points lie `apart`.
pub fn board(squares: &[f32; SQUARES], to: &mut [f32], apart: usize) {
    let mut edged = [0.0; EDGED * EDGED];
    for (row, edged) in squares
        .as_chunks::<8>()
        .0
        .iter()
        .zip(edged[EDGED..].as_chunks_mut::<EDGED>().0)
    {
        edged[1..9].copy_from_slice(row);
    }
    let rows = [0, 1, 2, 3, 4, 5].map(|i| {
        let (upper, lower) = (&edged[EDGED * i..][..EDGED], &edged[EDGED * (i + 4)..][..EDGED]);
        forth([0, 1, 2, 3, 4, 5].map(|j| f32x4::new([upper[j], upper[j + 4], lower[j], lower[j + 4]])))
    });
    for j in 0..6 {
        for (i, number) in forth(rows.map(|row| row[j])).into_iter().enumerate() {
            to[(6 * i + j) * apart..][..4].copy_from_slice(&number.to_array());
        }
    }
}

/// Aᵀ m A of every tile of a plane, and the bias; at least `least`.
pub fn squares(from: &[f32], apart: usize, bias: f32, least: f32, squares: &mut [f32; SQUARES]) {
    let (bias, least) = (f32x4::splat(bias), f32x4::splat(least));
    let across = [0, 1, 2, 3, 4, 5].map(|i| {
        let point = |j: usize| {
            let (numbers, _) = from[(6 * i + j) * apart..][..4].as_chunks::<4>();
            f32x4::new(numbers[0])
        };
        back([0, 1, 2, 3, 4, 5].map(point))
    });
    let end = |sum: f32x4| at_least(least, sum + bias).to_array();
    // Row and file of a tile, then the tile.
    let rows = [0, 1, 2, 3].map(|j| back(across.map(|row| row[j])).map(end));
    for (at, square) in squares.iter_mut().enumerate() {
        let (rank, file) = (at / 8, at % 8);
        *square = rows[file % 4][rank % 4][2 * (rank / 4) + file / 4];
    }
}
