use wide::f32x4;

/// The larger number; what is no number stays none, on every processor. A network whose sums overflow must not look sound.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn at_least(least: f32x4, x: f32x4) -> f32x4 {
    x.simd_lt(least).select(least, x)
}
