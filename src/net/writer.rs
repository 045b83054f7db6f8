//! A [`Network`] as a Lc0 file.

use std::io::Write;

use flate2::{Compression, GzBuilder};
use prost::Message;

use super::{
    attention_writer::{self, dense},
    layer,
    network::{Block, Body, Convolution, Network, PolicyHead},
    proto,
};

/// How weights are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// 16 bits between a layer's smallest and largest weight: what every Lc0 reads.
    Linear16,
    /// IEEE half precision.
    Float16,
    /// The upper half of a single.
    BFloat16,
    /// IEEE single precision: what is written is what is read.
    Float32,
}

impl Encoding {
    fn number(self) -> i32 {
        match self {
            Self::Linear16 => layer::LINEAR16,
            Self::Float16 => layer::FLOAT16,
            Self::BFloat16 => layer::BFLOAT16,
            Self::Float32 => layer::FLOAT32,
        }
    }
}

/// Writes `network` as an uncompressed `.pb` file. Its batch normalisation stays folded; [`Network::sha256`] is not
/// part of the file, and the file's own differs.
#[must_use]
pub fn write_network(network: &Network, encoding: Encoding) -> Vec<u8> {
    let e = encoding.number();
    let mut weights = proto::Weights::default();
    let mut format = network.format.write();
    match &network.body {
        Body::Residual { input, blocks } => {
            weights.input = Some(convolution(input, e));
            weights.residual = blocks.iter().map(|block| residual(block, e)).collect();
            weights.value = Some(convolution(&network.value.convolution, e));
            [weights.ip1_val_w, weights.ip1_val_b] = dense(&network.value.hidden, e);
        }
        Body::Attention(body) => {
            attention_writer::write(body, &mut weights, &mut format, e);
            [weights.ip_val_w, weights.ip_val_b] = of_squares(&network.value.convolution, e);
            [weights.ip1_val_w, weights.ip1_val_b] = dense(&network.value.hidden.clone().reading_squares(), e);
        }
    }
    [weights.ip2_val_w, weights.ip2_val_b] = dense(&network.value.output, e);
    if let Some(head) = &network.moves_left {
        [weights.ip_mov_w, weights.ip_mov_b] = of_squares(&head.convolution, e);
        [weights.ip1_mov_w, weights.ip1_mov_b] = dense(&head.hidden.clone().reading_squares(), e);
        [weights.ip2_mov_w, weights.ip2_mov_b] = dense(&head.output, e);
    }
    match &network.policy {
        PolicyHead::Classical {
            convolution: c,
            dense: d,
        } => {
            weights.policy = Some(convolution(c, e));
            [weights.ip_pol_w, weights.ip_pol_b] = dense(d, e);
        }
        PolicyHead::Convolution { hidden, planes } => {
            weights.policy1 = Some(convolution(hidden, e));
            weights.policy = Some(convolution(planes, e));
        }
        PolicyHead::Attention {
            embedding,
            query,
            key,
            promotion,
        } => {
            [weights.ip_pol_w, weights.ip_pol_b] = dense(embedding, e);
            [weights.ip2_pol_w, weights.ip2_pol_b] = dense(query, e);
            [weights.ip3_pol_w, weights.ip3_pol_b] = dense(key, e);
            weights.ip4_pol_w = Some(layer::encode(&promotion.weights, e));
        }
    }
    let net = proto::Net {
        magic: Some(proto::MAGIC),
        // Lc0 0.29 was the first that takes an encoding per layer, 0.31 the first with several heads; 0.21 the first with a
        // network format.
        min_version: Some(proto::EngineVersion {
            major: Some(0),
            minor: Some(match (&network.body, encoding) {
                (Body::Attention(_), _) => 31,
                (Body::Residual { .. }, Encoding::Linear16) => 21,
                (Body::Residual { .. }, _) => 29,
            }),
            patch: Some(0),
        }),
        format: Some(proto::Format {
            weights_encoding: Some(layer::LINEAR16),
            network_format: Some(format),
        }),
        weights: Some(weights),
        ..Default::default()
    };
    net.encode_to_vec()
}

/// A `.pb` file as `.pb.gz`: the same bytes for the same input, no name or time in it.
#[must_use]
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("a vector takes all that is written into it")
}

fn residual(block: &Block, encoding: i32) -> proto::Residual {
    let se = block.se.as_ref().map(|se| {
        let [w1, b1] = dense(&se.squeeze, encoding);
        let [w2, b2] = dense(&se.excite, encoding);
        proto::SeUnit { w1, b1, w2, b2 }
    });
    proto::Residual {
        conv1: Some(convolution(&block.first, encoding)),
        conv2: Some(convolution(&block.second, encoding)),
        se,
    }
}

/// A dense layer on every square alike.
fn of_squares(convolution: &Convolution, encoding: i32) -> [Option<proto::Layer>; 2] {
    [&convolution.weights, &convolution.biases].map(|values| Some(layer::encode(values, encoding)))
}

fn convolution(convolution: &Convolution, encoding: i32) -> proto::ConvBlock {
    proto::ConvBlock {
        weights: Some(layer::encode(&convolution.weights, encoding)),
        biases: Some(layer::encode(&convolution.biases, encoding)),
        ..Default::default()
    }
}
