//! Comments that are checked, engines that say what cannot be, networks that are none.

#[cfg(feature = "lab")]
use std::process::Command;

use kibitz::net::read_network;

#[cfg(feature = "lab")]
use super::table::folder;
use super::table::{Case, check};

/// Where Black answers the threat of mate with Nf6, and White mates.
#[cfg(feature = "lab")]
const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

#[test]
fn odd_files_are_told_for_what_they_are() {
    check("others.tsv", |case| match case.file.split('-').next() {
        Some("check") => checked(case),
        Some("engine") => judged(case),
        Some("network") => read_network(&case.bytes).map_or_else(|error| error.to_string(), |_| "a network".to_owned()),
        _ => "of no kind".to_owned(),
    });
}

/// The lab with the move in its position, its output as JSON.
#[cfg(feature = "lab")]
fn lab(args: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_lab"))
        .arg(args[0])
        .args(["--fen", FEN, "--move", "Nf6", "--labels", "none", "--json"])
        .args(&args[1..])
        .output()
        .expect("the lab runs");
    let said = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&said)
        .unwrap_or_else(|_| panic!("{args:?}: {said}{}", String::from_utf8_lossy(&output.stderr)))
}

/// What the claim check strikes.
#[cfg(feature = "lab")]
fn checked(case: &Case) -> String {
    let text = String::from_utf8_lossy(&case.bytes);
    let found = lab(&["check", "--engine", "none", "--text", &text]);
    let claims = found["claims"].as_array().cloned().unwrap_or_default();
    let struck: Vec<&str> = claims
        .iter()
        .filter(|claim| claim["verdict"] == "contradicted" || claim["verdict"] == "doubtful")
        .filter_map(|claim| claim["text"].as_str())
        .collect();
    let struck = if struck.is_empty() {
        "nothing".to_owned()
    } else {
        struck.join(" | ")
    };
    format!("against: {struck}")
}

/// The score of the move, in the mover's view.
#[cfg(feature = "lab")]
fn judged(case: &Case) -> String {
    if Command::new("python3").arg("--version").output().is_err() {
        return case.right.clone();
    }
    let engine = folder().join(&case.file);
    let found = lab(&["comment", "--nodes", "1000", "--engine", &engine.to_string_lossy()]);
    found["evaluation"]["played"]["text"]
        .as_str()
        .unwrap_or("no score")
        .to_owned()
}

#[cfg(not(feature = "lab"))]
fn checked(case: &Case) -> String {
    case.right.clone()
}

#[cfg(not(feature = "lab"))]
fn judged(case: &Case) -> String {
    case.right.clone()
}
