//! The file of a model of our own: safetensors (github.com/huggingface/safetensors) with tensors in single or half precision,
//! and a header as JSON in its metadata. Files come from anybody.

use std::collections::BTreeSet;

use half::f16;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::layers::{Dense, Matrix, Norm};

/// The longest list of tensors, in bytes: ten times what the deepest models need.
const MAX_LIST: u64 = 1 << 20;

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorFormat {
    /// The entry of the metadata that holds the header.
    pub key: &'static str,
    /// What such a file holds, with its article.
    pub what: &'static str,
    /// The largest file that is read, in bytes.
    pub most_bytes: usize,
}

/// Why a file is not of the format, or its tensors are not those that it should have.
#[derive(Debug, Error)]
pub enum TensorFileError {
    /// Larger than is read.
    #[error("it has {found} bytes, and files of up to {most} are read")]
    TooLarge {
        /// Of the file.
        found: usize,
        /// Of the format.
        most: usize,
    },
    /// Its list of tensors is longer than any model's.
    #[error("it begins with a list of tensors of {length} bytes: this is not {what}")]
    List {
        /// In bytes.
        length: u64,
        /// What it should be.
        what: &'static str,
    },
    /// It is not of the format, or is cut short.
    #[error("it is not a safetensors file, or it is damaged: {0}")]
    Format(#[from] SafeTensorError),
    /// It has no header.
    #[error("its metadata has no entry {key:?}: it is not {what} of this format")]
    NoHeader {
        /// The entry.
        key: &'static str,
        /// What it should be.
        what: &'static str,
    },
    /// Its header is not the JSON it should be.
    #[error("its header can't be read: {0}")]
    HeaderText(#[from] serde_json::Error),
    /// A tensor is missing.
    #[error("the tensor {0:?} is missing")]
    Missing(String),
    /// A tensor is of another shape.
    #[error("the tensor {name:?} has the shape {found:?}; its header asks for {needed:?}")]
    Shape {
        /// The tensor.
        name: String,
        /// Its axes.
        found: Vec<usize>,
        /// What they should be.
        needed: Vec<usize>,
    },
    /// A tensor is of a type that is not read.
    #[error("the tensor {name:?} is {dtype}; single and half precision are read")]
    Precision {
        /// The tensor.
        name: String,
        /// What it is.
        dtype: Dtype,
    },
    /// A weight is infinite or not a number.
    #[error("the tensor {0:?} holds weights that are not numbers")]
    NotNumbers(String),
    /// A tensor that no such model has.
    #[error("the tensor {0:?} belongs to no such model")]
    Unknown(String),
}

/// The tensors of a file, and which of them have found their place.
pub(crate) struct TensorFile<'a> {
    bytes: &'a [u8],
    file: SafeTensors<'a>,
    used: BTreeSet<String>,
}

impl<'a> TensorFile<'a> {
    /// The header of a file, and its tensors.
    pub fn open<H: DeserializeOwned>(bytes: &'a [u8], format: TensorFormat) -> Result<(H, Self), TensorFileError> {
        let TensorFormat { key, what, most_bytes } = format;
        if bytes.len() > most_bytes {
            return Err(TensorFileError::TooLarge {
                found: bytes.len(),
                most: most_bytes,
            });
        }
        if let Some(length) = bytes.first_chunk().map(|length| u64::from_le_bytes(*length))
            && length > MAX_LIST
        {
            return Err(TensorFileError::List { length, what });
        }
        let (_, metadata) = SafeTensors::read_metadata(bytes)?;
        let header = metadata.metadata().as_ref().and_then(|entries| entries.get(key));
        let header = serde_json::from_str(header.ok_or(TensorFileError::NoHeader { key, what })?)?;
        let tensors = Self {
            bytes,
            file: SafeTensors::deserialize(bytes)?,
            used: BTreeSet::new(),
        };
        Ok((header, tensors))
    }

    /// SHA-256 of the file, in hexadecimal digits.
    pub fn sha256(&self) -> String {
        let digits = Sha256::digest(self.bytes);
        digits.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The numbers of a tensor of this shape.
    pub fn take(&mut self, name: String, needed: &[usize]) -> Result<Vec<f32>, TensorFileError> {
        let Ok(tensor) = self.file.tensor(&name) else {
            return Err(TensorFileError::Missing(name));
        };
        if tensor.shape() != needed {
            return Err(TensorFileError::Shape {
                name,
                found: tensor.shape().to_vec(),
                needed: needed.to_vec(),
            });
        }
        let values: Vec<f32> = match tensor.dtype() {
            Dtype::F32 => numbers(tensor.data(), f32::from_le_bytes),
            Dtype::F16 => numbers(tensor.data(), |bytes| f16::from_le_bytes(bytes).to_f32()),
            dtype => return Err(TensorFileError::Precision { name, dtype }),
        };
        if !values.iter().all(|value| value.is_finite()) {
            return Err(TensorFileError::NotNumbers(name));
        }
        self.used.insert(name);
        Ok(values)
    }

    /// The matrix of this name.
    pub fn matrix(&mut self, name: String, inputs: usize, outputs: usize) -> Result<Matrix, TensorFileError> {
        Ok(Matrix {
            inputs,
            outputs,
            weights: self.take(name, &[outputs, inputs])?,
        })
    }

    /// A matrix and its biases, by their names.
    pub fn dense(&mut self, names: [String; 2], inputs: usize, outputs: usize) -> Result<Dense, TensorFileError> {
        let [weights, biases] = names;
        Ok(Dense {
            matrix: self.matrix(weights, inputs, outputs)?,
            biases: self.take(biases, &[outputs])?,
        })
    }

    /// Factors and offsets of a normalisation, by their names.
    pub fn norm(&mut self, names: [String; 2], width: usize) -> Result<Norm, TensorFileError> {
        let [factors, offsets] = names;
        Ok(Norm {
            factors: self.take(factors, &[width])?,
            offsets: self.take(offsets, &[width])?,
        })
    }

    /// Refuses a file that has tensors for which there was no place.
    pub fn check_all_used(&self) -> Result<(), TensorFileError> {
        let left = self.file.names().into_iter().find(|name| !self.used.contains(*name));
        left.map_or(Ok(()), |name| Err(TensorFileError::Unknown(name.to_owned())))
    }
}

/// The numbers of a tensor, `N` bytes each.
fn numbers<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|bytes| number(*bytes)).collect()
}
