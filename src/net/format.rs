//! Which input, body and heads a network has, out of those Kibitz runs.

use serde::{Deserialize, Serialize};

use shakmaty::{Chess, Color, Position};

use super::{error::NetworkError, proto, transform::Transform};

/// What the network reads: 112 planes in each case. The canonical formats mirror the board to bring our king to one
/// corner of it (see [`Transform`]), show where a pawn can be taken en passant, and end the history where no earlier
/// position can be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputFormat {
    /// Eight positions of 13 planes, castling rights, side to move, half-move clock, ones.
    Classical,
    /// The same with castling rights as the rooks that have them.
    CastlingPlanes,
    /// The board turned and mirrored into one corner by [`Transform`], the en passant square among the planes.
    Canonical,
    /// Canonical, with the half-move clock in hundreds.
    CanonicalHectoplies,
    /// The same, with the side to move, for games that Black wins when they are drawn.
    CanonicalHectopliesArmageddon,
    /// Canonical, with the half-move clock in hundreds, and of the history only what was repeated.
    CanonicalV2,
    /// The same, with the side to move, for games that Black wins when they are drawn.
    CanonicalV2Armageddon,
}

impl InputFormat {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Classical,
        Self::CastlingPlanes,
        Self::Canonical,
        Self::CanonicalHectoplies,
        Self::CanonicalHectopliesArmageddon,
        Self::CanonicalV2,
        Self::CanonicalV2Armageddon,
    ];

    /// The file's, classical where it has none.
    pub(super) fn read(format: Option<&proto::Format>) -> Result<Self, NetworkError> {
        let number = format.and_then(|f| f.network_format?.input).unwrap_or(0).max(1);
        Self::ALL
            .into_iter()
            .find(|format| format.number() == number)
            .ok_or_else(|| {
                unsupported(
                    "its input is of a kind that Kibitz doesn't know",
                    "input format",
                    number,
                )
            })
    }

    /// The number that the file has for it.
    #[must_use]
    pub fn number(self) -> i32 {
        match self {
            Self::Classical => 1,
            Self::CastlingPlanes => 2,
            Self::Canonical => 3,
            Self::CanonicalHectoplies => 4,
            Self::CanonicalHectopliesArmageddon => 132,
            Self::CanonicalV2 => 5,
            Self::CanonicalV2Armageddon => 133,
        }
    }

    /// Whether the board is brought into its canonical orientation.
    #[must_use]
    pub fn is_canonical(self) -> bool {
        !matches!(self, Self::Classical | Self::CastlingPlanes)
    }

    /// Whether the half-move clock is in hundreds of plies.
    #[must_use]
    pub fn counts_hundreds(self) -> bool {
        self.is_canonical() && self != Self::Canonical
    }

    /// Whether only repeated positions are shown of the history.
    #[must_use]
    pub fn only_repeated(self) -> bool {
        matches!(self, Self::CanonicalV2 | Self::CanonicalV2Armageddon)
    }

    /// Whether one input plane says that Black is to move, although the format is canonical.
    #[must_use]
    pub fn is_armageddon(self) -> bool {
        matches!(self, Self::CanonicalHectopliesArmageddon | Self::CanonicalV2Armageddon)
    }

    /// How the network sees the board of `position`, beyond whose it is.
    #[must_use]
    pub fn transform(self, position: &Chess) -> Transform {
        self.transform_for(position, position.turn())
    }

    /// The same as `us` sees it, whoever is to move.
    #[must_use]
    pub(super) fn transform_for(self, position: &Chess, us: Color) -> Transform {
        if self.is_canonical() {
            Transform::canonical_for(position, us)
        } else {
            Transform::NONE
        }
    }
}

/// What the body's blocks are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyFormat {
    /// Two convolutions.
    Residual,
    /// Two convolutions and squeeze-excitation.
    SqueezeExcitation,
    /// Attention and a feed-forward layer: encoders.
    Attention,
}

/// How moves come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyFormat {
    /// A 1×1 convolution and a dense layer to the 1858 moves.
    Classical,
    /// Two 3×3 convolutions to 80 planes, of which 73 name moves.
    Convolution,
    /// The product of a query for each square a man leaves and a key for each it goes to.
    Attention,
}

/// How the expected result comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueFormat {
    /// One number, −1 (lost) to 1 (won).
    Scalar,
    /// Probabilities of win, draw and loss.
    Wdl,
}

/// The function between layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// max(x, 0).
    Relu,
    /// x · tanh(ln(1 + eˣ)).
    Mish,
    /// x / (1 + e⁻ˣ).
    Swish,
    /// max(x, 0)².
    SquaredRelu,
    /// λ · x above 0, λα · (eˣ − 1) below.
    Selu,
}

impl Activation {
    /// Lc0's number for it, where a part of an attention body names its own.
    pub(super) fn number(self) -> i32 {
        match self {
            Self::Mish => 1,
            Self::Relu => 2,
            Self::Selu => 6,
            Self::Swish => 7,
            Self::SquaredRelu => 8,
        }
    }

    /// The one of that number, `default` for 0.
    fn read(number: i32, default: Self, field: &'static str) -> Result<Self, NetworkError> {
        if number == 0 {
            return Ok(default);
        }
        [Self::Mish, Self::Relu, Self::Selu, Self::Swish, Self::SquaredRelu]
            .into_iter()
            .find(|activation| activation.number() == number)
            .ok_or_else(|| {
                unsupported(
                    "a part of its attention has an activation of another kind",
                    field,
                    number,
                )
            })
    }
}

/// A network's kind. All of it is the side to move's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// What it reads.
    pub input: InputFormat,
    /// Its blocks.
    pub body: BodyFormat,
    /// Its policy head.
    pub policy: PolicyFormat,
    /// Its value head.
    pub value: ValueFormat,
    /// Between its layers, unless they have one of their own.
    pub activation: Activation,
    /// Whether it says how many moves are left.
    #[serde(default)]
    pub moves_left: bool,
}

/// What the file says of an attention body beyond its weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AttentionFormat {
    /// Squares are told apart by a dense layer, not by a map.
    pub dense_positions: bool,
    /// Inside smolgen.
    pub smolgen_activation: Activation,
    /// Inside feed-forward layers.
    pub feed_forward_activation: Activation,
}

impl Format {
    /// Reads the file's enumerations. Refuses by name what Kibitz can't run. A file without a network format is
    /// classical in everything, as is what the two oldest body formats leave unsaid. `encoders`: whether there are some
    /// among the weights; the first attention bodies have the format of the newest residual ones.
    pub(super) fn read(format: Option<&proto::Format>, encoders: bool) -> Result<Self, NetworkError> {
        let Some(found) = format.and_then(|f| f.network_format) else {
            return Ok(Self {
                input: InputFormat::Classical,
                body: BodyFormat::Residual,
                policy: PolicyFormat::Classical,
                value: ValueFormat::Scalar,
                activation: Activation::Relu,
                moves_left: false,
            });
        };
        // The body is named first, whatever its heads are.
        let network = found.network.unwrap_or(0);
        let (body, old) = match network {
            0 | 1 => (BodyFormat::Residual, true),
            2 => (BodyFormat::SqueezeExcitation, true),
            3 => (BodyFormat::Residual, false),
            4 if encoders => (BodyFormat::Attention, false),
            4 => (BodyFormat::SqueezeExcitation, false),
            5 => {
                let what = "its format says that it is an ONNX model";
                return Err(unsupported(what, "network format", 5));
            }
            6 | 7 | 134 => (BodyFormat::Attention, false),
            n => {
                let what = "its body is of a kind that Kibitz doesn't know";
                return Err(unsupported(what, "network format", n));
            }
        };
        let input = InputFormat::read(format)?;
        let attention = body == BodyFormat::Attention;
        let policy = match found.policy.unwrap_or(0) {
            n if attention && n != 3 => {
                let what = "its body has attention layers and its policy head has none";
                return Err(unsupported(what, "policy format", n));
            }
            _ if old => PolicyFormat::Classical,
            0 | 1 => PolicyFormat::Classical,
            2 => PolicyFormat::Convolution,
            3 => PolicyFormat::Attention,
            n => {
                return Err(unsupported(
                    "its policy head is of a kind that Kibitz doesn't know",
                    "policy format",
                    n,
                ));
            }
        };
        let value = match found.value.unwrap_or(0) {
            _ if old => ValueFormat::Scalar,
            0 | 1 => ValueFormat::Scalar,
            2 => ValueFormat::Wdl,
            n => {
                return Err(unsupported(
                    "its value head is of a kind that Kibitz doesn't know",
                    "value format",
                    n,
                ));
            }
        };
        let activation = match found.default_activation.unwrap_or(0) {
            0 => Activation::Relu,
            1 => Activation::Mish,
            n => {
                let what = "its activation function is of a kind that Kibitz doesn't know";
                return Err(unsupported(what, "default activation", n));
            }
        };
        let moves_left = match found.moves_left.unwrap_or(0) {
            0 => false,
            _ if !attention => false,
            1 => true,
            n => {
                let what = "its moves-left head is of a kind that Kibitz doesn't know";
                return Err(unsupported(what, "moves-left format", n));
            }
        };
        Ok(Self {
            input,
            body,
            policy,
            value,
            activation,
            moves_left,
        })
    }

    /// The same in the file's enumerations.
    pub(super) fn write(self) -> proto::NetworkFormat {
        let wdl = self.value == ValueFormat::Wdl;
        proto::NetworkFormat {
            input: Some(self.input.number()),
            output: Some(if wdl { 2 } else { 1 }),
            network: Some(match self.body {
                BodyFormat::Residual => 3,
                BodyFormat::SqueezeExcitation => 4,
                // With several heads: of the others, Lc0 decides by itself what activations those with smolgen have.
                BodyFormat::Attention => 7,
            }),
            policy: Some(match self.policy {
                PolicyFormat::Classical => 1,
                PolicyFormat::Convolution => 2,
                PolicyFormat::Attention => 3,
            }),
            value: Some(if wdl { 2 } else { 1 }),
            moves_left: Some(i32::from(self.moves_left)),
            default_activation: Some(match self.activation {
                Activation::Mish => 1,
                _ => 0,
            }),
            ..Default::default()
        }
    }
}

impl AttentionFormat {
    /// Reads it, as Lc0 completes what older files leave unsaid: those of format 4 with smolgen have its usual activations,
    /// and those of format 6 the map, unless they have `several_heads`.
    pub(super) fn read(
        format: Option<&proto::Format>,
        default: Activation,
        smolgen: bool,
        several_heads: bool,
    ) -> Result<Self, NetworkError> {
        let found = format.and_then(|f| f.network_format).unwrap_or_default();
        let network = found.network.unwrap_or(0);
        let embedding = match (network, found.input_embedding) {
            (4 | 6, _) if several_heads => 2,
            (4 | 6, None) => 1,
            (_, given) => given.unwrap_or(0),
        };
        let dense_positions = match embedding {
            1 => false,
            2 => true,
            n => {
                let what = "its attention body knows the squares in a way that Kibitz doesn't know";
                return Err(unsupported(what, "input embedding", n));
            }
        };
        let (smolgen_number, feed_forward_number) = if network == 4 && smolgen {
            (Activation::Swish.number(), Activation::SquaredRelu.number())
        } else {
            let of = |number: Option<i32>| number.unwrap_or(0);
            (of(found.smolgen_activation), of(found.ffn_activation))
        };
        Ok(Self {
            dense_positions,
            smolgen_activation: Activation::read(smolgen_number, default, "smolgen activation")?,
            feed_forward_activation: Activation::read(feed_forward_number, default, "feed-forward activation")?,
        })
    }
}

fn unsupported(what: &'static str, field: &'static str, number: i32) -> NetworkError {
    NetworkError::Unsupported { what, field, number }
}
