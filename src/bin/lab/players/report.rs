//! `lab report`: the tables of runs.

use std::{error::Error, path::PathBuf};

use kibitz::{
    grading::report::{all_tables, answers},
    pace::{AtOnce, at_once},
};

use super::{
    super::{
        survey_input::write,
        tables::{Format, print},
    },
    grade::read_grades,
    play::read_run,
};

/// Which tables, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The runs.
    #[arg(required = true, value_name = "RUN.jsonl")]
    runs: Vec<PathBuf>,
    /// The grades, from `lab grade`; a second file is another engine's, and their agreement is shown.
    #[arg(long, value_name = "GRADES.jsonl")]
    grades: Vec<PathBuf>,
    /// Every answer with its fault, class, loss, best move and line, the worst first, as CSV.
    #[arg(long, value_name = "FILE.csv")]
    answers: Option<PathBuf>,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let runs = args
        .runs
        .iter()
        .map(|path| read_run(path))
        .collect::<Result<Vec<_>, _>>()?;
    let grades = args
        .grades
        .iter()
        .map(|path| read_grades(path))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &args.answers {
        write(path, &answers::table(&answers::answers(&runs, grades.first())).to_csv())?;
    }
    let tables = at_once(all_tables(&runs, &grades, &AtOnce));
    print(&tables, args.format)?;
    for run in &runs {
        let progress = run.progress();
        errln!(
            "lab: {} of {} answers, {} failed",
            progress.answered,
            progress.all,
            progress.failed
        );
    }
    Ok(())
}
