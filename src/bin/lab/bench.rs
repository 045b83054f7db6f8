//! `lab bench`: how long each stage of the pipeline takes.

use std::{
    error::Error,
    path::PathBuf,
    time::{Duration, Instant},
};

use serde::Serialize;
use shakmaty::{Chess, Position};

use super::bench_annotation::{self, AnnotationReport};
use super::bench_blindfold::{self, BlindfoldReport};
use super::bench_convolutions::{self, ConvolutionsReport};
use super::bench_fit::{self, FitReport};
use super::bench_game::{self, GameReport};
use super::bench_positions::POSITIONS;
use super::bench_searchless::{self, SearchlessReport};
use super::comment::LimitArgs;
use super::input::Input;
use super::pipeline::{Pipeline, Times};
use super::setup::{Parts, read};

/// What is measured, and how often.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    limit: LimitArgs,
    /// How often the list of positions is run.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Positions for labels, activations and fits: the first 500 are taken.
    #[arg(long, value_name = "FILE", default_value = "public/networks/positions.tsv.gz")]
    positions: PathBuf,
    /// The small language model that is asked where the pieces are; where the file is missing, that is not measured.
    #[arg(long, value_name = "FILE", default_value = "public/blindfold/rap25.safetensors")]
    lm: PathBuf,
    /// The model of action values that looks at positions; where the file is missing, that is not measured.
    #[arg(long, value_name = "FILE", default_value = "public/searchless/av.safetensors")]
    searchless: PathBuf,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    positions: usize,
    runs: u32,
    limit: kibitz::uci::Limit,
    engine: Option<EngineReport>,
    network: Option<NetworkReport>,
    /// The network with each way to compute its convolutions; none without a network.
    convolutions: Vec<ConvolutionsReport>,
    probes: Option<FitReport>,
    annotation: Option<AnnotationReport>,
    /// A game, by each number of engines; none without an engine.
    games: Vec<GameReport>,
    blindfold: Option<BlindfoldReport>,
    searchless: Option<SearchlessReport>,
    stages: Vec<StageCost>,
    /// The time beyond the engine's two searches, as a share of them.
    overhead_percent: Option<f64>,
}

#[derive(Debug, Serialize)]
struct EngineReport {
    name: String,
    nodes_per_second: f64,
}

#[derive(Debug, Serialize)]
struct NetworkReport {
    name: String,
    /// Milliseconds a position, one at a time.
    batch_1_ms: f64,
    /// Milliseconds a position where three are asked for together (they are run one after the other).
    batch_3_ms: f64,
}

/// What one stage costs, in milliseconds.
#[derive(Debug, Serialize)]
struct StageCost {
    name: &'static str,
    mean: f64,
    median: f64,
    max: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let inputs = POSITIONS
        .iter()
        .map(|(fen, mv)| Input::read(fen, mv).map_err(|error| format!("{fen} {mv}: {error}")))
        .collect::<Result<Vec<_>, _>>()?;
    let mut pipeline = Pipeline {
        engine: args.parts.engine()?,
        labels: args.parts.labels()?,
        network: args.parts.network()?,
        probes: None,
        rule: kibitz::concepts::Rule::default(),
        limit: args.limit.limit(),
        multipv: 2,
        known: None,
    };
    let (mut all, mut nodes) = (Vec::new(), 0);
    // The first run warms caches up and is not counted.
    for counted in [false].into_iter().chain((0..args.runs).map(|_| true)) {
        for input in &inputs {
            let commented = pipeline.comment(&input.played)?;
            if counted {
                nodes += commented.evaluation.map_or(0, |evaluation| evaluation.nodes);
                all.push(commented.times);
            }
        }
    }
    let searched: Duration = all.iter().map(|times| times.first_look + times.settling).sum();
    let total: Duration = all.iter().map(|times| times.total).sum();
    let report = Report {
        positions: inputs.len(),
        runs: args.runs,
        limit: pipeline.limit,
        engine: pipeline.engine.as_ref().map(|engine| EngineReport {
            name: engine.name().to_owned(),
            nodes_per_second: (nodes as f64 / searched.as_secs_f64()).round(),
        }),
        network: network(&pipeline, &inputs)?,
        convolutions: convolutions(args)?,
        probes: probes(args, &mut pipeline)?,
        annotation: bench_annotation::measure(pipeline.engine.as_mut())?,
        games: bench_game::measure(&args.parts)?,
        blindfold: bench_blindfold::measure(&args.lm)?,
        searchless: bench_searchless::measure(&args.searchless)?,
        stages: stages(&all),
        overhead_percent: (!searched.is_zero())
            .then(|| round(100.0 * (total.as_secs_f64() / searched.as_secs_f64() - 1.0), 10.0)),
    };
    if args.json {
        outln!("{}", serde_json::to_string(&report)?);
    } else {
        print(&report, args);
    }
    Ok(())
}

fn convolutions(args: &Args) -> Result<Vec<ConvolutionsReport>, Box<dyn Error>> {
    match args.parts.net.as_deref() {
        Some(file) => bench_convolutions::measure(file, &read(file, "--net")?),
        None => Ok(Vec::new()),
    }
}

fn probes(args: &Args, pipeline: &mut Pipeline) -> Result<Option<FitReport>, Box<dyn Error>> {
    let Some(labels) = &mut pipeline.labels else {
        return Ok(None);
    };
    let net = args.parts.net.as_deref().map(|path| read(path, "--net")).transpose()?;
    bench_fit::measure(labels, net.as_deref(), &args.positions).map(Some)
}

fn stages(all: &[Times]) -> Vec<StageCost> {
    type Part = fn(&Times) -> Duration;
    let parts: [(&str, Part); 8] = [
        ("engine, first look", |t| t.first_look),
        ("engine, settling", |t| t.settling),
        ("network", |t| t.network),
        ("labels", |t| t.labels),
        ("facts", |t| t.facts),
        ("narration", |t| t.narration),
        ("beyond search", |t| t.total.saturating_sub(t.first_look + t.settling)),
        ("total", |t| t.total),
    ];
    parts
        .into_iter()
        .map(|(name, part)| {
            let mut times: Vec<f64> = all.iter().map(|times| part(times).as_secs_f64() * 1000.0).collect();
            times.sort_by(f64::total_cmp);
            StageCost {
                name,
                mean: round(times.iter().sum::<f64>() / times.len().max(1) as f64, 1000.0),
                median: round(times.get(times.len() / 2).copied().unwrap_or(0.0), 1000.0),
                max: round(times.last().copied().unwrap_or(0.0), 1000.0),
            }
        })
        .collect()
}

fn network(pipeline: &Pipeline, inputs: &[Input]) -> Result<Option<NetworkReport>, Box<dyn Error>> {
    let Some(network) = &pipeline.network else {
        return Ok(None);
    };
    let before: Vec<&Chess> = inputs.iter().map(|input| &input.played.before).collect();
    let clock = Instant::now();
    for position in &before {
        network.evaluate(&[], position)?;
    }
    let one = clock.elapsed().as_secs_f64() * 1000.0 / before.len() as f64;
    let triples = triples(inputs);
    let clock = Instant::now();
    for position in triples.iter().flatten() {
        network.evaluate(&[], position)?;
    }
    let three = clock.elapsed().as_secs_f64() * 1000.0 / (3 * triples.len()) as f64;
    Ok(Some(NetworkReport {
        name: network.name.clone(),
        batch_1_ms: round(one, 1000.0),
        batch_3_ms: round(three, 1000.0),
    }))
}

/// What a comment looks at: the position before the move, after it, and after a reply.
fn triples(inputs: &[Input]) -> Vec<[Chess; 3]> {
    inputs
        .iter()
        .map(|input| {
            let after = input.played.after.clone();
            let mut replied = after.clone();
            if let Some(&reply) = after.legal_moves().first() {
                replied.play_unchecked(reply);
            }
            [input.played.before.clone(), after, replied]
        })
        .collect()
}

fn round(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

fn print(report: &Report, args: &Args) {
    outln!(
        "{} positions, {} runs, limit {:?}",
        report.positions,
        report.runs,
        report.limit
    );
    if let Some(engine) = &report.engine {
        outln!("engine    {}: {} nodes/s", engine.name, engine.nodes_per_second);
    }
    if let Some(network) = &report.network {
        outln!(
            "network   {}: {} ms a position, {} ms in threes",
            network.name,
            network.batch_1_ms,
            network.batch_3_ms
        );
    }
    for by in &report.convolutions {
        outln!(
            "network   {}: {:.2} ms a position ({:.2} to {:.2}, {} runs)",
            by.way,
            by.median_ms,
            by.lowest_ms,
            by.highest_ms,
            by.runs
        );
    }
    if let Some(probes) = &report.probes {
        outln!("labels    Stockfish 8: {} positions/s", probes.labels_per_second);
        if let Some(rate) = probes.activations_per_second {
            outln!("probes    activations of every block: {rate} positions/s");
        }
        if let Some(seconds) = probes.seconds_per_fit {
            outln!(
                "probes    a fit on {} positions: {} s ({} to {})",
                probes.positions,
                seconds.median,
                seconds.lowest,
                seconds.highest
            );
        }
        if let Some(peak) = probes.peak_memory_mb {
            outln!("memory    {peak} MB at the most");
        }
    }
    if let Some(annotation) = &report.annotation {
        outln!(
            "annotated {} actions/s ({} to {}), {} boards, {} nodes a search, one engine",
            annotation.median,
            annotation.lowest,
            annotation.highest,
            annotation.boards,
            annotation.nodes
        );
    }
    for game in &report.games {
        outln!("{}", game.text());
    }
    match &report.blindfold {
        Some(blindfold) => {
            let seconds = blindfold.seconds_a_thousand;
            outln!(
                "blindfold {}: 1,000 questions take {} s ({} to {}), reckoned from {}",
                blindfold.name,
                seconds.median,
                seconds.lowest,
                seconds.highest,
                blindfold.questions
            );
        }
        None => outln!("blindfold not measured: there is no {}", args.lm.display()),
    }
    match &report.searchless {
        Some(own) => outln!(
            "searchless {}: {:.0} ms a position ({:.0} to {:.0}), {:.1} moves each",
            own.name,
            own.seconds.median * 1e3,
            own.seconds.lowest * 1e3,
            own.seconds.highest * 1e3,
            own.rows
        ),
        None => outln!("searchless not measured: there is no {}", args.searchless.display()),
    }
    outln!("\n{:<14} {:>10} {:>10} {:>10}   ms", "stage", "mean", "median", "max");
    for stage in &report.stages {
        outln!(
            "{:<14} {:>10.3} {:>10.3} {:>10.3}",
            stage.name,
            stage.mean,
            stage.median,
            stage.max
        );
    }
    if let Some(percent) = report.overhead_percent {
        outln!("\nbeyond the searches: {percent} % of their time");
    }
}
