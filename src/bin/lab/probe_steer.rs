//! `lab probe steer`: does the network use what probes read?

use std::{error::Error, path::PathBuf, process::ExitCode};

use kibitz::{
    chess::fen::read_fen,
    concepts::{
        ProbeSet,
        steering::{Plan, Steered, Use},
    },
    net::read_network,
    net_worker::steering::{ProbeSteering, Steer},
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
    /// Positions: a file of `lab positions`, or games. Shifts are in standard deviations over them.
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
    /// Positions, drawn by lot.
    #[arg(long, default_value_t = 50)]
    count: usize,
    /// Steer this position alone in place of those of --positions, by which the deviation is still measured.
    #[arg(long)]
    fen: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
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
    let measured: Vec<Chess> = order.iter().map(|&i| file.positions[i].clone()).collect();
    let one = match &args.fen {
        Some(fen) => Some(vec![read_fen(fen).map_err(|error| format!("--fen: {error}"))?.position]),
        None => None,
    };
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
        let steer = Steer {
            layer: layer.clone(),
            weights: probe.weights().to_vec(),
            block,
            measured: measured.clone(),
            steered: one.clone(),
            plan: Plan {
                shifts: args.shifts.clone(),
                chances: args.chances,
                seed: args.seed,
            },
        };
        let mut steering = ProbeSteering::new(&network, steer)?;
        while steering.step()? {}
        progress.add(1);
        rows.push(Row {
            concept: probe.card.name.clone(),
            block,
            steered: steering.steered().ok_or("the steering ended early")?,
        });
    }
    let report = Report {
        schema: "kibitz-probe-steering-1",
        network: network.sha256.clone(),
        positions: measured.len(),
        fen: args.fen.clone(),
        chances: args.chances,
        seed: args.seed,
        rows,
    };
    if args.json {
        outln!("{}", serde_json::to_string(&report)?);
    } else {
        print(&report);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(report: &Report) {
    outln!(
        "{} positions, {} directions of chance, seed {}\n",
        report.positions,
        report.chances,
        report.seed
    );
    outln!(
        "{:<18} {:>5} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8}  verdict",
        "",
        "block",
        "shift",
        "value",
        "|value|",
        "chance",
        "policy",
        "chance"
    );
    for row in &report.rows {
        for point in &row.steered.points {
            let verdict = match row.steered.verdict {
                Use::Readable => "readable",
                Use::Used => "also used",
            };
            outln!(
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
