//! The built `lab` from games to positions to training records. Run with `--features lab`; what needs an engine skips,
//! saying so, where Stockfish is not installed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(feature = "lab")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use kibitz::{
    training::{PositionRecord, packed::RECORD},
    uci::Score,
};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

fn lab(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kibitz-lab-positions-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn positions(file: &Path, more: &[&str]) -> Vec<PositionRecord> {
    let output = lab(&[&["positions", file.to_str().unwrap()], more].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const GAMES: &str = "[Event \"One\"]\n[Site \"https://lichess.org/abcdefgh\"]\n[Result \"1-0\"]\n\n\
    1. e4 { [%eval 0.3] } e5 2. Qh5 Nc6 3. Bc4\n{[%choices f1c4:10\n] } Nf6 4. Qxf7# 1-0\n\n\
    [Event \"Two\"]\n[Result \"*\"]\n\n1. d4 d5 2. c4 {a [note]} e6 *\n\n\
    [Event \"Broken\"]\n\n1. e4 e5 2. Ke4 *\n";

#[test]
fn games_become_positions_with_their_games() {
    let folder = folder("pgn");
    let plain = folder.join("games.pgn");
    fs::write(&plain, GAMES).unwrap();
    let packed = folder.join("games.pgn.zst");
    fs::write(&packed, compress_to_vec(GAMES.as_bytes(), CompressionLevel::Fastest)).unwrap();
    let all = positions(&plain, &["--skip", "0"]);
    assert_eq!(positions(&packed, &["--skip", "0"]), all, "compressed or not");
    let mut games = BTreeMap::new();
    for record in &all {
        *games.entry(record.game.as_str()).or_insert(0) += 1;
    }
    // The second game and the third begin as the first does; the third ends where it can't be read.
    let wanted = [("games#2", 3), ("https://lichess.org/abcdefgh", 7)];
    assert_eq!(games.into_iter().collect::<Vec<_>>(), wanted);
    let judged = positions(&plain, &["--skip", "0", "--judged"]);
    assert_eq!(judged.len(), 1);
    assert_eq!((judged[0].ply, judged[0].lines[0].score), (4, Score::Cp(10)));
    let some = positions(&plain, &["--skip", "0", "--per-game", "2"]);
    assert_eq!(some.len(), 4);
    assert!(some.iter().all(|record| all.contains(record)));
    assert_eq!(positions(&plain, &["--skip", "0", "--per-game", "2"]), some);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn lichess_evaluations_are_turned_to_the_side_to_move() {
    let folder = folder("evals");
    let file = folder.join("evals.jsonl");
    // Scores of the dump are White's view (https://database.lichess.org/#evals).
    let line = r#"{"fen":"7r/1p3k2/p1bPR3/5p2/2B2P1p/8/PP4P1/3K4 b - -","evals":[
        {"pvs":[{"cp":69,"line":"f7g7 e6e2 h8d8"}],"knodes":200973,"depth":39},
        {"pvs":[{"cp":163,"line":"h8d8 d1e1 a6a5"},{"mate":-7,"line":"f7g7 e6e2 h8d8"}],"knodes":71927,"depth":31}]}"#;
    fs::write(&file, line.replace('\n', " ") + "\n").unwrap();
    let records = positions(&file, &[]);
    assert_eq!(records.len(), 1);
    let scores: Vec<Score> = records[0].lines.iter().map(|choice| choice.score).collect();
    assert_eq!(scores, [Score::Cp(-163), Score::Mate(7)]);
    fs::write(&file, "{\"no\": \"position\"}\n").unwrap();
    let output = lab(&["positions", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1"));
    let unknown = lab(&["positions", "README.md"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains(".jsonl"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn self_play_depends_on_the_seed_alone_and_can_be_learnt_from() {
    if !Path::new("/usr/games/stockfish").exists() {
        eprintln!("skipped: there is no /usr/games/stockfish");
        return;
    }
    let folder = folder("games");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let play = |seed: &str, threads: &str, out: &str| {
        let output = lab(&[
            "games",
            "--games",
            "3",
            "--nodes",
            "60",
            "--seed",
            seed,
            "--threads",
            threads,
            "--engine",
            "/usr/games/stockfish",
            "--out",
            out,
        ]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(out).unwrap()
    };
    let one = play("5", "1", &path("one.pgn"));
    assert_eq!(play("5", "2", &path("two.pgn")), one, "however many are played at once");
    assert_ne!(play("6", "1", &path("other.pgn")), one);
    let records = positions(&folder.join("one.pgn"), &["--skip", "0"]);
    assert!(records.len() > 30 && records.iter().all(|record| !record.lines.is_empty()));
    let packed = path("records");
    let output = lab(&["training-set", &path("one.pgn"), "--out", &packed]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = fs::read(&packed).unwrap();
    // The same positions, and those that a sample takes once.
    assert!(bytes.len().is_multiple_of(RECORD) && bytes.len() / RECORD >= records.len());
    fs::remove_dir_all(folder).unwrap();
}
