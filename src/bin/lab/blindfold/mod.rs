//! `lab blindfold`: does a language model know where the pieces are?

use std::error::Error;

use clap::Subcommand;

use super::merge_args::MergeArgs;

mod data;
mod eval;
pub mod language_model;
mod perplexity;
mod probes;
mod report;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Step {
    /// Makes games into files of tokens for training, in splits, and says what they are like.
    Data(data::Args),
    /// Makes questions about the board, or reads those that the authors published.
    Probes(probes::Args),
    /// Players answer a set of questions; a run that was cut off goes on where it stopped.
    Eval(Box<eval::Args>),
    /// How well models of our own format foresee games.
    Perplexity(perplexity::Args),
    /// Prints the tables of runs.
    Report(report::Args),
    /// Puts the files of shards together.
    Merge(MergeArgs),
}

/// Runs the command.
pub fn run(step: &Step) -> Result<(), Box<dyn Error>> {
    match step {
        Step::Data(args) => data::run(args),
        Step::Probes(args) => probes::run(args),
        Step::Eval(args) => eval::run(args),
        Step::Perplexity(args) => perplexity::run(args),
        Step::Report(args) => report::run(args),
        Step::Merge(args) => report::merge(args),
    }
}
