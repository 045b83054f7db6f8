//! Small made-up networks, and a second evaluator for them: loops over doubles, written for being obviously right. It
//! shares nothing with the crate but the file's messages.

#![allow(dead_code, reason = "not every set of features uses all of it")]
#![allow(clippy::unwrap_used, reason = "a test that can't read its data has failed")]

use kibitz::net::proto;

/// Which of the kinds that Lc0 has.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    pub squeeze_excitation: bool,
    pub convolution_policy: bool,
    /// In its place.
    pub attention_policy: bool,
    /// The input format's number.
    pub input: i32,
    pub wdl: bool,
    pub mish: bool,
    /// Without a network format, gammas and betas: as the oldest files are.
    pub old: bool,
    /// Planes of the body, numbers of the squeeze, planes of the heads, hidden numbers of the value head.
    pub sizes: [usize; 4],
}

const SMALL: [usize; 4] = [8, 4, 2, 16];
/// Lc0 0.32 takes value heads of 32 planes and 128 hidden numbers for granted where it writes ONNX.
const EXPORTED: [usize; 4] = [4, 2, 32, 128];

/// Kinds for Lc0's exporter to ONNX.
pub const ONNX_KINDS: [Kind; 3] = [
    Kind {
        sizes: EXPORTED,
        ..with_input("synthetic-onnx-se", 1)
    },
    Kind {
        squeeze_excitation: false,
        wdl: false,
        sizes: EXPORTED,
        ..with_input("synthetic-onnx-plain", 1)
    },
    Kind {
        convolution_policy: false,
        attention_policy: true,
        mish: true,
        sizes: EXPORTED,
        ..with_input("synthetic-onnx-attention", 1)
    },
];

/// A kind that only differs from `synthetic-se` in its input.
const fn with_input(name: &'static str, input: i32) -> Kind {
    Kind {
        name,
        squeeze_excitation: true,
        convolution_policy: true,
        attention_policy: false,
        input,
        wdl: true,
        mish: false,
        old: false,
        sizes: SMALL,
    }
}

pub const KINDS: [Kind; 12] = [
    Kind {
        name: "synthetic-old",
        squeeze_excitation: false,
        convolution_policy: false,
        attention_policy: false,
        input: 1,
        wdl: false,
        mish: false,
        old: true,
        sizes: SMALL,
    },
    Kind {
        name: "synthetic-wdl",
        squeeze_excitation: false,
        convolution_policy: false,
        attention_policy: false,
        input: 1,
        wdl: true,
        mish: false,
        old: false,
        sizes: SMALL,
    },
    Kind {
        name: "synthetic-se",
        squeeze_excitation: true,
        convolution_policy: true,
        attention_policy: false,
        input: 1,
        wdl: false,
        mish: false,
        old: false,
        sizes: SMALL,
    },
    Kind {
        name: "synthetic-mish",
        squeeze_excitation: true,
        convolution_policy: true,
        attention_policy: false,
        input: 1,
        wdl: true,
        mish: true,
        old: false,
        sizes: SMALL,
    },
    Kind {
        name: "synthetic-attention",
        squeeze_excitation: true,
        convolution_policy: false,
        attention_policy: true,
        input: 1,
        wdl: true,
        mish: false,
        old: false,
        sizes: SMALL,
    },
    Kind {
        name: "synthetic-attention-mish-v2",
        squeeze_excitation: true,
        convolution_policy: false,
        attention_policy: true,
        input: 5,
        wdl: true,
        mish: true,
        old: false,
        sizes: [8, 4, 3, 16],
    },
    with_input("synthetic-input-2", 2),
    with_input("synthetic-input-3", 3),
    with_input("synthetic-input-4", 4),
    with_input("synthetic-input-5", 5),
    with_input("synthetic-input-132", 132),
    with_input("synthetic-input-133", 133),
];

const BLOCKS: usize = 2;

/// splitmix64.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `n` weights from `min` to `max` in LINEAR16.
    fn layer(&mut self, n: usize, min: f32, max: f32) -> Option<proto::Layer> {
        let params: Vec<u8> = (0..n)
            .flat_map(|_| ((self.next() >> 48) as u16).to_le_bytes())
            .collect();
        Some(proto::Layer {
            min_val: Some(min),
            max_val: Some(max),
            params: Some(params.into()),
            encoding: None,
        })
    }

    /// The same from 0 to `max`, nearly all of them 0: many weights in few bytes once they are gzipped.
    fn sparse_layer(&mut self, n: usize, max: f32) -> Option<proto::Layer> {
        let params: Vec<u8> = (0..n)
            .flat_map(|_| {
                let drawn = self.next();
                let weight = if drawn.is_multiple_of(128) {
                    (drawn >> 48) as u16
                } else {
                    0
                };
                weight.to_le_bytes()
            })
            .collect();
        Some(proto::Layer {
            min_val: Some(0.0),
            max_val: Some(max),
            params: Some(params.into()),
            encoding: None,
        })
    }

    fn convolution(
        &mut self,
        inputs: usize,
        outputs: usize,
        size: usize,
        most: f32,
        old: bool,
    ) -> Option<proto::ConvBlock> {
        Some(proto::ConvBlock {
            weights: self.layer(inputs * outputs * size * size, -most, most),
            biases: self.layer(outputs, -0.2, 0.2),
            bn_means: self.layer(outputs, -0.3, 0.3),
            bn_stddivs: self.layer(outputs, 0.5, 2.0),
            bn_gammas: if old { None } else { self.layer(outputs, 0.5, 1.5) },
            bn_betas: if old { None } else { self.layer(outputs, -0.3, 0.3) },
        })
    }
}

pub fn network(kind: Kind) -> proto::Net {
    let mut draw = Draw(kind.name.bytes().map(u64::from).sum());
    let old = kind.old;
    let [filters, squeezed, head_planes, hidden] = kind.sizes;
    let mut weights = proto::Weights {
        input: draw.convolution(112, filters, 3, 0.08, old),
        ..Default::default()
    };
    for _ in 0..BLOCKS {
        weights.residual.push(proto::Residual {
            conv1: draw.convolution(filters, filters, 3, 0.2, old),
            conv2: draw.convolution(filters, filters, 3, 0.2, old),
            se: kind.squeeze_excitation.then(|| proto::SeUnit {
                w1: draw.layer(filters * squeezed, -0.7, 0.7),
                b1: draw.layer(squeezed, -0.3, 0.3),
                w2: draw.layer(squeezed * 2 * filters, -0.7, 0.7),
                b2: draw.layer(2 * filters, -0.3, 0.3),
            }),
        });
    }
    if kind.convolution_policy {
        weights.policy1 = draw.convolution(filters, filters, 3, 0.2, old);
        weights.policy = draw.convolution(filters, 80, 3, 0.2, old);
    } else if kind.attention_policy {
        // Some width, and another.
        let (width, length) = (filters + 2, hidden.div_ceil(2));
        weights.ip_pol_w = draw.layer(filters * width, -0.7, 0.7);
        weights.ip_pol_b = draw.layer(width, -0.5, 0.5);
        weights.ip2_pol_w = draw.layer(width * length, -0.5, 0.5);
        weights.ip2_pol_b = draw.layer(length, -0.3, 0.3);
        weights.ip3_pol_w = draw.layer(width * length, -0.5, 0.5);
        weights.ip3_pol_b = draw.layer(length, -0.3, 0.3);
        weights.ip4_pol_w = draw.layer(4 * length, -0.5, 0.5);
    } else {
        weights.policy = draw.convolution(filters, head_planes, 1, 0.4, old);
        weights.ip_pol_w = draw.layer(head_planes * 64 * 1858, -0.2, 0.2);
        weights.ip_pol_b = draw.layer(1858, -0.5, 0.5);
    }
    let results = if kind.wdl { 3 } else { 1 };
    weights.value = draw.convolution(filters, head_planes, 1, 0.4, old);
    weights.ip1_val_w = if hidden < EXPORTED[3] {
        draw.layer(head_planes * 64 * hidden, -0.15, 0.15)
    } else {
        draw.sparse_layer(head_planes * 64 * hidden, 0.5)
    };
    weights.ip1_val_b = draw.layer(hidden, -0.3, 0.3);
    weights.ip2_val_w = draw.layer(hidden * results, -0.2, 0.2);
    weights.ip2_val_b = draw.layer(results, -0.3, 0.3);
    let network_format = (!old).then_some(proto::NetworkFormat {
        input: Some(kind.input),
        output: Some(if kind.wdl { 2 } else { 1 }),
        network: Some(if kind.squeeze_excitation { 4 } else { 3 }),
        policy: Some(match kind {
            Kind {
                attention_policy: true, ..
            } => 3,
            Kind {
                convolution_policy: true,
                ..
            } => 2,
            _ => 1,
        }),
        value: Some(if kind.wdl { 2 } else { 1 }),
        moves_left: Some(0),
        default_activation: Some(i32::from(kind.mish)),
        ..Default::default()
    });
    proto::Net {
        magic: Some(proto::MAGIC),
        min_version: Some(proto::EngineVersion {
            major: Some(0),
            minor: Some(20),
            patch: Some(0),
        }),
        format: Some(proto::Format {
            weights_encoding: Some(1),
            network_format,
        }),
        weights: Some(weights),
        ..Default::default()
    }
}

fn numbers(layer: &Option<proto::Layer>) -> Vec<f64> {
    let layer = layer.as_ref().unwrap();
    let (min, max) = (f64::from(layer.min_val.unwrap()), f64::from(layer.max_val.unwrap()));
    let params = layer.params.as_ref().unwrap();
    params
        .chunks(2)
        .map(|b| f64::from(u32::from(b[0]) + 256 * u32::from(b[1])) / 65535.0)
        .map(|t| min * (1.0 - t) + max * t)
        .collect()
}

/// Planes of 64 squares.
type Board = Vec<f64>;

fn convolution(block: &Option<proto::ConvBlock>, size: i32, x: &Board) -> Board {
    let block = block.as_ref().unwrap();
    let (weights, biases) = (numbers(&block.weights), numbers(&block.biases));
    let (means, variances) = (numbers(&block.bn_means), numbers(&block.bn_stddivs));
    let inputs = x.len() / 64;
    let mut y = vec![0.0; biases.len() * 64];
    for o in 0..biases.len() {
        for rank in 0..8i32 {
            for file in 0..8i32 {
                let mut sum = biases[o];
                for i in 0..inputs {
                    for dr in 0..size {
                        for df in 0..size {
                            let (r, f) = (rank + dr - size / 2, file + df - size / 2);
                            if (0..8).contains(&r) && (0..8).contains(&f) {
                                let w = ((o * inputs + i) as i32 * size + dr) * size + df;
                                sum += weights[w as usize] * x[i * 64 + (r * 8 + f) as usize];
                            }
                        }
                    }
                }
                // Batch normalisation as its definition has it, not folded.
                let mut normal = (sum - means[o]) / (variances[o] + 1e-5).sqrt();
                if block.bn_gammas.is_some() {
                    normal *= numbers(&block.bn_gammas)[o];
                }
                if block.bn_betas.is_some() {
                    normal += numbers(&block.bn_betas)[o];
                }
                y[o * 64 + (rank * 8 + file) as usize] = normal;
            }
        }
    }
    y
}

fn dense(weights: &Option<proto::Layer>, biases: &Option<proto::Layer>, x: &[f64]) -> Vec<f64> {
    let (weights, mut y) = (numbers(weights), numbers(biases));
    for (o, y) in y.iter_mut().enumerate() {
        for (i, x_i) in x.iter().enumerate() {
            *y += weights[o * x.len() + i] * x_i;
        }
    }
    y
}

fn activate(mish: bool, mut x: Vec<f64>) -> Vec<f64> {
    for v in &mut x {
        *v = if mish { *v * v.exp().ln_1p().tanh() } else { v.max(0.0) };
    }
    x
}

/// Logits of from-square × to-square, and what promotions add to each to-square: queen, rook, bishop, all of them.
fn attention_policy(weights: &proto::Weights, body: &Board) -> Vec<f64> {
    let selu = |x: f64| {
        1.050_700_987_355_480_5
            * if x > 0.0 {
                x
            } else {
                1.673_263_242_354_377_2 * x.exp_m1()
            }
    };
    let vectors: Vec<[Vec<f64>; 2]> = (0..64)
        .map(|square| {
            let x: Vec<f64> = body.chunks(64).map(|plane| plane[square]).collect();
            let x: Vec<f64> = dense(&weights.ip_pol_w, &weights.ip_pol_b, &x)
                .into_iter()
                .map(selu)
                .collect();
            [
                dense(&weights.ip2_pol_w, &weights.ip2_pol_b, &x),
                dense(&weights.ip3_pol_w, &weights.ip3_pol_b, &x),
            ]
        })
        .collect();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut policy = Vec::new();
    for [query, _] in &vectors {
        for [_, key] in &vectors {
            policy.push(product(query, key) / (key.len() as f64).sqrt());
        }
    }
    let promotions = numbers(&weights.ip4_pol_w);
    for row in promotions.chunks(promotions.len() / 4) {
        policy.extend(vectors.iter().map(|[_, key]| product(row, key)));
    }
    policy
}

/// Policy outputs, value outputs (before softmax or tanh), and the last block's activations.
pub fn evaluate(kind: Kind, net: &proto::Net, planes: &[f32]) -> [Vec<f64>; 3] {
    let weights = net.weights.as_ref().unwrap();
    let act = |x| activate(kind.mish, x);
    let planes: Board = planes.iter().map(|&v| f64::from(v)).collect();
    let mut flow = act(convolution(&weights.input, 3, &planes));
    for block in &weights.residual {
        let hidden = act(convolution(&block.conv1, 3, &flow));
        let mut out = convolution(&block.conv2, 3, &hidden);
        if let Some(se) = &block.se {
            let means: Vec<f64> = out.chunks(64).map(|plane| plane.iter().sum::<f64>() / 64.0).collect();
            let excited = dense(&se.w2, &se.b2, &act(dense(&se.w1, &se.b1, &means)));
            for (plane, squares) in out.chunks_mut(64).enumerate() {
                for v in squares {
                    *v = *v / (1.0 + (-excited[plane]).exp()) + excited[kind.sizes[0] + plane];
                }
            }
        }
        flow = act(out.iter().zip(&flow).map(|(a, b)| a + b).collect());
    }
    let policy = if kind.convolution_policy {
        convolution(&weights.policy, 3, &act(convolution(&weights.policy1, 3, &flow)))
    } else if kind.attention_policy {
        attention_policy(weights, &flow)
    } else {
        let x = act(convolution(&weights.policy, 1, &flow));
        dense(&weights.ip_pol_w, &weights.ip_pol_b, &x)
    };
    let x = act(convolution(&weights.value, 1, &flow));
    let x = act(dense(&weights.ip1_val_w, &weights.ip1_val_b, &x));
    let value = dense(&weights.ip2_val_w, &weights.ip2_val_b, &x);
    [policy, value, flow]
}
