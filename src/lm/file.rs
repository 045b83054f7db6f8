//! A language model's file: safetensors (github.com/huggingface/safetensors) with tensors in single or half precision, and
//! a [`Header`] as JSON in its metadata under `kibitz-lm`. Files come from anybody.
//!
//! | kind | tensors, in PyTorch's layout |
//! |---|---|
//! | both | `embedding` \[vocabulary, width\], which is the output's matrix as well |
//! | transformer | `position` \[context, width\]; for each block *i* from 0 `blocks.i.norm1`, `attention` \[3 width, width\], `out`, `norm2`, `up` \[4 width, width\], `down`, each with `.weight` and `.bias`; `norm.weight`, `norm.bias` |
//! | lstm | for each layer *k* from 0 `lstm.weight_ih_lk`, `lstm.weight_hh_lk` \[4 width, width\], `lstm.bias_ih_lk`, `lstm.bias_hh_lk` |

use std::collections::BTreeSet;

use half::f16;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{
    header::{Header, HeaderError, Kind},
    model::{Block, Body, Dense, LstmLayer, Model, Norm, Transformer},
};

/// The largest file that is read, in bytes: a model of 85 million weights, as the paper's, has 340 MB in single precision.
pub const MAX_BYTES: usize = 400_000_000;
/// The longest list of tensors, in bytes: ten times what [`super::header::MAX_LAYERS`] need.
const MAX_LIST: u64 = 1 << 20;
/// Where the header is.
const HEADER_KEY: &str = "kibitz-lm";

/// Why a file is no model that can be run.
#[derive(Debug, Error)]
pub enum FileError {
    /// Larger than is read.
    #[error("it has {0} bytes, and files of up to {MAX_BYTES} are read")]
    TooLarge(usize),
    /// Its list of tensors is longer than any model's.
    #[error("it begins with a list of tensors of {0} bytes: this is not a language model")]
    List(u64),
    /// It is not of the format, or is cut short.
    #[error("it is not a safetensors file, or it is damaged: {0}")]
    Format(#[from] SafeTensorError),
    /// It has no header.
    #[error("its metadata has no entry {HEADER_KEY:?}: it is not a language model of this format")]
    NoHeader,
    /// Its header is not the JSON it should be.
    #[error("its header can't be read: {0}")]
    HeaderText(#[from] serde_json::Error),
    /// Its header describes no model.
    #[error(transparent)]
    Header(#[from] HeaderError),
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

impl Model {
    /// Reads a model's file.
    ///
    /// # Errors
    /// When it is none that can be run.
    pub fn read(bytes: &[u8]) -> Result<Self, FileError> {
        if bytes.len() > MAX_BYTES {
            return Err(FileError::TooLarge(bytes.len()));
        }
        if let Some(length) = bytes.first_chunk().map(|length| u64::from_le_bytes(*length))
            && length > MAX_LIST
        {
            return Err(FileError::List(length));
        }
        let (_, metadata) = SafeTensors::read_metadata(bytes)?;
        let header = metadata
            .metadata()
            .as_ref()
            .and_then(|entries| entries.get(HEADER_KEY))
            .ok_or(FileError::NoHeader)?;
        let header: Header = serde_json::from_str(header)?;
        header.check()?;
        let mut tensors = Tensors {
            file: SafeTensors::deserialize(bytes)?,
            used: BTreeSet::new(),
        };
        let embedding = tensors.take("embedding".to_owned(), &[header.vocabulary, header.width])?;
        let body = match header.kind {
            Kind::Transformer => Body::Transformer(tensors.transformer(&header)?),
            Kind::Lstm => Body::Lstm(tensors.lstm(&header)?),
        };
        tensors.check_all_used()?;
        let digits = Sha256::digest(bytes);
        Ok(Self {
            header,
            sha256: digits.iter().map(|byte| format!("{byte:02x}")).collect(),
            embedding,
            body,
        })
    }
}

/// The tensors of a file, and which of them have found their place.
struct Tensors<'a> {
    file: SafeTensors<'a>,
    used: BTreeSet<String>,
}

impl Tensors<'_> {
    fn take(&mut self, name: String, needed: &[usize]) -> Result<Vec<f32>, FileError> {
        let Ok(tensor) = self.file.tensor(&name) else {
            return Err(FileError::Missing(name));
        };
        if tensor.shape() != needed {
            return Err(FileError::Shape {
                name,
                found: tensor.shape().to_vec(),
                needed: needed.to_vec(),
            });
        }
        let values: Vec<f32> = match tensor.dtype() {
            Dtype::F32 => numbers(tensor.data(), f32::from_le_bytes),
            Dtype::F16 => numbers(tensor.data(), |bytes| f16::from_le_bytes(bytes).to_f32()),
            dtype => return Err(FileError::Precision { name, dtype }),
        };
        if !values.iter().all(|value| value.is_finite()) {
            return Err(FileError::NotNumbers(name));
        }
        self.used.insert(name);
        Ok(values)
    }

    fn dense(&mut self, name: &str, inputs: usize, outputs: usize) -> Result<Dense, FileError> {
        Ok(Dense {
            inputs,
            outputs,
            weights: self.take(format!("{name}.weight"), &[outputs, inputs])?,
            biases: self.take(format!("{name}.bias"), &[outputs])?,
        })
    }

    fn norm(&mut self, name: &str, width: usize) -> Result<Norm, FileError> {
        Ok(Norm {
            factors: self.take(format!("{name}.weight"), &[width])?,
            offsets: self.take(format!("{name}.bias"), &[width])?,
        })
    }

    fn transformer(&mut self, header: &Header) -> Result<Transformer, FileError> {
        let width = header.width;
        let blocks = (0..header.layers).map(|i| {
            let name = format!("blocks.{i}");
            Ok(Block {
                before_attention: self.norm(&format!("{name}.norm1"), width)?,
                attention: self.dense(&format!("{name}.attention"), width, 3 * width)?,
                out: self.dense(&format!("{name}.out"), width, width)?,
                before_dense: self.norm(&format!("{name}.norm2"), width)?,
                up: self.dense(&format!("{name}.up"), width, 4 * width)?,
                down: self.dense(&format!("{name}.down"), 4 * width, width)?,
            })
        });
        let blocks = blocks.collect::<Result<_, FileError>>()?;
        Ok(Transformer {
            positions: self.take("position".to_owned(), &[header.context, width])?,
            blocks,
            norm: self.norm("norm", width)?,
        })
    }

    fn lstm(&mut self, header: &Header) -> Result<Vec<LstmLayer>, FileError> {
        let width = header.width;
        let mut part = |what: &str, layer: usize| {
            Ok::<_, FileError>(Dense {
                inputs: width,
                outputs: 4 * width,
                weights: self.take(format!("lstm.weight_{what}_l{layer}"), &[4 * width, width])?,
                biases: self.take(format!("lstm.bias_{what}_l{layer}"), &[4 * width])?,
            })
        };
        (0..header.layers)
            .map(|layer| {
                Ok(LstmLayer {
                    input: part("ih", layer)?,
                    hidden: part("hh", layer)?,
                })
            })
            .collect()
    }

    fn check_all_used(&self) -> Result<(), FileError> {
        let left = self.file.names().into_iter().find(|name| !self.used.contains(*name));
        left.map_or(Ok(()), |name| Err(FileError::Unknown(name.to_owned())))
    }
}

/// The numbers of a tensor, `N` bytes each.
fn numbers<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|bytes| number(*bytes)).collect()
}
