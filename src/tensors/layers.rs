//! The weights of layers. A matrix is kept row by row, one row for each number that comes out, as PyTorch keeps it.

/// A normalisation of each token's numbers, with a factor and an offset for each.
#[derive(Debug, Clone, PartialEq)]
pub struct Norm {
    pub factors: Vec<f32>,
    pub offsets: Vec<f32>,
}

/// A dense layer without biases: outputs × inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    pub inputs: usize,
    pub outputs: usize,
    pub weights: Vec<f32>,
}

/// A dense layer, with a bias for each output.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    pub matrix: Matrix,
    pub biases: Vec<f32>,
}
