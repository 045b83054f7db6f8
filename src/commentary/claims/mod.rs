//! The claim check: prose about a move against the board and the engine's lines. No language model has a say in it.
//!
//! A text goes through these folders from the top down:
//!
//! | folder | what is there |
//! |---|---|
//! | `text` | where sentences end; words, squares, moves, numbers; idioms, questions and answers put plainly |
//! | `grammar` | which words say what; the parts of a clause; who does what to whom, denied or not, along which line |
//! | `board` | the positions that are spoken of, the men that a phrase may mean; yes, no, or open |
//! | `families` | the families of claims: each asks the board of every clause what it knows of |
//! | `cues` | what the grammar misses: claims by their cue words |
//! | `reading`, `stated` | prose into statements, which the board judges; set beside what the families found |
//! | `doubt` | which contradictions stand: what else the words may be about, and how else they may be read |
//! | `claim` | a claim, a checked text |
//!
//! Words that fit several readings (which rook, which position) are wrong only where all of them are.

mod board;
mod checker;
mod claim;
mod cues;
pub mod declared;
mod doubt;
mod draft;
mod evaluation;
mod families;
mod grammar;
mod paraphrase;
mod reading;
mod sentence;
mod stated;
pub mod statement;
mod text;
mod truth;

pub use checker::{Readers, check, check_by};
pub use claim::{Checked, Claim, ClaimKind, ClaimVerdict};
pub use evaluation::evaluate;
pub use reading::network::{Network, Proposes, WeightsError};
pub use reading::{Shown, shown};
pub use statement::Statement;
pub use text::{sentences, token::move_len};
pub use truth::Truth;
