//! Does a language model know where the pieces are? Chess as text, questions about the board that a model answers with its next
//! token, and what its answers are worth (Toshniwal, Wiseman, Livescu and Gimpel, "Chess as a testbed for language model state
//! tracking", AAAI 2022). Where the authors' released code says more than the paper, it is followed.
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
//! | [`ranked`] | what a model that ranks its vocabulary answers, and how likely it finds each square |
//! | [`asked`] | what a chat model is asked, and the square that it names |
//! | [`scored`] | how likely a model behind an endpoint finds each square, by its own tokens |
//! | [`random_game`], [`timed`] | games of chance, and questions by which models are timed |
//! | [`source`] | a file that somebody gives, whatever it is |
//! | [`model_player`] | models of our own format as players |
//! | [`run_file`] | a run of players through a set: its file, which goes on where it stops |
//! | [`report`] | the tables of runs, the paper's figures beside them |
//!
//! ```
//! use kibitz::blindfold::{
//!     grade::{Answer, grade},
//!     notation::Notation,
//!     probe::{Probe, ProbeLine, ProbeTask},
//! };
//!
//! let probe = Probe::read(&ProbeLine {
//!     id: "figure-1".to_owned(),
//!     prefix: "e2e4 e7e5 g1f3 b8c6 d2d4 h7h6".to_owned(),
//!     starting_square: "f1".to_owned(),
//!     ending_square: Some("b5".to_owned()),
//!     other_starting_square: None,
//!     other_piece_type: None,
//! })?;
//! let question = probe.question(ProbeTask::EndActual).ok_or("nothing is asked")?;
//! let tokens = probe.tokens(Notation::Uci, &question);
//! let texts: Vec<String> = tokens.iter().map(ToString::to_string).collect();
//! assert_eq!(texts.join(" "), "<s> e2 e4 e7 e5 g1 f3 b8 c6 d2 d4 h7 h6 f1");
//!
//! // A model's five likeliest tokens, since five squares are legal.
//! let tokens = ["b5", "c4", "g1", "e2", "P"].map(str::parse).into_iter().collect::<Result<_, _>>()?;
//! let grade = grade(&probe, &question, &Answer { tokens, ranked: true });
//! assert_eq!((grade.exact, grade.legal, grade.r_precision), (Some(true), true, Some(0.6)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod asked;
pub mod data_stats;
pub mod end_error;
pub mod grade;
pub mod legal_sets;
pub mod model_player;
pub mod notation;
pub mod perplexity;
pub mod ply;
pub mod probe;
pub mod probe_set;
pub mod probe_stats;
pub mod published;
pub mod random_game;
pub mod ranked;
pub mod report;
pub mod run_file;
pub mod scored;
pub mod scores;
pub mod scripted;
pub mod source;
pub mod split;
pub mod timed;
pub mod token;
pub mod token_file;
