//! A whole game annotated: what the engine says of every position of its main line, how good each move was, which moves
//! turned the game, and what is said of them.
//!
//! | file | what is there |
//! |---|---|
//! | [`main_line`] | the positions of a game's main line, and the search of each |
//! | [`annotated_game`] | the searches put together: those of a position serve the moves on both sides of it |
//! | [`annotated_move`] | a move of it: what is known of it, and what is said |
//! | [`look`] | how closely a position is searched, and what was found of it |
//! | [`allotment`] | which of several engines searches what, so that the game comes out as with one |
//! | [`doubt`] | which positions deserve a closer look |
//! | [`hindsight`] | what later positions reveal of earlier ones |
//! | [`accuracy`] | Lichess's accuracy of each side |
//! | [`tally`] | how many good and bad moves a side made |
//! | [`turning_point`] | why a move is a turning point, and how much it weighs |
//! | [`turning_points`] | which moves are worth a comment |
//! | [`story`] | how the game went, in a paragraph |
//! | [`export`] | all that written into the game, for PGN |
//! | [`saved`] | an annotation written down, for a page that is loaded again |

pub mod accuracy;
pub mod allotment;
pub mod annotated_game;
pub mod annotated_move;
pub mod doubt;
pub mod export;
pub mod hindsight;
pub mod look;
pub mod main_line;
pub mod saved;
pub mod story;
pub mod tally;
pub mod turning_point;
pub mod turning_points;

pub use allotment::Allotment;
pub use annotated_game::AnnotatedGame;
pub use annotated_move::{AnnotatedMove, ModelProse};
pub use export::annotate;
pub use main_line::{LineKey, MainLine};
pub use saved::SavedAnnotation;
pub use tally::{Tally, VERDICTS};
pub use turning_point::{TurningPoint, TurningPointKind};
pub use turning_points::Scope;
