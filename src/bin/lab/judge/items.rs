//! The items of a run: read from what people have, and prepared for judges.

use std::{
    error::Error,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use kibitz::{
    judge::item::{JudgedItem, read_items},
    survey::{
        import::{Choice, Reading},
        read_study,
        study::Item,
        table::from_table,
    },
};

use super::{
    super::{
        declarer::DeclarerArgs,
        survey_input::{text, write},
    },
    declaring::declare_items,
    source::{Sheets, Source, sheet},
};

/// What to prepare.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The comments: a study file (.json), or a table (.csv, .jsonl) with the columns of an import.
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    declarer: DeclarerArgs,
    /// Questions to the declarer under way at the same time.
    #[arg(long, requires = "declarer", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    concurrency: u8,
    /// Where the prepared items go.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let declaring = args.declarer.declaring()?;
    let (mut items, sheets) = prepared(&args.input, &args.source)?;
    let keep = |items: &[JudgedItem]| -> Result<(), Box<dyn Error>> {
        let mut text = BufWriter::new(Vec::new());
        for item in items {
            writeln!(text, "{}", serde_json::to_string(item)?)?;
        }
        Ok(write(&args.out, &String::from_utf8(text.into_inner()?)?)?)
    };
    keep(&items)?;
    errln!("lab: {} items prepared", items.len());
    match declaring {
        Some(declaring) => declare_items(&mut items, sheets, &args.source, declaring, args.concurrency, keep),
        None => Ok(()),
    }
}

/// The items of a file, prepared, with the sheets that they were prepared from; items that are prepared already are taken as they
/// are, without sheets.
pub fn prepared(path: &Path, source: &Source) -> Result<(Vec<JudgedItem>, Sheets), Box<dyn Error>> {
    let text = text(path)?;
    if let Some(items) = read_items(&text) {
        return Ok((items, Sheets::new()));
    }
    let items = read(path, &text)?;
    let mut pipeline = source.pipeline()?;
    let (mut all, mut sheets) = (Vec::with_capacity(items.len()), Sheets::new());
    for (number, item) in items.iter().enumerate() {
        let sheet = sheet(&mut pipeline, &item.id, &item.fen, &item.mv)?;
        all.push(JudgedItem::new(item, &sheet));
        sheets.insert(item.id.clone(), sheet);
        if (number + 1) % 10 == 0 {
            errln!("lab: {} of {} items prepared", number + 1, items.len());
        }
    }
    Ok((all, sheets))
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
