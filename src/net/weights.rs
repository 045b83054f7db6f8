//! From a file's bytes to a [`Network`]. Every layer's size is checked; nothing that Kibitz can't run gets through.

use bytes::Bytes;
use prost::Message;
use sha2::{Digest, Sha256};

use super::{
    error::NetworkError,
    file::{self, Broken},
    format::{BodyFormat, Format, InputFormat, PolicyFormat, ValueFormat},
    layer::{self, same},
    network::{
        BatchNorm, Block, Convolution, Dense, INPUT_PLANES, Network, POLICY_MOVES, POLICY_PLANES, PolicyHead, SQUARES,
        SqueezeExcitation, ValueHead,
    },
    onnx, proto,
    wire::{self, Encoders, OnnxWalk, Place, Walk},
};

/// Reads a `.pb`, `.pb.gz`, `.onnx` or `.onnx.gz` file; which it is, its content tells.
///
/// # Errors
/// Whatever is not a whole network of a kind that Kibitz runs is refused, with what was found in its place. No input
/// panics; memory stays within a few times [`file::MAX_BYTES`].
pub fn read_network(bytes: &[u8]) -> Result<Network, NetworkError> {
    if bytes.is_empty() {
        return Err(NetworkError::Empty);
    }
    let gzipped = bytes.starts_with(&[0x1f, 0x8b]);
    let unpacked = file::unpack(bytes, file::MAX_BYTES)?;
    let plain = unpacked.bytes;
    // Field 1, fixed 32 bits: every writer of protobuf puts it first.
    let ours = plain.first() == Some(&0x0d);
    let something_else = if gzipped {
        NetworkError::GzipOfSomethingElse
    } else {
        NetworkError::NotANetwork
    };
    if unpacked.broken == Some(Broken::Damaged) {
        return Err(NetworkError::GzipDamaged);
    }
    match wire::walk_onnx(&plain) {
        OnnxWalk::Whole if unpacked.broken.is_none() => {
            let sha256 = hex(&Sha256::digest(&plain));
            return onnx::read(plain.into(), &onnx::Names::default(), InputFormat::Classical, sha256);
        }
        OnnxWalk::Whole | OnnxWalk::Ends => return Err(NetworkError::OnnxEnds),
        OnnxWalk::TooManyNodes => return Err(NetworkError::OnnxTooManyNodes),
        OnnxWalk::Other if unpacked.broken.is_some() && !ours => return Err(NetworkError::GzipEnds),
        OnnxWalk::Other => {}
    }
    let attention = match wire::walk(&plain) {
        Walk::Whole { .. } if unpacked.broken.is_some() => return Err(NetworkError::Ends(Place::Tail)),
        Walk::Whole { attention } => attention,
        Walk::Ends(place) if ours => return Err(NetworkError::Ends(place)),
        Walk::Malformed if ours => return Err(NetworkError::Malformed),
        Walk::TooManyBlocks if ours => return Err(NetworkError::TooManyBlocks),
        _ => return Err(something_else),
    };
    let sha256 = hex(&Sha256::digest(&plain));
    let net = proto::Net::decode(Bytes::from(plain)).map_err(|_| {
        if ours {
            NetworkError::Malformed
        } else {
            something_else.clone()
        }
    })?;
    match net.magic {
        Some(proto::MAGIC) => {}
        Some(found) => return Err(NetworkError::Magic { found }),
        None => return Err(something_else),
    }
    let weights = match (net.weights, net.onnx_model) {
        (Some(weights), _) => weights,
        (None, Some(model)) => return wrapped(model, InputFormat::read(net.format.as_ref())?, sha256),
        (None, None) => return Err(NetworkError::NoWeights),
    };
    let format = Format::read(net.format.as_ref())?;
    match attention {
        Some(Encoders::Body) => return Err(NetworkError::Attention),
        Some(Encoders::Policy) => return Err(NetworkError::PolicyEncoders),
        None => {}
    }
    let encoding = net.format.and_then(|f| f.weights_encoding).unwrap_or(layer::LINEAR16);
    Layers { encoding }.network(&weights, format, sha256)
}

/// Reads an ONNX model that Lc0 has wrapped in its own file.
fn wrapped(found: proto::OnnxModel, input: InputFormat, sha256: String) -> Result<Network, NetworkError> {
    let model = found.model.unwrap_or_default();
    match wire::walk_onnx(&model) {
        OnnxWalk::Whole => {}
        OnnxWalk::TooManyNodes => return Err(NetworkError::OnnxTooManyNodes),
        OnnxWalk::Ends | OnnxWalk::Other => return Err(NetworkError::OnnxMalformed),
    }
    let default = onnx::Names::default();
    let names = onnx::Names {
        planes: found.input_planes.unwrap_or(default.planes),
        policy: found.output_policy.unwrap_or(default.policy),
        wdl: found.output_wdl.unwrap_or(default.wdl),
        value: found.output_value.unwrap_or(default.value),
    };
    onnx::read(model, &names, input, sha256)
}

/// Lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Reads layers, knowing the file's encoding.
struct Layers {
    encoding: i32,
}

impl Layers {
    fn network(&self, weights: &proto::Weights, format: Format, sha256: String) -> Result<Network, NetworkError> {
        let input = self.convolution(weights.input.as_ref(), INPUT_PLANES, 3, "the input convolution")?;
        let filters = input.outputs;
        if weights.residual.is_empty() {
            return Err(NetworkError::NoBlocks);
        }
        let blocks = weights
            .residual
            .iter()
            .enumerate()
            .map(|(i, block)| self.block(block, filters, format, i + 1))
            .collect::<Result<Vec<_>, _>>()?;
        let policy = self.policy(weights, filters, format)?;
        let value = self.value(weights, filters, format)?;
        Ok(Network {
            format,
            sha256,
            input,
            blocks,
            policy,
            value,
        })
    }

    fn block(
        &self,
        block: &proto::Residual,
        filters: usize,
        format: Format,
        number: usize,
    ) -> Result<Block, NetworkError> {
        let convolution = |found: Option<&proto::ConvBlock>, which: &str| {
            let name = format!("block {number}'s {which} convolution");
            let read = self.convolution(found, filters, 3, &name)?;
            same(&name, read.weights.len(), filters * filters * 9)?;
            Ok::<_, NetworkError>(read)
        };
        let first = convolution(block.conv1.as_ref(), "first")?;
        let second = convolution(block.conv2.as_ref(), "second")?;
        let se = match (format.body, &block.se) {
            (BodyFormat::Residual, _) => None,
            (BodyFormat::SqueezeExcitation, None) => {
                return Err(NetworkError::Missing {
                    layer: format!("block {number}'s squeeze-excitation"),
                });
            }
            (BodyFormat::SqueezeExcitation, Some(se)) => {
                let name = format!("block {number}'s squeeze");
                let squeeze = self.dense(se.w1.as_ref(), se.b1.as_ref(), filters, None, &name)?;
                let name = format!("block {number}'s excitation");
                let (from, to) = (squeeze.outputs, 2 * filters);
                let excite = self.dense(se.w2.as_ref(), se.b2.as_ref(), from, Some(to), &name)?;
                Some(SqueezeExcitation { squeeze, excite })
            }
        };
        Ok(Block { first, second, se })
    }

    fn policy(&self, weights: &proto::Weights, filters: usize, format: Format) -> Result<PolicyHead, NetworkError> {
        match format.policy {
            PolicyFormat::Classical => {
                let convolution = self.convolution(weights.policy.as_ref(), filters, 1, "the policy's convolution")?;
                let (w, b) = (weights.ip_pol_w.as_ref(), weights.ip_pol_b.as_ref());
                let from = convolution.outputs * SQUARES;
                let dense = self.dense(w, b, from, Some(POLICY_MOVES), "the policy's dense layer")?;
                Ok(PolicyHead::Classical { convolution, dense })
            }
            PolicyFormat::Convolution => {
                let name = "the policy's first convolution";
                let hidden = self.convolution(weights.policy1.as_ref(), filters, 3, name)?;
                let name = "the policy's second convolution";
                let planes = self.convolution(weights.policy.as_ref(), hidden.outputs, 3, name)?;
                same(name, planes.weights.len(), POLICY_PLANES * hidden.outputs * 9)?;
                Ok(PolicyHead::Convolution { hidden, planes })
            }
            PolicyFormat::Attention => {
                let (w, b) = (weights.ip_pol_w.as_ref(), weights.ip_pol_b.as_ref());
                let embedding = self.dense(w, b, filters, None, "the policy's embedding")?;
                let width = embedding.outputs;
                let (w, b) = (weights.ip2_pol_w.as_ref(), weights.ip2_pol_b.as_ref());
                let query = self.dense(w, b, width, None, "the policy's queries")?;
                let (w, b) = (weights.ip3_pol_w.as_ref(), weights.ip3_pol_b.as_ref());
                let key = self.dense(w, b, width, Some(query.outputs), "the policy's keys")?;
                let name = "the policy's promotions";
                let promotion = self.layer(weights.ip4_pol_w.as_ref(), name)?;
                same(name, promotion.len(), 4 * key.outputs)?;
                Ok(PolicyHead::Attention {
                    promotion: Dense {
                        inputs: key.outputs,
                        outputs: 4,
                        weights: promotion,
                        biases: vec![0.0; 4],
                    },
                    embedding,
                    query,
                    key,
                })
            }
        }
    }

    fn value(&self, weights: &proto::Weights, filters: usize, format: Format) -> Result<ValueHead, NetworkError> {
        let convolution = self.convolution(weights.value.as_ref(), filters, 1, "the value's convolution")?;
        let (w, b) = (weights.ip1_val_w.as_ref(), weights.ip1_val_b.as_ref());
        let from = convolution.outputs * SQUARES;
        let hidden = self.dense(w, b, from, None, "the value's hidden layer")?;
        let (w, b) = (weights.ip2_val_w.as_ref(), weights.ip2_val_b.as_ref());
        let to = match format.value {
            ValueFormat::Scalar => 1,
            ValueFormat::Wdl => 3,
        };
        let output = self.dense(w, b, hidden.outputs, Some(to), "the value's output layer")?;
        Ok(ValueHead {
            convolution,
            hidden,
            output,
        })
    }

    fn layer(&self, layer: Option<&proto::Layer>, name: &str) -> Result<Vec<f32>, NetworkError> {
        match layer {
            Some(layer) => layer::decode(layer, self.encoding, name),
            None => Err(NetworkError::Missing { layer: name.to_owned() }),
        }
    }

    /// One number per output; `absent` for each where the layer is absent or empty.
    fn per_output(
        &self,
        layer: Option<&proto::Layer>,
        outputs: usize,
        absent: f32,
        name: &str,
    ) -> Result<Vec<f32>, NetworkError> {
        let read = layer.map_or(Ok(Vec::new()), |l| layer::decode(l, self.encoding, name))?;
        if read.is_empty() {
            return Ok(vec![absent; outputs]);
        }
        same(name, read.len(), outputs)?;
        Ok(read)
    }

    /// A convolution with its batch normalisation folded in. How many planes come out, its weights say.
    fn convolution(
        &self,
        found: Option<&proto::ConvBlock>,
        inputs: usize,
        size: usize,
        name: &str,
    ) -> Result<Convolution, NetworkError> {
        let Some(found) = found else {
            return Err(NetworkError::Missing { layer: name.to_owned() });
        };
        let weights = self.layer(found.weights.as_ref(), name)?;
        let kernel = inputs * size * size;
        let outputs = weights.len() / kernel;
        same(name, weights.len(), outputs.max(1) * kernel)?;
        let part = |layer, absent, what: &str| self.per_output(layer, outputs, absent, &format!("{name} ({what})"));
        let biases = part(found.biases.as_ref(), 0.0, "biases")?;
        let mut convolution = Convolution {
            inputs,
            outputs,
            size,
            weights,
            biases,
        };
        let normalised = found.bn_means.as_ref().and_then(|l| l.params.as_ref());
        if normalised.is_some_and(|params| !params.is_empty()) {
            convolution.fold(&BatchNorm {
                means: part(found.bn_means.as_ref(), 0.0, "means")?,
                variances: part(found.bn_stddivs.as_ref(), 1.0, "variances")?,
                gammas: part(found.bn_gammas.as_ref(), 1.0, "gammas")?,
                betas: part(found.bn_betas.as_ref(), 0.0, "betas")?,
            });
            if !convolution.is_finite() {
                let layer = format!("{name} (with its batch normalisation)");
                return Err(NetworkError::NotNumbers { layer });
            }
        }
        Ok(convolution)
    }

    /// A dense layer. Where `outputs` is not given, its biases say how many.
    fn dense(
        &self,
        weights: Option<&proto::Layer>,
        biases: Option<&proto::Layer>,
        inputs: usize,
        outputs: Option<usize>,
        name: &str,
    ) -> Result<Dense, NetworkError> {
        let weights = self.layer(weights, name)?;
        let bias_name = format!("{name} (biases)");
        let biases = self.layer(biases, &bias_name)?;
        let outputs = outputs.unwrap_or(biases.len()).max(1);
        same(&bias_name, biases.len(), outputs)?;
        same(name, weights.len(), inputs.saturating_mul(outputs))?;
        Ok(Dense {
            inputs,
            outputs,
            weights,
            biases,
        })
    }
}
