//! `lab suite`, `lab play`, `lab grade`, `lab report` and `lab merge`: how well language models and others play on single
//! positions.

pub mod grade;
pub mod merge;
pub mod play;
pub mod report;
pub mod suite;
