//! `lab survey check`: what keeps a study from being run, and what is better known before people are asked.

use std::{error::Error, path::PathBuf};

use kibitz::survey::{read_draft, study_file::check, warnings::warnings};

use super::survey_input::text;

/// Checks a study file.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The study.
    #[arg(value_name = "STUDY.json")]
    study: PathBuf,
}

/// The study has faults, which have been printed.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {count} {}", if *.count == 1 { "fault" } else { "faults" })]
struct Faulty {
    path: String,
    count: usize,
}

/// Prints every fault with its place, then every warning with its details. An error where there is a fault.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let path = args.study.display().to_string();
    let study = read_draft(text(&args.study)?.as_bytes()).map_err(|error| format!("{path}: {error}"))?;
    let faults = check(&study);
    for fault in &faults {
        outln!("fault: {fault}");
    }
    for warning in warnings(&study) {
        outln!("warning: {warning}");
        for detail in warning.details() {
            outln!("  {detail}");
        }
    }
    outln!(
        "{} items, {} comments by {} methods, {} pages",
        study.items.len(),
        study.comments(),
        study.methods().len(),
        study.pages()
    );
    if faults.is_empty() {
        Ok(())
    } else {
        let count = faults.len();
        Err(Box::new(Faulty { path, count }))
    }
}
