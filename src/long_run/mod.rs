//! What all long runs share: files of JSON lines that go on where they stop, shards, tokens and what they cost.
//!
//! | file | what is there |
//! |---|---|
//! | [`count`] | how far a run is, as its rows come |
//! | [`lines`] | reading a file of JSON lines, with what was cut off at its end |
//! | [`shard`] | the part of a run that one machine does |
//! | [`tokens`] | tokens and prices |

pub mod count;
pub mod lines;
pub mod shard;
pub mod tokens;
