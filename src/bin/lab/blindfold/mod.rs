//! `lab blindfold`: does a language model know where the pieces are?

use std::error::Error;

use clap::Subcommand;

mod data;
mod tables;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Step {
    /// Makes games into files of tokens for training, in splits, and says what they are like.
    Data(data::Args),
}

/// Runs the command.
pub fn run(step: &Step) -> Result<(), Box<dyn Error>> {
    match step {
        Step::Data(args) => data::run(args),
    }
}
