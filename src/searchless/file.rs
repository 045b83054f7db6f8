//! A model's file; its tensors are listed in `training/searchless/README.md`. Files come from anybody.

use thiserror::Error;

use super::{
    header::SearchlessHeader,
    model::{Block, SearchlessModel},
};
use crate::tensors::{
    file::{TensorFile, TensorFileError, TensorFormat},
    shape::ShapeError,
};

/// The format: the paper's largest model has 270 million weights, 540 MB in half precision, for which a page has no room.
pub const FORMAT: TensorFormat = TensorFormat {
    key: "kibitz-searchless",
    what: "a model without search",
    most_bytes: 400_000_000,
};

/// Why a file is no model that can be run.
#[derive(Debug, Error)]
pub enum SearchlessFileError {
    /// It is not of the format, or its tensors are not those of its header.
    #[error(transparent)]
    File(#[from] TensorFileError),
    /// Its header describes no model.
    #[error(transparent)]
    Header(#[from] ShapeError),
}

impl SearchlessModel {
    /// Reads a model's file.
    ///
    /// # Errors
    /// When it is none that can be run.
    pub fn read(bytes: &[u8]) -> Result<Self, SearchlessFileError> {
        let (header, mut tensors) = TensorFile::open::<SearchlessHeader>(bytes, FORMAT)?;
        header.check()?;
        let width = header.width;
        let mut embedding = tensors.take("embedding".to_owned(), &[header.rows, width])?;
        let scale = (width as f32).sqrt();
        embedding.iter_mut().for_each(|number| *number *= scale);
        let model = Self {
            embedding,
            positions: tensors.take("positions".to_owned(), &[header.symbols, width])?,
            blocks: (0..header.layers)
                .map(|i| block(&mut tensors, &format!("blocks.{i}"), &header))
                .collect::<Result<_, _>>()?,
            norm: tensors.norm(with_bias("norm"), width)?,
            head: tensors.dense(with_bias("head"), width, header.outputs)?,
            sha256: tensors.sha256(),
            header,
        };
        tensors.check_all_used()?;
        Ok(model)
    }
}

fn block(tensors: &mut TensorFile<'_>, name: &str, header: &SearchlessHeader) -> Result<Block, TensorFileError> {
    let (width, hidden) = (header.width, header.hidden);
    let of = |part: &str| format!("{name}.{part}");
    Ok(Block {
        before_attention: tensors.norm(with_bias(&of("norm1")), width)?,
        queries: tensors.matrix(of("q"), width, width)?,
        keys: tensors.matrix(of("k"), width, width)?,
        values: tensors.matrix(of("v"), width, width)?,
        out: tensors.matrix(of("o"), width, width)?,
        before_dense: tensors.norm(with_bias(&of("norm2")), width)?,
        gate: tensors.matrix(of("gate"), width, hidden)?,
        up: tensors.matrix(of("up"), width, hidden)?,
        down: tensors.matrix(of("down"), hidden, width)?,
    })
}

fn with_bias(name: &str) -> [String; 2] {
    [name.to_owned(), format!("{name}_bias")]
}
