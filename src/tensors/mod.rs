//! What models of our own formats share: their files, and the layers that they are made of as parts of a tract graph. What a
//! model is, [`crate::lm`] and [`crate::searchless`] say.
//!
//! | file | what is there |
//! |---|---|
//! | `file` | safetensors with a header in JSON, never trusted |
//! | `layers` | the weights of a layer |
//! | `shape` | whether a model can be as its header says |
//! | `wiring` | layers as nodes of a tract graph |

#[cfg(feature = "net")]
pub mod file;
#[cfg(feature = "net")]
pub(crate) mod layers;
pub mod shape;
#[cfg(feature = "net")]
pub(crate) mod wiring;
