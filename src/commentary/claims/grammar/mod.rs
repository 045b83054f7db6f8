//! The grammar of commentary: what words say, the parts of a clause, who does what to whom.

pub mod amount;
pub mod antecedent;
pub mod atom;
pub mod builder;
pub mod chunker;
pub mod clause_start;
pub mod clause_words;
pub mod frame;
pub mod lead_in;
pub mod lexicon;
pub mod noun_head;
pub mod noun_phrase;
pub mod noun_reader;
pub mod phrase;
pub mod runs;
pub mod verb_group;
pub mod verb_word;
pub mod whereabouts;
pub mod words;

pub use self::{
    frame::{Arg, Context, Frame},
    lexicon::{Act, Form, Opener, Prep, Thing, Trait},
    phrase::{Det, Head, Item, Modal, MoveWord, Np, Owner, Part},
};
