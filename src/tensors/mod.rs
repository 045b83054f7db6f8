//! What models of our own formats share: their files, and the layers that they are made of as parts of a tract graph. What a
//! model is, [`crate::lm`] and [`crate::searchless`] say.
//!
//! | file | what is there |
//! |---|---|
//! | `file` | safetensors with a header in JSON, never trusted |
//! | `layers` | the weights of a layer |
//! | `wiring` | layers as nodes of a tract graph |

pub mod file;
pub(crate) mod layers;
pub(crate) mod wiring;
