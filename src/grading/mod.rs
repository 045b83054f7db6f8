//! How well somebody plays on single positions: suites of positions, players' answers, their moves' grades, and the tables.
//!
//! | file | what is there |
//! |---|---|
//! | [`level`] | how strong Stockfish is set to play |
//! | [`seeded_opening`] | how a game begins, from a seed |

pub mod level;
pub mod seeded_opening;
