//! One array of weights: bytes in one of Lc0's four encodings to floats.

use super::{error::NetworkError, proto};

/// The number of Lc0's linear 16-bit encoding.
pub(super) const LINEAR16: i32 = 1;
/// IEEE half precision.
pub(super) const FLOAT16: i32 = 2;
/// The upper half of a single.
pub(super) const BFLOAT16: i32 = 3;
/// IEEE single precision.
pub(super) const FLOAT32: i32 = 4;

/// Decodes `layer`. `default` is the file's encoding, for layers that name none; `name` is for the errors.
pub(super) fn decode(layer: &proto::Layer, default: i32, name: &str) -> Result<Vec<f32>, NetworkError> {
    let bytes: &[u8] = layer.params.as_deref().unwrap_or_default();
    let encoding = match layer.encoding.unwrap_or(0) {
        0 => default,
        n => n,
    };
    let width = match encoding {
        LINEAR16 | FLOAT16 | BFLOAT16 => 2,
        FLOAT32 => 4,
        number => {
            return Err(NetworkError::Encoding {
                layer: name.to_owned(),
                number,
            });
        }
    };
    if !bytes.len().is_multiple_of(width) {
        return Err(NetworkError::HalfAWeight { layer: name.to_owned() });
    }
    let halves = bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]]));
    let values: Vec<f32> = match encoding {
        LINEAR16 => {
            let (min, max) = (layer.min_val.unwrap_or(0.0), layer.max_val.unwrap_or(0.0));
            halves
                .map(|n| {
                    let t = f32::from(n) / 65535.0;
                    min * (1.0 - t) + max * t
                })
                .collect()
        }
        FLOAT16 => halves.map(half_to_single).collect(),
        BFLOAT16 => halves.map(|n| f32::from_bits(u32::from(n) << 16)).collect(),
        _ => bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect(),
    };
    if values.iter().all(|v| v.is_finite()) {
        Ok(values)
    } else {
        Err(NetworkError::NotNumbers { layer: name.to_owned() })
    }
}

/// IEEE 754 half to single; exact.
fn half_to_single(half: u16) -> f32 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(half >> 10 & 0x1f);
    let fraction = f32::from(half & 0x3ff);
    sign * match exponent {
        // 2⁻²⁴ a step.
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    }
}

/// IEEE 754 single to half, to nearest, ties to even; beyond the range infinity.
fn single_to_half(single: f32) -> u16 {
    let sign = if single.is_sign_negative() { 0x8000 } else { 0 };
    let size = single.abs();
    if size.is_nan() {
        return sign | 0x7e00;
    }
    if size >= 65520.0 {
        return sign | 0x7c00;
    }
    // Steps of the half's exponent: at least 2⁻²⁴.
    let exponent = ((size.to_bits() >> 23) as i32 - 127).max(-14);
    let steps = (f64::from(size) * 2f64.powi(10 - exponent)).round_ties_even() as u32;
    // A normal number has its leading bit, 1024, in `steps`; carrying into the exponent is what the sum does.
    let bits = ((exponent + 14) as u32) * 1024 + steps;
    sign | bits as u16
}

/// Steps of the linear encoding.
const STEPS: f64 = 65535.0;

/// The range of the linear encoding: the smallest and largest value, where both signs occur moved apart by up to a step
/// so that zero is a step of its own: weights that are zero on purpose, such as those of planes that a network leaves
/// unread, stay so to the last bits. A range in which zero is one already stays as it is, so that what was read from a
/// file is written as it was.
fn linear_range(values: &[f32]) -> (f32, f32) {
    /// In steps; what single precision leaves of the ends' product.
    const CLOSE: f64 = 0.01;
    let min = values.iter().copied().reduce(f32::min).unwrap_or(0.0);
    let max = values.iter().copied().reduce(f32::max).unwrap_or(0.0);
    let below = -f64::from(min) / (f64::from(max) - f64::from(min)) * STEPS;
    if min >= 0.0 || max <= 0.0 || (below - below.round()).abs() < CLOSE {
        return (min, max);
    }
    // Of the two steps beside zero the one away from the nearer end: the other would widen the steps, and move the farther
    // end by as many of them as it has times that.
    let below = if below < STEPS / 2.0 {
        below.ceil()
    } else {
        below.floor()
    };
    let below = below.clamp(1.0, STEPS - 1.0);
    let step = (-f64::from(min) / below).max(f64::from(max) / (STEPS - below));
    ((-below * step) as f32, ((STEPS - below) * step) as f32)
}

/// Encodes `values` as `encoding` (one of the four; anything else is written as FLOAT32).
pub(super) fn encode(values: &[f32], encoding: i32) -> proto::Layer {
    let (mut min_val, mut max_val) = (None, None);
    let params: Vec<u8> = match encoding {
        LINEAR16 => {
            let (min, max) = linear_range(values);
            (min_val, max_val) = (Some(min), Some(max));
            let range = f64::from(max) - f64::from(min);
            let (smallest, largest) = values.iter().fold((0.0f32, 0.0f32), |(a, b), &v| (a.min(v), b.max(v)));
            let step = |v: f32| {
                // The ends are the ends, or the next writer would find another range.
                if range <= 0.0 || v == smallest && smallest < 0.0 {
                    0
                } else if v == largest && largest > 0.0 {
                    u16::MAX
                } else {
                    ((f64::from(v) - f64::from(min)) / range * STEPS).round() as u16
                }
            };
            values.iter().flat_map(|&v| step(v).to_le_bytes()).collect()
        }
        FLOAT16 => values.iter().flat_map(|&v| single_to_half(v).to_le_bytes()).collect(),
        BFLOAT16 => values
            .iter()
            .flat_map(|v| {
                // To nearest, ties to even.
                let bits = v.to_bits();
                let odd = bits >> 16 & 1;
                ((bits.saturating_add(0x7fff + odd) >> 16) as u16).to_le_bytes()
            })
            .collect(),
        _ => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
    };
    proto::Layer {
        min_val,
        max_val,
        params: Some(params.into()),
        encoding: Some(if (LINEAR16..=BFLOAT16).contains(&encoding) {
            encoding
        } else {
            FLOAT32
        }),
    }
}

pub(super) fn same(layer: &str, found: usize, needed: usize) -> Result<(), NetworkError> {
    if found == needed {
        Ok(())
    } else {
        Err(NetworkError::WrongSize {
            layer: layer.to_owned(),
            found,
            needed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(params: &[u8], encoding: Option<i32>) -> proto::Layer {
        proto::Layer {
            min_val: Some(-1.0),
            max_val: Some(3.0),
            params: Some(params.to_vec().into()),
            encoding,
        }
    }

    #[test]
    fn linear16_spans_min_to_max() {
        let read = decode(&layer(&[0, 0, 0xff, 0xff, 0x33, 0x33], None), LINEAR16, "x").unwrap();
        assert_eq!(read, [-1.0, 3.0, 3.0 * 0.2 - 0.8]);
    }

    /// Bit patterns from IEEE 754's table of half-precision examples.
    #[test]
    fn halves() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x0001, 5.960_464_5e-8),
            (0x03ff, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x3555, 0.333_251_95),
            (0x3c00, 1.0),
            (0x3c01, 1.000_976_6),
            (0x7bff, 65504.0),
            (0xc000, -2.0),
        ] {
            assert_eq!(half_to_single(bits), value, "{bits:#x}");
            assert_eq!(single_to_half(value), bits, "{value}");
        }
        for bits in 0..0x7c00 {
            assert_eq!(single_to_half(half_to_single(bits)), bits);
        }
        assert_eq!(single_to_half(1.0 + 1.0 / 2048.0), 0x3c00, "a tie goes to even");
        assert_eq!(
            decode(&layer(&[0x00, 0xc0], Some(FLOAT16)), LINEAR16, "x").unwrap(),
            [-2.0]
        );
    }

    #[test]
    fn bfloat_and_float() {
        assert_eq!(
            decode(&layer(&[0x80, 0x3f], Some(BFLOAT16)), LINEAR16, "x").unwrap(),
            [1.0]
        );
        let params = 0.1f32.to_le_bytes();
        assert_eq!(decode(&layer(&params, Some(FLOAT32)), LINEAR16, "x").unwrap(), [0.1]);
    }

    #[test]
    fn refuses_what_is_not_a_layer() {
        let odd = decode(&layer(&[1, 2, 3], None), LINEAR16, "x");
        assert_eq!(odd, Err(NetworkError::HalfAWeight { layer: "x".into() }));
        let unknown = decode(&layer(&[1, 2], Some(9)), LINEAR16, "x");
        assert_eq!(
            unknown,
            Err(NetworkError::Encoding {
                layer: "x".into(),
                number: 9
            })
        );
        let infinite = decode(&layer(&[0x00, 0x7c], Some(FLOAT16)), LINEAR16, "x");
        assert_eq!(infinite, Err(NetworkError::NotNumbers { layer: "x".into() }));
    }

    #[test]
    fn zero_stays_zero() {
        for others in [[-0.7, 2.5], [-1e-3, 40.0], [-3.0, 1e-7], [0.0, 2.0]] {
            let values = [others[0], 0.0, others[1], 0.0];
            let read = decode(&encode(&values, LINEAR16), FLOAT32, "x").unwrap();
            let range = others[1] - others[0];
            assert!(read[1].abs() < range * 2e-7 && read[3].abs() < range * 2e-7, "{read:?}");
            assert!((read[0] - others[0]).abs() < range * 3e-5 && (read[2] - others[1]).abs() < range * 3e-5);
            let again = encode(&read, LINEAR16);
            assert_eq!(again, encode(&values, LINEAR16), "what was read is written as it was");
        }
    }

    #[test]
    fn linear16_keeps_its_steps_where_zero_is_near_an_end() {
        // The smaller end lies between one step and two, or 1000, below zero; then the same above.
        for near in [0.3f32, 1.49, 1.51, 2.5, 1000.49, 30_000.5] {
            for sign in [-1.0f32, 1.0] {
                let step = 1e-4f32;
                let far = (65535.0 - near) * step;
                let values = [sign * near * step, 0.0, -sign * far, -sign * far / 3.0];
                let read = decode(&encode(&values, LINEAR16), FLOAT32, "x").unwrap();
                for (a, b) in values.iter().zip(&read) {
                    assert!((a - b).abs() <= 2.0 * step, "{near}: {a} came back as {b}");
                }
                assert_eq!(encode(&read, LINEAR16), encode(&values, LINEAR16), "{near}");
            }
        }
    }

    #[test]
    fn every_encoding_returns_within_its_step() {
        let values = [-0.7, 0.0, 1e-3, 0.333, 2.5];
        for (encoding, tolerance) in [(LINEAR16, 3e-5), (FLOAT16, 1e-3), (BFLOAT16, 8e-3), (FLOAT32, 0.0)] {
            let read = decode(&encode(&values, encoding), FLOAT32, "x").unwrap();
            for (a, b) in values.iter().zip(read) {
                assert!((a - b).abs() <= tolerance, "{encoding}: {a} came back as {b}");
            }
        }
    }
}
