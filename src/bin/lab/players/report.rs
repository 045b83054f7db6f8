//! `lab report`: the tables of runs.

use std::{error::Error, path::PathBuf};

use clap::ValueEnum;
use kibitz::{
    grading::report::{all_tables, answers},
    pace::{AtOnce, at_once},
    survey::analysis::table::Table,
};

use super::{super::survey_input::write, grade::read_grades, play::read_run};

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

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Aligned columns.
    Text,
    /// Markdown.
    Markdown,
    /// LaTeX.
    Latex,
    /// CSV, with all digits.
    Csv,
    /// One JSON array of tables, with all digits.
    Json,
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
    if matches!(args.format, Format::Json) {
        let tables: Vec<_> = tables.iter().map(Table::to_json).collect();
        println!("{}", serde_json::to_string_pretty(&tables)?);
        return Ok(());
    }
    for table in &tables {
        let text = match args.format {
            Format::Text => table.to_text(),
            Format::Markdown => table.to_markdown(),
            Format::Latex => table.to_latex(),
            Format::Csv | Format::Json => format!("# {}\n{}", table.caption, table.to_csv()),
        };
        println!("{text}");
    }
    for run in &runs {
        let progress = run.progress();
        eprintln!(
            "lab: {} of {} answers, {} failed",
            progress.answered, progress.all, progress.failed
        );
    }
    Ok(())
}
