//! The lab's output where nobody reads it any more (`lab … | head`) and where it can't be written. Run with `--features lab`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(feature = "lab")]

#[cfg(target_os = "linux")]
use std::fs::File;
use std::process::{Command, Output, Stdio};

const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

/// Commands that print without an engine, a network or a model, each in its way.
const PRINTING: [&[&str]; 6] = [
    &["survey", "analyse", "tests/data/survey/ratings.csv"],
    &["survey", "analyse", "tests/data/survey/ratings.csv", "--json"],
    &["network", "show", "tests/data/net-attention-dense.pb.gz"],
    &["chessbench", "stats", "tests/data/chessbench/state_value_data.bag"],
    &[
        "comment", "--fen", FEN, "--move", "Nf6", "--engine", "none", "--labels", "none",
    ],
    &[
        "check",
        "--fen",
        FEN,
        "--move",
        "Nf6",
        "--engine",
        "none",
        "--labels",
        "none",
        "--text",
        "Black attacks the queen.",
    ],
];

fn lab(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null());
    command
}

/// A pipe whose reader has gone.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    Stdio::from(writer)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn ends_quietly(args: &[&str], output: &Output) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
    assert!(!said.contains("panicked") && !said.contains("pipe"), "{args:?}: {said}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_fault() {
    for args in PRINTING {
        let whole = lab(args).output().unwrap();
        assert!(whole.status.success(), "{args:?}: {}", text(&whole.stderr));
        assert!(!whole.stdout.is_empty(), "{args:?} prints something");
        ends_quietly(args, &lab(args).stdout(closed()).output().unwrap());
        // `lab … 2>&1 | head`
        let both = lab(args).stdout(closed()).stderr(closed()).status().unwrap();
        assert_eq!(both.code(), Some(0), "{args:?}");
    }
}

#[test]
fn a_fault_is_a_fault_though_nobody_reads() {
    let args = ["survey", "analyse", "no-such-file.csv"];
    let output = lab(&args).stdout(closed()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(lab(&args).stderr(closed()).status().unwrap().code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    for args in [PRINTING[0], PRINTING[4]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = lab(args).stdout(full).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(
            said.contains("No space left") && !said.contains("panicked"),
            "{args:?}: {said}"
        );
    }
}
