//! The tests of the core and of the command line, as one program: a change of the library links once.
//!
//! `cargo nextest run --features lab claims::` runs those of one file. Beside it stand `architecture`, which needs nothing of
//! the library, and `wasm`, which runs in a browser.

mod annotation;
mod appraisal;
mod cases;
mod chess_hostile;
mod chess_shared_data;
mod chess_tables;
mod claim_positions;
mod claims_benchmark;
mod claims_evaluation;
mod claims_narrator;
mod claims_own;
mod claims_reading;
mod claims_statements;
mod convolution_bits;
mod extra_concepts;
mod facts;
#[cfg(feature = "lab")]
mod http_request;
mod lab_annotate;
mod lab_blindfold;
mod lab_blindfold_lm;
mod lab_chessbench;
mod lab_chessbench_scores;
mod lab_comment;
mod lab_judge;
mod lab_model;
mod lab_network;
#[cfg(feature = "lab")]
mod lab_output;
mod lab_players;
mod lab_positions;
mod lab_probe;
mod lab_survey;
mod lab_torture;
mod lab_tournament;
mod llm_wire;
#[cfg(feature = "lab")]
mod lm;
mod lm_server;
#[cfg(feature = "lab")]
mod local_model;
mod narrator;
mod narrator_consistency;
mod narrator_reasons;
mod net_attention;
mod net_expected;
mod net_gathering;
mod net_hostile;
mod net_lc0;
mod net_onnx;
mod net_planes;
mod net_reference;
mod net_server;
mod net_steering;
mod net_synthetic;
mod net_winograd;
mod openings;
mod overlap;
mod pgn_round_trips;
mod probe_shares;
mod prompt;
mod questions;
mod revision;
mod searchless;
mod searchless_server;
mod stats;
mod survey_analysis;
mod survey_collection;
mod survey_import;
mod survey_instrument;
mod survey_kit;
mod survey_limits;
mod survey_paper;
mod survey_participants;
mod survey_recruitment;
mod survey_safekeeping;
mod survey_session;
mod survey_spans;
mod survey_study;
mod survey_turns;
mod ties;
