//! `lab comment`: one move, or every line of a file.

use std::{
    error::Error,
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use kibitz::concepts::ProbeSet;
use kibitz::uci::Limit;
use serde::Deserialize;
use serde_json::Value;

use super::input::Input;
use super::pipeline::Pipeline;
use super::record::{ErrorRecord, Record};
use super::setup::{Parts, read};

/// Nodes of each search when nothing is said: 0.15 s natively, depth 12 to 16.
const NODES: u64 = 100_000;

/// What to comment on, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position before the move.
    #[arg(long, required_unless_present = "input", requires = "mv")]
    fen: Option<String>,
    /// The move, in SAN or UCI notation.
    #[arg(long = "move", value_name = "MOVE", id = "mv", requires = "fen")]
    mv: Option<String>,
    /// A file with {"fen", "move"} a line (`-` is standard input); an "id" is given back.
    #[arg(long = "in", value_name = "FILE.jsonl", id = "input", conflicts_with_all = ["fen", "mv"])]
    input: Option<PathBuf>,
    #[command(flatten)]
    parts: Parts,
    /// Probes on the network (--net), to take the concepts from in place of Stockfish 8.
    #[arg(long, value_name = "FILE", requires = "net")]
    probes: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Lines before the move.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
    /// One JSON object a position instead of text.
    #[arg(long)]
    json: bool,
}

/// The limit of each search.
#[derive(Debug, Clone, Copy, clap::Args)]
#[group(multiple = false)]
pub struct LimitArgs {
    /// Nodes of each search (100000): the same result on every machine.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each search.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,
    /// Milliseconds for each search.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    time: Option<u32>,
}

impl LimitArgs {
    /// The one that was given.
    pub fn limit(self) -> Limit {
        match self {
            Self { depth: Some(plies), .. } => Limit::Depth(plies),
            Self { time: Some(ms), .. } => Limit::Time(ms),
            Self { nodes, .. } => Limit::Nodes(nodes.unwrap_or(NODES)),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    // What the user typed is looked at before anything is started.
    let single = match (&args.fen, &args.mv) {
        (Some(fen), Some(mv)) => Some(Input::read(fen, mv)?),
        _ => None,
    };
    let lines = args.input.as_deref().map(open).transpose()?;
    let mut pipeline = pipeline(args)?;
    let mut out = BufWriter::new(io::stdout().lock());
    if let Some(input) = single {
        let commented = pipeline.comment(&input.played)?;
        let record = Record::new(None, &input, &commented, pipeline.network.as_ref());
        return unless_closed(print(&mut out, &record, args.json));
    }
    lines.map_or(Ok(()), |lines| {
        unless_closed(each(lines, &mut pipeline, &mut out, args.json))
    })
}

fn pipeline(args: &Args) -> Result<Pipeline, Box<dyn Error>> {
    let network = args.parts.network()?;
    let probes = match (&args.probes, &network) {
        (Some(path), Some(network)) => {
            let probes = ProbeSet::read(&read(path, "--probes")?)?;
            probes.check_network(&network.hash)?;
            Some(probes)
        }
        _ => None,
    };
    Ok(Pipeline {
        labels: if probes.is_some() { None } else { args.parts.labels()? },
        engine: args.parts.engine()?,
        network,
        probes,
        limit: args.limit.limit(),
        multipv: args.multipv,
    })
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Box<dyn Error>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    match std::fs::File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        Err(error) => Err(format!("--in {} can't be read: {error}", path.display()).into()),
    }
}

/// A line of the file. Other fields are not looked at.
#[derive(Deserialize)]
struct Task {
    fen: String,
    #[serde(rename = "move")]
    mv: String,
}

/// Comments on every line; a bad line gives an error in its place.
fn each(mut lines: Box<dyn BufRead>, pipeline: &mut Pipeline, out: &mut impl Write, json: bool) -> io::Result<()> {
    let (mut done, mut failed) = (0, 0);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if lines.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let mut id = None;
        match one(&bytes, pipeline, &mut id) {
            Ok((input, commented)) => {
                done += 1;
                let record = Record::new(id.as_ref(), &input, &commented, pipeline.network.as_ref());
                print(out, &record, json)?;
            }
            Err(error) => {
                failed += 1;
                let error = error.to_string();
                let record = ErrorRecord {
                    id: id.as_ref(),
                    error: &error,
                    line: number,
                };
                if json {
                    writeln!(out, "{}", serde_json::to_string(&record)?)?;
                } else {
                    writeln!(out, "line {number}: {error}\n")?;
                }
            }
        }
        out.flush()?;
    }
    eprintln!("lab: {done} commented, {failed} failed");
    Ok(())
}

fn one(
    bytes: &[u8],
    pipeline: &mut Pipeline,
    id: &mut Option<Value>,
) -> Result<(Input, super::pipeline::Commented), Box<dyn Error>> {
    // The id first, so that an error keeps it even where the rest of the object is not as it should be.
    let object: Value = serde_json::from_slice(bytes).map_err(|error| format!("this line is not JSON: {error}"))?;
    *id = object.get("id").filter(|id| !id.is_null()).cloned();
    let task: Task =
        serde_json::from_value(object).map_err(|error| format!("this line needs a \"fen\" and a \"move\": {error}"))?;
    let input = Input::read(&task.fen, &task.mv)?;
    let commented = pipeline.comment(&input.played)?;
    Ok((input, commented))
}

fn print(out: &mut impl Write, record: &Record<'_>, json: bool) -> io::Result<()> {
    if json {
        writeln!(out, "{}", serde_json::to_string(record)?)?;
    } else {
        writeln!(out, "{}", record.text())?;
    }
    out.flush()
}

/// A reader that has seen enough (`| head`) is no error.
fn unless_closed(result: io::Result<()>) -> Result<(), Box<dyn Error>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
