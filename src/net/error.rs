//! Why a file is no network that Kibitz can run.

use super::wire::{MAX_BLOCKS, Place};

/// What to use instead of a network that Kibitz can't run.
const RUNS: &str = "it runs Lc0's residual networks, such as Maia and those of the T60 series, and its attention networks, such \
                    as BT4";

/// Why a file is no network that Kibitz can run. The sentences follow "This network was not loaded: ".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// Longer than any that is read, once unpacked.
    #[error("the file unpacks to more than {} MB", limit / 1_000_000)]
    TooLong {
        /// In bytes.
        limit: u64,
    },
    /// By its header running it takes more memory than there may be, by [`to_build`](super::memory::to_build).
    #[error(
        "it has about {} million weights, and running it takes about {} MB of memory where a page has {} MB; a smaller network of \
         its family may do",
        weights / 1_000_000, needed / 1_000_000, most / 1_000_000
    )]
    TooLarge {
        /// Weights that it has, about.
        weights: u64,
        /// In bytes.
        needed: u64,
        /// In bytes.
        most: u64,
    },
    /// Neither gzip nor a network.
    #[error("this is not a Lc0 network (a .pb, .pb.gz or .onnx file)")]
    NotANetwork,
    /// Gzip of something else.
    #[error("this is gzip but not a Lc0 network")]
    GzipOfSomethingElse,
    /// The form in which Leela's first networks were published.
    #[error("these are weights in Lc0's old text form, which Kibitz does not read: take the network's .pb.gz file")]
    OldText,
    /// The gzip stream is cut before the network in it can be recognised.
    #[error("this gzip file ends too early")]
    GzipEnds,
    /// The gzip stream is wrong.
    #[error("this gzip file is damaged")]
    GzipDamaged,
    /// Protobuf, with another number where Lc0's is.
    #[error("its magic number is {found:#x}, a Lc0 network's is 0x1c0")]
    Magic {
        /// The number in the file.
        found: u32,
    },
    /// Cut short.
    #[error("the file ends in the middle of {0}")]
    Ends(Place),
    /// Starts as a network does, then makes no sense.
    #[error("the file is damaged: it starts like a Lc0 network but what follows can't be decoded")]
    Malformed,
    /// More residual blocks or encoders than `MAX_BLOCKS`.
    #[error("it has more than {MAX_BLOCKS} blocks")]
    TooManyBlocks,
    /// A kind of network that Kibitz can't run.
    #[error("{what} ({field} {number}), which Kibitz can't run yet; {RUNS}")]
    Unsupported {
        /// What was found.
        what: &'static str,
        /// The field that says so.
        field: &'static str,
        /// Its value.
        number: i32,
    },
    /// Encoder layers in a file whose format says otherwise.
    #[error("its body has attention layers, which its network format has no place for; {RUNS}")]
    Attention,
    /// An attention body behind residual blocks.
    #[error("its body has attention layers behind residual blocks, which Kibitz can't run yet; {RUNS}")]
    AttentionOnBlocks,
    /// Attention that reads how squares lie to each other from weights.
    #[error("its attention layers have relative positions of their own, which Kibitz can't run yet; {RUNS}")]
    RelativePositions,
    /// A width that the heads can't share.
    #[error("{layer} gives {width} numbers, which {heads} heads can't share evenly")]
    Heads {
        /// The layer.
        layer: String,
        /// Numbers it gives.
        width: usize,
        /// The heads.
        heads: usize,
    },
    /// Encoder layers in the policy head.
    #[error("its policy head has attention layers of its own, which Kibitz can't run yet; {RUNS}")]
    PolicyEncoders,
    /// An ONNX file that is cut short.
    #[error("this ONNX file ends too early")]
    OnnxEnds,
    /// An ONNX file that is not as its format has it.
    #[error("this ONNX file is damaged")]
    OnnxMalformed,
    /// An ONNX file that is mostly something else than weights.
    #[error("this ONNX file has more nodes than a network of Lc0's has")]
    OnnxTooManyNodes,
    /// An ONNX file without the input that Lc0's have.
    #[error("this ONNX file has no input {name:?}: it was not exported by Lc0")]
    OnnxInput {
        /// What the input is called.
        name: String,
    },
    /// An input of another shape.
    #[error("this ONNX file's input has the shape {found:?}, Lc0's has 112 × 8 × 8 for each position")]
    OnnxInputShape {
        /// Its shape; 0 stands for a size that is free.
        found: Vec<i64>,
    },
    /// An ONNX file without an output that Lc0's have.
    #[error("this ONNX file has no output {name:?}: it was not exported by Lc0")]
    OnnxOutput {
        /// What the output is called.
        name: String,
    },
    /// A graph that is laid out otherwise than Lc0's networks.
    #[error("its ONNX graph has {found} at {name:?} where a network of Lc0's has {expected}; {RUNS}")]
    OnnxStray {
        /// The node.
        name: String,
        /// Its kind.
        found: String,
        /// What is there in Lc0's.
        expected: &'static str,
    },
    /// A header only.
    #[error("it holds no weights")]
    NoWeights,
    /// A body without blocks.
    #[error("it has no residual blocks or encoders")]
    NoBlocks,
    /// A layer that its format needs is not there.
    #[error("{layer} is missing")]
    Missing {
        /// The layer, as Lc0 names it.
        layer: String,
    },
    /// A layer that is too long or too short.
    #[error("{layer} holds {found} weights where {needed} are needed")]
    WrongSize {
        /// The layer, as Lc0 names it.
        layer: String,
        /// Weights in the file.
        found: usize,
        /// Weights its place asks for.
        needed: usize,
    },
    /// A layer in an encoding that Lc0 doesn't have.
    #[error("{layer} is in encoding {number}, which Kibitz doesn't know")]
    Encoding {
        /// The layer, as Lc0 names it.
        layer: String,
        /// Its encoding.
        number: i32,
    },
    /// A layer whose bytes don't divide into weights.
    #[error("{layer} ends in the middle of a weight")]
    HalfAWeight {
        /// The layer, as Lc0 names it.
        layer: String,
    },
    /// Infinite or undefined weights.
    #[error("{layer} holds weights that are not numbers")]
    NotNumbers {
        /// The layer, as Lc0 names it.
        layer: String,
    },
}
