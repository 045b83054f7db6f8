//! The network's weights as training leaves them: safetensors with the names of features and predicates in its metadata.

use ndarray::{Array1, Array2};
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use thiserror::Error;

/// Why weights can't be read.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// It is not a file of tensors.
    #[error("it is no safetensors file: {0}")]
    Format(#[from] SafeTensorError),
    /// Its metadata lacks a list.
    #[error("its metadata has no {0}")]
    Names(&'static str),
    /// A predicate that there is not.
    #[error("there is no predicate {0:?}")]
    Predicate(String),
    /// A tensor is of another type or shape.
    #[error("the tensor {0:?} is not what it should be")]
    Tensor(String),
}

/// A layer: outputs × inputs, and a bias for each output.
#[derive(Debug)]
pub struct Linear {
    weights: Array2<f32>,
    biases: Array1<f32>,
}

impl Linear {
    /// Rows of inputs into rows of outputs.
    pub fn of(&self, rows: &Array2<f32>) -> Array2<f32> {
        rows.dot(&self.weights.t()) + &self.biases
    }
}

/// The tensors and names of a file.
pub struct Weights<'a> {
    tensors: SafeTensors<'a>,
    names: std::collections::HashMap<String, String>,
}

impl<'a> Weights<'a> {
    /// Opens a file.
    pub fn open(bytes: &'a [u8]) -> Result<Self, WeightsError> {
        let (_, metadata) = SafeTensors::read_metadata(bytes)?;
        Ok(Self {
            tensors: SafeTensors::deserialize(bytes)?,
            names: metadata
                .metadata()
                .iter()
                .flatten()
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        })
    }

    /// A list of names.
    pub fn names(&self, of: &'static str) -> Result<Vec<String>, WeightsError> {
        let names = self.names.get(of).ok_or(WeightsError::Names(of))?;
        Ok(names.split('\n').map(str::to_owned).collect())
    }

    /// A matrix, row by row; in eight bits, each row has a scale.
    pub fn matrix(&self, name: &str) -> Result<Array2<f32>, WeightsError> {
        let wrong = || WeightsError::Tensor(name.to_owned());
        let tensor = self.tensors.tensor(name)?;
        let &[rows, columns] = tensor.shape() else {
            return Err(wrong());
        };
        let values = match tensor.dtype() {
            Dtype::F32 => numbers(tensor.data()),
            Dtype::I8 => {
                let scales = self.vector(&format!("{name}.scale"))?;
                let scaled = tensor.data().chunks(columns.max(1)).zip(&scales);
                scaled
                    .flat_map(|(row, scale)| {
                        row.iter()
                            .map(move |byte| f32::from(i8::from_le_bytes([*byte])) * scale)
                    })
                    .collect()
            }
            _ => return Err(wrong()),
        };
        Array2::from_shape_vec((rows, columns), values).map_err(|_| wrong())
    }

    /// A list of numbers.
    pub fn vector(&self, name: &str) -> Result<Array1<f32>, WeightsError> {
        let tensor = self.tensors.tensor(name)?;
        if tensor.dtype() != Dtype::F32 || tensor.shape().len() != 1 {
            return Err(WeightsError::Tensor(name.to_owned()));
        }
        Ok(numbers(tensor.data()).into())
    }

    /// A layer.
    pub fn linear(&self, name: &str) -> Result<Linear, WeightsError> {
        Ok(Linear {
            weights: self.matrix(&format!("{name}.weight"))?,
            biases: self.vector(&format!("{name}.bias"))?,
        })
    }
}

fn numbers(bytes: &[u8]) -> Vec<f32> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}
