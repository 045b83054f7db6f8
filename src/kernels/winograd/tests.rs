//! Against the direct convolution in double precision.

use proptest::prelude::*;

use super::*;

const TILES: [Tile; 2] = [Tile::Two, Tile::Four];

/// A layer and a board.
#[derive(Debug)]
struct Case {
    inputs: usize,
    weights: Vec<f32>,
    biases: Vec<f32>,
    board: Vec<f32>,
}

impl Case {
    fn convolved(&self, tile: Tile, least: f32) -> Vec<f32> {
        let filters = Filters::new(tile, self.inputs, &self.weights, &self.biases).unwrap();
        let mut into = vec![f32::NAN; self.biases.len() * SQUARES];
        // Whatever an earlier layer has left.
        let mut scratch = Scratch::default();
        let other = Filters::new(tile, 9, &[3.0; 11 * 9 * WEIGHTS], &[1.0; 11]).unwrap();
        other.convolve(&[2.0; 9 * SQUARES], &mut [0.0; 11 * SQUARES], 0.0, &mut scratch);
        filters.convolve(&self.board, &mut into, least, &mut scratch);
        into
    }

    /// Each square's sum, and the sum of its terms' sizes. A denormal number or product is as coarse as the smallest
    /// normal one, and counts as large.
    fn direct(&self) -> Vec<(f64, f64)> {
        let filters = self.weights.chunks(self.inputs * WEIGHTS).zip(&self.biases);
        filters
            .flat_map(|(filter, &bias)| (0..SQUARES).map(move |square| self.direct_at(filter, bias, square)))
            .collect()
    }

    fn direct_at(&self, filter: &[f32], bias: f32, square: usize) -> (f64, f64) {
        let size = |number: f32| f64::from(number.abs().max(f32::MIN_POSITIVE));
        let (mut sum, mut sizes) = (f64::from(bias), size(bias));
        for (weights, plane) in filter.chunks(WEIGHTS).zip(self.board.chunks(SQUARES)) {
            for (at, &weight) in weights.iter().enumerate() {
                let (rank, file) = (square / 8 + at / 3, square % 8 + at % 3);
                if (1..9).contains(&rank) && (1..9).contains(&file) {
                    let number = plane[8 * (rank - 1) + file - 1];
                    sum += f64::from(weight) * f64::from(number);
                    sizes += (size(weight) * size(number)).max(f64::from(f32::MIN_POSITIVE));
                }
            }
        }
        (sum, sizes)
    }

    /// The largest error, of the size of a square's terms: of the largest, since the transforms mix the squares of a tile
    /// and its planes.
    fn error(&self, tile: Tile) -> f64 {
        let (convolved, direct) = (self.convolved(tile, f32::NEG_INFINITY), self.direct());
        let errors = convolved.iter().zip(&direct).map(|(&ours, &(exact, _))| {
            let error = (f64::from(ours) - exact).abs();
            // `max` would pass over it.
            if error.is_nan() { f64::INFINITY } else { error }
        });
        errors.fold(0.0, f64::max) / direct.iter().fold(0.0, |most, &(_, size)| size.max(most))
    }
}

/// Of zero, ordinary, huge and denormal ones; those of a layer are of one kind, as their sums could not tell otherwise.
fn numbers(count: usize) -> impl Strategy<Value = Vec<f32>> {
    let size = prop_oneof![
        Just(0.0f32),
        Just(1.0),
        Just(1e-3),
        Just(1e15),
        Just(1e-39),
        Just(f32::MIN_POSITIVE)
    ];
    (size, proptest::collection::vec(-1.0f32..1.0, count))
        .prop_map(|(size, numbers)| numbers.into_iter().map(|number| size * number).collect())
}

fn cases() -> impl Strategy<Value = Case> {
    (1usize..20, 1usize..20).prop_flat_map(|(inputs, outputs)| {
        (
            numbers(outputs * inputs * WEIGHTS),
            numbers(outputs),
            numbers(inputs * SQUARES),
        )
            .prop_map(move |(weights, biases, board)| Case {
                inputs,
                weights,
                biases,
                board,
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_direct_convolution(case in cases()) {
        let errors = TILES.map(|tile| case.error(tile));
        // Denormal weights lose digits when the larger tiles' transform divides them by up to 576.
        prop_assert!(errors[0] < 1e-6 && errors[1] < 2e-4, "{errors:?}");
    }

    #[test]
    fn rectifies_what_it_would_give(case in cases()) {
        for tile in TILES {
            let rectified: Vec<f32> = case.convolved(tile, f32::NEG_INFINITY).iter().map(|x| x.max(0.0)).collect();
            prop_assert_eq!(case.convolved(tile, 0.0), rectified);
        }
    }
}

/// Numbers that look random and are the same everywhere.
fn sequence(count: usize, mut state: u32) -> Vec<f32> {
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    (0..count).map(|_| next()).collect()
}

fn ordinary(inputs: usize, outputs: usize) -> Case {
    Case {
        inputs,
        weights: sequence(outputs * inputs * WEIGHTS, 1),
        biases: sequence(outputs, 2),
        board: sequence(inputs * SQUARES, 3),
    }
}

#[test]
fn a_wide_layer_is_as_exact() {
    let case = ordinary(256, 64);
    assert!(case.error(Tile::Two) < 1e-6, "{}", case.error(Tile::Two));
    assert!(case.error(Tile::Four) < 1e-5, "{}", case.error(Tile::Four));
}

/// To the last bit, also where there are more boards than are convolved together.
#[test]
fn boards_are_convolved_as_one_by_one() {
    // Wide enough that its filters are multiplied in several groups.
    for (inputs, outputs) in [(5, 6), (64, 150)] {
        for tile in TILES {
            let cases: Vec<Case> = (0..6)
                .map(|number| Case {
                    board: sequence(inputs * SQUARES, 9 + number),
                    ..ordinary(inputs, outputs)
                })
                .collect();
            let filters = Filters::new(tile, inputs, &cases[0].weights, &cases[0].biases).unwrap();
            let mut all = vec![0.0; 6 * outputs * SQUARES];
            let boards: Vec<f32> = cases.iter().flat_map(|case| case.board.clone()).collect();
            filters.convolve(&boards, &mut all, 0.0, &mut Scratch::default());
            let alone: Vec<f32> = cases.iter().flat_map(|case| case.convolved(tile, 0.0)).collect();
            assert_eq!(all, alone);
        }
    }
}

#[test]
fn weights_of_another_layer_are_refused() {
    let refused = Filters::new(Tile::Two, 2, &[0.0; 35], &[0.0, 0.0]).unwrap_err();
    assert_eq!(refused.to_string(), "35 weights where the layer has 36");
    assert!(Filters::new(Tile::Two, 0, &[], &[0.0]).is_err());
}

#[test]
fn no_filters_give_no_planes() {
    let filters = Filters::new(Tile::Four, 3, &[], &[]).unwrap();
    filters.convolve(&[0.0; 3 * SQUARES], &mut [], 0.0, &mut Scratch::default());
}

#[test]
fn sums_that_overflow_are_infinite() {
    let mut case = ordinary(3, 2);
    case.weights[0] = f32::MAX;
    case.board.fill(f32::MAX);
    for tile in TILES {
        let convolved = case.convolved(tile, 0.0);
        assert!(convolved.iter().any(|x| x.is_infinite()) && !convolved.iter().any(|x| x.is_nan()));
    }
}
