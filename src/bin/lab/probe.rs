//! `lab probe`: fits concept probes on a network and reports on them.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Subcommand;
use kibitz::{
    commentary::theme_facts::ThemeRow,
    concepts::{
        ProbeSet,
        extra_fit::{self, ExtraLabels, ExtraRow, Judged},
        fit::{Fitted, Settings, Trial, decide},
        fitting::targets,
        report::{Evidence, Report, Row, Table},
        split::Side,
    },
};
use serde::Serialize;

use super::{
    probe_changes,
    probe_controls::{self, ControlArgs, Controlled, controlled},
    probe_data::{ActivationFiles, Cache, file_name, sha256_of},
    probe_extra::{ExtraArgs, print_concepts, print_themes},
    probe_fit::{FitArgs, fit_all},
    probe_inputs::{Named, ProbeInputs, Sources},
    probe_own_controls, probe_priorities, probe_read, probe_steer,
    setup::read,
};

/// What to do with probes.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Fits probes and writes their file.
    Fit(FitCommand),
    /// Prints the table in the manner of the paper's Table 6; ends with 1 when it is below the floors.
    Report(ReportCommand),
    /// Fits the controls of the probes in a file, each on its probe's own layer, and writes them into it.
    Controls(probe_own_controls::Args),
    /// Fits probes of changes on whole games, and judges them on others.
    Changes(probe_changes::Args),
    /// Writes activations, scores and shares of positions as CSV, NPY and JSON.
    Read(probe_read::Args),
    /// Does the network use what probes read? Shifts activations along their directions.
    Steer(probe_steer::Args),
    /// How often the concepts that a move changes most are the same by probes and by Stockfish 8's own terms.
    Priorities(probe_priorities::Args),
}

#[derive(Debug, clap::Args)]
struct FitCommand {
    #[command(flatten)]
    sources: Sources,
    #[command(flatten)]
    fit: FitArgs,
    #[command(flatten)]
    extra: ExtraArgs,
    #[command(flatten)]
    controls: ControlArgs,
    /// Fit only these concepts (`Our Open File`, …), for the probes of `--add`.
    #[arg(long = "only", value_name = "CONCEPT", requires = "add")]
    only: Vec<String>,
    /// Put what is fitted into these probes, each in the place of the one of its name or after all others; what else is in
    /// the file stays as it is.
    #[arg(long, value_name = "FILE", requires = "only", conflicts_with_all = ["controls", "json"])]
    add: Option<PathBuf>,
    /// Where the probe file goes.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The report as one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct ReportCommand {
    #[command(flatten)]
    sources: Sources,
    #[command(flatten)]
    fit: FitArgs,
    #[command(flatten)]
    extra: ExtraArgs,
    #[command(flatten)]
    controls: ControlArgs,
    /// Judge these probes; without it probes are fitted first. With the seed that they were fitted with the test games
    /// are the same.
    #[arg(long, value_name = "FILE")]
    probes: Option<PathBuf>,
    /// Fit only this concept (`Pawns`, `Our Knights`, …), and print what was tried instead of a report.
    #[arg(long = "only", value_name = "CONCEPT", conflicts_with_all = ["probes", "json"])]
    only: Vec<String>,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The report with all that is needed to make it again.
#[derive(Debug, Serialize)]
struct Whole<'a> {
    schema: &'static str,
    seed: u64,
    share: f64,
    network: Named<'a>,
    positions: NamedPositions<'a>,
    labels: Named<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probes: Option<Named<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fit: Option<&'a Settings>,
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "<[ExtraRow]>::is_empty")]
    extra: &'a [ExtraRow],
    #[serde(skip_serializing_if = "<[ThemeRow]>::is_empty")]
    themes: &'a [ThemeRow],
    #[serde(skip_serializing_if = "<[Controlled]>::is_empty")]
    controls: &'a [Controlled],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    search: Vec<Search<'a>>,
}

#[derive(Debug, Serialize)]
struct NamedPositions<'a> {
    #[serde(flatten)]
    file: Named<'a>,
    count: usize,
    repeated: usize,
    training: usize,
    validation: usize,
    test: usize,
}

#[derive(Debug, Serialize)]
struct Search<'a> {
    concept: &'a str,
    trials: &'a [Trial],
}

/// What is reported about the probes.
struct Judgement {
    report: Report,
    extra: Vec<ExtraRow>,
    themes: Vec<ThemeRow>,
    controls: Vec<Controlled>,
}

impl Judgement {
    /// Fits the controls, one after the other.
    fn add_controls(
        &mut self,
        wanted: &ControlArgs,
        inputs: &ProbeInputs,
        extra: &[ExtraLabels],
        args: &FitArgs,
        settings: &Settings,
        cache: &Cache,
    ) -> Result<(), Box<dyn Error>> {
        for control in wanted.wanted() {
            let found = controlled(control, inputs, extra, args, settings, &self.report, cache)?;
            self.controls.push(found);
        }
        Ok(())
    }

    /// Writes the controls' accuracies into the probes' cards.
    fn note_controls(&self, fitted: &mut [Fitted]) {
        for (control, figures) in self.controls.iter().filter_map(|control| control.of_cards.as_ref()) {
            for one in &mut *fitted {
                let card = &mut one.probe.card;
                if let Some((_, accuracy)) = figures.iter().find(|(name, _)| *name == card.name) {
                    card.controls.set(*control, *accuracy);
                }
            }
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Box<dyn Error>> {
    match &args.command {
        Command::Fit(command) => fit(command),
        Command::Report(command) => report(command),
        Command::Controls(args) => probe_own_controls::run(args),
        Command::Changes(args) => probe_changes::run(args),
        Command::Read(args) => probe_read::run(args),
        Command::Steer(args) => probe_steer::run(args),
        Command::Priorities(args) => probe_priorities::run(args),
    }
}

fn fit(command: &FitCommand) -> Result<ExitCode, Box<dyn Error>> {
    let cache = Cache::new(command.fit.procedure.cache.as_deref())?;
    let inputs = ProbeInputs::new(&command.sources, command.fit.seed, &cache)?;
    let extra = command.extra.labels(&inputs.file);
    if let Some(path) = &command.add {
        return add(command, path, &inputs, &extra, &cache);
    }
    let (settings, mut fitted) = fitted(&inputs, &command.fit, &extra, &[], &cache)?;
    let write = |probes: &ProbeSet| {
        fs::write(&command.out, probes.write()).map_err(|error| format!("{}: {error}", command.out.display()))
    };
    let probes = probe_set(&inputs, &fitted)?;
    // Before the controls, which take longer than the probes: what is there is kept.
    write(&probes)?;
    let decisions: Vec<Vec<f32>> = fitted.iter().map(|fitted| fitted.decisions.clone()).collect();
    let mut judged = judge(&inputs, &probes, &decisions, settings.share, &extra, &command.extra)?;
    judged.add_controls(&command.controls, &inputs, &extra, &command.fit, &settings, &cache)?;
    judged.note_controls(&mut fitted);
    write(&probe_set(&inputs, &fitted)?)?;
    show(&inputs, &settings, &judged, Some(&fitted), None, command.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Fits some concepts, and puts them into the probes of a file.
fn add(
    command: &FitCommand,
    path: &Path,
    inputs: &ProbeInputs,
    extra: &[ExtraLabels],
    cache: &Cache,
) -> Result<ExitCode, Box<dyn Error>> {
    let probes = ProbeSet::read(&read(path, "--add")?)?;
    probes.check_network(&inputs.network.sha256)?;
    let (_, fitted) = fitted(inputs, &command.fit, extra, &command.only, cache)?;
    let probes = probes.with_probes(fitted.iter().map(|fitted| fitted.probe.clone()).collect())?;
    fs::write(&command.out, probes.write()).map_err(|error| format!("{}: {error}", command.out.display()))?;
    fitted.iter().for_each(print_trials);
    let judged: Vec<Judged> = fitted
        .iter()
        .map(|fitted| Judged {
            probe: &fitted.probe,
            decisions: &fitted.decisions,
        })
        .collect();
    let named = |row: &ExtraRow| fitted.iter().any(|fitted| fitted.probe.card.name == row.concept);
    let mut rows = extra_fit::rows(extra, &inputs.positions, &judged);
    rows.retain(named);
    print_concepts(&rows);
    Ok(ExitCode::SUCCESS)
}

fn report(command: &ReportCommand) -> Result<ExitCode, Box<dyn Error>> {
    let cache = Cache::new(command.fit.procedure.cache.as_deref())?;
    let inputs = ProbeInputs::new(&command.sources, command.fit.seed, &cache)?;
    let extra = command.extra.labels(&inputs.file);
    let judged = match &command.probes {
        None if !command.only.is_empty() => {
            let (_, fitted) = fitted(&inputs, &command.fit, &extra, &command.only, &cache)?;
            fitted.iter().for_each(print_trials);
            return Ok(ExitCode::SUCCESS);
        }
        None => {
            let (settings, fitted) = fitted(&inputs, &command.fit, &extra, &[], &cache)?;
            let probes = probe_set(&inputs, &fitted)?;
            let decisions: Vec<Vec<f32>> = fitted.iter().map(|fitted| fitted.decisions.clone()).collect();
            let mut judged = judge(&inputs, &probes, &decisions, settings.share, &extra, &command.extra)?;
            judged.add_controls(&command.controls, &inputs, &extra, &command.fit, &settings, &cache)?;
            show(&inputs, &settings, &judged, Some(&fitted), None, command.json)?;
            judged
        }
        Some(path) => {
            let probes = ProbeSet::read(&read(path, "--probes")?)?;
            probes.check_network(&inputs.network.sha256)?;
            if probes.probes().iter().any(|probe| probe.card.seed != command.fit.seed) {
                errln!("lab: the probes were fitted with another seed: they may have learnt from these test games");
            }
            let settings = command
                .fit
                .settings(inputs.network.blocks(), inputs.file.positions.len());
            let store = ActivationFiles::new(
                &inputs.network,
                &inputs.file,
                probes.layers(),
                &cache,
                command.fit.procedure.threads.into(),
            )?;
            let test = inputs.positions.on(Side::Test);
            let decisions = probes
                .all()
                .iter()
                .map(|probe| decide(probe, &test, &store))
                .collect::<Result<Vec<_>, _>>()?;
            let mut judged = judge(&inputs, &probes, &decisions, settings.share, &extra, &command.extra)?;
            judged.add_controls(&command.controls, &inputs, &extra, &command.fit, &settings, &cache)?;
            let (name, hash) = (file_name(path), sha256_of(path)?);
            let named = Named {
                name: &name,
                sha256: &hash,
            };
            show(&inputs, &settings, &judged, None, Some(named), command.json)?;
            judged
        }
    };
    Ok(if judged.report.met {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// The probes of the 21 concepts, then those of the extra ones that have enough labels; or of `only` those named.
fn fitted(
    inputs: &ProbeInputs,
    args: &FitArgs,
    extra: &[ExtraLabels],
    only: &[String],
    cache: &Cache,
) -> Result<(Settings, Vec<Fitted>), Box<dyn Error>> {
    let settings = args.settings(inputs.network.blocks(), inputs.file.positions.len());
    let threads = args.procedure.threads;
    let store = ActivationFiles::new(&inputs.network, &inputs.file, &settings.layers, cache, threads.into())?;
    let mut targets = targets(&inputs.labelled, &inputs.labels_text());
    let mut classes = extra_fit::targets(extra, &inputs.positions);
    let known = |name: &String| targets.iter().chain(&classes).any(|target| target.name == *name);
    if let Some(unknown) = only.iter().find(|name| !known(name)) {
        return Err(format!("--only {unknown:?}: there is no such concept in the mover's frame").into());
    }
    targets.retain(|target| only.is_empty() || only.contains(&target.name));
    classes.retain(|target| only.is_empty() || only.contains(&target.name));
    let mut fitted = Vec::new();
    if !targets.is_empty() {
        fitted = fit_all(targets, &inputs.positions, &settings, &store, threads)?;
    }
    if !classes.is_empty() {
        let settings = extra_fit::settings(&settings);
        fitted.extend(fit_all(classes, &inputs.positions, &settings, &store, threads)?);
    }
    Ok((settings, fitted))
}

fn probe_set(inputs: &ProbeInputs, fitted: &[Fitted]) -> Result<ProbeSet, Box<dyn Error>> {
    let probes = fitted.iter().map(|fitted| fitted.probe.clone()).collect();
    Ok(ProbeSet::new(&inputs.network.sha256, inputs.network.filters(), probes)?)
}

/// `decisions`: those of all probes of the set, in its order, on the test games.
fn judge(
    inputs: &ProbeInputs,
    probes: &ProbeSet,
    decisions: &[Vec<f32>],
    share: f64,
    extra: &[ExtraLabels],
    args: &ExtraArgs,
) -> Result<Judgement, Box<dyn Error>> {
    let report = Report::new(&Evidence {
        positions: &inputs.positions,
        labels: &inputs.labelled,
        share,
        probes: probes.probes(),
        decisions,
    })?;
    let judged: Vec<Judged> = probes
        .all()
        .iter()
        .zip(decisions)
        .map(|(probe, decisions)| Judged { probe, decisions })
        .collect();
    Ok(Judgement {
        report,
        extra: extra_fit::rows(extra, &inputs.positions, &judged),
        themes: args.themes()?,
        controls: Vec::new(),
    })
}

fn show(
    inputs: &ProbeInputs,
    settings: &Settings,
    judged: &Judgement,
    fitted: Option<&[Fitted]>,
    probes: Option<Named>,
    json: bool,
) -> Result<(), Box<dyn Error>> {
    let count = |side| inputs.positions.on(side).len();
    let labels_name = file_name(&inputs.labels_path);
    let whole = Whole {
        schema: "kibitz-probe-report-1",
        seed: settings.seed,
        share: settings.share,
        network: inputs.named_network(),
        positions: NamedPositions {
            file: inputs.named_positions(),
            count: inputs.positions.len(),
            repeated: inputs.positions.repeated(),
            training: count(Side::Training),
            validation: count(Side::Validation),
            test: count(Side::Test),
        },
        labels: Named {
            name: &labels_name,
            sha256: &inputs.labels_hash,
        },
        probes,
        fit: fitted.is_some().then_some(settings),
        report: &judged.report,
        extra: &judged.extra,
        themes: &judged.themes,
        controls: &judged.controls,
        search: fitted
            .unwrap_or_default()
            .iter()
            .map(|fitted| Search {
                concept: &fitted.probe.card.name,
                trials: &fitted.trials,
            })
            .collect(),
    };
    if json {
        outln!("{}", serde_json::to_string(&whole)?);
    } else {
        print(&whole);
    }
    Ok(())
}

fn print(whole: &Whole) {
    let Whole { positions, report, .. } = whole;
    outln!("network    {} ({:.12})", whole.network.name, whole.network.sha256);
    outln!(
        "positions  {} ({:.12}): {}, of which {} repeated; training {}, validation {}, test {}; {} without labels",
        positions.file.name,
        positions.file.sha256,
        positions.count,
        positions.repeated,
        positions.training,
        positions.validation,
        positions.test,
        report.unlabelled
    );
    outln!("labels     {} ({:.12})", whole.labels.name, whole.labels.sha256);
    outln!("seed {}, tails of {} %\n", whole.seed, whole.share * 100.0);
    outln!("The mover's frame\n");
    table(&report.mover);
    outln!("\nWhite and Black, as the paper's Table 6\n");
    table(&report.colours);
    let floors = report.floors;
    outln!(
        "\nmean {:.4} (floor {}), {} of {} rows at or above the paper (floor {}), least {:.4} (floor {}): {}",
        report.colours.mean,
        floors.mean,
        report.at_or_above_paper,
        report.colours.rows.len(),
        floors.rows,
        report.colours.min,
        floors.min,
        if report.met { "met" } else { "NOT met" }
    );
    probe_controls::print(report, whole.extra, whole.controls);
    print_concepts(whole.extra);
    print_themes(whole.themes);
}

/// What was tried for a concept, the last line being the fit that was kept.
fn print_trials(fitted: &Fitted) {
    let figure = |figure: Option<f64>| figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.4}"));
    for trial in &fitted.trials {
        outln!(
            "{:<18} {:<28} C {:<7.0e} {:>6} rows: validation {}, AUC {}",
            fitted.probe.card.name,
            trial.layer.to_string(),
            trial.c,
            trial.n,
            figure(trial.accuracy),
            figure(trial.auc)
        );
    }
    let card = &fitted.probe.card;
    outln!(
        "{:<18} test {:.4}, AUC between the tails {}, Spearman {}",
        card.name,
        card.accuracy,
        figure(card.auc),
        figure(card.spearman)
    );
}

fn table(table: &Table) {
    outln!(
        "{:<18} {:>8} {:>9} {:>7} {:>6} {:>8} {:>6} {:>6} {:>11} {:>6}  layer, C",
        "",
        "accuracy",
        "precision",
        "recall",
        "AUC",
        "Spearman",
        "paper",
        "test",
        "tied +/− %",
        "n"
    );
    for row in &table.rows {
        line(row);
    }
    outln!("{:<18} {:>8.4}   least {:.4}", "mean", table.mean, table.min);
}

fn line(row: &Row) {
    let figure = |figure: Option<f64>| figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.3}"));
    let below = if row.at_or_above == Some(false) { "<" } else { " " };
    outln!(
        "{:<18} {:>8.4} {:>9.4} {:>7.4} {:>6} {:>8} {}{:>5} {:>6} {:>5.0}/{:<5.0} {:>6}  {}",
        row.concept,
        row.accuracy,
        row.precision,
        row.recall,
        figure(row.auc),
        figure(row.spearman),
        below,
        row.paper
            .map_or_else(String::new, |paper| format!("{:.2}", paper.accuracy)),
        row.test,
        row.tied_positive * 100.0,
        row.tied_negative * 100.0,
        used(&row.n, u64::to_string),
        [
            used(&row.layer, ToString::to_string),
            used(&row.c, |c| format!("{c:.0e}"))
        ]
        .join(", ")
    );
}

fn used<T>(used: &kibitz::concepts::report::Used<T>, text: impl Fn(&T) -> String) -> String {
    match used {
        kibitz::concepts::report::Used::One(one) => text(one),
        kibitz::concepts::report::Used::Two([ours, theirs]) => format!("{}/{}", text(ours), text(theirs)),
    }
}
