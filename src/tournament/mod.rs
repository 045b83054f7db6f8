//! Tournaments: every pair of players meets in the same openings, each with either colour.
//!
//! | file | what is there |
//! |---|---|
//! | [`contestant`] | who plays, and how |
//! | [`entrant`] | who can be chosen before anything is fetched |
//! | [`schedule`] | which games are played |
//! | [`fixture_game`] | a game under way: whose turn, how it ends, when it is decided |
//! | [`turn`] | a player's turn: what is asked for its move |
//! | [`reader_game`] | a reader's game against a player |
//! | [`run_file`] | a tournament as a file of JSON lines that goes on where it stopped |
//! | [`standings`] | points, crosstable, ratings |
//! | [`report`] | the same as tables |
//!
//! Whoever owns the players asks a game what comes next and hands over what they say; the page and the lab play alike. The paper
//! on chess without search ([`chessbench`](crate::chessbench)) ranks its players by such a tournament.

pub mod contestant;
pub mod entrant;
pub mod fixture_game;
pub mod reader_game;
pub mod report;
pub mod run_file;
pub mod schedule;
pub mod standings;
pub mod turn;
