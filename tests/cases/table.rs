//! The tables of `tests/data/cases`: tab-separated, with a header.

use std::path::{Path, PathBuf};

/// Where the inputs and their tables lie.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases")
}

/// One input.
pub struct Case {
    /// Its file's name in `tests/data/cases`.
    pub file: String,
    /// What is right, in the words of its kind.
    pub right: String,
    /// What is in the file.
    pub bytes: Vec<u8>,
}

/// The inputs of a table: columns `file`, `right`, `origin` (threads of public trackers, or «own»).
pub fn cases(table: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(folder().join(table)).expect("the table is there");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("file\tright\torigin"), "{table}");
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [file, right, origin] = cells[..] else {
                panic!("{table}: {line}: three cells are wanted")
            };
            assert!(!origin.is_empty(), "{table}: {file} says where it was reported");
            Case {
                file: file.to_owned(),
                right: right.to_owned(),
                bytes: std::fs::read(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}")),
            }
        })
        .collect()
}

/// Holds what `found` makes of each input against what is right, and shows all that differ at once.
pub fn check(table: &str, found: impl Fn(&Case) -> String) {
    let cases = cases(table);
    assert!(!cases.is_empty(), "{table}");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let found = found(case);
            (found != case.right).then(|| format!("{}\n  right: {}\n  found: {found}", case.file, case.right))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}
