//! Across a game: where its positions are in a graph, in the graph's own units.

/// Width of a graph.
pub const WIDTH: f64 = 400.0;

/// Where a position of a game of `positions` is, across.
#[must_use]
#[allow(clippy::cast_precision_loss)] // positions of a game
pub fn x(position: usize, positions: usize) -> f64 {
    position as f64 * WIDTH / (positions.max(2) - 1) as f64
}

/// The strip around a position: where it begins, and how wide it is.
#[must_use]
pub fn strip(position: usize, positions: usize) -> (f64, f64) {
    let half = x(1, positions) / 2.0;
    let (from, to) = (x(position, positions) - half, x(position, positions) + half);
    (from.max(0.0), to.min(WIDTH) - from.max(0.0))
}
