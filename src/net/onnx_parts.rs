//! An ONNX file's graph while it arrives, and what stops any file on its way.

use bytes::Bytes;
use prost::Message;

use super::{
    error::NetworkError,
    format::BodyFormat,
    memory::{self, MOST_MEMORY},
    onnx_proto,
    wire::{End, Fields, Malformed, Part},
};

/// The longest network that is read, uncompressed, in bytes. In single precision, the largest encoding, the largest network
/// that a page could run has as many.
pub(super) const MAX_BYTES: u64 = 3 << 29;

/// Why nothing more is taken.
pub(super) enum Stopped {
    Refused(NetworkError),
    Malformed,
}

impl From<Malformed> for Stopped {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

impl From<prost::DecodeError> for Stopped {
    fn from(_: prost::DecodeError) -> Self {
        Self::Malformed
    }
}

impl From<NetworkError> for Stopped {
    fn from(error: NetworkError) -> Self {
        Self::Refused(error)
    }
}

/// Refuses so many bytes of weights, `width` bytes each, where building the network takes more than there may be.
pub(super) fn check_memory(bytes: u64, width: u64, body: BodyFormat, most: u64) -> Result<(), NetworkError> {
    let weights = bytes / width;
    let needed = memory::to_build(weights, body);
    if needed <= most {
        return Ok(());
    }
    Err(NetworkError::TooLarge { weights, needed, most })
}

/// An ONNX file.
pub(super) struct OnnxParts {
    fields: Fields,
    graph: onnx_proto::Graph,
    graphs: usize,
    /// Bytes of the graph, as it says.
    length: u64,
    /// Bytes that are something else than weights.
    structure: usize,
    /// How large the weights are has been looked at.
    checked: bool,
}

/// The graph in an ONNX file.
const GRAPH: u32 = 7;
/// A constant in the graph.
const CONSTANT: u32 = 5;
/// The most of an ONNX file that may be something else than weights, in bytes: it would decode into much more than its size. The
/// largest residual networks need 0.3 MB.
const MAX_STRUCTURE: usize = 4 << 20;
/// Bytes of a constant that is one of the weights.
const LARGE: usize = 1 << 10;

impl Default for OnnxParts {
    fn default() -> Self {
        Self {
            fields: Fields::opening(GRAPH),
            graph: onnx_proto::Graph::default(),
            graphs: 0,
            length: 0,
            structure: 0,
            checked: false,
        }
    }
}

impl OnnxParts {
    pub fn take(&mut self, mut piece: &[u8], most: u64) -> Result<(), Stopped> {
        while let Some(part) = self.fields.next(&mut piece)? {
            match part {
                Part::Opened(length) => {
                    self.graphs += 1;
                    self.length = length;
                }
                Part::Inner(number, bytes) => {
                    let length = bytes.len();
                    self.graph.merge(Bytes::from(bytes))?;
                    let constant = self.graph.constants.last().filter(|_| number == CONSTANT);
                    let numbers = constant.map_or(0, onnx_proto::Tensor::bytes_of_numbers);
                    self.add_structure(length.saturating_sub(numbers))?;
                    if let Some(constant) = constant_of_weights(&self.graph, numbers).filter(|_| !self.checked) {
                        self.checked = true;
                        let width = match constant.data_type {
                            Some(onnx_proto::FLOAT16 | onnx_proto::BFLOAT16) => 2,
                            _ => 4,
                        };
                        // What body it is shows when the graph is followed; this is the smaller of the two estimates.
                        if self.length <= MAX_BYTES {
                            check_memory(self.length, width, BodyFormat::Residual, most)?;
                        }
                    }
                }
                Part::Outer(_, bytes) => self.add_structure(bytes.len())?,
            }
        }
        Ok(())
    }

    fn add_structure(&mut self, bytes: usize) -> Result<(), NetworkError> {
        self.structure += bytes;
        if self.structure > MAX_STRUCTURE {
            return Err(NetworkError::OnnxTooManyNodes);
        }
        Ok(())
    }

    /// `ends`: the gzip stream is cut.
    pub fn graph(self, ends: bool) -> Result<onnx_proto::Graph, Stopped> {
        match self.fields.end() {
            End::Whole if self.graphs == 0 => Err(Stopped::Malformed),
            End::Whole if !ends => Ok(self.graph),
            End::Whole | End::Inner(_) | End::Outer(GRAPH) => Err(NetworkError::OnnxEnds.into()),
            End::Outer(_) if self.graphs > 0 => Err(NetworkError::OnnxEnds.into()),
            End::Outer(_) => Err(Stopped::Malformed),
        }
    }
}

/// The constant that came last, where it has so many bytes of numbers that it is one of the weights.
fn constant_of_weights(graph: &onnx_proto::Graph, numbers: usize) -> Option<&onnx_proto::Tensor> {
    graph.constants.last().filter(|_| numbers >= LARGE)
}

/// The graph of an ONNX model that Lc0 has wrapped in its own file.
pub(super) fn wrapped_graph(model: &[u8]) -> Result<onnx_proto::Graph, NetworkError> {
    let mut parts = OnnxParts::default();
    let graph = parts.take(model, MOST_MEMORY).and_then(|()| parts.graph(false));
    graph.map_err(|stopped| match stopped {
        Stopped::Refused(NetworkError::OnnxEnds) | Stopped::Malformed => NetworkError::OnnxMalformed,
        Stopped::Refused(error) => error,
    })
}
