//! The network's worker: what the page and it say to each other, and what it does with that.
//!
//! | module | what is there | feature |
//! |---|---|---|
//! | [`protocol`] | the messages, and positions as text | |
//! | [`lm_protocol`] | those about language models | |
//! | [`searchless_protocol`] | those about models without search | |
//! | `server` | networks that come into use, evaluations, what waits and what is cancelled | `net` |
//! | `gathering` | activations kept for a fit of probes, and the fit | `net` |
//! | `move_gathering` | moves seen from both seats, and the fit of probes of changes | `net` |
//! | `steering` | activations shifted along a probe's direction | `net` |
//! | `comparison` | tract's own convolutions and ours, timed | `net` |
//! | `lm_server` | the language model in use, and what it expects next | `net` |
//! | `searchless_server` | the models without search in use, and what they say | `net` |
//!
//! The program is `src/bin/net_worker.rs`; the page's side is `services/net_worker.rs` and what asks through it. A language
//! model has a worker of its own that runs the same program, and so have the models without search.

pub mod lm_protocol;
pub mod protocol;
pub mod searchless_protocol;

#[cfg(feature = "net")]
pub mod comparison;
#[cfg(feature = "net")]
pub mod gathering;
#[cfg(feature = "net")]
pub mod lm_server;
#[cfg(feature = "net")]
pub mod move_gathering;
#[cfg(feature = "net")]
pub mod searchless_server;
#[cfg(feature = "net")]
pub mod server;
#[cfg(feature = "net")]
pub mod steering;
