//! From a decoded file to a [`Network`]. Every layer's size is checked; nothing that Kibitz can't run gets through.

use super::{
    error::NetworkError,
    format::{AttentionFormat, BodyFormat, Format, InputFormat, PolicyFormat, ValueFormat},
    layer::{self, same},
    layers::Layers,
    network::{
        Block, Body, INPUT_PLANES, Network, POLICY_MOVES, POLICY_PLANES, PolicyHead, SQUARES, SqueezeExcitation,
        ValueHead,
    },
    onnx, onnx_parts, proto,
};

/// The network that a file of Lc0's own format holds.
pub(super) fn network(net: proto::Net, sha256: String) -> Result<Network, NetworkError> {
    let mut weights = match (net.weights, net.onnx_model) {
        (Some(weights), _) => weights,
        (None, Some(model)) => return wrapped(model, InputFormat::read(net.format.as_ref())?, sha256),
        (None, None) => return Err(NetworkError::NoWeights),
    };
    let encoders = !weights.encoder.is_empty();
    let format = Format::read(net.format.as_ref(), encoders)?;
    if weights.pol_encoder.is_some() {
        return Err(NetworkError::PolicyEncoders);
    }
    let encoding = net.format.and_then(|f| f.weights_encoding).unwrap_or(layer::LINEAR16);
    let layers = Layers { encoding };
    if format.body == BodyFormat::Attention {
        let several_heads = weights.value_heads.is_some() && weights.policy_heads.is_some();
        let smolgen = weights.smolgen_w.is_some();
        let attention = AttentionFormat::read(net.format.as_ref(), format.activation, smolgen, several_heads)?;
        layers.attention_network(&mut weights, format, attention, sha256)
    } else if encoders {
        Err(NetworkError::Attention)
    } else {
        layers.network(&mut weights, format, sha256)
    }
}

/// Reads an ONNX model that Lc0 has wrapped in its own file.
fn wrapped(found: proto::OnnxModel, input: InputFormat, sha256: String) -> Result<Network, NetworkError> {
    let graph = onnx_parts::wrapped_graph(&found.model.unwrap_or_default())?;
    let default = onnx::Names::default();
    let names = onnx::Names {
        planes: found.input_planes.unwrap_or(default.planes),
        policy: found.output_policy.unwrap_or(default.policy),
        wdl: found.output_wdl.unwrap_or(default.wdl),
        value: found.output_value.unwrap_or(default.value),
        moves_left: found.output_mlh.unwrap_or(default.moves_left),
    };
    onnx::read(graph, &names, input, sha256)
}

/// Lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

impl Layers {
    fn network(&self, weights: &mut proto::Weights, format: Format, sha256: String) -> Result<Network, NetworkError> {
        let input = self.convolution(weights.input.as_ref(), INPUT_PLANES, 3, "the input convolution")?;
        let filters = input.outputs;
        if weights.residual.is_empty() {
            return Err(NetworkError::NoBlocks);
        }
        // A block's bytes go as soon as they are numbers.
        let blocks = std::mem::take(&mut weights.residual)
            .into_iter()
            .enumerate()
            .map(|(i, block)| self.block(&block, filters, format, i + 1))
            .collect::<Result<Vec<_>, _>>()?;
        let policy = self.policy(weights, filters, format)?;
        let value = self.value(weights, filters, format)?;
        Ok(Network {
            format,
            sha256,
            body: Body::Residual { input, blocks },
            policy,
            value,
            moves_left: None,
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
            (BodyFormat::Residual | BodyFormat::Attention, _) => None,
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
            PolicyFormat::Attention => self.only_attention_policy(weights, filters),
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
}
