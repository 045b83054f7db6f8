//! `lab survey codebook` and `lab survey anonymise`: what lies beside an export, and what can be given away.

use std::{error::Error, path::PathBuf};

use clap::ValueEnum;
use kibitz::{
    pace::{AtOnce, at_once},
    survey::{
        Rating,
        anonymise::{Renaming, Times, anonymised, raters},
        codebook::Codebook,
        long_form::write_csv,
    },
};

use super::survey_input::{merged, pilots, study, write};

/// How a codebook is written.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Markdown.
    Md,
    /// CSV.
    Csv,
}

/// Of which study, and how.
#[derive(Debug, clap::Args)]
pub struct CodebookArgs {
    /// The study.
    #[arg(value_name = "STUDY.json")]
    study: PathBuf,
    /// How it is written.
    #[arg(long, value_enum, default_value = "md")]
    format: Format,
}

/// Prints what the columns and values of a study's exports mean.
pub fn codebook(args: &CodebookArgs) -> Result<(), Box<dyn Error>> {
    let book = Codebook::from(&study(&args.study)?);
    match args.format {
        Format::Md => out!("{}", book.to_markdown()),
        Format::Csv => out!("{}", book.to_csv()),
    }
    Ok(())
}

/// Which files, and how.
#[derive(Debug, clap::Args)]
pub struct AnonymiseArgs {
    /// Raters' files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The seed of the order in which raters get new names. Who knows it and all codes can undo the renaming.
    #[arg(long)]
    seed: u64,
    /// The study: its kinds of errors and the fields of its form are known then.
    #[arg(long, value_name = "FILE.json")]
    study: Option<PathBuf>,
    /// Keeps the day of each answer.
    #[arg(long)]
    days: bool,
    /// Takes pilot sessions too.
    #[arg(long)]
    include_pilot: bool,
    /// The file of ratings; without one they are printed.
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Writes who took part too; of the form numbers and choices alone.
    #[arg(long, value_name = "FILE.csv", requires = "study")]
    raters_out: Option<PathBuf>,
}

/// Writes ratings without what says who gave them.
pub fn anonymise(args: &AnonymiseArgs) -> Result<(), Box<dyn Error>> {
    let merged = merged(&args.files, pilots(args.include_pilot))?;
    let known = args.study.as_deref().map(study).transpose()?;
    let of_study = |id: &str| known.as_ref().is_none_or(|study| study.id == id);
    let rows: Vec<&Rating> = merged.ratings.iter().filter(|row| of_study(&row.study)).collect();
    let sets: Vec<_> = merged.sets.iter().filter(|set| of_study(&set.study.id)).collect();
    let codes = rows.iter().map(|row| row.rater.as_str());
    let codes = codes.chain(sets.iter().map(|set| set.rater.as_str()));
    let names = at_once(Renaming::new(codes, args.seed, &AtOnce));
    let times = if args.days { Times::Day } else { Times::Dropped };
    let found = at_once(anonymised(rows.into_iter(), known.as_ref(), &names, times, &AtOnce));
    for note in &merged.notes {
        // Notes name raters: they are for whoever anonymises.
        errln!("{note}");
    }
    errln!("{} rows stay, {} were removed.", found.ratings.len(), found.removed);
    if let (Some(path), Some(study)) = (&args.raters_out, &known) {
        write(path, &raters(&sets, study, &names).to_csv())?;
    }
    let text = write_csv(&found.ratings);
    match &args.out {
        Some(path) => write(path, &text)?,
        None => out!("{text}"),
    }
    Ok(())
}
