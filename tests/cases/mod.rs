//! Small inputs after public bug reports, each with its right answer and where it was reported: the files of
//! `tests/data/cases`, a table a kind beside them. A kind says in one function what Kibitz makes of an input, in the words
//! of its table.

mod bytes;
mod games;
mod others;
mod positions;
mod replies;
mod streams;
mod table;
mod tables;

use std::collections::BTreeMap;

/// The tables, and the reports that are steps in words: what holds each of those.
const TABLES: [&str; 7] = [
    "bytes.tsv",
    "games.tsv",
    "others.tsv",
    "positions.tsv",
    "replies.tsv",
    "streams.tsv",
    "tables.tsv",
];
const STEPS: [(&str, &str); 2] = [
    ("chessbench-shard-names.md", "tests/cases/tables.rs"),
    ("page-reply-wiped-by-same-move.md", "tests/e2e/model.test.mjs"),
];

/// An input that no table names would be held against nothing; and every report that was handed on is here.
#[test]
fn every_case_is_held_against_what_is_right() {
    let listed = TABLES.iter().flat_map(|name| table::cases(name)).map(|case| case.file);
    let mut held: BTreeMap<String, usize> = BTreeMap::new();
    for file in listed {
        *held.entry(file).or_default() += 1;
    }
    let there = std::fs::read_dir(table::folder()).expect("the folder is there");
    let unheld: Vec<String> = there
        .map(|entry| {
            let name = entry.expect("it can be read").file_name();
            name.into_string().expect("plain names")
        })
        .filter(|name| !TABLES.contains(&name.as_str()) && !held.contains_key(name))
        .collect();
    assert!(unheld.is_empty(), "in no table: {unheld:?}");
    let reports = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/cases/expected.tsv");
    let Ok(reports) = std::fs::read_to_string(reports) else {
        return eprintln!("skipped: the reports as they were handed on are not here");
    };
    let files: Vec<&str> = reports
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(files.len(), 97);
    let lost: Vec<&&str> = files
        .iter()
        .filter(|file| !held.contains_key(**file) && !STEPS.iter().any(|(steps, _)| steps == *file))
        .collect();
    assert!(lost.is_empty(), "reported, and in no table: {lost:?}");
}
