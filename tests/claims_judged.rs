//! The claim check on sentences of our own about positions that an engine has judged: those of the labelled claims.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::claim_positions::{LABELLED, sheets};
use kibitz::commentary::{ClaimVerdict, claims::check};

const SENTENCES: &str = include_str!("data/claims-judged.tsv");

#[test]
fn sentences_about_judged_positions() {
    let sheets = sheets(LABELLED);
    let mut wrong = Vec::new();
    let mut lines = 0;
    for line in SENTENCES.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let [position, expected, text] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        lines += 1;
        let checked = check(&sheets[position], text);
        let fits = match expected {
            "supported" => checked.is_clean() && checked.claims.iter().any(|c| c.verdict == ClaimVerdict::Supported),
            "contradicted" => !checked.is_clean(),
            "open" => checked.is_clean(),
            other => panic!("{other}"),
        };
        if !fits {
            wrong.push(format!("{line}: {:#?}", checked.claims));
        }
    }
    assert!(lines > 20, "{lines} lines");
    assert!(wrong.is_empty(), "{} of {lines}:\n{}", wrong.len(), wrong.join("\n"));
}
