//! The products of filters and tiles, for one number of the transformed tiles: filters × input planes times input planes ×
//! tiles. The sums of a few filters stay in registers while all input planes go by; a sum's terms are added in the
//! planes' order.

use wide::f32x4;

/// Four filters at a time (plane by plane, four numbers each) with sixteen tiles (plane by plane), into filters × tiles.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn four_by_sixteen(filters: &[f32], tiles: &[f32], into: &mut [f32], inputs: usize) {
    let tiles = &tiles.as_chunks::<16>().0[..inputs];
    for (filters, into) in filters.chunks_exact(4 * inputs).zip(into.as_chunks_mut::<64>().0) {
        let filters = filters.as_chunks::<4>().0;
        // Sixteen sums and what they are made of would not fit into the sixteen registers of x86-64: half the tiles, twice.
        half::<0>(filters, tiles, into);
        half::<2>(filters, tiles, into);
    }
}

/// The tiles of two vectors of the four, from number `FIRST` on.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn half<const FIRST: usize>(filters: &[[f32; 4]], planes: &[[f32; 16]], into: &mut [f32; 64]) {
    let mut sums = [[f32x4::ZERO; 2]; 4];
    for (filter, tiles) in filters.iter().zip(planes) {
        let tiles = tiles.as_chunks::<4>().0;
        let (left, right) = (f32x4::new(tiles[FIRST]), f32x4::new(tiles[FIRST + 1]));
        for (sum, &weight) in sums.iter_mut().zip(filter) {
            let weight = f32x4::splat(weight);
            sum[0] += weight * left;
            sum[1] += weight * right;
        }
    }
    for (into, sum) in into.as_chunks_mut::<16>().0.iter_mut().zip(sums) {
        let into = into.as_chunks_mut::<4>().0;
        into[FIRST] = sum[0].to_array();
        into[FIRST + 1] = sum[1].to_array();
    }
}

/// Eight filters at a time (plane by plane, eight numbers each) with four tiles (each with all its planes), into tiles ×
/// eight filters.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn eight_by_four(filters: &[f32], tiles: &[f32], into: &mut [f32], inputs: usize) {
    let width = tiles.len() / 4;
    let tile = |number: usize| &tiles[number * width..][..inputs];
    let tiles = [tile(0), tile(1), tile(2), tile(3)];
    for (filters, into) in filters.chunks_exact(8 * inputs).zip(into.as_chunks_mut::<32>().0) {
        eight(filters.as_chunks::<8>().0, tiles, into);
    }
}

#[cfg_attr(target_arch = "x86_64", inline(always))]
fn eight(filters: &[[f32; 8]], tiles: [&[f32]; 4], into: &mut [f32; 32]) {
    let [first, second, third, fourth] = tiles;
    let mut sums = [[f32x4::ZERO; 2]; 4];
    let planes = first.iter().zip(second).zip(third).zip(fourth);
    for (filter, (((a, b), c), d)) in filters.iter().zip(planes) {
        let filter = filter.as_chunks::<4>().0;
        let (left, right) = (f32x4::new(filter[0]), f32x4::new(filter[1]));
        for (sum, &number) in sums.iter_mut().zip([a, b, c, d]) {
            let number = f32x4::splat(number);
            sum[0] += left * number;
            sum[1] += right * number;
        }
    }
    for (into, sum) in into.as_chunks_mut::<4>().0.iter_mut().zip(sums.as_flattened()) {
        *into = sum.to_array();
    }
}
