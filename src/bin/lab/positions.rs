//! `lab positions`: a sample of the positions in games, one JSON object a line.

use std::{
    collections::HashSet,
    error::Error,
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
};

use kibitz::{
    chess::fen::read_fen,
    training::{
        PositionRecord,
        sample::{Sample, lot},
    },
};
use shakmaty::Position;

use super::{output, source_file::read_games};

/// What to sample.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Games or positions: .pgn (from `lab games`, or any), .jsonl (position files, or Lichess's evaluations), and
    /// both with .zst.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How many positions, at most.
    #[arg(long, default_value_t = 200_000)]
    count: usize,
    /// How many of one game, at most.
    #[arg(long, default_value_t = 40)]
    per_game: usize,
    /// Plies at the beginning of each game that are passed over. (Positions whose ply is not known have 0, and stay.)
    #[arg(long, default_value_t = 6)]
    skip: u32,
    /// Of the sample.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only positions whose moves an engine has judged.
    #[arg(long)]
    judged: bool,
    /// Where they go; without it standard output.
    #[arg(long, value_name = "FILE.jsonl")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut sample: Sample<PositionRecord> = Sample::new(args.count, args.per_game);
    let mut known = HashSet::new();
    let (mut offered, mut repeated, mut games) = (0usize, 0usize, 0usize);
    for path in &args.files {
        let losses = read_games(path, |records| {
            games += 1;
            let fit: Vec<_> = records
                .into_iter()
                .filter(|record| record.ply >= args.skip || record.ply == 0)
                .filter(|record| !(args.judged && record.lines.is_empty()))
                .filter(|record| {
                    offered += 1;
                    let new = known.insert(lot(0, placement(&record.fen), 0));
                    repeated += usize::from(!new);
                    new
                })
                .map(|record| (lot(args.seed, &record.game, record.ply), record))
                .collect();
            sample.offer(fit);
        })?;
        losses.say(path);
    }
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(BufWriter::new(File::create(path)?)),
        None => Box::new(BufWriter::new(output::stdout())),
    };
    let (mut written, mut over) = (0usize, 0usize);
    for record in sample.take() {
        // A file from elsewhere may hold what is no position, or one in which there is nothing left to play.
        if !read_fen(&record.fen).is_ok_and(|read| !read.position.is_game_over()) {
            over += 1;
            continue;
        }
        serde_json::to_writer(&mut out, &record)?;
        out.write_all(b"\n")?;
        written += 1;
    }
    out.flush()?;
    errln!(
        "lab: {written} positions out of {offered} in {games} games ({repeated} repeated, {over} that can't be played on)"
    );
    Ok(())
}

/// A position without its counters.
fn placement(fen: &str) -> &str {
    let end = fen.match_indices(' ').nth(3).map_or(fen.len(), |(at, _)| at);
    &fen[..end]
}
