use wide::f32x4;

/// The larger number. What is no number becomes infinite, on every processor: sums that overflow must not look sound, and a
/// rectifier that follows elsewhere (tract's) may take it for 0.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn at_least(least: f32x4, x: f32x4) -> f32x4 {
    let larger = x.simd_lt(least).select(least, x);
    larger.is_nan().select(f32x4::splat(f32::INFINITY), larger)
}
