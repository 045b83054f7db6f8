//! `lab check`: prose about a move against the board and the engine, or every line of a file.

use std::{
    error::Error,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use kibitz::commentary::{
    Checked, ClaimVerdict, Declaration, FactSheet,
    claims::declared::{check_declared, explained},
    prompt::declaration,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::comment::LimitArgs;
use super::endpoint::Endpoint;
use super::endpoint_args::{EndpointArgs, Sampling, claims_request};
use super::input::Input;
use super::model::DeclaredRecord;
use super::pipeline::{Pipeline, known_searches};
use super::setup::Parts;
use super::{
    output,
    task_lines::{TaskLine, each, open},
};

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
    /// Ask the model at --endpoint for the claims of each text as data, and check those; words that none stands for are read
    /// as ever. Where it fails, the text is checked by its words, and a note says why.
    #[arg(long, requires = "endpoint")]
    declare: bool,
    #[command(flatten)]
    asked: EndpointArgs,
    /// Print what was declared of the words below each claim, as JSON.
    #[arg(long, requires = "declare")]
    explain: bool,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<Vec<DeclaredRecord<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared_note: Option<String>,
}

/// Who checks the texts.
struct Checker {
    pipeline: Pipeline,
    declarer: Option<Declarer>,
    json: bool,
    explain: bool,
}

/// The model that is asked for the claims.
struct Declarer {
    endpoint: Endpoint,
    model: String,
    sampling: Sampling,
}

impl Declarer {
    fn declare(&self, sheet: &FactSheet, text: &str) -> Declaration {
        let request = self.sampling.request(&self.model, declaration(sheet, text));
        match self.endpoint.ask(claims_request(request)) {
            Ok(answer) => Declaration::read(&answer.text, answer.is_cut(), text),
            Err(error) => Declaration::failed(&error.to_string()),
        }
    }
}

impl Checker {
    fn check(&mut self, input: &Input, text: &str) -> Result<(Checked, Declaration), Box<dyn Error>> {
        let sheet = self.pipeline.comment(&input.played)?.sheet;
        let declaration = match &self.declarer {
            Some(declarer) => declarer.declare(&sheet, text),
            None => Declaration::Unasked,
        };
        let checked = check_declared(&sheet, text, declaration.claims());
        Ok((checked, declaration))
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let single = match (&args.fen, &args.mv, &args.text) {
        (Some(fen), Some(mv), Some(text)) => Some((Input::read(fen, mv)?, text)),
        _ => None,
    };
    let lines = args.input.as_deref().map(open).transpose()?;
    let declarer = match args.asked.endpoint()? {
        Some(endpoint) if args.declare => Some(Declarer {
            endpoint,
            model: args.asked.model().to_owned(),
            sampling: args.asked.sampling(),
        }),
        _ => None,
    };
    let pipeline = Pipeline {
        engine: args.parts.engine()?,
        labels: None,
        network: None,
        probes: None,
        rule: kibitz::concepts::Rule::default(),
        limit: args.limit.limit(),
        multipv: args.multipv,
        known: Some(known_searches()),
    };
    let mut checker = Checker {
        pipeline,
        declarer,
        json: args.json,
        explain: args.explain,
    };
    let mut out = BufWriter::new(output::stdout());
    if let Some((input, text)) = single {
        let (checked, declaration) = checker.check(&input, text)?;
        return Ok(checker.print(&mut out, None, &checked, &declaration)?);
    }
    let Some(lines) = lines else { return Ok(()) };
    let tally = each(lines, &mut out, args.json, |line, out| {
        let (checked, declaration) = one(line, &mut checker)?;
        Ok(checker.print(out, line.id.as_ref(), &checked, &declaration)?)
    })?;
    errln!("lab: {}", tally.as_text("checked"));
    Ok(())
}

fn one(line: &TaskLine, checker: &mut Checker) -> Result<(Checked, Declaration), Box<dyn Error>> {
    let task = Task::deserialize(&line.object)
        .map_err(|error| format!("this line needs a \"fen\", a \"move\" and a \"text\": {error}"))?;
    let input = Input::read(&task.fen, &task.mv)?;
    checker.check(&input, &task.text)
}

impl Checker {
    fn print(
        &self,
        out: &mut impl Write,
        id: Option<&Value>,
        checked: &Checked,
        declaration: &Declaration,
    ) -> io::Result<()> {
        if self.json {
            let asked = *declaration != Declaration::Unasked;
            let record = Record {
                id,
                checked,
                declared: asked.then(|| DeclaredRecord::all(declaration.claims(), &checked.text)),
                declared_note: declaration.note(),
            };
            writeln!(out, "{}", serde_json::to_string(&record)?)?;
            return out.flush();
        }
        writeln!(out, "{}", checked.text)?;
        for claim in &checked.claims {
            let sign = match claim.verdict {
                ClaimVerdict::Supported => '+',
                ClaimVerdict::Contradicted => '-',
                ClaimVerdict::Doubtful => '?',
                ClaimVerdict::NotJudged => '·',
            };
            let facts: Vec<String> = claim.facts.iter().map(ToString::to_string).collect();
            let facts = if facts.is_empty() {
                String::new()
            } else {
                format!(" ({})", facts.join(", "))
            };
            let (kind, words, reason) = (claim.kind.word(), &claim.text, &claim.reason);
            writeln!(out, "{sign} {kind}: “{words}” {reason}{facts}")?;
            let its = declaration
                .claims()
                .iter()
                .filter(|declared| declared.span == claim.span && declared.statement.predicate.kind() == claim.kind);
            for declared in its.filter(|_| self.explain) {
                writeln!(out, "    {}", explained(&declared.statement))?;
            }
        }
        if let Some(note) = declaration.note() {
            writeln!(out, "{note}")?;
        }
        writeln!(out)?;
        out.flush()
    }
}
