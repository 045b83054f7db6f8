//! The end of a residual block, in one pass over its planes: squeeze and excitation (Hu and others, "Squeeze-and-Excitation
//! Networks", CVPR 2018, with Lc0's offsets), what the block adds to, and the rectifier.

use wide::f32x4;

use super::{Misshapen, SQUARES, at_least::at_least, dense::Layer};

/// Squeeze and excitation.
#[derive(Clone, PartialEq)]
pub struct Excitation {
    squeeze: Layer,
    excite: Layer,
}

shown_by_name!(Excitation);

impl Excitation {
    /// Of a layer that reads each plane's mean, and one that gives each plane's gate (before the sigmoid), then each plane's offset.
    ///
    /// # Errors
    /// When the second layer doesn't read what the first gives, or gives other than two numbers for each plane.
    pub fn new(squeeze: Layer, excite: Layer) -> Result<Self, Misshapen> {
        let (weights, needed) = (
            excite.inputs() * excite.outputs(),
            squeeze.outputs() * 2 * squeeze.inputs(),
        );
        if excite.inputs() == squeeze.outputs() && excite.outputs() == 2 * squeeze.inputs() {
            Ok(Self { squeeze, excite })
        } else {
            Err(Misshapen { weights, needed })
        }
    }

    /// Planes that it gates.
    #[must_use]
    pub const fn planes(&self) -> usize {
        self.squeeze.inputs()
    }

    /// Each plane's gate, 0 to 1, and offset.
    fn gates(&self, planes: &[[f32; SQUARES]]) -> Vec<(f32, f32)> {
        let means: Vec<f32> = planes.iter().map(|plane| sum(plane) / SQUARES as f32).collect();
        let mut squeezed = vec![0.0; self.squeeze.outputs()];
        self.squeeze.of_vector(&means, &mut squeezed, 0.0);
        let mut excited = vec![0.0; self.excite.outputs()];
        self.excite.of_vector(&squeezed, &mut excited, f32::NEG_INFINITY);
        let (gates, offsets) = excited.split_at(planes.len());
        let gates = gates.iter().map(|&gate| sigmoid(gate));
        gates.zip(offsets.iter().copied()).collect()
    }
}

/// Rectifies the sum of a block's last convolution, gated if it is, and the block's input: all of them planes × 64. What is no
/// number becomes infinite.
///
/// # Panics
/// When they are of different lengths, no whole boards, or not as many planes as are gated.
pub fn end_block(excitation: Option<&Excitation>, flow: &[f32], input: &[f32], into: &mut [f32]) {
    assert!(
        flow.len() == input.len() && flow.len() == into.len() && flow.len().is_multiple_of(SQUARES),
        "as many whole planes in as out"
    );
    let (flow, input) = (flow.as_chunks::<SQUARES>().0, input.as_chunks::<SQUARES>().0);
    let into = into.as_chunks_mut::<SQUARES>().0.iter_mut();
    let planes = into.zip(flow.iter().zip(input));
    match excitation {
        None => planes.for_each(|(into, (flow, input))| add(into, flow, input, |flow| flow)),
        Some(excitation) => {
            assert_eq!(flow.len(), excitation.planes(), "as many planes as are gated");
            for ((into, (flow, input)), (gate, offset)) in planes.zip(excitation.gates(flow)) {
                let (gate, offset) = (f32x4::splat(gate), f32x4::splat(offset));
                add(into, flow, input, |flow| flow * gate + offset);
            }
        }
    }
}

fn add(into: &mut [f32; SQUARES], flow: &[f32; SQUARES], input: &[f32; SQUARES], gated: impl Fn(f32x4) -> f32x4) {
    let numbers = flow.as_chunks::<4>().0.iter().zip(input.as_chunks::<4>().0);
    for (into, (&flow, &input)) in into.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
        *into = at_least(f32x4::ZERO, gated(f32x4::new(flow)) + f32x4::new(input)).to_array();
    }
}

/// Of every fourth number in one of four sums, which are added in pairs in the end.
fn sum(plane: &[f32; SQUARES]) -> f32 {
    let sums = plane
        .as_chunks::<4>()
        .0
        .iter()
        .fold(f32x4::ZERO, |sum, &numbers| sum + f32x4::new(numbers));
    let [a, b, c, d] = sums.to_array();
    (a + b) + (c + d)
}

/// In double precision, where libraries hardly differ: the result, rounded, is the same everywhere.
fn sigmoid(x: f32) -> f32 {
    (1.0 / (1.0 + (-f64::from(x)).exp())) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_its_definition(
            numbers in prop::collection::vec(-4.0f32..4.0, 2 * 3 * SQUARES),
            squeeze in prop::collection::vec(-1.0f32..1.0, 2 * 3),
            excite in prop::collection::vec(-1.0f32..1.0, 6 * 2),
        ) {
            let (flow, input) = numbers.split_at(3 * SQUARES);
            let excitation = Excitation::new(
                Layer::new(3, &squeeze, &[0.1, -0.2]).unwrap(),
                Layer::new(2, &excite, &[0.3; 6]).unwrap(),
            )
            .unwrap();
            let mut into = vec![f32::NAN; flow.len()];
            end_block(Some(&excitation), flow, input, &mut into);
            let means: Vec<f64> = flow.chunks(SQUARES).map(|plane| plane.iter().copied().map(f64::from).sum::<f64>() / 64.0).collect();
            let row = |weights: &[f32], numbers: &[f64]| -> f64 { weights.iter().zip(numbers).map(|(&w, x)| f64::from(w) * x).sum() };
            let squeezed: Vec<f64> = squeeze.chunks(3).zip([0.1f32, -0.2]).map(|(weights, bias)| (row(weights, &means) + f64::from(bias)).max(0.0)).collect();
            let excited: Vec<f64> = excite.chunks(2).map(|weights| row(weights, &squeezed) + f64::from(0.3f32)).collect();
            for (at, &found) in into.iter().enumerate() {
                let plane = at / SQUARES;
                let gate = 1.0 / (1.0 + (-excited[plane]).exp());
                let expected = (f64::from(flow[at]) * gate + excited[3 + plane] + f64::from(input[at])).max(0.0);
                prop_assert!((f64::from(found) - expected).abs() < 1e-5, "{found} {expected}");
            }
            end_block(None, flow, input, &mut into);
            for (at, &found) in into.iter().enumerate() {
                prop_assert_eq!(found, (flow[at] + input[at]).max(0.0));
            }
        }
    }

    #[test]
    fn what_overflows_is_infinite() {
        let mut into = [0.0; SQUARES];
        end_block(
            None,
            &[f32::INFINITY; SQUARES],
            &[f32::NEG_INFINITY; SQUARES],
            &mut into,
        );
        assert_eq!(into, [f32::INFINITY; SQUARES]);
    }

    #[test]
    fn layers_must_fit() {
        let layer = |inputs: usize, outputs: usize| {
            Layer::new(inputs, &vec![0.0; inputs * outputs], &vec![0.0; outputs]).unwrap()
        };
        assert!(Excitation::new(layer(3, 2), layer(2, 6)).is_ok());
        assert!(Excitation::new(layer(3, 2), layer(2, 5)).is_err());
        assert!(Excitation::new(layer(3, 2), layer(3, 6)).is_err());
    }
}
