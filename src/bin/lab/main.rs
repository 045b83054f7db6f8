//! Kibitz on the command line: the page's pipeline, natively, for measuring and for whole files of positions.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[macro_use]
mod output;

mod agreement;
mod annotate;
mod audit;
mod bench;
mod bench_annotation;
mod bench_blindfold;
mod bench_convolutions;
mod bench_fit;
mod bench_game;
mod bench_positions;
mod bench_searchless;
mod blindfold;
mod check;
mod chessbench;
mod claims;
mod comment;
mod declarer;
mod endpoint;
mod endpoint_args;
mod engine;
mod file_text;
mod game_annotation;
mod games;
mod input;
mod judge;
mod labels;
mod level_games;
mod merge_args;
mod model;
mod motifs;
mod narrator;
mod network;
mod network_files;
mod network_made;
mod pipeline;
mod players;
mod positions;
mod probe;
mod probe_changes;
mod probe_controls;
mod probe_data;
mod probe_extra;
mod probe_fit;
mod probe_inputs;
mod probe_own_controls;
mod probe_priorities;
mod probe_read;
mod probe_steer;
mod process;
mod program;
mod puzzles;
mod record;
mod run_options;
mod run_output;
mod sampled_moves;
mod seat_rows;
mod setup;
mod source_file;
mod survey;
mod survey_bench;
mod survey_check;
mod survey_files;
mod survey_input;
mod tables;
mod task_lines;
mod training_set;

/// Explains chess moves, and measures how well and how fast it does.
#[derive(Debug, Parser)]
#[command(name = "lab", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Comments on one move, or on every line of a file.
    Comment(comment::Args),
    /// Checks prose about a move against the board and the engine.
    Check(check::Args),
    /// The benchmark of claim checkers: scores, verdicts, and what a model is asked for.
    Claims(claims::Args),
    /// Annotates whole games.
    Annotate(annotate::Args),
    /// Audits the narrator: is what it says right?
    #[command(subcommand)]
    Audit(audit::Step),
    /// Times every stage of the pipeline.
    Bench(bench::Args),
    /// Plays games of an engine against itself, as PGN.
    Games(games::Args),
    /// Samples positions from games.
    Positions(positions::Args),
    /// Packs positions and what an engine said of them for training a network.
    TrainingSet(training_set::Args),
    /// Compares networks with the engine that judged positions.
    Agreement(agreement::Args),
    /// Fits concept probes on a network, and judges them.
    Probe(probe::Args),
    /// Counts how often puzzles' motifs are on the fact sheets of their first moves.
    Motifs(puzzles::Args),
    /// Measures how much the narrator says, over many positions and moves.
    Narrator(narrator::Args),
    /// Language models judge comments, with the claim check beside them.
    #[command(subcommand)]
    Judge(judge::Step),
    /// Does a language model know where the pieces are? Games as tokens, questions about the board, answers and their tables.
    #[command(subcommand)]
    Blindfold(blindfold::Step),
    /// Chess without search: boards that an engine annotates, and what the sets of them are like.
    #[command(subcommand)]
    Chessbench(chessbench::Step),
    /// Makes a suite of positions to test players on.
    #[command(subcommand)]
    Suite(players::suite::Step),
    /// Players answer a suite: language models, engines, networks; a run that was cut off goes on where it stopped.
    Play(Box<players::play::Args>),
    /// An engine grades the moves of runs.
    Grade(players::grade::Args),
    /// Prints the tables of runs.
    Report(players::report::Args),
    /// Puts the files of shards together, runs or grades.
    Merge(players::merge::Args),
    /// Analyses ratings by people, and tries studies with raters of chance.
    Survey(survey::Args),
    /// Makes a network's file, or says what one is.
    Network(network_files::Args),
}

fn main() -> ExitCode {
    let done = |()| ExitCode::SUCCESS;
    let result = match Cli::parse().command {
        Command::Comment(args) => comment::run(&args).map(done),
        Command::Check(args) => check::run(&args).map(done),
        Command::Claims(args) => claims::run(&args).map(done),
        Command::Annotate(args) => annotate::run(&args).map(done),
        Command::Audit(step) => audit::run(&step).map(done),
        Command::Bench(args) => bench::run(&args).map(done),
        Command::Games(args) => games::run(&args).map(done),
        Command::Positions(args) => positions::run(&args).map(done),
        Command::TrainingSet(args) => training_set::run(&args).map(done),
        Command::Agreement(args) => agreement::run(&args).map(done),
        Command::Probe(args) => probe::run(&args),
        Command::Motifs(args) => puzzles::run(&args).map(done),
        Command::Narrator(args) => narrator::run(&args).map(done),
        Command::Judge(step) => judge::run(&step).map(done),
        Command::Blindfold(step) => blindfold::run(&step).map(done),
        Command::Chessbench(step) => chessbench::run(&step).map(done),
        Command::Suite(step) => players::suite::run(&step).map(done),
        Command::Play(args) => players::play::run(&args).map(done),
        Command::Grade(args) => players::grade::run(&args).map(done),
        Command::Report(args) => players::report::run(&args).map(done),
        Command::Merge(args) => players::merge::run(&args).map(done),
        Command::Survey(args) => survey::run(&args).map(done),
        Command::Network(args) => network_files::run(&args).map(done),
    };
    output::finished(result)
}
