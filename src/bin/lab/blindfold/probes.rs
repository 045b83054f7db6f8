//! `lab blindfold probes`: questions about the board, drawn from games or taken from the authors' files.

use std::{
    error::Error,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use kibitz::blindfold::{
    ply::Ply,
    probe::{Probe, ProbeTask},
    probe_set::{PrefixLengths, ProbeHeader, ProbeSet, SCHEMA, draw},
    probe_stats::{baseline_table, prefixes_table, types_table},
    published::Published,
    split::Beginnings,
    token_file::read_tokens,
};

use super::super::{
    program::program,
    survey_input::{bytes, text, write},
    tables::{Format, print},
};

/// What is asked.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The games that questions are made of: probe.tokens of `lab blindfold data`.
    #[arg(long, value_name = "FILE.tokens", required_unless_present = "published")]
    games: Option<PathBuf>,
    /// Games that models learn from: no question begins like one of them. Train-L is enough where it has the others within it.
    #[arg(long, value_name = "FILE.tokens", requires = "games")]
    train: Vec<PathBuf>,
    /// How many plies come before a question: long (51 to 100, the paper's) or short (5 to 50).
    #[arg(long, value_enum, default_value = "long")]
    prefixes: Prefixes,
    /// How many probes; each is asked in all four tasks.
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// Of the draw.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Instances of the authors instead: end_long.jsonl, start_long.jsonl, or both, which are put together.
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "games")]
    published: Vec<PathBuf>,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The set.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Prefixes {
    /// 51 to 100 plies.
    Long,
    /// 5 to 50 plies.
    Short,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let header = |source: String| ProbeHeader {
        schema: SCHEMA,
        program: program(),
        source,
        lengths: None,
        seed: None,
        training_games: 0,
    };
    let set = match &args.games {
        Some(path) => {
            let lengths = match args.prefixes {
                Prefixes::Long => PrefixLengths::LONG,
                Prefixes::Short => PrefixLengths::SHORT,
            };
            let mut training: Vec<Vec<Ply>> = Vec::new();
            for path in &args.train {
                training.extend(games(path)?);
            }
            if args.train.is_empty() {
                errln!("lab: without --train, questions may begin like games that models learn from");
            }
            let probes = draw(
                &games(path)?,
                &Beginnings::of(&training),
                lengths,
                args.count,
                args.seed,
            );
            if probes.len() < args.count {
                errln!(
                    "lab: the games give {} probes of {} that were asked for",
                    probes.len(),
                    args.count
                );
            }
            ProbeSet {
                header: ProbeHeader {
                    lengths: Some(lengths),
                    seed: Some(args.seed),
                    training_games: training.len(),
                    ..header(file_name(path))
                },
                probes,
            }
        }
        None => {
            let mut published = Published::default();
            for path in &args.published {
                let text = text(path)?;
                published
                    .add(&text)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
            let names: Vec<String> = args.published.iter().map(|path| file_name(path)).collect();
            ProbeSet {
                header: header(names.join(", ")),
                probes: published.probes(),
            }
        }
    };
    write(&args.out, &set.text())?;
    let asked = |task| {
        set.probes
            .iter()
            .filter_map(|probe| Probe::question(probe, task))
            .count()
    };
    let counts = ProbeTask::ALL.map(|task| format!("{} {}", asked(task), task.label()));
    errln!("lab: {} probes: {}", set.probes.len(), counts.join(", "));
    let tables = [
        types_table(&set.probes),
        prefixes_table(&set.probes),
        baseline_table(&set.probes),
    ];
    print(&tables, args.format)
}

fn games(path: &Path) -> Result<Vec<Vec<Ply>>, Box<dyn Error>> {
    let file = read_tokens(&bytes(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(file.games)
}

/// A path says where somebody keeps things; the name is enough.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
