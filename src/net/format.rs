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

/// What the residual blocks are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyFormat {
    /// Two convolutions.
    Residual,
    /// Two convolutions and squeeze-excitation.
    SqueezeExcitation,
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

/// The function between the layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// max(x, 0).
    Relu,
    /// x · tanh(ln(1 + eˣ)).
    Mish,
}

/// A network's kind. All of it is the side to move's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// What it reads.
    pub input: InputFormat,
    /// Its residual blocks.
    pub body: BodyFormat,
    /// Its policy head.
    pub policy: PolicyFormat,
    /// Its value head.
    pub value: ValueFormat,
    /// Between its layers.
    pub activation: Activation,
}

impl Format {
    /// Reads the file's enumerations. Refuses by name what Kibitz can't run. A file without a network format is
    /// classical in everything, as is what the two oldest body formats leave unsaid.
    pub(super) fn read(format: Option<&proto::Format>) -> Result<Self, NetworkError> {
        let Some(found) = format.and_then(|f| f.network_format) else {
            return Ok(Self {
                input: InputFormat::Classical,
                body: BodyFormat::Residual,
                policy: PolicyFormat::Classical,
                value: ValueFormat::Scalar,
                activation: Activation::Relu,
            });
        };
        // The body is named first: an attention network is best refused as one, whatever its heads are.
        let network = found.network.unwrap_or(0);
        let (body, old) = match network {
            0 | 1 => (BodyFormat::Residual, true),
            2 => (BodyFormat::SqueezeExcitation, true),
            3 => (BodyFormat::Residual, false),
            4 => (BodyFormat::SqueezeExcitation, false),
            5 => {
                let what = "its format says that it is an ONNX model";
                return Err(unsupported(what, "network format", 5));
            }
            6 | 7 | 134 => {
                let what = "its body is an attention network (a transformer)";
                return Err(unsupported(what, "network format", network));
            }
            n => {
                let what = "its body is of a kind that Kibitz doesn't know";
                return Err(unsupported(what, "network format", n));
            }
        };
        let input = InputFormat::read(format)?;
        let policy = match found.policy.unwrap_or(0) {
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
        Ok(Self {
            input,
            body,
            policy,
            value,
            activation,
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
            }),
            policy: Some(match self.policy {
                PolicyFormat::Classical => 1,
                PolicyFormat::Convolution => 2,
                PolicyFormat::Attention => 3,
            }),
            value: Some(if wdl { 2 } else { 1 }),
            moves_left: Some(0),
            default_activation: Some(match self.activation {
                Activation::Relu => 0,
                Activation::Mish => 1,
            }),
        }
    }
}

fn unsupported(what: &'static str, field: &'static str, number: i32) -> NetworkError {
    NetworkError::Unsupported { what, field, number }
}
