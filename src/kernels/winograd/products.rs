//! The products of filters and tiles, for one number of the transformed tiles: filters × input planes times input planes ×
//! tiles. The sums of a few filters stay in registers while all input planes go by; a sum's terms are added in the
//! planes' order.

use wide::f32x4;

/// Blocks of four filters that go by together while half a board's tiles stay in the first cache: as many as the second one
/// holds beside them.
const GROUP: usize = 8;

/// Four filters at a time (plane by plane, four numbers each) with sixteen tiles (plane by plane, eight of each and then the
/// other eight), into filters × tiles. One board's tiles follow the other's after `read` numbers, its sums after `written`;
/// filters are read once for all.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn four_by_sixteen(filters: &[f32], tiles: &[f32], into: &mut [f32], inputs: usize, read: usize, written: usize) {
    for (group, filters) in filters.chunks(4 * inputs * GROUP).enumerate() {
        for (tiles, into) in tiles.chunks_exact(read).zip(into.chunks_exact_mut(written)) {
            let into = &mut into.as_chunks_mut::<64>().0[group * GROUP..];
            // Sixteen sums and what they are made of would not fit into the sixteen registers of x86-64: half the tiles,
            // twice.
            for (half, tiles) in tiles.chunks_exact(read / 2).enumerate() {
                let tiles = &tiles.as_chunks::<8>().0[..inputs];
                for (filters, into) in filters.chunks_exact(4 * inputs).zip(into.iter_mut()) {
                    eight_tiles(filters.as_chunks::<4>().0, tiles, into, 2 * half);
                }
            }
        }
    }
}

/// The tiles of two vectors of the four, from number `first` on.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn eight_tiles(filters: &[[f32; 4]], planes: &[[f32; 8]], into: &mut [f32; 64], first: usize) {
    let mut sums = [[f32x4::ZERO; 2]; 4];
    for (filter, tiles) in filters.iter().zip(planes) {
        let tiles = tiles.as_chunks::<4>().0;
        let (left, right) = (f32x4::new(tiles[0]), f32x4::new(tiles[1]));
        for (sum, &weight) in sums.iter_mut().zip(filter) {
            let weight = f32x4::splat(weight);
            sum[0] += weight * left;
            sum[1] += weight * right;
        }
    }
    for (into, sum) in into.as_chunks_mut::<16>().0.iter_mut().zip(sums) {
        let into = into.as_chunks_mut::<4>().0;
        into[first] = sum[0].to_array();
        into[first + 1] = sum[1].to_array();
    }
}

/// Eight filters at a time (plane by plane, eight numbers each) with four tiles (each with all its planes), into tiles ×
/// eight filters. Boards follow each other as in [`four_by_sixteen`].
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn eight_by_four(filters: &[f32], tiles: &[f32], into: &mut [f32], inputs: usize, read: usize, written: usize) {
    for (number, filters) in filters.chunks_exact(8 * inputs).enumerate() {
        let filters = filters.as_chunks::<8>().0;
        for (tiles, into) in tiles.chunks_exact(read).zip(into.chunks_exact_mut(written)) {
            let tile = |number: usize| &tiles[number * (read / 4)..][..inputs];
            let tiles = [tile(0), tile(1), tile(2), tile(3)];
            eight(filters, tiles, &mut into.as_chunks_mut::<32>().0[number]);
        }
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
