//! The claim check: prose about a move against the board and the engine's lines. No language model has a say in it.
//!
//! Its parts stand one above another, each made of those above it in this table only (`tests/architecture` says which may name
//! which):
//!
//! | part | what is there |
//! |---|---|
//! | `claim`, `truth` | what a claim is about, and its verdict; yes, no, or open, with why |
//! | `statement` | a claim as data |
//! | `checked` | a checked text with its claims |
//! | `evaluation` | whether a statement holds, by the board and the engine's lines, and what shows it; it knows no English |
//! | `text` | where sentences end; words, squares, moves, numbers |
//! | `reading` | prose into statements, by our own reader; it knows no board |
//! | `stated` | what was read as statements, judged and told once |
//! | `sureness` | what our own reader may strike |
//! | `checker` | a text, by our own reader |
//! | `declared` | a text, by the claims that a language model declares of it |
//!
//! Words that fit several readings (which rook, which position) are wrong only where all of them are. What our own reader contradicts
//! is doubtful, unless it is known to read such claims right; what is declared of the words is contradicted.

mod checked;
mod checker;
mod claim;
pub mod declared;
mod evaluation;
mod reading;
mod stated;
pub mod statement;
mod sureness;
mod text;
mod truth;

pub use checked::{Checked, Claim};
pub use checker::{check, check_in_turns};
pub use claim::{ClaimKind, ClaimVerdict};
pub use evaluation::{Proof, evaluate, prove};
pub use statement::Statement;
pub use text::{sentences, token::move_len};
pub use truth::Truth;
