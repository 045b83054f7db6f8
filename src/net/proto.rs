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
    /// 1, 3 = residual; 2, 4 = residual with squeeze-excitation; 5 = ONNX; 6 = attention; 7, 134 = with several heads.
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
    /// Inside smolgen: 0 = the default, 1 = mish, 2 = ReLU, 6 = SELU, 7 = swish, 8 = ReLU squared.
    #[prost(int32, optional, tag = "8")]
    pub smolgen_activation: Option<i32>,
    /// Inside the feed-forward layers, likewise.
    #[prost(int32, optional, tag = "9")]
    pub ffn_activation: Option<i32>,
    /// How an attention body knows the squares: 1 = a map, 2 = a dense layer.
    #[prost(int32, optional, tag = "10")]
    pub input_embedding: Option<i32>,
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
    /// What its moves that are left are called.
    #[prost(string, optional, tag = "7")]
    pub output_mlh: Option<String>,
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

/// What generates attention.
#[derive(Clone, PartialEq, Message)]
pub struct Smolgen {
    /// Embedding → a few numbers a square; there are no biases.
    #[prost(message, optional, tag = "1")]
    pub compress: Option<Layer>,
    /// Those of all squares → hidden.
    #[prost(message, optional, tag = "2")]
    pub dense1_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "3")]
    pub dense1_b: Option<Layer>,
    /// Factors of the first normalisation.
    #[prost(message, optional, tag = "4")]
    pub ln1_gammas: Option<Layer>,
    /// Its offsets.
    #[prost(message, optional, tag = "5")]
    pub ln1_betas: Option<Layer>,
    /// Hidden → numbers for each head.
    #[prost(message, optional, tag = "6")]
    pub dense2_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "7")]
    pub dense2_b: Option<Layer>,
    /// Factors of the second normalisation.
    #[prost(message, optional, tag = "8")]
    pub ln2_gammas: Option<Layer>,
    /// Its offsets.
    #[prost(message, optional, tag = "9")]
    pub ln2_betas: Option<Layer>,
}

/// Attention of several heads.
#[derive(Clone, PartialEq, Message)]
pub struct Mha {
    /// Queries.
    #[prost(message, optional, tag = "1")]
    pub q_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "2")]
    pub q_b: Option<Layer>,
    /// Keys.
    #[prost(message, optional, tag = "3")]
    pub k_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "4")]
    pub k_b: Option<Layer>,
    /// Values.
    #[prost(message, optional, tag = "5")]
    pub v_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "6")]
    pub v_b: Option<Layer>,
    /// What has been gathered → embedding.
    #[prost(message, optional, tag = "7")]
    pub dense_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "8")]
    pub dense_b: Option<Layer>,
    /// What is added to the products.
    #[prost(message, optional, tag = "9")]
    pub smolgen: Option<Smolgen>,
    /// Relative positions of the queries. Lc0's own backends refuse these three too.
    #[prost(bytes = "bytes", optional, tag = "10")]
    pub rpe_q: Option<Bytes>,
    /// Of the keys.
    #[prost(bytes = "bytes", optional, tag = "11")]
    pub rpe_k: Option<Bytes>,
    /// Of the values.
    #[prost(bytes = "bytes", optional, tag = "12")]
    pub rpe_v: Option<Bytes>,
}

/// Two dense layers.
#[derive(Clone, PartialEq, Message)]
pub struct Ffn {
    /// Embedding → hidden.
    #[prost(message, optional, tag = "1")]
    pub dense1_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "2")]
    pub dense1_b: Option<Layer>,
    /// Hidden → embedding.
    #[prost(message, optional, tag = "3")]
    pub dense2_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "4")]
    pub dense2_b: Option<Layer>,
}

/// An encoder.
#[derive(Clone, PartialEq, Message)]
pub struct EncoderLayer {
    /// Its attention.
    #[prost(message, optional, tag = "1")]
    pub mha: Option<Mha>,
    /// Factors of the normalisation after the attention.
    #[prost(message, optional, tag = "2")]
    pub ln1_gammas: Option<Layer>,
    /// Its offsets.
    #[prost(message, optional, tag = "3")]
    pub ln1_betas: Option<Layer>,
    /// Its feed-forward layer.
    #[prost(message, optional, tag = "4")]
    pub ffn: Option<Ffn>,
    /// Factors of the normalisation after that.
    #[prost(message, optional, tag = "5")]
    pub ln2_gammas: Option<Layer>,
    /// Its offsets.
    #[prost(message, optional, tag = "6")]
    pub ln2_betas: Option<Layer>,
}

/// A policy head of several.
#[derive(Clone, PartialEq, Message)]
pub struct PolicyHead {
    /// An embedding of its own.
    #[prost(message, optional, tag = "1")]
    pub ip_pol_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "2")]
    pub ip_pol_b: Option<Layer>,
    /// Queries.
    #[prost(message, optional, tag = "3")]
    pub ip2_pol_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "4")]
    pub ip2_pol_b: Option<Layer>,
    /// Keys.
    #[prost(message, optional, tag = "5")]
    pub ip3_pol_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "6")]
    pub ip3_pol_b: Option<Layer>,
    /// What promotions add; there are no biases.
    #[prost(message, optional, tag = "7")]
    pub ip4_pol_w: Option<Layer>,
    /// Encoders of its own: the last of them, not read.
    #[prost(bytes = "bytes", optional, tag = "8")]
    pub pol_encoder: Option<Bytes>,
}

/// Several policy heads.
#[derive(Clone, PartialEq, Message)]
pub struct PolicyHeads {
    /// The embedding that they share.
    #[prost(message, optional, tag = "1")]
    pub ip_pol_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "2")]
    pub ip_pol_b: Option<Layer>,
    /// The one that Lc0 plays by.
    #[prost(message, optional, tag = "3")]
    pub vanilla: Option<PolicyHead>,
}

/// A value head of several.
#[derive(Clone, PartialEq, Message)]
pub struct ValueHead {
    /// Its embedding.
    #[prost(message, optional, tag = "1")]
    pub ip_val_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "2")]
    pub ip_val_b: Option<Layer>,
    /// Hidden dense weights.
    #[prost(message, optional, tag = "3")]
    pub ip1_val_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "4")]
    pub ip1_val_b: Option<Layer>,
    /// Output weights.
    #[prost(message, optional, tag = "5")]
    pub ip2_val_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "6")]
    pub ip2_val_b: Option<Layer>,
}

/// Several value heads.
#[derive(Clone, PartialEq, Message)]
pub struct ValueHeads {
    /// The one that Lc0 plays by.
    #[prost(message, optional, tag = "1")]
    pub winner: Option<ValueHead>,
}

/// All weights of a network.
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
    /// Present where the policy head has encoders of its own: the last of them, not read.
    #[prost(bytes = "bytes", optional, tag = "21")]
    pub pol_encoder: Option<Bytes>,
    /// The moves-left head's hidden dense weights.
    #[prost(message, optional, tag = "13")]
    pub ip1_mov_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "14")]
    pub ip1_mov_b: Option<Layer>,
    /// Its output weights.
    #[prost(message, optional, tag = "15")]
    pub ip2_mov_w: Option<Layer>,
    /// Their biases.
    #[prost(message, optional, tag = "16")]
    pub ip2_mov_b: Option<Layer>,
    /// An attention body's embedding: a square's planes and position → embedding.
    #[prost(message, optional, tag = "25")]
    pub ip_emb_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "26")]
    pub ip_emb_b: Option<Layer>,
    /// The encoders of an attention body.
    #[prost(message, repeated, tag = "27")]
    pub encoder: Vec<EncoderLayer>,
    /// Heads of each encoder.
    #[prost(uint32, optional, tag = "28")]
    pub headcount: Option<u32>,
    /// The value head's embedding in an attention body.
    #[prost(message, optional, tag = "29")]
    pub ip_val_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "30")]
    pub ip_val_b: Option<Layer>,
    /// The moves-left head's embedding.
    #[prost(message, optional, tag = "31")]
    pub ip_mov_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "32")]
    pub ip_mov_b: Option<Layer>,
    /// Factors after the embedding, by number and square.
    #[prost(message, optional, tag = "33")]
    pub ip_mult_gate: Option<Layer>,
    /// Offsets after those.
    #[prost(message, optional, tag = "34")]
    pub ip_add_gate: Option<Layer>,
    /// The last layer of smolgen, for all encoders; there are no biases.
    #[prost(message, optional, tag = "35")]
    pub smolgen_w: Option<Layer>,
    /// The board's part of every square: men's planes by square → numbers by square.
    #[prost(message, optional, tag = "37")]
    pub ip_emb_preproc_w: Option<Layer>,
    /// Its biases.
    #[prost(message, optional, tag = "38")]
    pub ip_emb_preproc_b: Option<Layer>,
    /// Factors of the embedding's normalisation.
    #[prost(message, optional, tag = "39")]
    pub ip_emb_ln_gammas: Option<Layer>,
    /// Its offsets.
    #[prost(message, optional, tag = "40")]
    pub ip_emb_ln_betas: Option<Layer>,
    /// The embedding's feed-forward layer.
    #[prost(message, optional, tag = "41")]
    pub ip_emb_ffn: Option<Ffn>,
    /// Factors of the normalisation after it.
    #[prost(message, optional, tag = "42")]
    pub ip_emb_ffn_ln_gammas: Option<Layer>,
    /// Its offsets.
    #[prost(message, optional, tag = "43")]
    pub ip_emb_ffn_ln_betas: Option<Layer>,
    /// Value heads, in place of the one above.
    #[prost(message, optional, tag = "44")]
    pub value_heads: Option<ValueHeads>,
    /// Policy heads, in place of the one above.
    #[prost(message, optional, tag = "45")]
    pub policy_heads: Option<PolicyHeads>,
}
