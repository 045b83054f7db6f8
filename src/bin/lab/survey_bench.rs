//! `lab survey bench`: how long the analysis of a large study takes, step by step.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    time::Instant,
};

use kibitz::{
    pace::{AtOnce, at_once},
    survey::{
        analysis::{
            Options, agreement::agreement, analyse, correlations::correlations, dataset::Dataset,
            distributions::distributions, errors::errors, layout::Which, material::Material, means, quality,
        },
        long_form::{read_csv, write_csv},
        merge::{Results, merge},
        simulation::{Simulation, Spread, made_up_study, simulate},
    },
};
use serde_json::json;

/// How large the study is.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many raters are simulated.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    raters: u32,
    /// How many positions the simulated study has.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    positions: u32,
    /// Methods: a comment of each on every position.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=20))]
    methods: u32,
    /// The steps are timed so many times; the fastest counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The fastest of several runs, in milliseconds, by step.
#[derive(Default)]
struct Times(Vec<(&'static str, f64)>);

impl Times {
    fn of<T>(&mut self, step: &'static str, work: impl FnOnce() -> T) -> T {
        let clock = Instant::now();
        let done = work();
        let ms = clock.elapsed().as_secs_f64() * 1000.0;
        match self.0.iter_mut().find(|(name, _)| *name == step) {
            Some((_, fastest)) => *fastest = fastest.min(ms),
            None => self.0.push((step, ms)),
        }
        done
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let methods: Vec<String> = (1..=args.methods).map(|method| format!("method-{method}")).collect();
    let study = made_up_study(args.positions as usize, &methods, 1);
    let ratings = simulate(
        &study,
        &Simulation {
            raters: args.raters as usize,
            careless: args.raters as usize / 20,
            effects: BTreeMap::from([(methods[0].clone(), 0.1)]),
            spread: Spread::default(),
            seed: 1,
        },
    );
    let csv = write_csv(&ratings);
    let material = Material::from(&study);
    let options = Options {
        baseline: Some(methods[0].clone()),
        exclude_flagged: true,
        ..Options::default()
    };
    let mut times = Times::default();
    for _ in 0..args.runs {
        let read = times.of("read the CSV", || read_csv(&csv))?;
        let merged = times.of("merge", || merge(vec![("ratings.csv".to_owned(), Results::Rows(read))]));
        let report = times.of("analyse", || analyse(&merged.ratings, &material, &options))?;
        times.of("lay out all tables", || {
            Which::ALL.map(|which| report.table(which).to_markdown())
        });
        // The parts of the analysis, once each.
        let (pace, everybody) = (&AtOnce, BTreeSet::new());
        let data = times.of("  sort", || {
            at_once(Dataset::new([&ratings[..]].into_iter(), &material, &everybody, pace))
        })?;
        times.of("  raters", || {
            at_once(quality::raters(&data, &material, &options.limits, pace))
        });
        times.of("  means", || at_once(means::means(&data, &options, pace)));
        times.of("  comparisons", || {
            at_once(means::comparisons(&data, &material, &options, pace))
        });
        times.of("  errors", || at_once(errors(&data, &options, pace)));
        times.of("  agreement", || at_once(agreement(&data, &options, pace)));
        times.of("  correlations", || {
            at_once(correlations(&data, &material, &options, pace))
        });
        times.of("  distributions", || at_once(distributions(&data, pace)));
    }
    let total: f64 = times
        .0
        .iter()
        .filter(|(step, _)| !step.starts_with(' '))
        .map(|(_, ms)| ms)
        .sum();
    if args.json {
        let steps: BTreeMap<&str, f64> = times.0.iter().map(|(step, ms)| (step.trim(), *ms)).collect();
        outln!(
            "{}",
            json!({"rows": ratings.len(), "bytes": csv.len(), "total_ms": total, "steps_ms": steps})
        );
        return Ok(());
    }
    outln!(
        "{} raters × {} items: {} rows, {:.1} MB",
        args.raters,
        study.comments(),
        ratings.len(),
        csv.len() as f64 / 1e6
    );
    for (step, ms) in &times.0 {
        outln!("{step:<20} {ms:>8.1} ms");
    }
    outln!("{:<20} {total:>8.1} ms", "in all");
    Ok(())
}
