//! Dense layers, and the two orders in which a board's numbers go into them.

/// Squares of a plane.
pub const SQUARES: usize = 64;

/// A dense layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    /// Numbers in.
    pub inputs: usize,
    /// Numbers out.
    pub outputs: usize,
    /// Output × input.
    pub weights: Vec<f32>,
    /// One per output.
    pub biases: Vec<f32>,
}

impl Dense {
    /// Its weights, then its biases.
    pub(super) fn layers(&self) -> [&Vec<f32>; 2] {
        [&self.weights, &self.biases]
    }

    /// The same, to change them.
    pub(super) fn layers_mut(&mut self) -> [&mut Vec<f32>; 2] {
        [&mut self.weights, &mut self.biases]
    }

    /// For a layer that reads a board: the same layer, reading plane after plane instead of square after square. Lc0's
    /// attention bodies have it the other way; here every board goes by planes. A layer whose inputs are no whole boards
    /// stays as it is.
    pub(super) fn reading_planes(mut self) -> Self {
        self.reorder_inputs(false);
        self
    }

    /// The inverse of [`Dense::reading_planes`].
    pub(super) fn reading_squares(mut self) -> Self {
        self.reorder_inputs(true);
        self
    }

    fn reorder_inputs(&mut self, squares_first: bool) {
        let width = self.inputs;
        if width == 0 || !width.is_multiple_of(SQUARES) {
            return;
        }
        let mut row = vec![0.0; width];
        for weights in self.weights.chunks_exact_mut(width) {
            for (to, slot) in row.iter_mut().enumerate() {
                *slot = weights[source(to, width, squares_first)];
            }
            weights.copy_from_slice(&row);
        }
    }

    /// For a layer that gives a board: the same layer, giving plane after plane instead of square after square.
    pub(super) fn giving_planes(self) -> Self {
        self.reorder_outputs(false)
    }

    /// The inverse of [`Dense::giving_planes`].
    pub(super) fn giving_squares(self) -> Self {
        self.reorder_outputs(true)
    }

    fn reorder_outputs(self, squares_first: bool) -> Self {
        let (count, width) = (self.outputs, self.inputs);
        if count == 0 || !count.is_multiple_of(SQUARES) {
            return self;
        }
        let order = || (0..count).map(|to| source(to, count, squares_first));
        Self {
            weights: order()
                .flat_map(|from| self.weights[from * width..(from + 1) * width].iter().copied())
                .collect(),
            biases: order().map(|from| self.biases[from]).collect(),
            ..self
        }
    }
}

/// Where the number that comes to place `to` of `length` was: by squares, for a place by planes, or the other way about.
fn source(to: usize, length: usize, squares_first: bool) -> usize {
    let planes = length / SQUARES;
    if squares_first {
        let (square, plane) = (to / planes, to % planes);
        plane * SQUARES + square
    } else {
        let (plane, square) = (to / SQUARES, to % SQUARES);
        square * planes + plane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_each_others_inverse() {
        let layer = Dense {
            inputs: 192,
            outputs: 128,
            weights: (0..192 * 128).map(|i| i as f32).collect(),
            biases: (0..128).map(|i| i as f32).collect(),
        };
        let by_planes = layer.clone().reading_planes();
        // The second plane's first square was the first square's second number.
        assert_eq!(by_planes.weights[64], layer.weights[1]);
        assert_eq!(by_planes.weights[1], layer.weights[3]);
        assert_eq!(by_planes.reading_squares(), layer);
        let given = layer.clone().giving_planes();
        assert_eq!((given.biases[1], given.biases[64]), (2.0, 1.0));
        assert_eq!(given.weights[192], layer.weights[2 * 192]);
        assert_eq!(given.giving_squares(), layer);
    }

    #[test]
    fn what_is_no_board_keeps_its_order() {
        let layer = Dense {
            inputs: 3,
            outputs: 2,
            weights: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            biases: vec![0.0, 1.0],
        };
        assert_eq!(layer.clone().reading_planes().giving_planes(), layer);
    }
}
