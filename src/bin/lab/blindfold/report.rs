//! `lab blindfold report` and `lab blindfold merge`: the tables of runs, and the files of shards put together.

use std::{error::Error, path::PathBuf};

use kibitz::{
    blindfold::report::all_tables,
    pace::{AtOnce, at_once},
};

use super::{
    super::{
        merge_args::MergeArgs,
        survey_input::write,
        tables::{Format, print},
    },
    eval::read_run,
};

/// Which runs, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Runs about the same probes.
    #[arg(required = true, value_name = "RUN.jsonl")]
    runs: Vec<PathBuf>,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Prints the tables.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let runs = args
        .runs
        .iter()
        .map(|path| read_run(path))
        .collect::<Result<Vec<_>, _>>()?;
    let tables = at_once(all_tables(&runs, &AtOnce))?;
    print(&tables, args.format)?;
    for run in &runs {
        errln!(
            "lab: {} of {} answers, {} failed",
            run.answers().count(),
            run.tasks().len(),
            run.failed()
        );
    }
    Ok(())
}

/// Puts shards together.
pub fn merge(args: &MergeArgs) -> Result<(), Box<dyn Error>> {
    let (first, others) = args.files.split_first().ok_or("no file is given")?;
    let mut run = read_run(first)?;
    for path in others {
        run.merge(read_run(path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    write(&args.out, &run.text())?;
    errln!(
        "lab: {} of {} answers, {} failed",
        run.answers().count(),
        run.tasks().len(),
        run.failed()
    );
    Ok(())
}
