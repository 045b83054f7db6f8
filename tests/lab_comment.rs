//! The built `lab` over a few positions, with the real engine and the real Stockfish 8. Run with `--features lab`;
//! skips, saying so, where Stockfish or the npm packages are not installed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(feature = "lab")]

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

const NODES: &str = "5000";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// True when both engines are there.
fn installed() -> bool {
    let engine = Path::new("/usr/games/stockfish").exists()
        || std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|dir| dir.join("stockfish").exists());
    let labels = root().join("node_modules/stockfish-8/src/stockfish.js").exists();
    if !(engine && labels) {
        eprintln!("skipped: needs stockfish (found: {engine}) and npm's stockfish-8 (found: {labels})");
    }
    engine && labels
}

fn lab(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // lab may refuse its options before it reads.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn comment(fen: &str, mv: &str) -> Value {
    let output = lab(&["comment", "--fen", fen, "--move", mv, "--nodes", NODES, "--json"], "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What holds for every object, whatever the position.
fn check(record: &Value) {
    let fen = &record["fen"];
    assert!(record["error"].is_null(), "{record}");
    let facts = record["facts"].as_array().unwrap();
    let ids: Vec<&Value> = facts.iter().map(|fact| &fact["id"]).collect();
    for fact in facts {
        let kind = fact["kind"].as_str().unwrap();
        assert!(
            kind.bytes().all(|b| b.is_ascii_lowercase()) && !kind.is_empty(),
            "{kind}"
        );
        assert!(fact["squares"].is_array() && !fact["text"].as_str().unwrap().is_empty());
    }
    let prose = record["prose"].as_array().unwrap();
    assert!((1..=3).contains(&prose.len()), "{fen}: {prose:?}");
    for sentence in prose {
        let named = sentence["facts"].as_array().unwrap();
        assert!(!sentence["text"].as_str().unwrap().is_empty() && !named.is_empty());
        assert!(named.iter().all(|id| ids.contains(&id)), "{fen}: {sentence}");
    }
    let concepts = record["concepts"].as_array().unwrap();
    assert_eq!(concepts.is_empty(), record["no_concepts"].is_string(), "{fen}");
    if concepts.is_empty() {
        return;
    }
    let mut names: Vec<&str> = concepts
        .iter()
        .map(|concept| concept["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 21);
    let number = |concept: &Value, field: &str| concept[field].as_f64().unwrap();
    for concept in concepts {
        let difference = number(concept, "after") - number(concept, "before");
        assert!((number(concept, "change") - difference).abs() < 1e-3, "{concept}");
    }
    assert!(
        concepts.is_sorted_by(|a, b| number(a, "change").abs() >= number(b, "change").abs()),
        "{fen}"
    );
}

#[test]
fn a_mate_a_blunder_and_a_special_ending() {
    if !installed() {
        return;
    }
    let mate = comment(
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "Qxf7#",
    );
    check(&mate);
    assert_eq!(
        (&mate["move"]["uci"], &mate["move"]["san"]),
        (&"h5f7".into(), &"Qxf7#".into())
    );
    assert_eq!(mate["verdict"], "best");
    assert_eq!(mate["evaluation"]["played"]["score"]["mate"], 1);
    assert_eq!(mate["evaluation"]["after"].as_array().unwrap().len(), 0);
    assert!(
        mate["facts"]
            .as_array()
            .unwrap()
            .iter()
            .any(|fact| fact["kind"] == "checkmate")
    );

    // Black hands over the queen: scores and the material concept are Black's view.
    let blunder = comment("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", "Qg5");
    check(&blunder);
    assert_eq!(blunder["verdict"], "blunder");
    assert!(blunder["evaluation"]["played"]["score"]["cp"].as_i64().unwrap() < -300);
    assert!(blunder["evaluation"]["before"][0]["score"]["cp"].as_i64().unwrap() > -150);
    assert_eq!(blunder["evaluation"]["expected_reply"]["san"], "Nxg5");
    let material = blunder["concepts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["name"] == "Material")
        .unwrap();
    assert!(material["settled"].as_f64().unwrap() < -8.0, "{material}");

    let ending = comment("8/8/8/4k3/8/8/8/4K2R w - - 0 1", "Rh4");
    check(&ending);
    assert!(ending["no_concepts"].as_str().unwrap().contains("special rule"));
}

#[test]
fn records_name_rule_and_unit_and_the_papers_prompt_follows_its_own() {
    if !installed() {
        return;
    }
    let mut prompts = Vec::new();
    for (rule, unit) in [
        ("ours", "standard deviations"),
        ("paper", "units of decision value"),
        ("authors", "units of decision value"),
    ] {
        let networks = root().join("public/networks");
        let (net, probes) = (networks.join("kibitz-64x6.pb.gz"), networks.join("kibitz-64x6.probes"));
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        let args = [
            "comment", "--fen", fen, "--move", "Qg5", "--nodes", NODES, "--json", "--arm", "ccc", "--rule", rule,
        ];
        let (net, probes) = (net.to_str().unwrap(), probes.to_str().unwrap());
        let output = lab(&[&args[..], &["--net", net, "--probes", probes]].concat(), "");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&record["concept_rule"], &record["concept_unit"]),
            (&rule.into(), &unit.into())
        );
        let text = record.to_string();
        let at = text.find("concept candidates (probes on a network").unwrap();
        assert!(text[at..].starts_with(
            "concept candidates (probes on a network, changes in units of decision value), risen by the move and the expected reply"
        ));
        // Examples come before the question, and name candidates of their own.
        let question = text.rfind("concept candidates (probes").unwrap();
        let named = text[question..]
            .split("attacks after the move")
            .next()
            .unwrap()
            .to_owned();
        assert_eq!(named.matches("\\n- ").count(), 5, "{named}");
        prompts.push(named);
    }
    assert!(prompts.iter().all(|prompt| *prompt == prompts[0]));
}

#[test]
fn a_file_keeps_its_order_its_ids_and_its_errors() {
    if !installed() {
        return;
    }
    let good = r#"{"id": "a", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "move": "1. e4", "other": [1]}"#;
    let other = r#"{"id": 7, "fen": "6k1/5p2/1p4p1/pP6/P2P4/3K2r1/2R5/8 w - - 3 41", "move": "d3c4"}"#;
    let input = format!(
        "{good}\n\nnot json\n{{\"id\":\"bad\",\"fen\":\"8/8 w\",\"move\":\"e4\"}}\n{{\"fen\":3}}\n\
         {{\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\",\"move\":\"e5\"}}\n{other}"
    );
    let run = |input: &str| lab(&["comment", "--in", "-", "--nodes", NODES, "--json"], input);
    let output = run(&input);
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    let records: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 6, "{said}");
    for (record, line) in records[1..5].iter().zip(3..) {
        assert_eq!(record["line"], line, "{record}");
        assert!(!record["error"].as_str().unwrap().is_empty());
    }
    assert_eq!(records[2]["id"], "bad");
    assert_eq!((&records[0]["id"], &records[5]["id"]), (&"a".into(), &7.into()));
    check(&records[0]);
    check(&records[5]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 commented, 4 failed"));
    // With a node limit the same input gives the same bytes, and a position the same object wherever it stands.
    assert_eq!(run(&input).stdout, output.stdout);
    assert_eq!(
        run(other).stdout,
        said.lines()
            .last()
            .map(|line| format!("{line}\n"))
            .unwrap()
            .into_bytes()
    );
}

/// Stockfish behind a script that writes down what it is told, and where.
#[cfg(unix)]
fn overheard(name: &str) -> (PathBuf, PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let log = path.with_extension("log");
    let _ = std::fs::remove_file(&log);
    let script = format!("#!/bin/sh\ntee '{}' | /usr/games/stockfish\n", log.display());
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    (path, log)
}

#[cfg(unix)]
#[test]
fn a_position_that_comes_again_is_not_searched_again() {
    if !Path::new("/usr/games/stockfish").exists() {
        eprintln!("skipped: needs /usr/games/stockfish");
        return;
    }
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let line = |mv: &str| format!("{{\"fen\": \"{fen}\", \"move\": \"{mv}\", \"text\": \"It develops a piece.\"}}\n");
    for command in ["comment", "check"] {
        let (engine, log) = overheard(&format!("overheard-{command}.sh"));
        let mut args = vec![
            command,
            "--in",
            "-",
            "--nodes",
            NODES,
            "--json",
            "--engine",
            engine.to_str().unwrap(),
        ];
        if command == "comment" {
            args.extend(["--labels", "none"]);
        }
        // What is searched, from the log: `go`s with the position before each.
        let searches = |input: &str| -> Vec<String> {
            let output = lab(&args, input);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let said = std::fs::read_to_string(&log).unwrap();
            let said: Vec<&str> = said.lines().collect();
            let pairs = said.windows(2).filter(|pair| pair[1].starts_with("go "));
            pairs.map(|pair| pair.join(" ")).collect()
        };
        let once = searches(&line("Bc5"));
        assert!(once.len() >= 3, "{once:?}");
        assert_eq!(searches(&line("Bc5").repeat(3)), once, "{command}");
        // Another move in the same position: what is before the move is known.
        let mut both = searches(&(line("Bc5") + &line("Nf6")));
        assert_eq!(both[..once.len()], once, "{command}");
        let all = both.len();
        both.sort();
        both.dedup();
        assert!(all > once.len() && both.len() == all, "{command}: {both:?}");
    }
}

#[test]
fn without_engine_and_labels_the_board_still_speaks() {
    let fen = "4k3/8/8/8/3q4/8/4N3/4K3 w - - 0 1";
    let args = [
        "comment", "--fen", fen, "--move", "Nxd4", "--engine", "none", "--labels", "none", "--json",
    ];
    let output = lab(&args, "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    check(&record);
    assert!(record["verdict"].is_null() && record["evaluation"].is_null());
    assert!(
        record["facts"]
            .as_array()
            .unwrap()
            .iter()
            .any(|fact| fact["kind"] == "capture")
    );
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let single = |fen, mv, option, value| {
        let output = lab(
            &["comment", "--fen", fen, "--move", mv, "--labels", "none", option, value],
            "",
        );
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    for (said, part) in [
        (single("8/8/8 w", "e4", "--engine", "none"), "lab: "),
        (single(start, "e5", "--engine", "none"), "e5"),
        (single(start, "e4", "--engine", "/nowhere/engine"), "/nowhere/engine"),
        (single(start, "e4", "--engine", "true"), "engine"),
        (single(start, "e4", "--net", "/nowhere/net.pb.gz"), "/nowhere/net.pb.gz"),
        (
            single(start, "e4", "--net", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
            "Cargo.toml",
        ),
    ] {
        assert!(said.contains(part), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    }
    let missing = lab(&["comment", "--in", "/nowhere/file.jsonl"], "");
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn the_papers_positions_are_commented() {
    let file: PathBuf = root().join("../shared/data/ccc-positions-dev.jsonl");
    if !installed() || !file.exists() {
        eprintln!("skipped: needs the engines and {}", file.display());
        return;
    }
    let output = lab(
        &["comment", "--in", &file.to_string_lossy(), "--nodes", NODES, "--json"],
        "",
    );
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), 10);
    for line in said.lines() {
        check(&serde_json::from_str(line).unwrap());
    }
}
