//! `lab judge report` and `lab judge merge`.

use std::{collections::BTreeSet, error::Error, path::PathBuf};

use clap::ValueEnum;
use kibitz::{
    judge::{
        report::{disagreements, means, pairs, people},
        run_file::Run,
    },
    pace::{AtOnce, at_once},
    survey::analysis::{dataset::Dataset, material::Material, table::Table},
};

use super::{
    super::{
        merge_args::MergeArgs,
        survey_input::{merged, pilots, study, write},
    },
    run::read_run,
};

/// Which tables, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run, or the files of its shards.
    #[arg(required = true, value_name = "RUN.jsonl")]
    runs: Vec<PathBuf>,
    /// People's ratings of the same comments: responses (.json, .jsonl) or long form (.csv), for Table 4.
    #[arg(long, value_name = "FILE")]
    ratings: Vec<PathBuf>,
    /// The study that they are of.
    #[arg(long, value_name = "FILE.json")]
    study: Option<PathBuf>,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Writes every comment's scores, for `lab survey analyse --scores`.
    #[arg(long, value_name = "FILE.csv")]
    scores: Option<PathBuf>,
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
}

fn together(paths: &[PathBuf]) -> Result<Run, Box<dyn Error>> {
    let mut runs = paths.iter().map(|path| (path, read_run(path)));
    let (_, first) = runs.next().ok_or("no file is given")?;
    let mut whole = first?;
    for (path, run) in runs {
        whole
            .merge(run?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(whole)
}

/// `lab judge merge`.
pub fn merge(args: &MergeArgs) -> Result<(), Box<dyn Error>> {
    let run = together(&args.files)?;
    write(&args.out, &run.text())?;
    let progress = run.progress();
    errln!(
        "lab: {} of {} judgements, {} failed",
        progress.judged,
        progress.all,
        progress.failed
    );
    Ok(())
}

/// `lab judge report`.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let run = together(&args.runs)?;
    let mut tables = Vec::new();
    if !run.header.settings.criteria.is_empty() {
        tables.extend(means::table_5(&run));
    }
    tables.push(means::claims(&run));
    if disagreements::has_pairs(&run) {
        tables.extend(pairs::win_matrix(&run));
        tables.extend(pairs::ratings(&run, &at_once(pairs::strengths(&run, &AtOnce))));
        tables.push(disagreements::order(&run));
        tables.push(disagreements::hard_rule(&run));
    }
    if !args.ratings.is_empty() {
        tables.push(table_4(args, &run)?);
    }
    if run.header.judges.len() > 1 {
        tables.push(disagreements::between_judges(&run));
    }
    tables.push(disagreements::table(&run, &disagreements::against_claims(&run)));
    for table in &tables {
        outln!("{}", printed(table, args.format));
    }
    let progress = run.progress();
    outln!(
        "{} of {} judgements, {} failed",
        progress.judged,
        progress.all,
        progress.failed
    );
    if let Some(path) = &args.scores {
        write(path, &means::scores_table(&run).to_csv())?;
    }
    Ok(())
}

fn printed(table: &Table, format: Format) -> String {
    match format {
        Format::Text => table.to_text(),
        Format::Markdown => table.to_markdown(),
        Format::Latex => table.to_latex(),
        Format::Csv => format!("# {}\n{}", table.caption, table.to_csv()),
    }
}

fn table_4(args: &Args, run: &Run) -> Result<Table, Box<dyn Error>> {
    let merged = merged(&args.ratings, pilots(false))?;
    let mut material = match &args.study {
        Some(path) => Material::from(&study(path)?),
        None => Material::default(),
    };
    material.add_sets(&merged.sets);
    let everybody = BTreeSet::new();
    let data = at_once(Dataset::new(
        [merged.ratings.as_slice()].into_iter(),
        &material,
        &everybody,
        &AtOnce,
    ))?;
    Ok(at_once(people::table_4(run, &data, &AtOnce)))
}
