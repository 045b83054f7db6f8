//! The messages of an Lc0 network file, as far as Kibitz reads or writes them. Field numbers are those of Lc0's file
//! format; fields that are not declared here are skipped by the decoder.

use bytes::Bytes;
use prost::Message;

/// The first field of every Lc0 network.
pub const MAGIC: u32 = 0x1c0;

/// A whole file.
#[derive(Clone, PartialEq, Message)]
pub struct Net {
    /// [`MAGIC`].
    #[prost(fixed32, optional, tag = "1")]
    pub magic: Option<u32>,
    /// The licence the author put in.
    #[prost(string, optional, tag = "2")]
    pub license: Option<String>,
    /// The oldest Lc0 that can read the file.
    #[prost(message, optional, tag = "3")]
    pub min_version: Option<EngineVersion>,
    /// What the weights are.
    #[prost(message, optional, tag = "4")]
    pub format: Option<Format>,
    /// The network's weights, layer by layer.
    #[prost(message, optional, tag = "10")]
    pub weights: Option<Weights>,
    /// An ONNX model in place of weights.
    #[prost(message, optional, tag = "11")]
    pub onnx_model: Option<OnnxModel>,
}

/// A version of Lc0.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct EngineVersion {
    /// Major number of the version.
    #[prost(uint32, optional, tag = "1")]
    pub major: Option<u32>,
    /// Minor number of the version.
    #[prost(uint32, optional, tag = "2")]
    pub minor: Option<u32>,
    /// Patch number of the version.
    #[prost(uint32, optional, tag = "3")]
    pub patch: Option<u32>,
}

/// How the weights are stored, and what network they make.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct Format {
    /// The encoding of layers that name none; see [`Layer::encoding`].
    #[prost(int32, optional, tag = "1")]
    pub weights_encoding: Option<i32>,
    /// Absent in the oldest files, which are classical in everything.
    #[prost(message, optional, tag = "2")]
    pub network_format: Option<NetworkFormat>,
}

/// The network's input, body and heads, as numbers of Lc0's enumerations.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct NetworkFormat {
    /// 1 = the classical 112 planes; 2 to 5, 132 and 133 see [`super::format::InputFormat`].
    #[prost(int32, optional, tag = "1")]
    pub input: Option<i32>,
    /// 1 = scalar value, 2 = win, draw, loss.
    #[prost(int32, optional, tag = "2")]
    pub output: Option<i32>,
    /// 1, 3 = residual; 2, 4 = residual with squeeze-excitation; 5 = ONNX; 6 and above = attention.
    #[prost(int32, optional, tag = "3")]
    pub network: Option<i32>,
    /// 1 = classical, 2 = convolution, 3 = attention.
    #[prost(int32, optional, tag = "4")]
    pub policy: Option<i32>,
    /// 1 = classical (scalar), 2 = win, draw, loss.
    #[prost(int32, optional, tag = "5")]
    pub value: Option<i32>,
    /// 1 = there is a moves-left head.
    #[prost(int32, optional, tag = "6")]
    pub moves_left: Option<i32>,
    /// 0 = ReLU, 1 = mish.
    #[prost(int32, optional, tag = "7")]
    pub default_activation: Option<i32>,
}

/// A network given as ONNX.
#[derive(Clone, PartialEq, Message)]
pub struct OnnxModel {
    /// The ONNX file.
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub model: Option<Bytes>,
    /// What its input is called.
    #[prost(string, optional, tag = "3")]
    pub input_planes: Option<String>,
    /// What its expected result is called.
    #[prost(string, optional, tag = "4")]
    pub output_value: Option<String>,
    /// What its probabilities of win, draw and loss are called.
    #[prost(string, optional, tag = "5")]
    pub output_wdl: Option<String>,
    /// What its policy is called.
    #[prost(string, optional, tag = "6")]
    pub output_policy: Option<String>,
}

/// One array of weights.
#[derive(Clone, PartialEq, Message)]
pub struct Layer {
    /// The smallest weight, for LINEAR16.
    #[prost(float, optional, tag = "1")]
    pub min_val: Option<f32>,
    /// The largest weight, for LINEAR16.
    #[prost(float, optional, tag = "2")]
    pub max_val: Option<f32>,
    /// The weights, little endian.
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub params: Option<Bytes>,
    /// 1 = LINEAR16, 2 = FLOAT16, 3 = BFLOAT16, 4 = FLOAT32; absent or 0 = the file's encoding.
    #[prost(int32, optional, tag = "4")]
    pub encoding: Option<i32>,
}

/// A convolution with its batch normalisation.
#[derive(Clone, PartialEq, Message)]
pub struct ConvBlock {
    /// Output × input × height × width.
    #[prost(message, optional, tag = "1")]
    pub weights: Option<Layer>,
    /// One per output; absent = 0.
    #[prost(message, optional, tag = "2")]
    pub biases: Option<Layer>,
    /// Absent = no batch normalisation.
    #[prost(message, optional, tag = "3")]
    pub bn_means: Option<Layer>,
    /// The **variances**, whatever the name says.
    #[prost(message, optional, tag = "4")]
    pub bn_stddivs: Option<Layer>,
    /// Absent = 1.
    #[prost(message, optional, tag = "5")]
    pub bn_gammas: Option<Layer>,
    /// Absent = 0.
    #[prost(message, optional, tag = "6")]
    pub bn_betas: Option<Layer>,
}

/// Squeeze-excitation: two dense layers.
#[derive(Clone, PartialEq, Message)]
pub struct SeUnit {
    /// Squeeze weights, output × input.
    #[prost(message, optional, tag = "1")]
    pub w1: Option<Layer>,
    /// Squeeze biases.
    #[prost(message, optional, tag = "2")]
    pub b1: Option<Layer>,
    /// Excite weights, output × input.
    #[prost(message, optional, tag = "3")]
    pub w2: Option<Layer>,
    /// Excite biases.
    #[prost(message, optional, tag = "4")]
    pub b2: Option<Layer>,
}

/// A residual block.
#[derive(Clone, PartialEq, Message)]
pub struct Residual {
    /// The first convolution.
    #[prost(message, optional, tag = "1")]
    pub conv1: Option<ConvBlock>,
    /// The second.
    #[prost(message, optional, tag = "2")]
    pub conv2: Option<ConvBlock>,
    /// Squeeze-excitation, where the body has it.
    #[prost(message, optional, tag = "3")]
    pub se: Option<SeUnit>,
}

/// All weights of a residual network.
#[derive(Clone, PartialEq, Message)]
pub struct Weights {
    /// 112 planes → filters.
    #[prost(message, optional, tag = "1")]
    pub input: Option<ConvBlock>,
    /// The body.
    #[prost(message, repeated, tag = "2")]
    pub residual: Vec<Residual>,
    /// The policy's last convolution.
    #[prost(message, optional, tag = "3")]
    pub policy: Option<ConvBlock>,
    /// The classical policy's dense weights; the attention policy's embedding.
    #[prost(message, optional, tag = "4")]
    pub ip_pol_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "5")]
    pub ip_pol_b: Option<Layer>,
    /// The value's convolution.
    #[prost(message, optional, tag = "6")]
    pub value: Option<ConvBlock>,
    /// The value's hidden dense weights.
    #[prost(message, optional, tag = "7")]
    pub ip1_val_w: Option<Layer>,
    /// The value's hidden dense biases.
    #[prost(message, optional, tag = "8")]
    pub ip1_val_b: Option<Layer>,
    /// The value's output weights.
    #[prost(message, optional, tag = "9")]
    pub ip2_val_w: Option<Layer>,
    /// The value's output biases.
    #[prost(message, optional, tag = "10")]
    pub ip2_val_b: Option<Layer>,
    /// The convolutional policy's first convolution.
    #[prost(message, optional, tag = "11")]
    pub policy1: Option<ConvBlock>,
    /// The attention policy's queries.
    #[prost(message, optional, tag = "17")]
    pub ip2_pol_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "18")]
    pub ip2_pol_b: Option<Layer>,
    /// The attention policy's keys.
    #[prost(message, optional, tag = "19")]
    pub ip3_pol_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "20")]
    pub ip3_pol_b: Option<Layer>,
    /// What promotions add in the attention policy; there are no biases.
    #[prost(message, optional, tag = "22")]
    pub ip4_pol_w: Option<Layer>,
}
