//! `lab chessbench`: chess without search. Boards that an engine annotates, and what the sets of them are like.

use std::error::Error;

use clap::Subcommand;

pub mod annotate;
mod boards;
mod export;
mod overlap;
mod sets;
mod stats;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Step {
    /// An engine annotates the boards of games or FENs; a run that was cut off goes on where it stopped.
    Annotate(annotate::Args),
    /// Puts the files of shards together.
    Merge(annotate::MergeArgs),
    /// Writes annotated boards in other forms: JSON lines, CSV, the dataset's own .bag files.
    Export(export::Args),
    /// Prints the data card of a set: who annotated, counts, histograms.
    Stats(stats::Args),
    /// Prints how much of one set is in another.
    Overlap(overlap::Args),
}

/// Runs the command.
pub fn run(step: &Step) -> Result<(), Box<dyn Error>> {
    match step {
        Step::Annotate(args) => annotate::run(args),
        Step::Merge(args) => annotate::merge(args),
        Step::Export(args) => export::run(args),
        Step::Stats(args) => stats::run(args),
        Step::Overlap(args) => overlap::run(args),
    }
}
