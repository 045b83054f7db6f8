//! Kibitz explains chess moves: it computes what a move changed on the board, what an engine thinks of it and which
//! concepts moved, and says so in prose whose every claim rests on a fact.
//!
//! # The map of the house
//! `ui → state → services → browser`, and all of them may use the pure modules; never the other way round. A pure
//! module knows no DOM, no clock, no network and no randomness; it compiles without any web crate.
//!
//! | module | what is there | feature |
//! |---|---|---|
//! | [`chess`] | positions, FEN/PGN/SAN/UCI, the game tree, motifs, exchanges, quiet ends, endings | |
//! | [`uci`] | engine text ⇄ typed lines, scores, win probability | |
//! | [`net`] | Lc0 networks: file reader, input planes, policy map, graph → tract | graph: `net` |
//! | [`lm`] | small language models: their file, their forward pass, what they remember of what they read | forward pass: `net` |
//! | [`searchless`] | models that value a move or a board without search: their file, their forward pass | forward pass: `net` |
//! | `tensors` | what the files and graphs of our own models share | files and graphs: `net` |
//! | [`net_worker`] | what the page and the network's worker say to each other; the worker's side of it | server: `net` |
//! | [`concepts`] | Stockfish-8 terms, the paper's 21 concepts, probe files, priorities | |
//! | [`tournament`] | games between players: schedule, games and how they end, crosstable and ratings | `commentary` |
//! | [`training`] | what a network is trained on: self-play, targets, samples of positions | |
//! | [`commentary`] | one judgement of a move (`appraisal`, `verdict`, `standing`), the fact sheet, narrator, prompt, claim check (`claims`), questions | `commentary` |
//! | [`annotation`] | a whole game: a search per position, verdicts, turning points, export | `commentary` |
//! | [`blindfold`] | does a language model know where the pieces are: games as tokens, questions about the board, answers and their tables | `commentary` |
//! | [`chessbench`] | chess without search: annotated boards, tokens and actions, predictions, policies and their metrics | `commentary` |
//! | [`grading`] | chess tests on positions: suites, answers of models and engines, move grading, reports | `commentary` |
//! | [`judge`] | language models and the claim check judge comments: GCC-Eval, the pairwise rubric, runs and their tables | `commentary` |
//! | [`llm`] | chat requests and replies, server-sent events | `commentary` |
//! | [`long_run`] | what long runs share: files of JSON lines, shards, tokens and their cost | `commentary` |
//! | [`overlap`] | how many words a comment shares with a reference (BLEU, ROUGE) | `commentary` |
//! | [`pace`] | long work that lets others have a turn | |
//! | [`file_text`] | text out of the bytes of files that people made: UTF-8, UTF-16, Windows-1252 | |
//! | [`random`] | random numbers from a seed | |
//! | [`ranks`] | values in their order, and which of them are ties | |
//! | [`stats`] | means and intervals, paired tests, agreement, correlation | `commentary` |
//! | [`survey`] | rating studies with people: study files, balanced orders, sessions, results | `commentary` |
//! | [`table_file`] | tables that people made: CSV in any of its forms, JSON | `commentary` |
//! | [`view`] | domain → plain view models, which the components draw | `commentary` |
//! | `browser` | workers, fetch, storage, files, clock: the only place that names `web_sys` | `browser` |
//! | `services` | one typed handle per outside thing: engine, labels, network, endpoint, storage | `web` |
//! | `state` | reactive stores whose methods do the changing | `web` |
//! | `ui` | pages and components: they draw view models and call state | `web` |
//!
//! One package is optimised for speed, the rest for size: `src/kernels` computes the layers of networks for [`net`].
//!
//! Timing has no module of its own: `lab bench` (`src/bin/lab/bench.rs`) and `#/bench` (`state/bench.rs`, `view/bench.rs`)
//! measure the pipeline.

pub mod chess;
pub mod concepts;
pub mod file_text;
pub mod lm;
pub mod net;
pub mod net_worker;
pub mod pace;
pub mod random;
pub mod ranks;
pub mod searchless;
pub mod tensors;
pub mod training;
pub mod uci;

#[cfg(feature = "commentary")]
pub mod annotation;
#[cfg(feature = "commentary")]
pub mod blindfold;
#[cfg(feature = "commentary")]
pub mod chessbench;
#[cfg(feature = "commentary")]
pub mod commentary;
#[cfg(feature = "commentary")]
pub mod grading;
#[cfg(feature = "commentary")]
pub mod judge;
#[cfg(feature = "commentary")]
pub mod llm;
#[cfg(feature = "commentary")]
pub mod long_run;
#[cfg(feature = "commentary")]
pub mod overlap;
#[cfg(feature = "commentary")]
pub mod stats;
#[cfg(feature = "commentary")]
pub mod survey;
#[cfg(feature = "commentary")]
pub mod table_file;
#[cfg(feature = "commentary")]
pub mod tournament;
#[cfg(feature = "commentary")]
pub mod view;

#[cfg(feature = "browser")]
pub mod browser;
#[cfg(feature = "web")]
pub mod services;
#[cfg(feature = "web")]
pub mod state;
#[cfg(feature = "web")]
pub mod ui;
