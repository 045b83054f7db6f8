//! A language model's file: safetensors (github.com/huggingface/safetensors) with tensors in single or half precision, and
//! a [`Header`] as JSON in its metadata under `kibitz-lm`. Files come from anybody.
//!
//! | kind | tensors, in PyTorch's layout |
//! |---|---|
//! | both | `embedding` \[vocabulary, width\], which is the output's matrix as well |
//! | transformer | `position` \[context, width\]; for each block *i* from 0 `blocks.i.norm1`, `attention` \[3 width, width\], `out`, `norm2`, `up` \[4 width, width\], `down`, each with `.weight` and `.bias`; `norm.weight`, `norm.bias` |
//! | lstm | for each layer *k* from 0 `lstm.weight_ih_lk`, `lstm.weight_hh_lk` \[4 width, width\], `lstm.bias_ih_lk`, `lstm.bias_hh_lk` |

use thiserror::Error;

use super::{
    header::{Header, Kind},
    model::{Block, Body, LstmLayer, Model, Transformer},
};
use crate::tensors::{
    file::{TensorFile, TensorFileError, TensorFormat},
    shape::ShapeError,
};

/// The format: a model of 85 million weights, as the paper's, has 340 MB in single precision.
pub const FORMAT: TensorFormat = TensorFormat {
    key: "kibitz-lm",
    what: "a language model",
    most_bytes: 400_000_000,
};

/// Why a file is no model that can be run.
#[derive(Debug, Error)]
pub enum FileError {
    /// It is not of the format, or its tensors are not those of its header.
    #[error(transparent)]
    File(#[from] TensorFileError),
    /// Its header describes no model.
    #[error(transparent)]
    Header(#[from] ShapeError),
}

impl Model {
    /// Reads a model's file.
    ///
    /// # Errors
    /// When it is none that can be run.
    pub fn read(bytes: &[u8]) -> Result<Self, FileError> {
        let (header, mut tensors) = TensorFile::open::<Header>(bytes, FORMAT)?;
        header.check()?;
        let embedding = tensors.take("embedding".to_owned(), &[header.vocabulary, header.width])?;
        let body = match header.kind {
            Kind::Transformer => Body::Transformer(transformer(&mut tensors, &header)?),
            Kind::Lstm => Body::Lstm(lstm(&mut tensors, &header)?),
        };
        tensors.check_all_used()?;
        Ok(Self {
            header,
            sha256: tensors.sha256(),
            embedding,
            body,
        })
    }
}

fn transformer(tensors: &mut TensorFile<'_>, header: &Header) -> Result<Transformer, TensorFileError> {
    let width = header.width;
    let blocks = (0..header.layers).map(|i| {
        let of = |part: &str| names(&format!("blocks.{i}.{part}"));
        Ok(Block {
            before_attention: tensors.norm(of("norm1"), width)?,
            attention: tensors.dense(of("attention"), width, 3 * width)?,
            out: tensors.dense(of("out"), width, width)?,
            before_dense: tensors.norm(of("norm2"), width)?,
            up: tensors.dense(of("up"), width, 4 * width)?,
            down: tensors.dense(of("down"), 4 * width, width)?,
        })
    });
    let blocks = blocks.collect::<Result<_, TensorFileError>>()?;
    Ok(Transformer {
        positions: tensors.take("position".to_owned(), &[header.context, width])?,
        blocks,
        norm: tensors.norm(names("norm"), width)?,
    })
}

fn names(part: &str) -> [String; 2] {
    [format!("{part}.weight"), format!("{part}.bias")]
}

fn lstm(tensors: &mut TensorFile<'_>, header: &Header) -> Result<Vec<LstmLayer>, TensorFileError> {
    let width = header.width;
    let mut part = |what: &str, layer: usize| {
        let names = ["weight", "bias"].map(|kind| format!("lstm.{kind}_{what}_l{layer}"));
        tensors.dense(names, width, 4 * width)
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
