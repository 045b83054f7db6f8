//! How well somebody plays on single positions: suites of positions, players' answers, their moves' grades, and the tables.
//!
//! | file | what is there |
//! |---|---|
//! | [`level`] | how strong Stockfish is set to play |
//! | [`seeded_opening`], [`level_game`] | how a game begins, from a seed; a game of Stockfish at a level against itself |
//! | [`level_games`] | several of them, which go on where they were cut off |
//! | [`grade`] | centipawn loss, the five classes, points |
//! | [`review`] | which searches grade the moves of a position, and what they come to |
//! | [`answer`] | the move in an answer, with prose around it |
//! | [`fault`] | why an answer is no legal move, by kind |
//! | [`prompt`] | what a model is asked |
//! | [`player`] | who plays |
//! | [`task`], [`play`] | the single answers of a run; one answer: requests, replies, the row in the end |
//! | [`run_file`], [`grade_file`] | answers and grades as files that go on where they stop |
//! | [`report`] | the tables |
//! | [`suite`] | positions, where they are from, what an answer is held against |

pub mod answer;
pub mod fault;
pub mod grade;
pub mod grade_file;
pub mod level;
pub mod level_game;
pub mod level_games;
pub mod play;
pub mod player;
pub mod prompt;
pub mod report;
pub mod review;
pub mod run_file;
pub mod seeded_opening;
pub mod suite;
pub mod task;
#[cfg(test)]
pub(crate) mod toy_engine;
