//! `lab check`: prose about a move against the board and the engine, or every line of a file.

use std::{
    error::Error,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use kibitz::commentary::{Checked, ClaimVerdict, claims::check};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::comment::LimitArgs;
use super::input::Input;
use super::pipeline::{Pipeline, known_searches};
use super::setup::Parts;
use super::task_lines::{TaskLine, each, open, unless_closed};

/// What to check, and by what.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position before the move.
    #[arg(long, required_unless_present = "input", requires = "mv")]
    fen: Option<String>,
    /// The move, in SAN or UCI notation.
    #[arg(long = "move", value_name = "MOVE", id = "mv", requires = "text")]
    mv: Option<String>,
    /// The prose.
    #[arg(long, requires = "fen")]
    text: Option<String>,
    /// A file with {"fen", "move", "text"} a line (`-` is standard input); an "id" is given back.
    #[arg(long = "in", value_name = "FILE.jsonl", id = "input", conflicts_with_all = ["fen", "mv", "text"])]
    input: Option<PathBuf>,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    limit: LimitArgs,
    /// Lines before the move.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
    /// One JSON object a text instead of a list to read.
    #[arg(long)]
    json: bool,
}

/// A line of the file. Other fields are not looked at.
#[derive(Deserialize)]
struct Task {
    fen: String,
    #[serde(rename = "move")]
    mv: String,
    text: String,
}

/// What is printed of a text.
#[derive(Serialize)]
struct Record<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    #[serde(flatten)]
    checked: &'a Checked,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let single = match (&args.fen, &args.mv, &args.text) {
        (Some(fen), Some(mv), Some(text)) => Some((Input::read(fen, mv)?, text)),
        _ => None,
    };
    let lines = args.input.as_deref().map(open).transpose()?;
    let mut pipeline = Pipeline {
        engine: args.parts.engine()?,
        labels: None,
        network: None,
        probes: None,
        rule: kibitz::concepts::Rule::default(),
        limit: args.limit.limit(),
        multipv: args.multipv,
        known: Some(known_searches()),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    if let Some((input, text)) = single {
        let checked = check(&pipeline.comment(&input.played)?.sheet, text);
        return unless_closed(print(&mut out, None, &checked, args.json));
    }
    let Some(lines) = lines else { return Ok(()) };
    let checked = each(lines, &mut out, args.json, |line, out| {
        let checked = one(line, &mut pipeline)?;
        Ok(print(out, line.id.as_ref(), &checked, args.json)?)
    });
    unless_closed(checked.map(|tally| eprintln!("lab: {}", tally.as_text("checked"))))
}

fn one(line: &TaskLine, pipeline: &mut Pipeline) -> Result<Checked, Box<dyn Error>> {
    let task = Task::deserialize(&line.object)
        .map_err(|error| format!("this line needs a \"fen\", a \"move\" and a \"text\": {error}"))?;
    let input = Input::read(&task.fen, &task.mv)?;
    Ok(check(&pipeline.comment(&input.played)?.sheet, &task.text))
}

fn print(out: &mut impl Write, id: Option<&Value>, checked: &Checked, json: bool) -> io::Result<()> {
    if json {
        let record = Record { id, checked };
        writeln!(out, "{}", serde_json::to_string(&record)?)?;
    } else {
        writeln!(out, "{}", checked.text)?;
        for claim in &checked.claims {
            let sign = match claim.verdict {
                ClaimVerdict::Supported => '+',
                ClaimVerdict::Contradicted => '-',
                ClaimVerdict::Uncheckable => '?',
            };
            let facts: Vec<String> = claim.facts.iter().map(ToString::to_string).collect();
            let facts = if facts.is_empty() {
                String::new()
            } else {
                format!(" ({})", facts.join(", "))
            };
            writeln!(
                out,
                "{sign} {}: “{}” {}{facts}",
                claim.kind.word(),
                claim.text,
                claim.reason
            )?;
        }
        writeln!(out)?;
    }
    out.flush()
}
