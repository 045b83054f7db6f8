//! The transforms of F(2×2, 3×3), with the matrices of Lavin and Gray (their equation 7). A vector holds the same number of
//! the four tiles of a row.

use wide::f32x4;

use super::{super::at_least::at_least, SQUARES};

/// G.
pub const FILTER: [[f64; 3]; 4] = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]];

/// Bᵀ d B of every tile of every plane: at each point, planes × eight tiles of the board's upper half, then as many of its
/// lower half, which lies `half` numbers behind; the points lie `apart`.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn board(board: &[f32], to: &mut [f32], half: usize, apart: usize) {
    for (number, plane) in board.as_chunks::<SQUARES>().0.iter().enumerate() {
        plane_of_board(plane, &mut to[8 * number..], half, apart);
    }
}

#[cfg_attr(target_arch = "x86_64", inline(always))]
fn plane_of_board(squares: &[f32; SQUARES], to: &mut [f32], half: usize, apart: usize) {
    // A row above and one below the board stay 0.
    let mut rows = [[f32x4::ZERO; 4]; 10];
    for (x, row) in squares.as_chunks::<8>().0.iter().zip(&mut rows[1..9]) {
        let before = f32x4::new([0.0, x[1], x[3], x[5]]);
        let even = f32x4::new([x[0], x[2], x[4], x[6]]);
        let odd = f32x4::new([x[1], x[3], x[5], x[7]]);
        let after = f32x4::new([x[2], x[4], x[6], 0.0]);
        *row = [before - odd, even + odd, odd - even, even - after];
    }
    for j in 0..4 {
        let mut put = |i: usize, number: fn(&[f32x4; 4]) -> f32x4| {
            let to = &mut to[(4 * i + j) * apart..][..half + 8];
            for tiles in 0..4 {
                let down = [0, 1, 2, 3].map(|row| rows[2 * tiles + row][j]);
                let place = (tiles / 2) * half + 4 * (tiles % 2);
                to[place..][..4].copy_from_slice(&number(&down).to_array());
            }
        };
        put(0, |d| d[0] - d[2]);
        put(1, |d| d[1] + d[2]);
        put(2, |d| d[2] - d[1]);
        put(3, |d| d[1] - d[3]);
    }
}

/// Aᵀ m A of every tile of every plane, and its bias; at least `least`. At each point, planes × sixteen tiles.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn squares(from: &[f32], apart: usize, biases: &[f32], least: f32, into: &mut [f32]) {
    let into = into.as_chunks_mut::<SQUARES>().0;
    for (number, (plane, &bias)) in into.iter_mut().zip(biases).enumerate() {
        squares_of_plane(&from[16 * number..], apart, bias, least, plane);
    }
}

#[cfg_attr(target_arch = "x86_64", inline(always))]
fn squares_of_plane(from: &[f32], apart: usize, bias: f32, least: f32, squares: &mut [f32; SQUARES]) {
    let (bias, least) = (f32x4::splat(bias), f32x4::splat(least));
    for (tiles, squares) in squares.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let across = [0, 1, 2, 3].map(|i| {
            let point = |j: usize| {
                let (numbers, _) = from[(4 * i + j) * apart..][..16].as_chunks::<4>();
                f32x4::new(numbers[tiles])
            };
            let (m0, m1, m2, m3) = (point(0), point(1), point(2), point(3));
            [m0 + m1 + m2, m1 - m2 - m3]
        });
        let end = |sum: f32x4| at_least(least, sum + bias).to_array();
        let upper = [0, 1].map(|j| end(across[0][j] + across[1][j] + across[2][j]));
        let lower = [0, 1].map(|j| end(across[1][j] - across[2][j] - across[3][j]));
        for (row, [even, odd]) in squares.as_chunks_mut::<8>().0.iter_mut().zip([upper, lower]) {
            *row = [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]];
        }
    }
}
