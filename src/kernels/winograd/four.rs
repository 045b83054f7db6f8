//! The transforms of F(4×4, 3×3), with the matrices of Lavin and Gray (their section 4.3). A vector holds the same number of
//! four planes.

use wide::f32x4;

use super::{super::at_least::at_least, SQUARES};

/// G.
pub const FILTER: [[f64; 3]; 6] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];

/// Bᵀ d.
#[cfg_attr(target_arch = "x86_64", inline(always))]
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
#[cfg_attr(target_arch = "x86_64", inline(always))]
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

/// Bᵀ d B of every tile of every plane: at each point, tiles × planes (a multiple of four of them, the last ones 0 where
/// the board has fewer); the points lie `apart`.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn board(board: &[f32], to: &mut [f32], apart: usize) {
    let planes = board.as_chunks::<SQUARES>().0;
    let width = planes.len().next_multiple_of(4);
    // Edges of the board stay 0.
    let mut rows = [[f32x4::ZERO; 12]; 10];
    let (fours, rest) = planes.as_chunks::<4>();
    let mut last = [[0.0; SQUARES]; 4];
    last[..rest.len()].copy_from_slice(rest);
    let fours = fours.iter().chain((!rest.is_empty()).then_some(&last));
    for (group, planes) in fours.enumerate() {
        across(planes, &mut rows);
        down(&rows, &mut to[4 * group..], width, apart);
    }
}

/// d B of every tile of four planes, one row of a tile after the other: each half of every rank.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn across(planes: &[[f32; SQUARES]; 4], rows: &mut [[f32x4; 12]; 10]) {
    let planes = planes.each_ref().map(|plane| plane.as_chunks::<4>().0);
    for (rank, row) in rows[1..9].iter_mut().enumerate() {
        let half = |half: usize| f32x4::transpose(planes.map(|plane| f32x4::new(plane[2 * rank + half])));
        let ([a, b, c, d], [e, f, g, h]) = (half(0), half(1));
        let [left, right] = [forth([f32x4::ZERO, a, b, c, d, e]), forth([d, e, f, g, h, f32x4::ZERO])];
        row[..6].copy_from_slice(&left);
        row[6..].copy_from_slice(&right);
    }
}

/// Bᵀ of what [`across`] gives, to each point's place.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn down(rows: &[[f32x4; 12]; 10], to: &mut [f32], width: usize, apart: usize) {
    for tile in 0..4 {
        let (upper, left) = (4 * (tile / 2), 6 * (tile % 2));
        for j in 0..6 {
            let down = [0, 1, 2, 3, 4, 5].map(|i| rows[upper + i][left + j]);
            for (i, number) in forth(down).into_iter().enumerate() {
                to[(6 * i + j) * apart + tile * width..][..4].copy_from_slice(&number.to_array());
            }
        }
    }
}

/// Aᵀ m A of every tile of every plane, and its bias; at least `least`. At each point, tiles × eight planes for every block
/// of eight.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn squares(from: &[f32], apart: usize, biases: &[f32], least: f32, into: &mut [f32]) {
    let into = into.as_chunks_mut::<SQUARES>().0;
    for (group, (planes, biases)) in into.chunks_mut(4).zip(biases.chunks(4)).enumerate() {
        squares_of_four(
            &from[32 * (group / 2) + 4 * (group % 2)..],
            apart,
            biases,
            least,
            planes,
        );
    }
}

#[cfg_attr(target_arch = "x86_64", inline(always))]
fn squares_of_four(from: &[f32], apart: usize, biases: &[f32], least: f32, planes: &mut [[f32; SQUARES]]) {
    let mut bias = [0.0; 4];
    bias[..biases.len()].copy_from_slice(biases);
    let (bias, least) = (f32x4::new(bias), f32x4::splat(least));
    for tile in 0..4 {
        let across = [0, 1, 2, 3, 4, 5].map(|i| {
            let point = |j: usize| {
                let (numbers, _) = from[(6 * i + j) * apart + 8 * tile..][..4].as_chunks::<4>();
                f32x4::new(numbers[0])
            };
            back([0, 1, 2, 3, 4, 5].map(point))
        });
        let columns = [0, 1, 2, 3].map(|j| back(across.map(|row| row[j])));
        for i in 0..4 {
            let row = f32x4::transpose(columns.map(|column| at_least(least, column[i] + bias)));
            for (plane, row) in planes.iter_mut().zip(row) {
                plane.as_chunks_mut::<4>().0[8 * (tile / 2) + 2 * i + tile % 2] = row.to_array();
            }
        }
    }
}
