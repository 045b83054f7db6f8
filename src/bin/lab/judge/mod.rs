//! `lab judge`: language models judge comments, the claim check beside them.

use std::error::Error;

use clap::Subcommand;

use super::merge_args::MergeArgs;

mod declaring;
mod items;
mod report;
mod run;
mod source;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Step {
    /// Computes what judges are told of every move: the engine's sentence, the features, the claim check. One JSON line a
    /// move; a run does it by itself where it is given other files.
    Prepare(Box<items::Args>),
    /// Has models write steps of their own for the criteria of GCC-Eval, for `run --steps`.
    Steps(run::StepsArgs),
    /// Judges comments; a run that was cut off goes on where it stopped.
    Run(Box<run::Args>),
    /// Prints a run's tables.
    Report(report::Args),
    /// Puts the files of shards together.
    Merge(MergeArgs),
}

/// Runs the command.
pub fn run(step: &Step) -> Result<(), Box<dyn Error>> {
    match step {
        Step::Prepare(args) => items::run(args),
        Step::Steps(args) => run::steps(args),
        Step::Run(args) => run::run(args),
        Step::Report(args) => report::run(args),
        Step::Merge(args) => report::merge(args),
    }
}
