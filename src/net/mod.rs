//! Lc0 networks: the file, the input planes, the policy map, the graph and what comes out of it.
//!
//! A file's way: [`read_network`] → [`Network`] → `graph::build` → `Runner::evaluate` → [`NetworkOutput`]. Only the graph
//! and the runner need tract (feature `net`); the rest is plain arithmetic.
//!
//! **Whose view.** A network sees the board from the side to move: for Black the ranks are flipped, the files are not
//! (unless its input format is a canonical one, see [`transform`]), and "ours" are Black's men. Win, draw, loss, `q` and the activations are all the side to move's.
//!
//! ```
//! use kibitz::net::{InputFormat, Planes, policy};
//! use shakmaty::{Chess, Position};
//!
//! let start = Chess::default();
//! let planes = Planes::with_format(InputFormat::Classical, &[], &start);
//! assert_eq!(planes.mask(0), 0xff00, "our pawns");
//! // Every legal move has one of the 1858 places in the policy.
//! assert!(start.legal_moves().into_iter().all(|mv| policy::index_of(mv, start.turn()).is_some()));
//! ```

pub mod arriving;
pub mod attention;
mod attention_weights;
mod attention_writer;
mod dense;
pub mod error;
pub mod evaluation;
pub mod format;
mod layer;
mod layers;
mod made_up;
pub mod memory;
pub mod network;
mod onnx;
mod onnx_attention;
mod onnx_parts;
mod onnx_policy;
pub mod onnx_proto;
mod onnx_reader;
pub mod onnx_writer;
pub mod planes;
pub mod policy;
pub mod proto;
pub mod shuffled;
pub mod state_dict;
pub mod transform;
mod weights;
mod wire;
pub mod writer;

#[cfg(feature = "net")]
mod attention_graph;
#[cfg(feature = "net")]
pub mod graph;
#[cfg(feature = "net")]
mod lockstep;
#[cfg(feature = "net")]
pub mod operators;
#[cfg(feature = "net")]
pub mod runner;

pub use arriving::{Arriving, read_network};
pub use error::NetworkError;
pub use evaluation::NetworkOutput;
pub use format::InputFormat;
pub use network::Network;
pub use onnx_writer::{OnnxWriteError, write_onnx};
#[cfg(feature = "net")]
pub use operators::{Convolutions, Tile};
pub use planes::Planes;
#[cfg(feature = "net")]
pub use runner::{BlockSet, RunError, Runner, Taps};
pub use transform::Transform;
pub use writer::{Encoding, write_network};
