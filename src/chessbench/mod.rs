//! Chess without search: boards that an engine has annotated, what a model that sees one board says of their moves, and what it
//! is worth (Ruoss and others, "Amortized planning with large-scale transformers: a case study on chess", 2024, with its dataset
//! ChessBench). Where the authors' released code and the paper differ, the code is followed; `docs/chessbench.md` says where.
//!
//! | file | what is there |
//! |---|---|
//! | [`token`] | a board as 77 symbols out of 31 characters |
//! | [`action`] | the 1,968 actions and their order |
//! | [`win_percent`] | what a score is worth |
//! | [`bins`] | values as classes, the targets of the three losses |
//! | [`board`], [`board_source`] | unique boards out of games and FENs; a text that somebody gives, whatever it is |
//! | [`annotation`] | the searches that a board's annotation takes |
//! | [`record`] | an annotated board, and a set of them |
//! | [`run_file`] | an annotation's file, which goes on where it stops |
//! | [`bag`], [`bag_record`] | the dataset's own files |
//! | [`csv_file`] | annotated boards as a table |
//! | [`set_source`] | a file that somebody gives, whatever it is |
//! | [`data_card`], [`set_overlap`] | what a set is like, and how much of it is in another |
//! | [`prediction`] | what a model says of a board's moves |
//! | [`model_rows`] | what a model reads of a board, and what its outputs mean |
//! | [`predictor`] | whoever can be asked for a prediction: models, Lc0 networks |
//! | [`network_prediction`] | what a Lc0 network says without search |
//! | [`policy`], [`repetition`] | from there to a move |
//! | [`metrics`], [`kendall`] | what predictions are worth on annotated boards |
//! | [`puzzle`] | puzzles by bands of ratings |
//! | [`metrics_table`] | the figures of players as tables, the paper's beside them |
//! | [`scores_file`] | what players scored, board by board and puzzle by puzzle |
//! | [`findings`] | what training found: models that differ in one thing |
//! | [`scripted`] | predictors whose scores are known |
//!
//! ```
//! use kibitz::chessbench::{action::Action, bins::Bins, token::BoardTokens, win_percent::value_of};
//! use kibitz::uci::Score;
//!
//! let tokens = BoardTokens::of_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")?;
//! assert_eq!((tokens.numbers()[0], tokens.numbers().len()), (11, 77));
//! assert_eq!("e2e4".parse::<Action>()?.number(), 317);
//! // 50 % of 128 bins lies on an edge, and belongs to the bin below it.
//! assert_eq!(Bins::DEFAULT.bin_of(value_of(Score::Cp(0))), 63);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod action;
pub mod annotation;
pub mod bag;
pub mod bag_record;
pub mod bins;
pub mod board;
pub mod board_source;
pub mod csv_file;
pub mod data_card;
pub mod findings;
pub mod kendall;
pub mod metrics;
pub mod metrics_table;
pub mod model_rows;
pub mod network_prediction;
pub mod policy;
pub mod prediction;
pub mod predictor;
pub mod puzzle;
pub mod record;
pub mod repetition;
pub mod run_file;
pub mod scores_file;
pub mod scripted;
pub mod set_overlap;
pub mod set_source;
pub mod token;
pub mod win_percent;
