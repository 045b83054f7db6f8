//! `lab probe read`: activations, scores and shares of positions or games, for people who go on in Python.

use std::{error::Error, fs, path::PathBuf, process::ExitCode};

use kibitz::{
    chess::fen::write_fen,
    concepts::{
        Men, ProbeSet,
        readout::{self, Origin, ReadPosition, Readout},
        split::without_counters,
    },
    net::{Network, Runner, Taps, read_network},
};
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::{
    probe_data::{PositionFile, Progress},
    probe_priorities::seats_of,
    setup::read,
};

/// What to read out.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The Lc0 network (.pb or .pb.gz).
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// The probes.
    #[arg(long, value_name = "FILE")]
    probes: PathBuf,
    /// Positions: a file of `lab positions`, or games (.pgn).
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
    /// Positions at most, the first ones.
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// Where scores.csv, activations.npy, shares.npy, about.json, and of whole games changes.csv go.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Box<dyn Error>> {
    let network =
        read_network(&read(&args.net, "--net")?).map_err(|error| format!("{}: {error}", args.net.display()))?;
    let probes = ProbeSet::read(&read(&args.probes, "--probes")?)?;
    probes.check_network(&network.sha256)?;
    let mut file = PositionFile::read(&args.positions)?;
    file.positions.truncate(args.count);
    fs::create_dir_all(&args.out).map_err(|error| format!("{}: {error}", args.out.display()))?;
    let origins: Vec<Origin> = file
        .records
        .iter()
        .take(file.positions.len())
        .map(|record| Origin {
            game: record.game.clone(),
            ply: record.ply,
            fen: record.fen.clone(),
        })
        .collect();
    let mut readout = Readout::new(&probes, network.blocks());
    let runner = Runner::with_taps(&network, Taps::All)?;
    let progress = Progress::new("positions read", file.positions.len());
    for (position, origin) in file.positions.iter().zip(&origins) {
        let (_, activations) = runner.evaluate_tapped(&[], position)?;
        readout.add(
            &probes,
            &ReadPosition {
                origin,
                activations: &activations,
                men: &Men::seen(network.format.input, position),
                turn: position.turn(),
            },
        )?;
        progress.add(1);
    }
    progress.end();
    let changes = changes(&network, &runner, &probes, &file.positions, &origins)?;
    let about = readout::about(&probes, &file.sha256, changes.is_some());
    let files = [
        ("scores.csv", Some(readout.scores.clone().into_bytes())),
        ("activations.npy", Some(readout.activations_npy())),
        ("shares.npy", Some(readout.shares_npy())),
        ("about.json", Some(serde_json::to_vec_pretty(&about)?)),
        ("changes.csv", changes.map(String::into_bytes)),
    ];
    for (name, bytes) in files {
        if let Some(bytes) = bytes {
            let path = args.out.join(name);
            fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The moves between positions that follow one another in a game; `None` where there are none, or no probes of changes.
fn changes(
    network: &Network,
    runner: &Runner,
    probes: &ProbeSet,
    positions: &[Chess],
    origins: &[Origin],
) -> Result<Option<String>, Box<dyn Error>> {
    let Some(changes) = probes.changes() else {
        return Ok(None);
    };
    debug_assert_eq!(network.filters(), changes.filters());
    let mut text = readout::changes_head();
    let mut any = false;
    for (both, named) in positions.windows(2).zip(origins.windows(2)) {
        let ([before, after], [earlier, later]) = (both, named) else {
            continue;
        };
        if earlier.game != later.game || later.ply != earlier.ply + 1 {
            continue;
        }
        // As they are written: what en passant square a position keeps depends on where it came from.
        let written = |position: &Chess| write_fen(position, CastlingMode::Standard);
        let wanted = written(after);
        let leads_there = |mv: &&Move| {
            let next = before.clone().play(**mv);
            next.is_ok_and(|next| without_counters(&written(&next)) == without_counters(&wanted))
        };
        let legal = before.legal_moves();
        let Some(mv) = legal.iter().find(leads_there) else {
            continue;
        };
        let mover = before.turn();
        let (from, to) = (seats_of(runner, before, mover)?, seats_of(runner, after, mover)?);
        let predicted = changes.predict(&from, &to, None)?;
        text += &readout::changes_line(earlier, &mv.to_uci(CastlingMode::Standard).to_string(), &predicted);
        any = true;
    }
    Ok(any.then_some(text))
}
