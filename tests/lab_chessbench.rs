//! `lab chessbench` from games to files and back, with a real Stockfish. Run with `--features lab`.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]
#![cfg(feature = "lab")]

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use kibitz::{
    chessbench::{record::RecordSet, run_file::AnnotationRun},
    random::Rng,
    uci::Score,
};

const STOCKFISH: &str = "/usr/games/stockfish";

/// A mate in two moves, an opening, and a promotion; the first boards of the games are the same.
const GAMES: &str = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n\n\
    [FEN \"8/P6k/8/8/8/8/6p1/K7 w - - 0 1\"]\n\n1. a8=Q g1=N *\n";

fn stockfish() -> bool {
    let there = Path::new(STOCKFISH).exists();
    if !there {
        eprintln!("skipped: there is no {STOCKFISH}");
    }
    there
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chessbench-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
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

fn done(folder: &Path, args: &[&str]) -> String {
    let (content, text) = lab(folder, args);
    assert!(content, "{args:?}: {text}");
    text
}

const ANNOTATE: [&str; 6] = ["annotate", "games.pgn", "--engine", STOCKFISH, "--nodes", "300"];

fn annotate(folder: &Path, more: &[&str]) -> String {
    done(folder, &[&ANNOTATE[..], more].concat())
}

fn run(folder: &Path, name: &str) -> AnnotationRun {
    AnnotationRun::read(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

#[test]
fn boards_are_annotated_and_files_come_back_as_they_were() {
    if !stockfish() {
        return;
    }
    let folder = folder("files");
    let said = annotate(&folder, &["--out", "run.jsonl"]);
    assert!(
        said.contains("17 boards of 18 in 3 games; 1 repeat another, 0 are beyond"),
        "{said}"
    );
    assert!(said.contains("17 of 17 boards in run.jsonl, 0 failed"), "{said}");
    let records = run(&folder, "run.jsonl").set().records;
    assert_eq!(records.len(), 17);
    let of = |start: &str| records.iter().find(|record| record.fen.starts_with(start)).unwrap();
    let mates = of("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b");
    assert_eq!(mates.best.map(|best| best.to_string()).as_deref(), Some("d8h4"));
    assert_eq!((mates.value, mates.score), (Some(1.0), Some(Score::Mate(1))));
    let mated = of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w");
    assert_eq!((mated.value, mated.best, mated.actions.len()), (Some(0.0), None, 0));
    let start = of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w");
    assert_eq!(start.actions.len(), 20);
    assert!(start.actions.iter().all(|own| (0.3..0.7).contains(&own.value)));

    let forms = ["--jsonl", "set.jsonl", "--csv", "set.csv", "--bag", "bags"];
    let said = done(&folder, &[&["export", "run.jsonl"], &forms[..]].concat());
    assert!(said.contains("17 records in bags/state_value_data.bag"), "{said}");
    assert!(
        said.contains("16 records in bags/behavioral_cloning_data.bag"),
        "{said}"
    );
    let set = fs::read_to_string(folder.join("set.jsonl")).unwrap();
    assert_eq!(RecordSet::read(&set).unwrap().records, records);
    // From a form to all forms again: not a byte is different.
    for (from, again) in [("set.jsonl", "a"), ("set.csv", "b"), ("bags", "c")] {
        let path = |name: &str| format!("{again}-{name}");
        let (jsonl, csv, bags) = (path("set.jsonl"), path("set.csv"), path("bags"));
        done(
            &folder,
            &["export", from, "--jsonl", &jsonl, "--csv", &csv, "--bag", &bags],
        );
        let same = |name: &str, other: &str| {
            assert_eq!(
                fs::read(folder.join(name)).unwrap(),
                fs::read(folder.join(other)).unwrap(),
                "{from}"
            );
        };
        for name in [
            "action_value_data.bag",
            "state_value_data.bag",
            "behavioral_cloning_data.bag",
        ] {
            same(&format!("bags/{name}"), &format!("{bags}/{name}"));
        }
        if from != "bags" {
            same("set.csv", &csv);
        }
        if from == "set.jsonl" {
            same("set.jsonl", &jsonl);
        }
    }

    let card = done(&folder, &["stats", "run.jsonl", "--format", "markdown"]);
    assert!(card.contains("| Limit of each search | 300 nodes |"), "{card}");
    assert!(card.contains("| this set | 3 | 17 | 16 |"), "{card}");
    let bags = done(&folder, &["stats", "bags", "--format", "markdown"]);
    assert!(bags.contains("| Engine | the file does not say |"), "{bags}");
    let puzzle = "PuzzleId,FEN,Moves,Rating,Themes\n\
        x,rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2,g2g4 d8h4,600,mateIn1\n";
    fs::write(folder.join("puzzles.csv"), puzzle).unwrap();
    let overlap = [
        "overlap",
        "set.csv",
        "run.jsonl",
        "--puzzles",
        "puzzles.csv",
        "--format",
        "csv",
    ];
    let said = done(&folder, &overlap);
    assert!(said.contains("Boards,17,17,100,"), "{said}");
    assert!(said.contains("Puzzles,1,1,100,"), "{said}");

    fs::write(folder.join("bad.bag"), [9; 20]).unwrap();
    let (content, said) = lab(&folder, &["stats", "bad.bag"]);
    assert!(!content && said.contains("bad.bag: the file is cut off"), "{said}");
    let (content, said) = lab(&folder, &["stats", "games.pgn"]);
    assert!(!content && said.contains("does not begin with the line"), "{said}");
}

#[test]
fn shards_and_other_orders_make_the_same_records() {
    if !stockfish() {
        return;
    }
    let folder = folder("shards");
    annotate(&folder, &["--out", "whole.jsonl", "--threads", "2"]);
    for part in ["0/2", "1/2"] {
        annotate(
            &folder,
            &["--shard", part, "--out", &format!("part-{}.jsonl", &part[..1])],
        );
    }
    done(
        &folder,
        &["merge", "part-1.jsonl", "part-0.jsonl", "--out", "merged.jsonl"],
    );
    assert_eq!(run(&folder, "merged.jsonl").set(), run(&folder, "whole.jsonl").set());
    let (content, said) = lab(
        &folder,
        &[
            "annotate",
            "games.pgn",
            "--engine",
            STOCKFISH,
            "--nodes",
            "301",
            "--out",
            "whole.jsonl",
        ],
    );
    assert!(
        !content && said.contains("the limits or the ways of searching differ"),
        "{said}"
    );
    // FENs serve as well as games; a line for each move is another oracle.
    fs::write(
        folder.join("boards.fen"),
        "# two\n8/P6k/8/8/8/8/6p1/K7 w - - 0 1\n\n7k/8/8/8/8/8/8/K7 w - -\n",
    )
    .unwrap();
    let multipv = [
        "annotate",
        "boards.fen",
        "--engine",
        STOCKFISH,
        "--multipv",
        "--out",
        "multipv.jsonl",
    ];
    let said = done(&folder, &multipv);
    assert!(
        said.contains("2 searches, by") && said.contains("1,000 nodes, one search with a line"),
        "{said}"
    );
    fs::write(folder.join("boards.fen"), "nonsense\n").unwrap();
    let (content, said) = lab(&folder, &multipv);
    assert!(!content && said.contains("boards.fen, line 1: "), "{said}");
}

/// Killed at boards drawn by lot: three times, or twenty with `KIBITZ_TORTURE=all`.
#[test]
fn a_run_that_is_killed_loses_no_finished_board() {
    if !stockfish() {
        return;
    }
    let folder = folder("killed");
    annotate(&folder, &["--out", "whole.jsonl"]);
    let whole = run(&folder, "whole.jsonl");
    let rows = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with("{\"line\":\"row\""))
            .count()
    };
    let mut rng = Rng::new(20);
    let all = std::env::var("KIBITZ_TORTURE").is_ok_and(|word| word == "all");
    for number in 0..if all { 20 } else { 3 } {
        let name = &format!("killed-{number}.jsonl");
        let until = 1 + rng.below(whole.boards.len() - 2);
        let mut child = command(&folder, &[&ANNOTATE[..], &["--out", name]].concat())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let path = folder.join(name);
        // Until so many boards are done, or all of them are on a fast machine.
        while child.try_wait().unwrap().is_none() {
            if rows(&fs::read_to_string(&path).unwrap_or_default()) >= until {
                child.kill().unwrap();
            }
            std::thread::yield_now();
        }
        let text = fs::read_to_string(&path).unwrap();
        let kept = run(&folder, name);
        assert!(kept.rows.len() >= until, "{} of {until}", kept.rows.len());
        // Half a line, as a machine that loses its power may leave it.
        fs::write(&path, text + "{\"line\":\"row\",\"record\":{\"fen\":\"8/8").unwrap();
        let left = whole.boards.len() - kept.rows.len();
        let said = annotate(&folder, &["--out", name]);
        assert!(
            said.contains(&format!("lab: {left} boards are to be annotated")),
            "{said}"
        );
        let again = run(&folder, name);
        assert!(again.rows.starts_with(&kept.rows), "what was there stays");
        let fens: HashSet<&str> = again.rows.iter().map(|row| row.fen()).collect();
        assert_eq!((again.rows.len(), fens.len()), (whole.boards.len(), whole.boards.len()));
        assert_eq!(again.set(), whole.set());
    }
}

#[test]
fn a_folder_of_published_shards_is_one_set() {
    let folder = folder("published-shards");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/chessbench");
    fs::create_dir(folder.join("shards")).unwrap();
    // The same boards in both: what is there twice is one board.
    for name in [
        "action_value-00000-of-00003_data.bag",
        "action_value-00001-of-00003_data.bag",
    ] {
        fs::copy(data.join("action_value_data.bag"), folder.join("shards").join(name)).unwrap();
    }
    fs::write(folder.join("shards/README.md"), "shards").unwrap();
    let (content, said) = lab(&folder, &["stats", "shards"]);
    assert!(
        content && said.contains("2 of 3 shards of action_value_data.bag are there"),
        "{said}"
    );
    fs::create_dir(folder.join("empty")).unwrap();
    let (content, said) = lab(&folder, &["stats", "empty"]);
    assert!(
        !content && said.contains("action_value-00000-of-02148_data.bag"),
        "{said}"
    );
}
