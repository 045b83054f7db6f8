//! `lab blindfold`: does a language model know where the pieces are?

use std::error::Error;

use clap::Subcommand;

mod data;
mod probes;
mod tables;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Step {
    /// Makes games into files of tokens for training, in splits, and says what they are like.
    Data(data::Args),
    /// Makes questions about the board, or reads those that the authors published.
    Probes(probes::Args),
}

/// Runs the command.
pub fn run(step: &Step) -> Result<(), Box<dyn Error>> {
    match step {
        Step::Data(args) => data::run(args),
        Step::Probes(args) => probes::run(args),
    }
}
