//! `lab merge`: puts the files of shards together, runs or grades.

use std::{error::Error, path::PathBuf};

use kibitz::grading::{grade_file::GradesError, run_file::RunError};

use super::{super::survey_input::write, grade::read_grades, play::read_run};

/// What to put together.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The files of shards: all runs, or all grades.
    #[arg(required = true, value_name = "FILE.jsonl")]
    files: Vec<PathBuf>,
    /// Where the whole goes.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let (first, others) = args.files.split_first().ok_or("no file is given")?;
    let named = |path: &PathBuf, error: String| format!("{}: {error}", path.display());
    if let Ok(mut run) = read_run(first) {
        for path in others {
            run.merge(read_run(path)?)
                .map_err(|error: RunError| named(path, error.to_string()))?;
        }
        write(&args.out, &run.text())?;
        let progress = run.progress();
        errln!(
            "lab: {} of {} answers, {} failed",
            progress.answered,
            progress.all,
            progress.failed
        );
    } else {
        let mut grades = read_grades(first)?;
        for path in others {
            grades
                .merge(read_grades(path)?)
                .map_err(|error: GradesError| named(path, error.to_string()))?;
        }
        write(&args.out, &grades.text())?;
        errln!("lab: {} grades", grades.by_move().len());
    }
    Ok(())
}
