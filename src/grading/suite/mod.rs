//! Suites: files of positions with where they are from, what is known of them, and what an answer is held against.
//!
//! | file | what is there |
//! |---|---|
//! | [`position`] | a position of a suite, and the moves that led to it |
//! | [`goal`] | what an answer is held against |
//! | [`mod@file`] | the file: JSON lines with a version |
//! | [`games`] | positions from games: early, middle, late, or every one |
//! | [`epd`] | positions with best moves (`bm`, `am`) or points (the Strategic Test Suite) |
//! | [`puzzles`] | Lichess's puzzles, and mates in one mined from games |
//! | [`source`] | a file of any of these, and the suite that it gives |
//! | [`hints`] | what the "expert" and "concept" prompts are told, and motif tags |

pub mod epd;
pub mod file;
pub mod games;
pub mod goal;
pub mod hints;
pub mod position;
pub mod puzzles;
pub mod source;
