//! `lab comment`: one move, or every line of a file.

use std::{
    error::Error,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use kibitz::commentary::Arm;
use kibitz::concepts::{Choice, ProbeSet, Rule};
use kibitz::uci::Limit;
use serde::Deserialize;

use super::input::Input;
use super::model::{Commentator, ModelArgs, ModelComment};
use super::pipeline::{Commented, Pipeline, known_searches};
use super::record::Record;
use super::setup::{Parts, read, read_text};
use super::{
    output,
    task_lines::{TaskLine, each, open},
};

/// What to comment on, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position before the move.
    #[arg(long, required_unless_present_any = ["input", "pgn"], requires = "mv")]
    fen: Option<String>,
    /// The move, in SAN or UCI notation.
    #[arg(long = "move", value_name = "MOVE", id = "mv")]
    mv: Option<String>,
    /// A file with the game up to the move, in place of --fen: the network and `--context pgn` use its moves.
    #[arg(long, value_name = "FILE.pgn", conflicts_with = "fen", requires = "mv")]
    pgn: Option<PathBuf>,
    /// A file with {"fen", "move"} a line (`-` is standard input), or {"pgn", "move"} with the game up to the move; an
    /// "id" is given back.
    #[arg(long = "in", value_name = "FILE.jsonl", id = "input", conflicts_with_all = ["fen", "mv", "pgn"])]
    input: Option<PathBuf>,
    #[command(flatten)]
    parts: Parts,
    /// Probes on the network (--net), to take the concepts from in place of Stockfish 8.
    #[arg(long, value_name = "FILE", requires = "net")]
    probes: Option<PathBuf>,
    /// By which rule concepts are put in order: ours, paper (the text's) or authors (their code's).
    #[arg(long, value_name = "RULE", default_value_t)]
    rule: Rule,
    #[command(flatten)]
    limit: LimitArgs,
    /// Lines before the move.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
    #[command(flatten)]
    model: ModelArgs,
    /// One JSON object a position instead of text.
    #[arg(long)]
    json: bool,
}

/// The limit of each search.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct LimitArgs {
    /// Nodes of each search (200000): the same result on every machine.
    #[arg(long, conflicts_with_all = ["depth", "time"], value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each search. With --time too, whichever ends first.
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
            Self {
                depth: Some(plies),
                time: Some(ms),
                ..
            } => Limit::DepthTime { plies, ms },
            Self { depth: Some(plies), .. } => Limit::Depth(plies),
            Self { time: Some(ms), .. } => Limit::Time(ms),
            Self { nodes, .. } => nodes.map_or_else(Limit::default, Limit::Nodes),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    // What the user typed is looked at before anything is started.
    let single = match (&args.fen, &args.pgn, &args.mv) {
        (Some(fen), _, Some(mv)) => Some(Input::read(fen, mv)?),
        (None, Some(path), Some(mv)) => {
            let pgn = read_text(path, "--pgn")?;
            Some(Input::read_after(&pgn, mv)?)
        }
        _ => None,
    };
    let lines = args.input.as_deref().map(open).transpose()?;
    let commentator = args.model.commentator()?;
    let mut work = Work {
        pipeline: pipeline(args)?,
        commentator,
    };
    let mut out = BufWriter::new(output::stdout());
    if let Some(input) = single {
        let (commented, said) = work.comment(&input)?;
        if let Some(failure) = said.as_ref().and_then(ModelComment::failure) {
            return Err(failure.into());
        }
        let record = Record::new(None, &input, &commented, work.pipeline.network.as_ref(), said.as_ref());
        return Ok(print(&mut out, &record, args.json)?);
    }
    let Some(lines) = lines else { return Ok(()) };
    let mut unanswered = 0;
    let tally = each(lines, &mut out, args.json, |line, out| {
        let input = read_task(line)?;
        let (commented, said) = work.comment(&input)?;
        unanswered += usize::from(said.as_ref().is_some_and(|said| said.failure().is_some()));
        let network = work.pipeline.network.as_ref();
        let record = Record::new(line.id.as_ref(), &input, &commented, network, said.as_ref());
        Ok(print(out, &record, args.json)?)
    })?;
    errln!("lab: {}", tally.as_text("commented"));
    if unanswered > 0 {
        errln!("lab: the model gave no comment on {unanswered} of them");
    }
    Ok(())
}

/// What works on every move.
struct Work {
    pipeline: Pipeline,
    commentator: Option<Commentator>,
}

impl Work {
    fn comment(&mut self, input: &Input) -> Result<(Commented, Option<ModelComment>), Box<dyn Error>> {
        let commented = self.pipeline.comment(&input.played)?;
        let said = self.commentator.as_ref().map(|model| model.comment(&commented.sheet));
        Ok((commented, said))
    }
}

fn pipeline(args: &Args) -> Result<Pipeline, Box<dyn Error>> {
    let (arm, concepts) = (args.model.arm(), args.model.concepts());
    let network = args.parts.network()?;
    let probes = match (&args.probes, &network) {
        // Stockfish 8 was asked for, whatever else there is.
        _ if concepts == Some(Choice::Stockfish8) => None,
        (Some(path), Some(network)) => {
            let probes = ProbeSet::read(&read(path, "--probes")?)?;
            probes.check_network(&network.hash)?;
            Some(probes)
        }
        _ if concepts == Some(Choice::Probes) => return Err("concepts from probes need --net and --probes".into()),
        _ => None,
    };
    let labels = if probes.is_some() { None } else { args.parts.labels()? };
    let of_concepts = arm.is_some_and(Arm::tells_concepts);
    if labels.is_none() && probes.is_none() && (of_concepts || concepts == Some(Choice::Stockfish8)) {
        return Err("concepts need Stockfish 8 (--labels), or --net and --probes".into());
    }
    let engine = args.parts.engine()?;
    if arm.is_some_and(Arm::tells_engine) && engine.is_none() {
        return Err("this arm needs an engine (--engine)".into());
    }
    Ok(Pipeline {
        labels,
        engine,
        network,
        probes,
        rule: args.rule,
        limit: args.limit.limit(),
        multipv: args.multipv,
        known: Some(known_searches()),
    })
}

/// A line of the file. Other fields are not looked at.
#[derive(Deserialize)]
struct Task {
    fen: Option<String>,
    /// The game up to the move.
    pgn: Option<String>,
    #[serde(rename = "move")]
    mv: String,
}

fn read_task(line: &TaskLine) -> Result<Input, Box<dyn Error>> {
    let task = Task::deserialize(&line.object)
        .map_err(|error| format!("this line needs a \"fen\" and a \"move\": {error}"))?;
    match (&task.fen, &task.pgn) {
        (_, Some(pgn)) => Ok(Input::read_after(pgn, &task.mv)?),
        (Some(fen), None) => Ok(Input::read(fen, &task.mv)?),
        (None, None) => Err("this line needs a \"fen\" or a \"pgn\"".into()),
    }
}

fn print(out: &mut impl Write, record: &Record<'_>, json: bool) -> io::Result<()> {
    if json {
        writeln!(out, "{}", serde_json::to_string(record)?)?;
    } else {
        writeln!(out, "{}", record.text())?;
    }
    out.flush()
}
