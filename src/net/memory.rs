//! How much memory a network takes, from its number of weights.

use super::format::BodyFormat;

/// The most bytes that a network may take. WebAssembly has 4 GiB; the allocator's gaps and what is computed need the rest.
/// Natively the machine decides.
pub const MOST_MEMORY: u64 = if cfg!(target_pointer_width = "32") {
    3_000_000_000
} else {
    u64::MAX
};

/// Bytes of a weight in memory.
const WEIGHT: u64 = 4;

/// About how many bytes it takes to build the graph of a network of so many weights. Of a residual network nearly all weights
/// are those of 3×3 filters, which go, block by block, and become sixteen numbers for nine (thirty-six in narrow networks, of which
/// none is large). Those of an attention body are
/// kept as they are until they stand in the order in which they are multiplied.
#[must_use]
pub const fn to_build(weights: u64, body: BodyFormat) -> u64 {
    match body {
        BodyFormat::Residual | BodyFormat::SqueezeExcitation => weights.saturating_mul(WEIGHT) / 9 * 16,
        BodyFormat::Attention => weights.saturating_mul(2 * WEIGHT),
    }
}
