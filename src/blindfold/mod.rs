//! Does a language model know where the pieces are? Chess as text, questions about the board that a model answers with its next
//! token, and what its answers are worth (Toshniwal, Wiseman, Livescu and Gimpel, "Chess as a testbed for language model state
//! tracking", AAAI 2022; the paper below). Where the authors' released code says more than the paper, it is followed.
//!
//! | file | what is there |
//! |---|---|
//! | [`token`] | the vocabulary: 64 squares, six types, four promotions, three specials |
//! | [`ply`] | moves as squares, written and replayed |
//! | [`notation`] | UCI, UCI + RAP p and UCI + AP: games to tokens and back |
//! | [`token_file`] | files of games, one byte a token |
//! | [`split`] | unique games, and which are learned from, tried out on and asked about |
//! | [`data_stats`] | how many games and tokens there are |
//! | [`legal_sets`] | where pieces may go |
//! | [`probe`] | a beginning of a game with what is asked after it, in four tasks |
//! | [`probe_set`] | probes drawn from games, and their file |
//! | [`published`] | the instances that the authors published |
//! | [`probe_stats`] | what the questions are like, and what answers by lot are worth |
//! | [`grade`], [`end_error`] | what one answer is worth, and what is wrong with it |
//! | [`scores`] | figures of many answers, with intervals; two players held against each other |
//! | [`perplexity`] | how well a model foresees games |
//! | [`scripted`] | players whose scores are known |
//!
//! ```
//! use kibitz::{
//!     blindfold::{notation::{Notation, decode}, ply::replay},
//!     random::Rng,
//! };
//!
//! let game = replay("e2e4 e7e5 g1f3")?;
//! let tokens = Notation::Ap.encode(&game.plies, &mut Rng::new(1));
//! let texts: Vec<String> = tokens.iter().map(ToString::to_string).collect();
//! assert_eq!(texts.join(" "), "<s> P e2 e4 P e7 e5 N g1 f3 </s>");
//! assert_eq!(decode(&tokens)?, game.plies);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod data_stats;
pub mod end_error;
pub mod grade;
pub mod legal_sets;
pub mod notation;
pub mod perplexity;
pub mod ply;
pub mod probe;
pub mod probe_set;
pub mod probe_stats;
pub mod published;
#[cfg(test)]
mod random_game;
pub mod scores;
pub mod scripted;
pub mod split;
pub mod token;
pub mod token_file;
