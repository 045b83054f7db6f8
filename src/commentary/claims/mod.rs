//! The claim check: prose about a move against the board and the engine's lines. No language model has a say in it.
//!
//! Its parts stand one above another, each made of those above it in this table only (`tests/architecture` says which may name
//! which):
//!
//! | part | what is there |
//! |---|---|
//! | `claim`, `truth` | what a claim is about, and its verdict; yes, no, or open, with why |
//! | `statement` | a claim as data |
//! | `draft`, `checked` | a claim before it has its words; a checked text with its claims |
//! | `evaluation` | whether a statement holds, by the board and the engine's lines, and what shows it; it knows no English |
//! | `text` | where sentences end; words, squares, moves, numbers |
//! | `grammar` | which words say what; the parts of a clause; who does what to whom, denied or not, along which line |
//! | `paraphrase` | idioms, questions and answers put plainly |
//! | `reading` | prose into statements; like the three before it, it knows no board |
//! | `board` | the positions that are spoken of, the men that a phrase may mean, the moves that a clause tells of |
//! | `families` | the families of claims: each asks the board of every clause what it knows of |
//! | `cues` | what the grammar misses: claims by their cue words |
//! | `sentence` | what families and cues find in a sentence |
//! | `doubt` | which contradictions stand: what else the words may be about, and how else they may be read |
//! | `stated` | what was read as statements, judged, and set beside what the families found |
//! | `checker` | a text, by all of its readers |
//! | `declared` | claims that a language model declares of a text |
//!
//! Words that fit several readings (which rook, which position) are wrong only where all of them are.

mod board;
mod checked;
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

pub use checked::{Checked, Claim};
pub use checker::{Readers, check, check_by, check_in_turns};
pub use claim::{ClaimKind, ClaimVerdict};
pub use evaluation::{Proof, evaluate, prove};
pub use reading::network::{Network, Proposes, WeightsError};
pub use reading::{Shown, shown};
pub use statement::Statement;
pub use text::{sentences, token::move_len};
pub use truth::Truth;
