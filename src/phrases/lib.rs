//! Rows of words, looked for among the words of a text.

mod beginnings;
mod pattern;
mod phrase;

pub use self::{
    beginnings::{Beginnings, is_one_of},
    pattern::find,
    phrase::{phrase_at, says},
};
