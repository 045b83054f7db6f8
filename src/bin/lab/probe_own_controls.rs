//! `lab probe controls`: the controls of probes that are there, each fitted on the layer that its probe reads.
//!
//! `lab probe fit --control` lets a control choose among all layers, as its probe did: a probe's fit again, for each control.
//! Here the layer is the probe's, so that a control is the search's fits of that layer and the refinement's. C is chosen anew,
//! from the list that the probe's was chosen from. The positions may be others than the probe's own, and fewer: so the layer is
//! fitted on the network too, and the controls are held against that fit, which has the same rows, split and tails.

use std::{error::Error, fs, path::PathBuf, process::ExitCode};

use kibitz::{
    concepts::{
        ControlFigures, Layer, PlaneRows, Probe, ProbeSet, SameFit,
        extra_fit::{self, ExtraLabels},
        fit::{Fitted, Settings, Target, Trial},
        fitting::targets,
        split::Side,
    },
    net::Network,
};
use serde::Serialize;

use super::{
    probe_data::{ActivationFiles, Cache, file_name, sha256_of},
    probe_extra::ExtraArgs,
    probe_fit::{Procedure, fit_each},
    probe_inputs::{Named, ProbeInputs, Sources},
    setup::read,
};

/// Which probes, and where they go.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    sources: Sources,
    /// The probes.
    #[arg(long, value_name = "FILE")]
    probes: PathBuf,
    /// Only the probes of these concepts (`Pawns`, `Our Knights`, …); without it all.
    #[arg(long = "only", value_name = "CONCEPT")]
    only: Vec<String>,
    #[command(flatten)]
    procedure: Procedure,
    /// Where the probes go with their controls' accuracies; all else in the file stays as it is.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Both controls of the probes beside the same fit on the network, with all that is needed to make them again.
#[derive(Debug, Serialize)]
struct Report<'a> {
    schema: &'static str,
    seed: u64,
    network: Named<'a>,
    positions: NamedPositions<'a>,
    labels: Named<'a>,
    probes: Named<'a>,
    /// Means over the rows.
    accuracy: f64,
    shuffled: f64,
    planes: f64,
    selectivity: f64,
    rows: Vec<Row<'a>>,
}

#[derive(Debug, Serialize)]
struct NamedPositions<'a> {
    #[serde(flatten)]
    file: Named<'a>,
    count: usize,
    test: usize,
}

/// The probe's card before.
#[derive(Debug, Serialize)]
struct Shipped {
    n: u64,
    accuracy: f64,
}

/// A probe's layer beside its controls.
#[derive(Debug, Serialize)]
struct Row<'a> {
    concept: &'a str,
    layer: &'a Layer,
    of_probe: Shipped,
    /// Positions that this fit and the controls learnt from.
    n: u64,
    /// Of the same layer's fit on the network.
    accuracy: f64,
    shuffled: f64,
    planes: f64,
    /// The accuracy less the higher control's.
    selectivity: f64,
    /// What was tried on the network, the last one being what was kept.
    tried: &'a [Trial],
    /// The same on the shuffled network.
    tried_shuffled: &'a [Trial],
    /// The same on the planes.
    tried_planes: &'a [Trial],
}

/// A probe's target with the settings it was fitted with, its layer alone to choose from.
type Job = (Target, Settings);

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Box<dyn Error>> {
    let mut probes = ProbeSet::read(&read(&args.probes, "--probes")?)?;
    let wanted = wanted(&probes, &args.only)?;
    let seed = seed(&wanted)?;
    let cache = Cache::new(args.procedure.cache.as_deref())?;
    let inputs = ProbeInputs::new(&args.sources, seed, &cache)?;
    probes.check_network(&inputs.network.sha256)?;
    let extra = ExtraArgs::default().labels(&inputs.file);
    let jobs = jobs(&wanted, &inputs, &extra, &args.procedure, seed)?;
    let threads = args.procedure.threads;
    let read = |what: &str| errln!("lab: fits on {what}");
    read("the input planes");
    let store = PlaneRows::of(&inputs.file.positions);
    let planes = fit_each(
        jobs_on(&jobs, |_| PlaneRows::layer()),
        &inputs.positions,
        &store,
        threads,
    )?;
    let on_network = |network: &Network| -> Result<Vec<Fitted>, Box<dyn Error>> {
        let layers = jobs.iter().flat_map(|job| &job.1.layers);
        let store = ActivationFiles::new(network, &inputs.file, layers, &cache, threads.into())?;
        fit_each(jobs.clone(), &inputs.positions, &store, threads)
    };
    read("the network");
    let own = on_network(&inputs.network)?;
    read("the shuffled network");
    let shuffled = on_network(&inputs.network.shuffled(seed))?;
    let rows: Vec<Row> = wanted
        .iter()
        .zip(&own)
        .zip(shuffled.iter().zip(&planes))
        .map(|((probe, own), controls)| row(probe, own, controls))
        .collect();
    probes = noted(probes, &rows)?;
    fs::write(&args.out, probes.write()).map_err(|error| format!("{}: {error}", args.out.display()))?;
    show(args, &inputs, seed, rows)?;
    Ok(ExitCode::SUCCESS)
}

/// The probes of these names, or all; those that are only said to be missing have no control.
fn wanted(probes: &ProbeSet, only: &[String]) -> Result<Vec<Probe>, Box<dyn Error>> {
    let there: Vec<&Probe> = probes.all().iter().filter(|probe| !probe.is_silent()).collect();
    if let Some(unknown) = only
        .iter()
        .find(|name| !there.iter().any(|probe| probe.card.name == **name))
    {
        return Err(format!("--only {unknown:?}: the file has no probe of that concept").into());
    }
    let wanted = |probe: &&Probe| only.is_empty() || only.contains(&probe.card.name);
    let wanted: Vec<Probe> = there.into_iter().filter(wanted).cloned().collect();
    if wanted.is_empty() {
        return Err("the file has no probe that was fitted".into());
    }
    Ok(wanted)
}

/// The seed that all of them were fitted with: it deals out the games.
fn seed(probes: &[Probe]) -> Result<u64, Box<dyn Error>> {
    let seed = probes.first().map_or(0, |probe| probe.card.seed);
    match probes.iter().find(|probe| probe.card.seed != seed) {
        Some(other) => Err(format!(
            "{} was fitted with seed {}, others with {seed}: name those of one seed with --only",
            other.card.name, other.card.seed
        )
        .into()),
        None => Ok(seed),
    }
}

/// A job a probe, in their order.
fn jobs(
    probes: &[Probe],
    inputs: &ProbeInputs,
    extra: &[ExtraLabels],
    procedure: &Procedure,
    seed: u64,
) -> Result<Vec<Job>, Box<dyn Error>> {
    let usual = procedure.settings(inputs.network.blocks(), inputs.file.positions.len(), seed);
    let of_the_21 = targets(&inputs.labelled, &inputs.labels_text());
    let classes = extra_fit::targets(extra, &inputs.positions);
    let job = |probe: &Probe| -> Result<Job, Box<dyn Error>> {
        let card = &probe.card;
        let own = Settings {
            layers: vec![card.layer.clone()],
            ..usual.clone()
        };
        let named = |target: &&Target| target.name == card.name;
        let (target, settings) = match (of_the_21.iter().find(named), classes.iter().find(named)) {
            (Some(target), _) => (target, own),
            (None, Some(target)) => (target, extra_fit::settings(&own)),
            (None, None) => return Err(format!("{}: these positions have not enough labels", card.name).into()),
        };
        Ok((target.clone(), settings))
    };
    probes.iter().map(job).collect()
}

/// The same jobs on other layers.
fn jobs_on(jobs: &[Job], layer: impl Fn(&Layer) -> Layer) -> Vec<Job> {
    let with = |(target, settings): &Job| {
        let layers = settings.layers.iter().map(&layer).collect();
        let settings = settings.clone();
        (target.clone(), Settings { layers, ..settings })
    };
    jobs.iter().map(with).collect()
}

/// The set with the controls' accuracies in the cards, and what they are held against.
fn noted(set: ProbeSet, rows: &[Row]) -> Result<ProbeSet, Box<dyn Error>> {
    let with_controls = |probe: &Probe| {
        let row = rows.iter().find(|row| row.concept == probe.card.name)?;
        let mut probe = probe.clone();
        probe.card.controls = row.figures();
        Some(probe)
    };
    let changed = set.all().iter().filter_map(with_controls).collect();
    Ok(set.with_probes(changed)?)
}

impl Row<'_> {
    /// For the probe's card.
    const fn figures(&self) -> ControlFigures {
        ControlFigures {
            shuffled: Some(self.shuffled),
            planes: Some(self.planes),
            beside: Some(SameFit {
                n: self.n,
                accuracy: self.accuracy,
            }),
        }
    }
}

fn row<'a>(probe: &'a Probe, own: &'a Fitted, (shuffled, planes): (&'a Fitted, &'a Fitted)) -> Row<'a> {
    let of = |fitted: &Fitted| fitted.probe.card.accuracy;
    Row {
        concept: &probe.card.name,
        layer: &probe.card.layer,
        of_probe: Shipped {
            n: probe.card.n,
            accuracy: probe.card.accuracy,
        },
        n: own.probe.card.n,
        accuracy: of(own),
        shuffled: of(shuffled),
        planes: of(planes),
        selectivity: of(own) - of(shuffled).max(of(planes)),
        tried: &own.trials,
        tried_shuffled: &shuffled.trials,
        tried_planes: &planes.trials,
    }
}

fn show(args: &Args, inputs: &ProbeInputs, seed: u64, rows: Vec<Row>) -> Result<(), Box<dyn Error>> {
    let mean = |of: fn(&Row) -> f64| rows.iter().map(of).sum::<f64>() / rows.len().max(1) as f64;
    let (labels, probes) = (file_name(&inputs.labels_path), file_name(&args.probes));
    let probes_hash = sha256_of(&args.probes)?;
    let report = Report {
        schema: "kibitz-probe-controls-1",
        seed,
        network: inputs.named_network(),
        positions: NamedPositions {
            file: inputs.named_positions(),
            count: inputs.positions.len(),
            test: inputs.positions.on(Side::Test).len(),
        },
        labels: Named {
            name: &labels,
            sha256: &inputs.labels_hash,
        },
        probes: Named {
            name: &probes,
            sha256: &probes_hash,
        },
        accuracy: mean(|row| row.accuracy),
        shuffled: mean(|row| row.shuffled),
        planes: mean(|row| row.planes),
        selectivity: mean(|row| row.selectivity),
        rows,
    };
    if args.json {
        outln!("{}", serde_json::to_string(&report)?);
        return Ok(());
    }
    outln!(
        "{:<24} {:>8} {:>9} {:>8} {:>12} {:>6}  layer",
        "",
        "accuracy",
        "shuffled",
        "planes",
        "selectivity",
        "n"
    );
    for row in &report.rows {
        outln!(
            "{:<24} {:>8.4} {:>9.4} {:>8.4} {:>+12.4} {:>6}  {}",
            row.concept,
            row.accuracy,
            row.shuffled,
            row.planes,
            row.selectivity,
            row.n,
            row.layer
        );
    }
    outln!(
        "{:<24} {:>8.4} {:>9.4} {:>8.4} {:>+12.4}",
        "mean",
        report.accuracy,
        report.shuffled,
        report.planes,
        report.selectivity
    );
    Ok(())
}
