//! What a network says of a position. **Everything is the side to move's view.**

use shakmaty::{Chess, Move};

use super::{
    format::{Format, PolicyFormat, ValueFormat},
    policy,
};

/// The graph's outputs as they come.
#[derive(Debug, Clone, PartialEq)]
pub struct RawOutput {
    /// 1858 logits (classical policy), 80 × 8 × 8 (convolutional) or [`policy::ATTENTION_OUTPUTS`].
    pub policy: Vec<f32>,
    /// Win, draw and loss logits; or one number that tanh has not been taken of.
    pub value: Vec<f32>,
    /// See [`NetworkOutput::moves_left`].
    pub moves_left: Option<f32>,
    /// Filters × 8 × 8 (plane, rank, file, the board as the side to move sees it) after each tapped block's activation,
    /// in the blocks' order. Of an attention body, whose blocks are its encoders: embedding × 8 × 8, after the encoder's last
    /// normalisation.
    pub activations: Vec<Vec<f32>>,
}

/// A network's judgement of a position, for the side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkOutput {
    /// Probabilities of win, draw and loss, which sum to 1. `None` for networks that only give the expected result:
    /// how much of it is draws, they don't know.
    pub wdl: Option<[f32; 3]>,
    /// The expected result: −1 lost, 0 even, 1 won; win − loss where there is a `wdl`.
    pub q: f32,
    /// How many plies the game will last by the network's own account; `None` without such a head.
    pub moves_left: Option<f32>,
    /// Every legal move with its probability, most probable first, equal ones by index. Empty when the game is over.
    pub policy: Vec<(Move, f32)>,
    /// The last tapped block's activations: filters (or embedding) × 8 × 8, flattened as plane, rank, file, **the board as
    /// the side to move sees it**, and as the input format transforms it.
    pub activations: Vec<f32>,
}

/// Why a network's outputs can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutputError {
    /// Infinite or undefined.
    #[error("the network's outputs are not numbers; its weights are damaged or too large")]
    NotNumbers,
    /// A head of another size than its format's.
    #[error("the network's {0} head gives another number of outputs than its format says")]
    Size(&'static str),
}

impl NetworkOutput {
    /// Reads the outputs of a network of `format` for `position`.
    ///
    /// # Errors
    /// When outputs are not finite, or are not as many as `format` says.
    pub fn read(raw: RawOutput, format: Format, position: &Chess) -> Result<Self, OutputError> {
        let RawOutput {
            policy,
            value,
            moves_left,
            mut activations,
        } = raw;
        let activations = activations.pop().unwrap_or_default();
        if ![&policy, &value, &activations]
            .into_iter()
            .flatten()
            .chain(&moves_left)
            .all(|v| v.is_finite())
        {
            return Err(OutputError::NotNumbers);
        }
        let logits = match format.policy {
            PolicyFormat::Classical => Some(policy),
            PolicyFormat::Convolution => policy::logits_of_planes(&policy),
            PolicyFormat::Attention => policy::logits_of_attention(&policy),
        };
        let transform = format.input.transform(position);
        let policy = logits.and_then(|logits| policy::transformed_probabilities(position, &logits, transform));
        let policy = policy.ok_or(OutputError::Size("policy"))?;
        let (wdl, q) = match (format.value, value.as_slice()) {
            (ValueFormat::Wdl, &[win, draw, loss]) => {
                let wdl = softmax([win, draw, loss]);
                (Some(wdl), wdl[0] - wdl[2])
            }
            (ValueFormat::Scalar, &[value]) => (None, value.tanh()),
            _ => return Err(OutputError::Size("value")),
        };
        Ok(Self {
            wdl,
            q,
            moves_left,
            policy,
            activations,
        })
    }
}

fn softmax(logits: [f32; 3]) -> [f32; 3] {
    let largest = logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let weights = logits.map(|l| f64::from(l - largest).exp());
    let total: f64 = weights.iter().sum();
    weights.map(|w| (w / total) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::format::{Activation, BodyFormat, InputFormat};

    const FORMAT: Format = Format {
        input: InputFormat::Classical,
        body: BodyFormat::Residual,
        policy: PolicyFormat::Classical,
        value: ValueFormat::Wdl,
        activation: Activation::Relu,
        moves_left: false,
    };

    fn raw(value: &[f32]) -> RawOutput {
        RawOutput {
            policy: vec![0.0; 1858],
            value: value.to_vec(),
            moves_left: None,
            activations: vec![vec![1.0], vec![2.0]],
        }
    }

    #[test]
    fn win_draw_loss() {
        // Logits far beyond what exp can take.
        let value = [1000.0 + 3f32.ln(), 1000.0, 1000.0];
        let read = NetworkOutput::read(raw(&value), FORMAT, &Chess::default()).unwrap();
        let [w, d, l] = read.wdl.unwrap();
        assert!((w - 0.6).abs() < 1e-4 && (d - 0.2).abs() < 1e-4 && (l - 0.2).abs() < 1e-4);
        assert!((read.q - 0.4).abs() < 1e-4);
        assert_eq!(read.activations, [2.0], "the last block's");
    }

    #[test]
    fn a_scalar_value_has_no_draws() {
        let format = Format {
            value: ValueFormat::Scalar,
            ..FORMAT
        };
        let read = NetworkOutput::read(raw(&[0.5]), format, &Chess::default()).unwrap();
        assert_eq!(read.wdl, None);
        assert!((read.q - 0.462_117_2).abs() < 1e-6, "tanh ½");
    }

    #[test]
    fn refuses_what_is_no_output() {
        let read = |value: &[f32]| NetworkOutput::read(raw(value), FORMAT, &Chess::default());
        assert_eq!(read(&[f32::NAN, 0.0, 0.0]), Err(OutputError::NotNumbers));
        assert_eq!(read(&[0.0]), Err(OutputError::Size("value")));
    }
}
