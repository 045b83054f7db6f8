//! `lab probe steer`: does the network use what probes read?

use std::{error::Error, path::PathBuf, process::ExitCode};

use kibitz::{
    concepts::{
        Men, ProbeSet,
        steering::{Said, Steered, Use, steer},
    },
    net::{NetworkOutput, RunError, Runner, Taps, read_network},
    random::seeded_hash,
};
use serde::Serialize;
use shakmaty::Chess;

use super::{
    probe_data::{PositionFile, Progress},
    setup::read,
};

/// What to steer.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The Lc0 network (.pb or .pb.gz).
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// The probes, whose directions are taken.
    #[arg(long, value_name = "FILE")]
    probes: PathBuf,
    /// Positions: a file of `lab positions`, or games.
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
    /// Positions, drawn by lot.
    #[arg(long, default_value_t = 50)]
    count: usize,
    /// The block whose activations are shifted, from 1, for the probes that read it; without it the last that each reads.
    #[arg(long)]
    block: Option<u8>,
    /// Shifts, in standard deviations of the projection on the direction.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, default_values_t = [-2.0, -1.0, 1.0, 2.0])]
    shifts: Vec<f64>,
    /// Directions of chance to hold each against.
    #[arg(long, default_value_t = 20)]
    chances: usize,
    /// Of the positions and the directions of chance.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this probe (`Material`, `Our Threats`, …).
    #[arg(long = "only", value_name = "CONCEPT")]
    only: Vec<String>,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Row {
    concept: String,
    block: u8,
    #[serde(flatten)]
    steered: Steered,
}

#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    network: String,
    positions: usize,
    chances: usize,
    seed: u64,
    rows: Vec<Row>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Box<dyn Error>> {
    let network =
        read_network(&read(&args.net, "--net")?).map_err(|error| format!("{}: {error}", args.net.display()))?;
    let probes = ProbeSet::read(&read(&args.probes, "--probes")?)?;
    probes.check_network(&network.sha256)?;
    let file = PositionFile::read(&args.positions)?;
    let mut order: Vec<usize> = (0..file.positions.len()).collect();
    order.sort_by_key(|&i| seeded_hash(args.seed, &file.records[i].fen));
    order.truncate(args.count);
    let positions: Vec<&Chess> = order.iter().map(|&i| &file.positions[i]).collect();
    let whole = Runner::with_taps(&network, Taps::All)?;
    let mut seen = Vec::new();
    for &position in &positions {
        let (_, activations) = whole.evaluate_tapped(&[], position)?;
        seen.push((activations, Men::seen(network.format.input, position)));
    }
    let wanted: Vec<_> = probes
        .probes()
        .iter()
        .filter(|probe| !probe.is_silent() && (args.only.is_empty() || args.only.contains(&probe.card.name)))
        .filter(|probe| {
            args.block
                .is_none_or(|block| probe.card.layer.blocks().contains(&block))
        })
        .collect();
    let progress = Progress::new("concepts steered", wanted.len());
    let mut rows = Vec::new();
    for probe in wanted {
        let layer = &probe.card.layer;
        let block = args
            .block
            .or_else(|| layer.blocks().last().copied())
            .ok_or("the probe reads no block")?;
        let rest = Runner::after_block(&network, usize::from(block))?;
        let (mut activations, mut along) = (Vec::new(), Vec::new());
        for (own, men) in &seen {
            along.push(layer.direction(probe.weights(), own, men, network.filters(), block)?);
            activations.push(own[usize::from(block) - 1].clone());
        }
        let steered = steer(
            &activations,
            &along,
            &args.shifts,
            args.chances,
            args.seed,
            |i, shifted| {
                let raw = rest.run_on(shifted)?;
                Ok::<_, RunError>(said(&rest.read(raw, positions[i])?))
            },
        )?;
        progress.add(1);
        rows.push(Row {
            concept: probe.card.name.clone(),
            block,
            steered,
        });
    }
    let report = Report {
        schema: "kibitz-probe-steering-1",
        network: network.sha256.clone(),
        positions: positions.len(),
        chances: args.chances,
        seed: args.seed,
        rows,
    };
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print(&report);
    }
    Ok(ExitCode::SUCCESS)
}

/// Probabilities in the moves' own order, which a shift leaves as it is.
fn said(output: &NetworkOutput) -> Said {
    let mut policy: Vec<(String, f32)> = output.policy.iter().map(|(mv, p)| (format!("{mv:?}"), *p)).collect();
    policy.sort_by(|a, b| a.0.cmp(&b.0));
    Said {
        q: output.q,
        policy: policy.into_iter().map(|(_, p)| p).collect(),
    }
}

fn print(report: &Report) {
    println!(
        "{} positions, {} directions of chance, seed {}\n",
        report.positions, report.chances, report.seed
    );
    println!(
        "{:<18} {:>5} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8}  verdict",
        "", "block", "shift", "value", "|value|", "chance", "policy", "chance"
    );
    for row in &report.rows {
        for point in &row.steered.points {
            let verdict = match row.steered.verdict {
                Use::Readable => "readable",
                Use::Used => "also used",
            };
            println!(
                "{:<18} {:>5} {:>+6.1} {:>+8.4} {:>8.4} {:>8.4} {:>8.4} {:>8.4}  {verdict}",
                row.concept,
                row.block,
                point.shift,
                point.value,
                point.value_moved,
                point.by_chance[0],
                point.policy_moved,
                point.by_chance[1],
            );
        }
    }
}
