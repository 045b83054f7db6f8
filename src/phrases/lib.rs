//! Rows of words, looked for among the words of a text.

mod beginnings;
mod pattern;
mod phrase;
mod words;

pub use self::{
    beginnings::{Beginnings, is_one_of},
    phrase::{may_stand, phrase_at, says},
    words::Words,
};
