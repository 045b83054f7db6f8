//! `lab chessbench tournament` and `standings`, with a real Stockfish. Run with `--features lab`.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]
#![cfg(feature = "lab")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use kibitz::{
    chess::pgn::read_pgn,
    tournament::run_file::{Outcome, Tournament},
};

const STOCKFISH: &str = "/usr/games/stockfish";

fn stockfish() -> bool {
    let there = Path::new(STOCKFISH).exists();
    if !there {
        eprintln!("skipped: there is no {STOCKFISH}");
    }
    there
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tournament-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("chessbench").args(args).current_dir(folder);
    command
}

/// What the command prints, tables first; and whether it was content.
fn lab(folder: &Path, args: &[&str]) -> (bool, String) {
    let output = command(folder, args).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

const PLAYERS: [&str; 6] = [
    "--player",
    "lot=random",
    "--player",
    "engine@200",
    "--player",
    "oracle=each@20",
];

fn tournament(out: &str, more: &[&str]) -> Vec<String> {
    let fixed = ["tournament", "--engine", STOCKFISH, "--openings", "2", "--look", "200"];
    let all = fixed.iter().chain(&PLAYERS).chain(more).chain(&["--out"]);
    all.map(|word| (*word).to_owned()).chain([out.to_owned()]).collect()
}

fn play(folder: &Path, out: &str, more: &[&str]) -> (bool, String) {
    let args = tournament(out, more);
    lab(folder, &args.iter().map(String::as_str).collect::<Vec<_>>())
}

fn read(folder: &Path, name: &str) -> Tournament {
    Tournament::read(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

/// The games without the time that they took.
fn outcomes(tournament: &Tournament) -> Vec<Outcome> {
    tournament.games().map(|row| row.outcome.clone()).collect()
}

#[test]
fn a_tournament_is_the_same_whole_in_shards_and_after_a_kill() {
    if !stockfish() {
        return;
    }
    let folder = folder("whole");
    let (content, text) = play(&folder, "whole.jsonl", &["--threads", "2"]);
    assert!(content && text.contains("12 of 12 games are over, 0 failed"), "{text}");
    let whole = read(&folder, "whole.jsonl");
    assert_eq!(outcomes(&whole).len(), 12);

    for part in ["0/2", "1/2"] {
        let (content, text) = play(&folder, &format!("part-{}.jsonl", &part[..1]), &["--shard", part]);
        assert!(content, "{text}");
    }
    let mut parts = read(&folder, "part-0.jsonl");
    assert_eq!(parts.games().count(), 6);
    parts.merge(read(&folder, "part-1.jsonl")).unwrap();
    assert_eq!(outcomes(&parts), outcomes(&whole));

    // Killed as soon as a game is over.
    let args = tournament("killed.jsonl", &[]);
    let mut child = command(&folder, &args.iter().map(String::as_str).collect::<Vec<_>>())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let path = folder.join("killed.jsonl");
    while fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = read(&folder, "killed.jsonl").games().count();
    assert!((1..12).contains(&before), "{before}");
    let (content, text) = play(&folder, "killed.jsonl", &[]);
    assert!(
        content && text.contains(&format!("{} games are to be played", 12 - before)),
        "{text}"
    );
    assert_eq!(outcomes(&read(&folder, "killed.jsonl")), outcomes(&whole));

    // Another seed's games do not go into the same file.
    let (content, text) = play(&folder, "killed.jsonl", &["--seed", "6"]);
    assert!(!content, "{text}");
}

#[test]
fn standings_have_ratings_a_crosstable_and_the_games() {
    if !stockfish() {
        return;
    }
    let folder = folder("standings");
    let (content, text) = play(&folder, "run.jsonl", &[]);
    assert!(content, "{text}");
    let args = [
        "standings",
        "run.jsonl",
        "--anchor",
        "lot=0",
        "--pgn",
        "games.pgn",
        "--format",
        "csv",
    ];
    let (content, text) = lab(&folder, &args);
    assert!(content, "{text}");
    let row = |name: &str| {
        let line = text.lines().find(|line| line.split(',').nth(1) == Some(name)).unwrap();
        line.split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    // Stockfish with 200 nodes a move loses nothing to chance.
    let elo = |name: &str| row(name)[3..].iter().find_map(|cell| cell.parse::<f64>().ok()).unwrap();
    assert!(elo("engine@200") > 200.0, "{text}");
    let anchored = row("lot");
    assert!(anchored.contains(&"anchor".to_owned()), "{text}");
    let pgn = read_pgn(&fs::read_to_string(folder.join("games.pgn")).unwrap()).unwrap();
    assert_eq!((pgn.games.len(), pgn.problems.len()), (12, 0));
    let games = pgn.games.iter().filter(|game| game.tag("White") == Some("lot")).count();
    assert_eq!(games, 4);
    let (content, text) = lab(&folder, &["standings", "run.jsonl", "--anchor", "nobody=0"]);
    assert!(
        !content && text.contains("nobody in the tournament is called"),
        "{text}"
    );
}
