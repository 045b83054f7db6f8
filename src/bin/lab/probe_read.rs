//! `lab probe read`: activations, scores and shares of positions or games, for people who go on in Python.

use std::{
    error::Error,
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use kibitz::{
    concepts::{Men, ProbeSet, Rule},
    net::{Runner, Taps, read_network},
};
use shakmaty::Position;

use super::{
    probe_data::{PositionFile, Progress},
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
    /// Where scores.csv, activations.npy, shares.npy and about.json go.
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
    let n = file.positions.len();
    let (blocks, filters, names) = (network.blocks.len(), network.filters(), probes.all().len());
    let mut scores = csv::Writer::from_path(args.out.join("scores.csv"))?;
    let mut head = vec!["game".to_owned(), "ply".to_owned(), "fen".to_owned()];
    head.extend(probes.all().iter().map(|probe| probe.card.name.clone()));
    head.extend(kibitz::concepts::Concept::ALL.map(|concept| format!("{concept} (score)")));
    scores.write_record(&head)?;
    let mut activations = npy(&args.out.join("activations.npy"), &[n, blocks, filters, 8, 8])?;
    let mut shares = npy(&args.out.join("shares.npy"), &[n, names, 65])?;
    let runner = Runner::with_taps(&network, Taps::All)?;
    let progress = Progress::new("positions read", n);
    for (position, record) in file.positions.iter().zip(&file.records) {
        let (_, own) = runner.evaluate_tapped(&[], position)?;
        let men = Men::seen(network.format.input, position);
        let mut row = vec![record.game.clone(), record.ply.to_string(), record.fen.clone()];
        row.extend(probes.decisions(&own, &men)?.iter().map(ToString::to_string));
        let standardised = probes.scores_for(Rule::Ours, &own, &men, position.turn())?;
        row.extend(standardised.iter().map(|(_, score)| score.to_string()));
        scores.write_record(&row)?;
        write(&mut activations, own.iter().flatten().copied())?;
        for probe in probes.all() {
            let own = probes.shares(probe, &own, &men, position.turn())?;
            write(
                &mut shares,
                own.squares.iter().chain([&own.constant]).map(|&x| x as f32),
            )?;
        }
        progress.add(1);
    }
    scores.flush()?;
    activations.flush()?;
    shares.flush()?;
    let about = serde_json::json!({
        "schema": "kibitz-readout-1",
        "network": network.sha256,
        "positions": file.sha256,
        "probes": probes.all().iter().map(|probe| &probe.card).collect::<Vec<_>>(),
        "scores.csv": "decision values in the mover's frame, then standardised scores: a side's in its own view, totals in White's",
        "activations.npy": "position, block, filter, rank, file: the board as the side to move sees it",
        "shares.npy": "position, probe, square a1 b1 ... h8 of the board as it is, then the constant: sums to the decision value",
    });
    fs::write(args.out.join("about.json"), serde_json::to_vec_pretty(&about)?)?;
    progress.end();
    Ok(ExitCode::SUCCESS)
}

/// A file of single-precision numbers of this shape, in NumPy's format 1.0, its head written.
fn npy(path: &Path, shape: &[usize]) -> Result<BufWriter<File>, Box<dyn Error>> {
    /// What the head's length is a multiple of.
    const ALIGNED: usize = 64;
    /// Magic, version and length.
    const BEFORE: usize = 10;
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let mut head = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({sizes}), }}");
    while !(BEFORE + head.len() + 1).is_multiple_of(ALIGNED) {
        head.push(' ');
    }
    head.push('\n');
    let mut file = BufWriter::new(File::create(path).map_err(|error| format!("{}: {error}", path.display()))?);
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&u16::try_from(head.len())?.to_le_bytes())?;
    file.write_all(head.as_bytes())?;
    Ok(file)
}

fn write(file: &mut impl Write, numbers: impl Iterator<Item = f32>) -> std::io::Result<()> {
    let bytes: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
    file.write_all(&bytes)
}
