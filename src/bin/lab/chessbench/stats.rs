//! `lab chessbench stats`: the data card of a set.

use std::{error::Error, path::PathBuf};

use kibitz::chessbench::data_card::data_card;

use super::{
    super::tables::{Format, print},
    sets::read,
};

/// Which set, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A run, a set, a CSV, a .bag file or a folder of them.
    #[arg(value_name = "SET")]
    set: PathBuf,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    print(&data_card(&read(&args.set)?), args.format)
}
