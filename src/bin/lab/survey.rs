//! `lab survey`: analyses ratings, and tries studies with raters of chance.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    path::PathBuf,
};

use clap::{Subcommand, ValueEnum};
use kibitz::{
    stats::reach::{PairedTest, smallest_p_holm, unreachable_levels},
    survey::{
        Rating,
        analysis::{
            Options, Report, Test, analyse,
            layout::Which,
            material::{Ends, Material},
        },
        long_form::write_csv,
        simulation::{Effect, Needed, Simulation, Spread, made_up_study, simulate},
    },
};
use serde_json::json;

use super::{
    survey_bench, survey_check, survey_files,
    survey_input::{FileError, merged, pilots, study, text, write},
};

/// What to do with ratings.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Makes the paper's tables of raters' files: responses (.json, .jsonl) or ratings in long form (.csv).
    Analyse(AnalyseArgs),
    /// Writes the ratings of raters of chance, in long form.
    Simulate(SimulateArgs),
    /// Says how many raters are needed to find an effect.
    Power(PowerArgs),
    /// Says what is wrong with a study file, and what is better known before people are asked.
    Check(survey_check::Args),
    /// Prints what the columns and values of a study's exports mean.
    Codebook(survey_files::CodebookArgs),
    /// Writes ratings without what says who gave them.
    Anonymise(survey_files::AnonymiseArgs),
    /// Times the analysis of ratings by chance.
    Bench(survey_bench::Args),
}

/// How tables are printed.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Aligned columns.
    Text,
    /// Markdown.
    Markdown,
    /// LaTeX.
    Latex,
    /// CSV, one figure a column.
    Csv,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum TestName {
    /// Wilcoxon's signed-rank test.
    SignedRank,
    /// The sign-flip permutation test.
    SignFlips,
}

#[derive(Debug, clap::Args)]
struct AnalyseArgs {
    /// Raters' files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The study: its scales, its comments' texts, what its checks expect.
    #[arg(long, value_name = "FILE.json")]
    study: Option<PathBuf>,
    /// Scores of automatic metrics: a CSV with the columns position, method and one for each metric.
    #[arg(long, value_name = "FILE.csv")]
    scores: Vec<PathBuf>,
    /// A scale that no study tells, such as correctness=1..3.
    #[arg(long = "scale", value_name = "CRITERION=LOW..HIGH", value_parser = scale)]
    scales: Vec<(String, Ends)>,
    /// The study whose ratings are meant, where files hold several.
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// The method that the others are compared with.
    #[arg(long, value_name = "METHOD")]
    baseline: Option<String>,
    /// The test of the comparisons.
    #[arg(long, value_enum, default_value = "signed-rank")]
    test: TestName,
    /// Flips of the permutation test.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(100..))]
    flips: u32,
    /// The seed of the permutation test.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Takes pilot sessions too.
    #[arg(long)]
    include_pilot: bool,
    /// Leaves flagged raters out.
    #[arg(long)]
    exclude_flagged: bool,
    /// Leaves a rater out.
    #[arg(long, value_name = "RATER")]
    exclude: Vec<String>,
    /// Counts comments that are the reference itself in BLEU and ROUGE too, where their overlap is 1.
    #[arg(long)]
    count_reference: bool,
    /// Shows the paper's figures beside ours, where a method, criterion, kind or metric is one of the paper's.
    #[arg(long)]
    paper: bool,
    /// One JSON object instead of tables.
    #[arg(long, conflicts_with_all = ["format", "paper"])]
    json: bool,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Prints these tables only.
    #[arg(long = "table", value_name = "NAME", value_parser = which)]
    tables: Vec<Which>,
}

#[derive(Debug, clap::Args)]
struct SpreadArgs {
    /// Standard deviation of positions, as a share of the scale.
    #[arg(long, default_value_t = Spread::default().position, value_parser = deviation)]
    position_sd: f64,
    /// That of comments of one method.
    #[arg(long, default_value_t = Spread::default().comment, value_parser = deviation)]
    comment_sd: f64,
    /// That of raters.
    #[arg(long, default_value_t = Spread::default().rater, value_parser = deviation)]
    rater_sd: f64,
    /// That of single ratings.
    #[arg(long, default_value_t = Spread::default().noise, value_parser = deviation)]
    noise_sd: f64,
}

impl SpreadArgs {
    const fn spread(&self) -> Spread {
        Spread {
            position: self.position_sd,
            comment: self.comment_sd,
            rater: self.rater_sd,
            noise: self.noise_sd,
        }
    }
}

#[derive(Debug, clap::Args)]
struct SimulateArgs {
    /// The study; without one, a made-up study with the paper's criteria.
    #[arg(long, value_name = "FILE.json")]
    study: Option<PathBuf>,
    /// Positions of the made-up study.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    positions: u32,
    /// A method's effect: by how much it is rated above the middle, as a share of the scale, such as ours=0.1. Without a
    /// study, its methods.
    #[arg(long = "effect", value_name = "METHOD=SHARE", value_parser = effect)]
    effects: Vec<(String, f64)>,
    /// How many raters are simulated.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    raters: u32,
    /// Of these so many answer at random, and fast.
    #[arg(long, default_value_t = 0)]
    careless: u32,
    #[command(flatten)]
    spread: SpreadArgs,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file; without one the ratings are printed.
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Writes the made-up study too, for `analyse --study`.
    #[arg(long, value_name = "FILE.json", conflicts_with = "study")]
    study_out: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct PowerArgs {
    /// By how much one method is rated above the other, as a share of the scale.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    effect: f64,
    /// How many positions the simulated study has.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    positions: u32,
    /// Points of the scale.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=101))]
    points: u32,
    /// The power wanted.
    #[arg(long, default_value_t = 0.8, value_parser = share)]
    power: f64,
    /// The p-value below which the effect counts as found, before it is divided by --comparisons.
    #[arg(long, default_value_t = 0.05, value_parser = share)]
    alpha: f64,
    /// Comparisons in the table that this is one of.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    comparisons: u32,
    /// The most raters that are tried.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    most: u32,
    /// Simulated studies for each number of raters.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,
    #[command(flatten)]
    spread: SpreadArgs,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    match &args.command {
        Command::Analyse(args) => analysed(args),
        Command::Simulate(args) => simulated(args),
        Command::Power(args) => powered(args),
        Command::Check(args) => survey_check::run(args),
        Command::Codebook(args) => survey_files::codebook(args),
        Command::Anonymise(args) => survey_files::anonymise(args),
        Command::Bench(args) => survey_bench::run(args),
    }
}

fn analysed(args: &AnalyseArgs) -> Result<(), Box<dyn Error>> {
    let merged = merged(&args.files, pilots(args.include_pilot))?;
    let mut material = args
        .study
        .as_deref()
        .map(study)
        .transpose()?
        .as_ref()
        .map(Material::from)
        .unwrap_or_default();
    for (criterion, ends) in &args.scales {
        material.scales.retain(|(name, _)| name != criterion);
        material.scales.push((criterion.clone(), *ends));
    }
    for set in &merged.sets {
        if args.id.as_ref().is_none_or(|id| set.study.id == *id) {
            material.add_set(set);
        }
    }
    for path in &args.scores {
        let text = text(path)?;
        material.add_scores(&text).map_err(|error| FileError::Scores {
            path: path.clone(),
            error,
        })?;
    }
    let ratings: Vec<Rating> = merged
        .ratings
        .into_iter()
        .filter(|rating| args.id.as_ref().is_none_or(|id| rating.study == *id))
        .collect();
    let options = Options {
        baseline: args.baseline.clone(),
        test: match args.test {
            TestName::SignedRank => Test::SignedRank,
            TestName::SignFlips => Test::SignFlips {
                flips: args.flips,
                seed: args.seed,
            },
        },
        exclude_flagged: args.exclude_flagged,
        exclude: args.exclude.iter().cloned().collect::<BTreeSet<_>>(),
        count_reference: args.count_reference,
        ..Options::default()
    };
    let mut report = analyse(&ratings, &material, &options)?;
    let merging = merged.notes.iter().map(ToString::to_string);
    report.notes = merging.chain(report.notes).collect();
    if args.json {
        outln!("{}", serde_json::to_string(&report)?);
    } else {
        print(&report, args);
    }
    Ok(())
}

fn print(report: &Report, args: &AnalyseArgs) {
    let tables = if args.tables.is_empty() {
        &Which::ALL[..]
    } else {
        &args.tables
    };
    for note in &report.notes {
        errln!("{note}");
    }
    for excluded in &report.excluded {
        errln!("{} is left out: {}", excluded.rater, excluded.reason);
    }
    for which in tables {
        let table = report.table_beside(*which, args.paper);
        // A table that was asked for is printed even if there is nothing in it.
        if table.rows.is_empty() && args.tables.is_empty() {
            continue;
        }
        match args.format {
            Format::Text => outln!("{}", table.to_text()),
            Format::Markdown => outln!("{}", table.to_markdown()),
            Format::Latex => outln!("{}", table.to_latex()),
            Format::Csv => outln!("{}", report.rows_beside(*which, args.paper).to_csv()),
        }
    }
}

fn simulated(args: &SimulateArgs) -> Result<(), Box<dyn Error>> {
    let study = match &args.study {
        Some(path) => study(path)?,
        None => {
            let mut methods: Vec<String> = args.effects.iter().map(|(method, _)| method.clone()).collect();
            if methods.len() < 2 {
                methods.insert(0, "baseline".to_owned());
            }
            if methods.len() < 2 {
                methods.push("other".to_owned());
            }
            made_up_study(args.positions as usize, &methods, args.seed)
        }
    };
    let known = study.methods();
    if let Some((method, _)) = args
        .effects
        .iter()
        .find(|(method, _)| !known.contains(&method.as_str()))
    {
        return Err(format!("the study has no method “{method}”; it has {}", known.join(", ")).into());
    }
    let how = Simulation {
        raters: args.raters as usize,
        careless: args.careless.min(args.raters) as usize,
        effects: args.effects.iter().cloned().collect::<BTreeMap<_, _>>(),
        spread: args.spread.spread(),
        seed: args.seed,
    };
    let text = write_csv(&simulate(&study, &how));
    if let Some(path) = &args.study_out {
        write(path, &study.to_json())?;
    }
    match &args.out {
        Some(path) => write(path, &text)?,
        None => out!("{text}"),
    }
    Ok(())
}

fn powered(args: &PowerArgs) -> Result<(), Box<dyn Error>> {
    let effect = Effect {
        difference: args.effect,
        positions: args.positions as usize,
        points: args.points as usize,
        spread: args.spread.spread(),
        alpha: args.alpha / f64::from(args.comparisons),
        runs: args.runs as usize,
        seed: args.seed,
    };
    let (test, comparisons) = (PairedTest::SignedRank, args.comparisons as usize);
    let unreachable = unreachable_levels(effect.positions, test, comparisons);
    let needed = effect.raters_needed(args.power, args.most as usize);
    if args.json {
        let smallest = smallest_p_holm(effect.positions, test, comparisons);
        outln!(
            "{}",
            json!({
                "effect": effect, "power": args.power, "needed": needed, "smallest_p_holm": smallest, "unreachable": unreachable
            })
        );
        return Ok(());
    }
    for sentence in unreachable {
        outln!("{sentence}");
    }
    let Needed { raters, tried } = needed;
    outln!("raters  power  95 % interval ({} simulated studies)", args.runs);
    for (raters, rate) in tried {
        outln!(
            "{raters:>6}  {:.3}  {:.3} to {:.3}",
            rate.rate,
            rate.interval.low,
            rate.interval.high
        );
    }
    match raters {
        Some(raters) => outln!("{raters} raters find it with a power of at least {}.", args.power),
        None => outln!(
            "Not even {} raters find it with a power of {}: more positions may, where comments differ more than raters.",
            args.most,
            args.power
        ),
    }
    Ok(())
}

fn which(name: &str) -> Result<Which, String> {
    let all = Which::ALL.map(Which::name);
    let place = all.iter().position(|known| *known == name);
    place
        .map(|place| Which::ALL[place])
        .ok_or_else(|| format!("there are {}", all.join(", ")))
}

fn scale(text: &str) -> Result<(String, Ends), String> {
    let read = || {
        let (criterion, ends) = text.split_once('=')?;
        let (low, high) = ends.split_once("..")?;
        let ends = Ends {
            low: low.trim().parse().ok()?,
            high: high.trim().parse().ok()?,
        };
        (ends.low < ends.high).then(|| (criterion.to_owned(), ends))
    };
    read().ok_or_else(|| "a scale is written as clarity=1..5".to_owned())
}

fn effect(text: &str) -> Result<(String, f64), String> {
    let read = || {
        let (method, share) = text.rsplit_once('=')?;
        let share: f64 = share.trim().parse().ok()?;
        (-1.0..=1.0).contains(&share).then(|| (method.to_owned(), share))
    };
    read().ok_or_else(|| "an effect is written as METHOD=0.1, between -1 and 1".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a number between 0 and 1".to_owned())
}

fn deviation(text: &str) -> Result<f64, String> {
    let deviation: Option<f64> = text.parse().ok();
    deviation
        .filter(|sd| (0.0..=10.0).contains(sd))
        .ok_or_else(|| "a number between 0 and 10".to_owned())
}
