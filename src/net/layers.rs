//! A file's layers, decoded and checked against the sizes that their places ask for.

use super::{
    error::NetworkError,
    layer::{self, same},
    network::{BatchNorm, Convolution, Dense},
    proto,
};

/// Reads layers, knowing the file's encoding.
pub(super) struct Layers {
    pub encoding: i32,
}

impl Layers {
    pub fn layer(&self, layer: Option<&proto::Layer>, name: &str) -> Result<Vec<f32>, NetworkError> {
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
    pub fn convolution(
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
    pub fn dense(
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
