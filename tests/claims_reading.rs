//! What our own reader reads, for chess players to read: the files of `tests/data/reading` have a position and a move, sentences
//! about it, and below each what it was taken to say and what the board says of that. `KIBITZ_REWRITE=1 cargo test --test suite
//! claims_reading` writes what is read now; what has changed shows in the files.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fmt::Write as _, fs, path::Path};

use crate::claim_positions::sheet_of;
use kibitz::{
    commentary::{Claim, claims::check},
    view::statement::statement_rows,
};

/// A file as it should be: what was read below each sentence, all other lines as they are.
fn read_anew(text: &str) -> String {
    let mut sheet = None;
    let mut anew = String::new();
    // What was read before, and the empty lines round it.
    let mut skipping = false;
    for line in text.lines() {
        if skipping && (line.is_empty() || line.starts_with("- ")) {
            continue;
        }
        if skipping {
            anew.push('\n');
            skipping = false;
        }
        writeln!(anew, "{line}").unwrap();
        if let [_, fen, _, mv, _] = line.split('`').collect::<Vec<_>>()[..] {
            sheet = Some(sheet_of(fen, mv));
        } else if let Some(sentence) = line.strip_prefix("> ") {
            let sheet = sheet.as_ref().expect("a position before the first sentence");
            anew.push('\n');
            for claim in &check(sheet, sentence).claims {
                writeln!(anew, "- {}", told(claim)).unwrap();
            }
            skipping = true;
        }
    }
    anew
}

/// A claim in a line: the verdict, what it was taken to say, why.
fn told(claim: &Claim) -> String {
    let statements: Vec<String> = claim
        .statements
        .iter()
        .map(|statement| {
            let fields = statement_rows(statement)
                .into_iter()
                .filter_map(|(name, value)| match name {
                    "predicate" => Some(format!("**{value}**")),
                    "subject" => Some(value),
                    "position" if value == "after the move" => None,
                    _ => Some(format!("{name} {value}")),
                });
            fields.collect::<Vec<_>>().join(", ")
        })
        .collect();
    let verdict = claim.verdict.word().replace('-', " ");
    match statements.is_empty() {
        true => format!("*{verdict}*: {}", claim.reason),
        false => format!("*{verdict}*: {}. {}", statements.join("; "), claim.reason),
    }
}

#[test]
fn sentences_are_read_as_the_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reading");
    let mut files = 0;
    let mut changed = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let anew = read_anew(&text);
        files += 1;
        if anew == text {
            continue;
        }
        if std::env::var_os("KIBITZ_REWRITE").is_some() {
            fs::write(&path, anew).unwrap();
        } else {
            let (number, (old, new)) = (1..)
                .zip(text.lines().zip(anew.lines()))
                .find(|(_, (old, new))| old != new)
                .unwrap_or((0, ("its end", "another")));
            changed.push(format!("{}, line {number}: {old}\n    is now: {new}", path.display()));
        }
    }
    assert!(files >= 8, "{files} files");
    assert!(
        changed.is_empty(),
        "{}\nIf that is meant: KIBITZ_REWRITE=1",
        changed.join("\n")
    );
}
