/// Weights that are no layer's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misshapen {
    /// Weights there are.
    pub weights: usize,
    /// Weights there should be.
    pub needed: usize,
}

impl std::error::Error for Misshapen {}

impl std::fmt::Display for Misshapen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} weights where the layer has {}", self.weights, self.needed)
    }
}
