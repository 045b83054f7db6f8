//! `lab chessbench overlap`: how much of one set, or of a file of puzzles, is in another set.

use std::{error::Error, path::PathBuf};

use kibitz::{
    chessbench::set_overlap::{KnownBoards, overlap_table},
    grading::suite::puzzles::from_csv,
};

use super::{
    super::{
        survey_input::text,
        tables::{Format, print},
    },
    sets::read,
};

/// Which sets, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The set that is learned from: a run, a set, a CSV, a .bag file or a folder of them.
    #[arg(value_name = "SET")]
    train: PathBuf,
    /// The set that is tested on.
    #[arg(value_name = "SET", required_unless_present = "puzzles")]
    test: Option<PathBuf>,
    /// Puzzles: a CSV with Lichess's columns.
    #[arg(long, value_name = "FILE.csv")]
    puzzles: Option<PathBuf>,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let train = read(&args.train)?;
    let known = KnownBoards::new(train.records.iter().map(|record| record.fen.as_str()));
    let test = args.test.as_deref().map(read).transpose()?;
    let boards = test.map(|test| known.overlap(test.records.iter().map(|record| record.fen.as_str())));
    let puzzles = match &args.puzzles {
        None => None,
        Some(path) => {
            let text = text(path)?;
            let (puzzles, bad) = from_csv(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            if bad > 0 {
                errln!("lab: {}: {bad} lines are no puzzles", path.display());
            }
            Some(known.overlap(puzzles.iter().map(|puzzle| puzzle.fen.as_str())))
        }
    };
    print(&[overlap_table(boards, puzzles)], args.format)
}
