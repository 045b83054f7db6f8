//! `lab chessbench`: chess without search. Boards that an engine annotates, what the sets of them are like, and what models are
//! worth on them.

use std::error::Error;

use clap::Subcommand;

use super::merge_args::MergeArgs;

pub mod annotate;
mod boards;
mod contestants;
mod export;
mod metrics;
mod overlap;
mod players;
mod puzzles;
mod scores;
mod scoring;
mod sets;
mod stats;
mod tournament;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Step {
    /// An engine annotates the boards of games or FENs; a run that was cut off goes on where it stopped.
    Annotate(annotate::Args),
    /// Puts the files of shards together.
    Merge(MergeArgs),
    /// Writes annotated boards in other forms: JSON lines, CSV, the dataset's own .bag files.
    Export(export::Args),
    /// Prints the data card of a set: who annotated, counts, histograms.
    Stats(stats::Args),
    /// Prints how much of one set is in another.
    Overlap(overlap::Args),
    /// Plays a tournament; one that was cut off goes on where it stopped.
    Tournament(tournament::Args),
    /// Prints how the players of a tournament stand: ratings, crosstable, how games ended.
    Standings(tournament::StandingsArgs),
    /// Prints what predictions are worth on annotated boards, the paper's figures beside.
    Metrics(metrics::Args),
    /// Prints how many puzzles players solve, by rating.
    Puzzles(puzzles::Args),
    /// Prints the tables of files of scores; those of shards are put together.
    Scores(scores::Args),
}

/// Runs the command.
pub fn run(step: &Step) -> Result<(), Box<dyn Error>> {
    match step {
        Step::Annotate(args) => annotate::run(args),
        Step::Merge(args) => annotate::merge(args),
        Step::Export(args) => export::run(args),
        Step::Stats(args) => stats::run(args),
        Step::Overlap(args) => overlap::run(args),
        Step::Tournament(args) => tournament::run(args),
        Step::Standings(args) => tournament::standings(args),
        Step::Metrics(args) => metrics::run(args),
        Step::Puzzles(args) => puzzles::run(args),
        Step::Scores(args) => scores::run(args),
    }
}
