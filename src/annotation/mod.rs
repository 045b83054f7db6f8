//! A whole game annotated: what the engine says of every position of its main line, how good each move was, which moves
//! turned the game, and what is said of them.
//!
//! | file | what is there |
//! |---|---|
//! | [`main_line`] | the positions of a game's main line, and the search of each |
//! | [`annotated_game`] | the searches put together: one for each position serves the moves on both sides of it |
//! | [`accuracy`] | Lichess's accuracy of each side |
//! | [`tally`] | how many good and bad moves a side made |
//! | [`turning_points`] | which moves are worth a comment |
//! | [`export`] | all that written into the game, for PGN |
//! | [`kept`] | an annotation written down, for a page that is loaded again |

pub mod accuracy;
pub mod annotated_game;
pub mod export;
pub mod kept;
pub mod main_line;
pub mod tally;
pub mod turning_points;

pub use annotated_game::{AnnotatedGame, AnnotatedMove, ModelProse};
pub use export::annotate;
pub use kept::KeptAnnotation;
pub use main_line::MainLine;
pub use tally::{Tally, VERDICTS};
pub use turning_points::Scope;
