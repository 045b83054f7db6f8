//! The items of a run: read from what people have, and prepared for judges.

use std::{
    error::Error,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use kibitz::{
    commentary::FactSheet,
    judge::item::{JudgedItem, read_items},
    survey::{
        import::{Choice, Reading},
        read_study,
        study::{Item, played},
        table::from_table,
    },
};

use super::super::{
    comment::LimitArgs,
    pipeline::{Pipeline, known_searches},
    setup::{Parts, SetupError},
    survey_input::{text, write},
};

/// What to prepare.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The comments: a study file (.json), or a table (.csv, .jsonl) with the columns of an import.
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    #[command(flatten)]
    source: Source,
    /// Where the prepared items go.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

/// What is asked about the moves.
#[derive(Debug, clap::Args)]
pub struct Source {
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// Asks no engine: judges get no evaluation, and the claim check only the board.
    #[arg(long, conflicts_with = "engine")]
    no_engine: bool,
    #[command(flatten)]
    limit: LimitArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let items = prepared(&args.input, &args.source)?;
    let mut text = BufWriter::new(Vec::new());
    for item in &items {
        writeln!(text, "{}", serde_json::to_string(item)?)?;
    }
    write(&args.out, &String::from_utf8(text.into_inner()?)?)?;
    errln!("lab: {} items prepared", items.len());
    Ok(())
}

/// The items of a file, prepared; those that are already are taken as they are.
pub fn prepared(path: &Path, source: &Source) -> Result<Vec<JudgedItem>, Box<dyn Error>> {
    let text = text(path)?;
    if let Some(items) = read_items(&text) {
        return Ok(items);
    }
    let items = read(path, &text)?;
    let parts = Parts {
        engine: source.engine.clone(),
        labels: None,
        net: None,
    };
    let engine = match source.no_engine {
        true => None,
        false => Some(parts.engine()?.ok_or(SetupError::NoEngine)?),
    };
    let mut pipeline = Pipeline {
        engine,
        labels: None,
        network: None,
        probes: None,
        rule: kibitz::concepts::Rule::default(),
        limit: source.limit.limit(),
        multipv: 2,
        known: Some(known_searches()),
    };
    let mut all = Vec::with_capacity(items.len());
    for (number, item) in items.iter().enumerate() {
        let played = played(&item.fen, &item.mv).map_err(|error| format!("item {}: {error}", item.id))?;
        let evaluation = pipeline.evaluate(&played)?;
        all.push(JudgedItem::new(
            item,
            &FactSheet::new(&played, evaluation.as_ref(), None),
        ));
        if (number + 1) % 10 == 0 {
            errln!("lab: {} of {} items prepared", number + 1, items.len());
        }
    }
    Ok(all)
}

/// Items with at least one comment; what could not be used of a table is said.
fn read(path: &Path, text: &str) -> Result<Vec<Item>, Box<dyn Error>> {
    let is_study = path.extension().is_some_and(|end| end == "json") && text.contains("\"schema\"");
    let mut items = if is_study {
        read_study(text.as_bytes())
            .map_err(|error| format!("{}: {error}", path.display()))?
            .items
    } else {
        let reading = Reading {
            choice: Choice::Every(1),
            keep_several: false,
        };
        let import = from_table(text, reading).map_err(|error| format!("{}: {error}", path.display()))?;
        for sentence in import.sentences().iter().chain(&import.fault_sentences()) {
            errln!("lab: {sentence}");
        }
        import.items
    };
    items.retain(|item| !item.comments.is_empty());
    if items.is_empty() {
        return Err(format!("{} has no comments to judge", path.display()).into());
    }
    Ok(items)
}
