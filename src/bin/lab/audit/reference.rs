//! `lab audit search`: the deep searches that the audit judges by, one JSON object a move. A file that is there already
//! goes on where it stops; `--shard i/n` takes every n-th move, and the shards' files are simply put together.

use std::{
    collections::BTreeMap,
    error::Error,
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use kibitz::{
    chess::Played,
    uci::{Limit, SearchRequest, SearchResult},
};
use serde::{Deserialize, Serialize};
use shakmaty::{Move, Position};

use super::super::setup::{Parts, SetupError, read};
use super::task::{AuditTask, tasks};

/// Lines of the search before the move.
const LINES: u32 = 2;
/// How often progress is reported.
const NEWS: Duration = Duration::from_secs(20);

/// What to search, and how deep.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The moves, as `lab audit sample` writes them.
    #[arg(long = "in", value_name = "FILE.jsonl")]
    input: PathBuf,
    /// Nodes of each search: twenty times those of the comments.
    #[arg(long, default_value_t = 1_000_000)]
    nodes: u64,
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// Only these moves: `0/2` is the first of every two.
    #[arg(long, value_name = "I/N", value_parser = shard, default_value = "0/1")]
    shard: (usize, usize),
    /// Where the searches go; those that are there are kept.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

/// The deep searches of a move.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Deep {
    /// The move's.
    pub id: String,
    /// What the engine calls itself.
    pub engine: String,
    /// Nodes of each search.
    pub nodes: u64,
    /// Of the position before the move.
    pub before: SearchResult,
    /// Of the position after it; `None` where the game ended.
    pub after: Option<SearchResult>,
    /// Of the best two moves and the one played, with twice the nodes: two searches that see different things would blame a
    /// move for the difference. `None` where the move has no rival, and in files of before there were duels.
    #[serde(default)]
    pub duel: Option<SearchResult>,
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts
        .filter(|(i, n)| i < n)
        .ok_or_else(|| "a shard is written i/n, i from 0 to n − 1".to_owned())
}

/// Reads the searches of a file by their moves.
pub fn deep(path: &Path) -> Result<BTreeMap<String, Deep>, Box<dyn Error>> {
    let bytes = read(path, "--reference")?;
    let mut all = BTreeMap::new();
    for line in bytes.lines() {
        // A run that was cut off may have left half a line at its end.
        if let Ok(deep) = serde_json::from_str::<Deep>(&line?) {
            all.insert(deep.id.clone(), deep);
        }
    }
    Ok(all)
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let known = if args.out.exists() {
        deep(&args.out)?
    } else {
        BTreeMap::new()
    };
    let (part, parts) = args.shard;
    let to_do: Vec<AuditTask> = tasks(&args.input)?
        .into_iter()
        .enumerate()
        .filter(|(number, task)| number % parts == part && !known.contains_key(&task.id))
        .map(|(_, task)| task)
        .collect();
    let needed = Parts {
        engine: args.engine.clone(),
        labels: None,
        net: None,
    };
    let mut engine = needed.engine()?.ok_or(SetupError::NoEngine)?;
    end_line(&args.out)?;
    let mut out = OpenOptions::new().create(true).append(true).open(&args.out)?;
    let (begun, mut last_report) = (Instant::now(), Instant::now());
    for (done, task) in to_do.iter().enumerate() {
        let played = task.played()?;
        let limit = Limit::Nodes(args.nodes);
        let before = engine.search(SearchRequest::before(1, &played, limit).multipv(LINES).afresh())?;
        let after = match SearchRequest::after(2, &played, limit) {
            Some(request) => Some(engine.search(request.afresh())?),
            None => None,
        };
        let duel = duel(&played, &before, limit)
            .map(|request| engine.search(request))
            .transpose()?;
        let deep = Deep {
            id: task.id.clone(),
            engine: engine.name().to_owned(),
            nodes: args.nodes,
            before,
            after,
            duel,
        };
        writeln!(out, "{}", serde_json::to_string(&deep)?)?;
        if last_report.elapsed() >= NEWS {
            last_report = Instant::now();
            let left = begun.elapsed().as_secs_f64() / (done + 1) as f64 * (to_do.len() - done - 1) as f64;
            errln!("lab: {} of {} moves, about {left:.0} s left", done + 1, to_do.len());
        }
    }
    errln!("lab: {} moves searched, {} were there", to_do.len(), known.len());
    Ok(())
}

/// The best moves of a search and the one played against each other; `None` where that is one move, or ends the game.
fn duel(played: &Played, before: &SearchResult, limit: Limit) -> Option<SearchRequest> {
    let best = before.lines.iter().filter_map(|line| line.pv.first());
    let mut moves: Vec<Move> = best.filter_map(|uci| uci.to_move(&played.before).ok()).collect();
    if !moves.contains(&played.mv) {
        moves.push(played.mv);
    }
    if moves.len() < 2 || played.after.is_game_over() {
        return None;
    }
    let lines = u32::try_from(moves.len()).unwrap_or(LINES);
    let request = SearchRequest::before(3, played, limit.doubled(1)).multipv(lines);
    Some(request.among(&moves).afresh())
}

/// Ends a line that a run which was cut off has left open.
fn end_line(path: &Path) -> std::io::Result<()> {
    let Ok(file) = File::open(path) else { return Ok(()) };
    let open = BufReader::new(file)
        .split(b'\n')
        .last()
        .is_some_and(|last| last.is_ok_and(|last| serde_json::from_slice::<Deep>(&last).is_err()));
    if open {
        OpenOptions::new().append(true).open(path)?.write_all(b"\n")?;
    }
    Ok(())
}
