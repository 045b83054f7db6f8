//! From PyTorch's weights to a [`Network`]: what the training of the default network leaves behind, by the names of its
//! modules, with its batch normalisation apart.
//!
//! The body is residual with squeeze-excitation, the policy convolutional, the value win, draw and loss, the activation
//! ReLU, the input the classical planes.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    format::{Activation, BodyFormat, Format, InputFormat, PolicyFormat, ValueFormat},
    network::{
        BatchNorm, Block, Body, Convolution, Dense, INPUT_PLANES, Network, POLICY_PLANES, PolicyHead, SQUARES,
        SqueezeExcitation, ValueHead,
    },
    wire::MAX_BLOCKS,
};

/// One array of a state dict.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Its axes, outermost first.
    pub shape: Vec<usize>,
    /// Its numbers, the last axis fastest.
    pub values: Vec<f32>,
}

/// Why a state dict is no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateDictError {
    /// A tensor that every such network has.
    #[error("there is no tensor {0:?}")]
    Missing(String),
    /// A tensor of another shape than its place asks for.
    #[error("the tensor {name:?} is {found:?} where {needed} is needed")]
    Shape {
        /// The tensor.
        name: String,
        /// Its shape.
        found: Vec<usize>,
        /// What its place asks for; `n` stands for a size that is free.
        needed: String,
    },
    /// Infinite or undefined weights, of itself or with its batch normalisation.
    #[error("{0:?} holds weights that are not numbers")]
    NotNumbers(String),
    /// A tensor that has no place in the network.
    #[error("the tensor {0:?} belongs to no part of the network")]
    Unknown(String),
    /// More residual blocks than are read back.
    #[error("there are more than {MAX_BLOCKS} residual blocks")]
    TooManyBlocks,
}

/// Makes the network that `tensors` holds. Its `sha256` is empty: it gets one when it is written and read.
///
/// # Errors
/// When a tensor is missing, has another shape than its place asks for, is not finite, or has no place at all (but for
/// the counters `num_batches_tracked`).
pub fn network(tensors: &BTreeMap<String, Tensor>) -> Result<Network, StateDictError> {
    let mut dict = StateDict {
        tensors,
        used: BTreeSet::new(),
    };
    let input = dict.normalised("input.conv", "input.bn", INPUT_PLANES, None, 3)?;
    let filters = input.outputs;
    let mut blocks = Vec::new();
    // The first is always asked for, so that a dict without blocks says which tensor it lacks.
    while blocks.is_empty() || tensors.contains_key(&format!("blocks.{}.conv1.weight", blocks.len())) {
        if blocks.len() == MAX_BLOCKS {
            return Err(StateDictError::TooManyBlocks);
        }
        blocks.push(dict.block(&format!("blocks.{}", blocks.len()), filters)?);
    }
    let policy = PolicyHead::Convolution {
        hidden: dict.normalised("policy.conv1", "policy.bn1", filters, Some(filters), 3)?,
        planes: dict.convolution("policy.conv2", filters, Some(POLICY_PLANES), 3)?,
    };
    let convolution = dict.normalised("value.conv", "value.bn", filters, None, 1)?;
    let hidden = dict.dense("value.hidden", convolution.outputs * SQUARES, None)?;
    let output = dict.dense("value.output", hidden.outputs, Some(3))?;
    dict.check_all_used()?;
    Ok(Network {
        format: Format {
            input: InputFormat::Classical,
            body: BodyFormat::SqueezeExcitation,
            policy: PolicyFormat::Convolution,
            value: ValueFormat::Wdl,
            activation: Activation::Relu,
            moves_left: false,
        },
        sha256: String::new(),
        body: Body::Residual { input, blocks },
        policy,
        moves_left: None,
        value: ValueHead {
            convolution,
            hidden,
            output,
        },
    })
}

/// The tensors, and which of them have found their place.
struct StateDict<'a> {
    tensors: &'a BTreeMap<String, Tensor>,
    used: BTreeSet<String>,
}

impl StateDict<'_> {
    /// The values of a tensor whose axes are `shape` (`None` is free but not 0) and then any number of ones.
    fn tensor(&mut self, name: String, shape: &[Option<usize>]) -> Result<(usize, Vec<f32>), StateDictError> {
        let Some(tensor) = self.tensors.get(&name) else {
            return Err(StateDictError::Missing(name));
        };
        let found = &tensor.shape;
        let fits = found.len() >= shape.len()
            && found.iter().enumerate().all(|(axis, &size)| match shape.get(axis) {
                Some(Some(needed)) => size == *needed,
                Some(None) => size > 0,
                None => size == 1,
            })
            && tensor.values.len() == found.iter().product::<usize>();
        if !fits {
            let needed: Vec<String> = shape
                .iter()
                .map(|size| size.map_or_else(|| "n".to_owned(), |size| size.to_string()))
                .collect();
            return Err(StateDictError::Shape {
                name,
                found: found.clone(),
                needed: format!("[{}]", needed.join(", ")),
            });
        }
        if !tensor.values.iter().all(|v| v.is_finite()) {
            return Err(StateDictError::NotNumbers(name));
        }
        self.used.insert(name);
        Ok((found[0], tensor.values.clone()))
    }

    fn per_output(&mut self, name: String, outputs: usize) -> Result<Vec<f32>, StateDictError> {
        Ok(self.tensor(name, &[Some(outputs)])?.1)
    }

    /// A convolution. Without a bias, as before a batch normalisation, its biases are 0.
    fn convolution(
        &mut self,
        name: &str,
        inputs: usize,
        outputs: Option<usize>,
        size: usize,
    ) -> Result<Convolution, StateDictError> {
        let shape = [outputs, Some(inputs), Some(size), Some(size)];
        let (outputs, weights) = self.tensor(format!("{name}.weight"), &shape)?;
        let bias = format!("{name}.bias");
        let biases = if self.tensors.contains_key(&bias) {
            self.per_output(bias, outputs)?
        } else {
            vec![0.0; outputs]
        };
        Ok(Convolution {
            inputs,
            outputs,
            size,
            weights,
            biases,
        })
    }

    /// A convolution with the batch normalisation that follows it folded in.
    fn normalised(
        &mut self,
        name: &str,
        norm: &str,
        inputs: usize,
        outputs: Option<usize>,
        size: usize,
    ) -> Result<Convolution, StateDictError> {
        let mut convolution = self.convolution(name, inputs, outputs, size)?;
        let mut part = |what: &str| self.per_output(format!("{norm}.{what}"), convolution.outputs);
        let norm = BatchNorm {
            gammas: part("weight")?,
            betas: part("bias")?,
            means: part("running_mean")?,
            variances: part("running_var")?,
        };
        convolution.fold(&norm);
        if convolution.is_finite() {
            Ok(convolution)
        } else {
            Err(StateDictError::NotNumbers(name.to_owned()))
        }
    }

    fn dense(&mut self, name: &str, inputs: usize, outputs: Option<usize>) -> Result<Dense, StateDictError> {
        let (outputs, weights) = self.tensor(format!("{name}.weight"), &[outputs, Some(inputs)])?;
        Ok(Dense {
            inputs,
            outputs,
            weights,
            biases: self.per_output(format!("{name}.bias"), outputs)?,
        })
    }

    fn block(&mut self, name: &str, filters: usize) -> Result<Block, StateDictError> {
        let mut convolution = |n: u8| {
            let (conv, bn) = (format!("{name}.conv{n}"), format!("{name}.bn{n}"));
            self.normalised(&conv, &bn, filters, Some(filters), 3)
        };
        let (first, second) = (convolution(1)?, convolution(2)?);
        let squeeze = self.dense(&format!("{name}.se.squeeze"), filters, None)?;
        let excite = self.dense(&format!("{name}.se.excite"), squeeze.outputs, Some(2 * filters))?;
        Ok(Block {
            first,
            second,
            se: Some(SqueezeExcitation { squeeze, excite }),
        })
    }

    fn check_all_used(&self) -> Result<(), StateDictError> {
        let left = self
            .tensors
            .keys()
            .find(|name| !self.used.contains(*name) && !name.ends_with(".num_batches_tracked"));
        left.map_or(Ok(()), |name| Err(StateDictError::Unknown(name.clone())))
    }
}
