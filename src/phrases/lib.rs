//! Rows of words, looked for among the words of a text.

mod beginnings;
mod pattern;
mod phrase;
mod row;
mod words;

pub use self::{
    beginnings::{Beginnings, is_one_of},
    phrase::{may_stand, phrase_at, says},
    row::row_len,
    words::Words,
};
