//! `lab suite`, `lab play`, `lab grade`, `lab report` and `lab merge` with a model of known strength, played by a server of
//! the test. Run with `--features lab`; what needs an engine skips, saying so, where there is none.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]
#![cfg(feature = "lab")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use kibitz::{
    chess::{motifs::mate::mates_in_one, read_fen, read_move},
    grading::{
        fault::{FaultKind, kinds},
        grade::{Class, Grade},
        grade_file::Grades,
        play::Row,
        player::{Player, PlayerKind},
        run_file::Run,
        suite::{file::Suite, goal::Goal, position::TestPosition},
        task::{Settings, Task},
    },
    random::{Rng, hash},
    uci::Score,
};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Position, san::San};

use crate::{http_request, local_model::LocalModel};

/// What the server does with a question.
enum Saying {
    Text(String),
    /// Says nothing for so long, then an answer.
    Slow(Duration, String),
    /// Declines, in the field that the API has for it.
    Declined(&'static str),
    Error,
}

type Script = dyn Fn(usize, &str) -> Saying + Send + Sync;

/// A server whose model finds the mate in this share of positions when it is asked plainly, always where the engine's
/// sentence is told, and in half of what is left where the hint is; else it answers with what is no legal move, or with any
/// move.
struct Scripted {
    base: String,
    asked: Arc<AtomicUsize>,
}

impl Scripted {
    /// Questions with these numbers are refused.
    fn open(share: f64, broken: std::ops::Range<usize>) -> Self {
        Self::saying(move |number, user| match broken.contains(&number) {
            true => Saying::Error,
            false => Saying::Text(said(user, share)),
        })
    }

    /// One that says this to the questions, by their number and text.
    fn saying(script: impl Fn(usize, &str) -> Saying + Send + Sync + 'static) -> Self {
        let script: Arc<Script> = Arc::new(script);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (count, script) = (Arc::clone(&count), Arc::clone(&script));
                std::thread::spawn(move || answer(stream.unwrap(), &count, &script));
            }
        });
        Self { base, asked }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn answer(stream: TcpStream, count: &AtomicUsize, script: &Arc<Script>) {
    let Some((mut stream, body)) = http_request::body_of(stream) else {
        return;
    };
    let number = count.fetch_add(1, Ordering::SeqCst);
    let question: Value = serde_json::from_slice(&body).unwrap();
    let saying = script(number, question["messages"][1]["content"].as_str().unwrap());
    if let Saying::Slow(time, _) = &saying {
        std::thread::sleep(*time);
    }
    let message = match saying {
        Saying::Text(text) | Saying::Slow(_, text) => Some(json!({"role": "assistant", "content": text})),
        Saying::Declined(why) => Some(json!({"role": "assistant", "content": null, "refusal": why})),
        Saying::Error => None,
    };
    let (status, reply) = match message {
        Some(message) => (
            200,
            json!({
                "model": "scripted-2026",
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 4},
            }),
        ),
        None => (
            400,
            json!({"error": {"message": "not today", "type": "invalid_request_error"}}),
        ),
    };
    let reply = reply.to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        reply.len()
    );
    // Whoever waited too long has gone.
    let _ = stream.write_all((head + &reply).as_bytes());
}

fn said(user: &str, share: f64) -> String {
    let fen = user.lines().find_map(|line| line.strip_prefix("FEN: ")).unwrap();
    let read = read_fen(fen).unwrap();
    let mate = mates_in_one(&read.position)[0];
    let mut rng = Rng::new(hash(fen));
    let share = match (user.contains("engine's evaluation"), user.contains("Hint: ")) {
        (true, _) => 1.0,
        (_, true) => f64::midpoint(share, 1.0),
        _ => share,
    };
    if rng.unit() < share {
        return format!("The best move is **{}**.", San::from_move(&read.position, mate));
    }
    match rng.below(4) {
        0 => "I cannot say.".to_owned(),
        1 => "Kh9".to_owned(),
        2 => "a1a1q".to_owned(),
        _ => {
            let moves = read.position.legal_moves();
            let quiet = moves.iter().find(|mv| {
                let mut after = read.position.clone();
                after.play_unchecked(**mv);
                !after.is_checkmate()
            });
            quiet.unwrap().to_uci(CastlingMode::Standard).to_string()
        }
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("players-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Where Debian puts it.
const STOCKFISH: &str = "/usr/games/stockfish";

/// Whether there is an engine; says so where there is none.
fn stockfish() -> bool {
    let there = Path::new(STOCKFISH).exists();
    if !there {
        eprintln!("skipped: there is no {STOCKFISH}");
    }
    there
}

fn lab(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn done(folder: &Path, args: &[&str]) -> String {
    let output = lab(folder, args);
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Mates on the back rank, by a rook on one file or another: Black's king steps to g8 first.
fn mates(folder: &Path) -> usize {
    let mut csv = String::from("PuzzleId,FEN,Moves,Rating,Themes\n");
    let mut count = 0;
    for (file, rook) in [('a', "R7"), ('b', "1R6"), ('c', "2R5"), ('d', "3R4"), ('e', "4R3")] {
        for king in ["K7", "1K6", "2K5"] {
            let rating = 800 + 10 * count;
            csv += &format!(
                "m{count},5k2/5ppp/8/8/8/8/{rook}/{king} b - - 0 20,f8g8 {file}2{file}8,{rating},mate mateIn1\n"
            );
            count += 1;
        }
    }
    fs::write(folder.join("mates.csv"), csv).unwrap();
    done(folder, &["suite", "puzzles", "mates.csv", "--out", "suite.jsonl"]);
    count
}

fn play(folder: &Path, model: &Scripted, more: &[&str]) -> String {
    let spec = format!("scripted=openai,{},scripted", model.base);
    let args = ["play", "--suite", "suite.jsonl", "--table-7", "--model", &spec];
    done(folder, &[&args, more].concat())
}

fn read(folder: &Path, name: &str) -> Run {
    Run::read(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

#[test]
fn the_conditions_of_table_7_come_out_as_the_model_plays() {
    let folder = folder("table-7");
    let all = mates(&folder);
    let model = Scripted::open(0.3, 0..0);
    let said = play(
        &folder,
        &model,
        &[
            "--player",
            "random",
            "--player",
            "first",
            "--prices",
            "1,2",
            "--out",
            "run.jsonl",
        ],
    );
    assert!(said.contains("cost "), "{said}");
    assert_eq!(model.asked(), 3 * all);
    let run = read(&folder, "run.jsonl");
    assert_eq!((run.progress().answered, run.progress().failed), (5 * all, 0));
    let solved = |prompt: &str| {
        let of = |row: &&Row| row.task.prompt.is_some_and(|kind| kind.to_string() == prompt);
        run.answers().filter(of).filter(|row| row.solved == Some(true)).count()
    };
    assert_eq!(solved("fen+expert"), all);
    assert!(solved("fen") < solved("fen+concept") && solved("fen+concept") < all);
    // Every answer is a legal move or a fault of some kind: they add up.
    for row in run.answers() {
        assert_eq!(row.is_legal(), row.fault.is_none());
        assert!(row.fault.as_ref().is_none_or(|fault| {
            matches!(
                fault.kind,
                FaultKind::Refusal
                    | FaultKind::NotAMove
                    | FaultKind::NoPiece
                    | FaultKind::OwnPiece
                    | FaultKind::WrongSide
            )
        }));
    }
    let report = done(&folder, &["report", "run.jsonl", "--format", "markdown"]);
    assert!(report.contains("| scripted (here) | 15 |"), "{report}");
    assert!(report.contains("| GPT-4o (paper) | 1000 | 0.564 |"), "{report}");
    assert!(
        report.contains("| scripted (fen+expert) | 15 | 0 | 1.000 |"),
        "{report}"
    );
    let json: Value = serde_json::from_str(&{
        let output = lab(&folder, &["report", "run.jsonl", "--format", "json"]);
        String::from_utf8(output.stdout).unwrap()
    })
    .unwrap();
    let faults = json
        .as_array()
        .unwrap()
        .iter()
        .find(|table| table["caption"].as_str().unwrap().contains("by kind"));
    for row in faults.unwrap()["rows"].as_array().unwrap() {
        let numbers: Vec<u64> = row.as_array().unwrap()[1..]
            .iter()
            .map(|cell| cell.as_u64().unwrap())
            .collect();
        let (all, kinds) = (numbers[numbers.len() - 2], &numbers[..numbers.len() - 2]);
        assert_eq!(kinds.iter().sum::<u64>(), all, "{row}");
    }
    assert!(done(&folder, &["report", "run.jsonl", "--format", "csv"]).contains("Player,Answers,Errors,Legal"));
}

#[test]
fn every_answer_is_written_down_with_what_is_wrong_and_what_was_best() {
    let folder = folder("answers");
    let all = mates(&folder);
    let model = Scripted::open(0.5, 3..5);
    play(&folder, &model, &["--out", "run.jsonl", "--concurrency", "1"]);
    done(&folder, &["report", "run.jsonl", "--answers", "answers.csv"]);
    let run = read(&folder, "run.jsonl");
    let mut reader = csv::Reader::from_path(folder.join("answers.csv")).unwrap();
    let head = reader.headers().unwrap().clone();
    let place = |name: &str| head.iter().position(|own| own == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3 * all, "errors are among them");
    let count = |name: &str, value: &str| rows.iter().filter(|row| &row[place(name)] == value).count();
    assert_eq!(count("Fault", ""), run.answers().filter(|row| row.is_legal()).count());
    assert_eq!(count("Fault", FaultKind::Transport.label()), 2);
    assert_eq!(
        count("Solved", "yes"),
        run.answers().filter(|row| row.solved == Some(true)).count()
    );
    assert!(
        rows.iter().all(|row| row[place("Best")].contains("8#")),
        "a mate is known of each"
    );
    assert!(rows.iter().all(|row| row[place("Link")].contains("fen=")));
    // The worst first: what is no legal move, then what solves nothing; errors last.
    let faults: Vec<bool> = rows.iter().map(|row| !row[place("Fault")].is_empty()).collect();
    let illegal = faults.iter().take_while(|fault| **fault).count();
    assert!(
        illegal > 0 && faults[illegal..rows.len() - 2].iter().all(|fault| !fault),
        "{faults:?}"
    );
    assert_eq!(&rows[rows.len() - 1][place("Fault")], FaultKind::Transport.label());
}

#[test]
fn a_run_that_failed_goes_on_and_nothing_is_asked_twice() {
    let folder = folder("resumed");
    let all = 3 * mates(&folder);
    let model = Scripted::open(0.5, 10..25);
    play(&folder, &model, &["--out", "run.jsonl", "--concurrency", "3"]);
    let first = read(&folder, "run.jsonl");
    assert_eq!((first.progress().answered, first.progress().failed), (all - 15, 15));
    assert!(
        first
            .errors()
            .iter()
            .all(|row| row.fault.as_ref().unwrap().kind == FaultKind::Transport)
    );
    // A run that was killed leaves half a line.
    let path = folder.join("run.jsonl");
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"line\":\"row\",\"item\":\"m0\",\"pla");
    fs::write(&path, text).unwrap();
    let said = play(&folder, &model, &["--out", "run.jsonl"]);
    assert!(
        said.contains(&format!("{} of {all} answers are there, 15 to do", all - 15)),
        "{said}"
    );
    assert_eq!(model.asked(), all + 15);
    let second = read(&folder, "run.jsonl");
    assert_eq!((second.progress().answered, second.progress().failed), (all, 0));
    assert_eq!(second.rows.len(), all + 15, "the errors stay on the record");
    play(&folder, &model, &["--out", "run.jsonl"]);
    assert_eq!(model.asked(), all + 15);
    let spec = format!("scripted=openai,{},scripted", model.base);
    let other = lab(
        &folder,
        &["play", "--suite", "suite.jsonl", "--model", &spec, "--out", "run.jsonl"],
    );
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("the settings differ"));
}

#[test]
fn shards_come_to_the_same_as_one_run() {
    let folder = folder("shards");
    let all = 3 * mates(&folder);
    let model = Scripted::open(0.4, 0..0);
    play(&folder, &model, &["--out", "whole.jsonl"]);
    for part in ["0/3", "1/3", "2/3"] {
        let out = format!("part-{}.jsonl", &part[..1]);
        play(&folder, &model, &["--shard", part, "--out", &out]);
    }
    assert_eq!(model.asked(), 2 * all);
    done(
        &folder,
        &[
            "merge",
            "part-0.jsonl",
            "part-1.jsonl",
            "part-2.jsonl",
            "--out",
            "merged.jsonl",
        ],
    );
    let answers = |run: &Run| -> BTreeMap<_, _> {
        run.answers()
            .map(|row| (row.task.clone(), (row.moves.clone(), row.fault.clone(), row.solved)))
            .collect()
    };
    let (whole, merged) = (read(&folder, "whole.jsonl"), read(&folder, "merged.jsonl"));
    assert_eq!(answers(&whole), answers(&merged));
    let report = |name: &str| {
        let text = String::from_utf8(lab(&folder, &["report", name, "--format", "csv"]).stdout).unwrap();
        // All but the times.
        text.split("# Time and tokens").next().unwrap().to_owned()
    };
    assert_eq!(report("whole.jsonl"), report("merged.jsonl"));
}

const GAMES: &str = "[Level \"skill 5\"]\n[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4 6. cxd4 Bb4+ 7. Nc3 Nxe4 8. O-O Bxc3 \
    9. d5 Bf6 10. Re1 Ne7 11. Rxe4 d6 12. Bg5 Bxg5 13. Nxg5 h6 14. Qe2 hxg5 15. Re1 Be6 16. dxe6 f6 17. Re3 c6 18. Rh3 Rg8 *\n\n\
    [Level \"skill 20\"]\n[White \"B\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 8. cxd5 Nxd5 9. Bxe7 Qxe7 10. Nxd5 exd5 \
    11. Rc1 Be6 12. Qa4 c5 13. Qa3 Rc8 14. Bb5 a6 15. dxc5 bxc5 16. O-O Ra7 17. Be2 Nd7 18. Nd4 Qf8 *\n";

#[test]
fn suites_from_games_depend_on_the_seed_alone() {
    let folder = folder("suites");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let make = |seed: &str, out: &str| {
        done(
            &folder,
            &[
                "suite",
                "games",
                "games.pgn",
                "--middle",
                "2",
                "--seed",
                seed,
                "--out",
                out,
            ],
        );
        fs::read_to_string(folder.join(out)).unwrap()
    };
    let one = make("1", "one.jsonl");
    assert_eq!(one, make("1", "again.jsonl"));
    let suite = Suite::read(&one).unwrap();
    assert_eq!(suite.positions.len(), 8);
    assert!(
        suite
            .positions
            .iter()
            .all(|at| at.level.is_some() && at.played.is_some())
    );
    let seeds: BTreeSet<Vec<String>> = (1..6)
        .map(|seed| {
            let suite = Suite::read(&make(&seed.to_string(), "other.jsonl")).unwrap();
            suite.positions.into_iter().map(|at| at.id).collect()
        })
        .collect();
    assert!(seeds.len() > 1);
    let refused = lab(&folder, &["suite", "games", "nothing.pgn", "--out", "x.jsonl"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn moves_of_games_are_graded_and_a_cut_off_file_goes_on() {
    if !stockfish() {
        return;
    }
    let folder = folder("grades");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    done(
        &folder,
        &["suite", "games", "games.pgn", "--all", "--out", "suite.jsonl"],
    );
    done(
        &folder,
        &[
            "play",
            "--suite",
            "suite.jsonl",
            "--player",
            "played",
            "--player",
            "first",
            "--player",
            "random",
            "--player",
            "skill 3",
            "--nodes",
            "500",
            "--out",
            "run.jsonl",
        ],
    );
    let grade = |out: &str, more: &[&str]| {
        let engine = ["--engine", "/usr/games/stockfish", "--nodes", "2000", "--out", out];
        done(&folder, &[&["grade", "run.jsonl"][..], &engine, more].concat())
    };
    grade("grades.jsonl", &[]);
    let read = |name: &str| Grades::read(&fs::read_to_string(folder.join(name)).unwrap()).unwrap();
    let whole = read("grades.jsonl");
    assert!(whole.rows.len() > 150, "{}", whole.rows.len());
    // The same again by shards, whatever was graded before: every search begins without memory.
    grade("half-0.jsonl", &["--shard", "0/2"]);
    grade("half-1.jsonl", &["--shard", "1/2"]);
    done(
        &folder,
        &["merge", "half-0.jsonl", "half-1.jsonl", "--out", "merged.jsonl"],
    );
    assert_eq!(read("merged.jsonl").by_move(), whole.by_move());
    // Cut off in the middle of a line, it goes on.
    let text = fs::read_to_string(folder.join("grades.jsonl")).unwrap();
    fs::write(folder.join("cut.jsonl"), &text[..text.len() * 2 / 3]).unwrap();
    grade("cut.jsonl", &[]);
    assert_eq!(read("cut.jsonl").by_move(), whole.by_move());
    let report = done(
        &folder,
        &[
            "report",
            "run.jsonl",
            "--grades",
            "grades.jsonl",
            "--grades",
            "cut.jsonl",
        ],
    );
    for caption in [
        "Average centipawn loss by game and colour: played",
        "Is skill 20 worse than the levels below?",
        "ELO sensitivity",
        "By part of the game",
        "Stockfish",
    ] {
        assert!(report.contains(caption), "{caption}: {report}");
    }
    // A run that is cut off is read, and said to be.
    let text = fs::read_to_string(folder.join("run.jsonl")).unwrap();
    fs::write(folder.join("cut-run.jsonl"), &text[..text.len() - 20]).unwrap();
    for (name, is_cut_off) in [("run.jsonl", false), ("cut-run.jsonl", true)] {
        let output = lab(&folder, &["report", name]);
        assert!(output.status.success());
        let said = String::from_utf8_lossy(&output.stderr).contains("cut off in its last line");
        assert_eq!(said, is_cut_off, "{name}");
    }
    let losses = |name: &str| {
        let of = |row: &&Row| row.task.player == name;
        let run = self::read(&folder, "run.jsonl");
        let by_move = whole.by_move();
        let all: Vec<f64> = run
            .answers()
            .filter(of)
            .filter_map(|row| {
                let at = run.position(&row.task.item)?;
                let key = (at.fen.clone(), at.moves.clone(), row.first_move()?.to_owned());
                Some(f64::from(by_move.get(&key)?.capped_loss()))
            })
            .collect();
        all.iter().sum::<f64>() / all.len() as f64
    };
    // A grandmaster's game, or nearly, against moves of a seed: both are the same in every run. What a skill level plays depends
    // on the clock, so that nothing can be asked of it.
    assert!(losses("played") < losses("random"));
    assert!(losses("skill 3").is_finite());
}

#[test]
fn a_depth_and_a_time_bound_a_search_together() {
    if !stockfish() {
        return;
    }
    let folder = folder("depth-and-time");
    mates(&folder);
    done(
        &folder,
        &[
            "play",
            "--suite",
            "suite.jsonl",
            "--player",
            "first",
            "--out",
            "run.jsonl",
        ],
    );
    // Neither takes a minute: one ends by its depth, the other by the clock.
    for (depth, time, out, words) in [
        ("3", "60000", "shallow.jsonl", "depth 3 or 60 s"),
        ("245", "200", "quick.jsonl", "depth 245 or 0.2 s"),
    ] {
        let limit = ["grade", "run.jsonl", "--depth", depth, "--time", time, "--out", out];
        done(&folder, &[&limit[..], &["--engine", STOCKFISH]].concat());
        let grades = Grades::read(&fs::read_to_string(folder.join(out)).unwrap()).unwrap();
        assert_eq!(grades.header.limit.words(), words);
        let depths: Vec<u32> = grades.by_move().values().map(|grade| grade.depth).collect();
        match depth {
            "3" => assert_eq!(depths, [3; 15]),
            // On a busy machine the clock may run out before there is a score.
            _ => assert!(depths.iter().any(|depth| *depth > 3), "{depths:?}"),
        }
    }
    let both = [
        "grade",
        "run.jsonl",
        "--depth",
        "3",
        "--nodes",
        "50",
        "--out",
        "no.jsonl",
    ];
    assert!(
        !lab(&folder, &both).status.success(),
        "nodes are the same everywhere, a depth is not"
    );
}

/// A position with ranks, colours and side turned over.
fn flipped_fen(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let board: Vec<&str> = fields[0].rsplit('/').collect();
    let swap = |c: char| match c.is_ascii_uppercase() {
        true => c.to_ascii_lowercase(),
        false => c.to_ascii_uppercase(),
    };
    let board: String = board.join("/").chars().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    format!("{board} {side} - - {} {}", fields[4], fields[5])
}

fn flipped_move(uci: &str) -> String {
    let turned = |c: char| c.to_digit(10).map_or(c, |rank| char::from_digit(9 - rank, 10).unwrap());
    uci.chars().map(turned).collect()
}

/// The grades of moves in positions by the real engine, through the command line.
fn graded_by_stockfish(folder: &Path, all: &[(String, String)]) -> Vec<Grade> {
    let player = Player {
        name: "hand".to_owned(),
        kind: PlayerKind::First,
    };
    let (mut positions, mut rows) = (Vec::new(), Vec::new());
    for (number, (fen, uci)) in all.iter().enumerate() {
        let read = read_fen(fen).unwrap();
        assert!(read_move(&read.position, read.mode, uci).is_ok(), "{fen} {uci}");
        let at = TestPosition::new(format!("{number}"), &read.position, read.mode, Goal::Grade);
        rows.push(Row {
            task: Task {
                item: at.id.clone(),
                player: player.name.clone(),
                prompt: None,
            },
            key: number.to_string(),
            moves: vec![uci.clone()],
            fault: None,
            solved: None,
            said: String::new(),
            replies: Vec::new(),
            objected: Vec::new(),
            explanation: None,
            model_answered: None,
            tokens: None,
            millis: 1,
            given_up: Vec::new(),
            copied: false,
        });
        positions.push(at);
    }
    let suite = Suite::new("hand", String::new(), 1, positions.clone());
    let run = Run {
        rows,
        ..Run::new(suite, vec![player], Settings::default())
    };
    fs::write(folder.join("hand.jsonl"), run.text()).unwrap();
    let grade = [
        "grade",
        "hand.jsonl",
        "--engine",
        STOCKFISH,
        "--nodes",
        "50000",
        "--out",
        "hand-grades.jsonl",
    ];
    done(folder, &grade);
    let grades = Grades::read(&fs::read_to_string(folder.join("hand-grades.jsonl")).unwrap()).unwrap();
    let by_move = grades.by_move();
    let of = |(at, (_, uci)): (&TestPosition, &(String, String))| {
        by_move[&(at.fen.clone(), String::new(), uci.clone())].clone()
    };
    positions.iter().zip(all).map(of).collect()
}

/// Mates for and against, a stalemate that throws a mate away, a forced move, a promotion that must not be to a queen: each
/// for both colours, by the real engine.
#[test]
fn the_engine_grades_the_corners_of_the_rules_alike_for_both_colours() {
    if !stockfish() {
        return;
    }
    let folder = folder("corners");
    let cases = [
        // Mate in two by two rooks: the move that keeps it, one that takes longer, one that gives a rook away for nothing.
        ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "a2a7"),
        ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "e1d1"),
        // Mate in one, and a move that misses it.
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "e1e2"),
        // Being mated: the only move, and a choice between sooner and later.
        ("7k/R7/1R6/8/8/8/8/4K3 b - - 0 1", "h8g8"),
        ("6k1/8/5K2/8/8/8/8/R7 b - - 0 1", "g8f8"),
        // Stalemate where mate was there.
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"),
        // A queen stalemates, a rook wins.
        ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f7f8r"),
        ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f7f8q"),
    ];
    let white = cases.map(|(fen, uci)| (fen.to_owned(), uci.to_owned()));
    let black = cases.map(|(fen, uci)| (flipped_fen(fen), flipped_move(uci)));
    let grades = graded_by_stockfish(&folder, &[white, black].concat());
    for colour in grades.chunks(cases.len()) {
        let [keeps, longer, mates, misses, forced, sooner, stalemate, rook, queen] = colour else {
            panic!()
        };
        assert_eq!(
            (keeps.score, keeps.raw_loss(), keeps.rank),
            (Score::Mate(2), 0, 1),
            "{keeps:?}"
        );
        assert!(matches!(longer.score, Score::Mate(3..)), "{longer:?}");
        assert!(
            (1..=10).contains(&longer.raw_loss()),
            "a slower mate costs a centipawn a move: {longer:?}"
        );
        assert_eq!(
            (mates.score, mates.class()),
            (Score::Mate(1), Class::Excellent),
            "{mates:?}"
        );
        assert_eq!(
            (misses.best_score, misses.best_san.as_str()),
            (Score::Mate(1), mates.san.as_str())
        );
        assert!(misses.raw_loss() > 0, "{misses:?}");
        assert!(
            forced.only_move && forced.score == Score::Mate(-1) && forced.loss() == 0,
            "{forced:?}"
        );
        assert!(
            matches!((sooner.best_score, sooner.score), (Score::Mate(..=-2), Score::Mate(-1))),
            "{sooner:?}"
        );
        assert!((1..=10).contains(&sooner.raw_loss()), "{sooner:?}");
        assert_eq!(
            (stalemate.best_score, stalemate.score),
            (Score::Mate(1), Score::Cp(0)),
            "{stalemate:?}"
        );
        assert_eq!((stalemate.class(), stalemate.capped_loss()), (Class::Blunder, 1_000));
        assert_eq!(
            (rook.class(), rook.best.as_str()),
            (Class::Excellent, rook.uci.as_str()),
            "{rook:?}"
        );
        assert_eq!(
            (queen.class(), queen.score),
            (Class::Blunder, Score::Cp(0)),
            "{queen:?}"
        );
    }
}

/// Suites of every kind, built twice: the same bytes, the engine's hints included.
#[test]
fn every_kind_of_suite_is_the_same_again() {
    let folder = folder("again");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    // A queen that mates and is not seen to.
    fs::write(
        folder.join("missed.pgn"),
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qf3 d6 5. a3 Ke7 *\n\n1. f3 e5 2. g4 d6 *\n",
    )
    .unwrap();
    fs::write(
        folder.join("two.epd"),
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n4k3/8/8/8/8/8/4P3/4K3 b - - bm Kd7; id \"epd 1\";\n",
    )
    .unwrap();
    mates(&folder);
    let mut kinds = vec![
        vec!["suite", "games", "games.pgn", "--seed", "5"],
        vec!["suite", "games", "games.pgn", "--all"],
        vec!["suite", "mates", "missed.pgn", "--count", "2"],
        vec!["suite", "puzzles", "mates.csv", "--count", "7", "--seed", "3"],
        vec!["suite", "epd", "two.epd"],
    ];
    if stockfish() {
        kinds.push(vec![
            "suite",
            "games",
            "games.pgn",
            "--engine",
            STOCKFISH,
            "--nodes",
            "2000",
        ]);
        kinds.push(vec![
            "suite", "epd", "two.epd", "--engine", STOCKFISH, "--nodes", "2000",
        ]);
    }
    for kind in kinds {
        let make = |out: &str| {
            done(&folder, &[&kind[..], &["--out", out]].concat());
            fs::read_to_string(folder.join(out)).unwrap()
        };
        let once = make("once.jsonl");
        assert_eq!(once, make("again.jsonl"), "{kind:?}");
        let suite = Suite::read(&once).unwrap();
        assert!(!suite.positions.is_empty(), "{kind:?}");
        if kind.contains(&"two.epd") {
            let ids: Vec<&str> = suite.positions.iter().map(|at| at.id.as_str()).collect();
            assert_eq!(ids, ["epd 1", "epd 1 (2)"]);
        }
        if kind.contains(&"--engine") {
            assert!(suite.positions.iter().all(|at| at.expert.is_some()), "{kind:?}");
            assert!(
                suite.header.made.contains("hints by Stockfish"),
                "{}",
                suite.header.made
            );
        }
    }
}

#[test]
fn games_are_played_at_levels_and_ratings_and_by_the_plan() {
    if !stockfish() {
        return;
    }
    let folder = folder("level-games");
    let games = |out: &str, more: &[&str]| {
        let few = ["games", "--engine", STOCKFISH, "--nodes", "50", "--out", out];
        done(&folder, &[&few[..], more].concat());
        fs::read_to_string(folder.join(out)).unwrap()
    };
    let levels = |text: &str| -> Vec<String> {
        let tags = text.lines().filter_map(|line| line.strip_prefix("[Level \""));
        tags.map(|rest| rest.trim_end_matches("\"]").to_owned()).collect()
    };
    let both = games(
        "both.pgn",
        &["--skill", "3", "--elo", "1500", "--games", "1", "--threads", "2"],
    );
    assert_eq!(levels(&both), ["skill 3", "elo 1500"]);
    assert!(
        both.contains("[Annotator \"50 nodes a move\"]") && both.contains("[BookPlies "),
        "{both}"
    );
    let plan = games("plan.pgn", &["--plan"]);
    let twice = |level: &str| vec![level.to_owned(); 2];
    let wanted = ["skill 5", "skill 10", "skill 15", "skill 18", "skill 20"]
        .map(twice)
        .concat();
    assert_eq!(levels(&plan), wanted);
    // The plan's suite: an early and a late position of each game.
    done(&folder, &["suite", "games", "plan.pgn", "--out", "plan.jsonl"]);
    let suite = Suite::read(&fs::read_to_string(folder.join("plan.jsonl")).unwrap()).unwrap();
    assert_eq!(
        suite.positions.iter().filter(|at| at.part.word() == "early").count(),
        10
    );
    assert!(suite.positions.iter().all(|at| at.level.is_some()));
    // A rating that this engine does not have.
    let refused = lab(
        &folder,
        &[
            "games", "--engine", STOCKFISH, "--elo", "1000", "--games", "1", "--out", "no.pgn",
        ],
    );
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && said.contains("UCI_Elo takes") && said.contains("not 1000"),
        "{said}"
    );
    let play = [
        "play",
        "--suite",
        "plan.jsonl",
        "--player",
        "elo 3500",
        "--engine",
        STOCKFISH,
        "--out",
        "no.jsonl",
    ];
    let refused = lab(&folder, &play);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("UCI_Elo takes"), "{said}");
    assert!(!folder.join("no.jsonl").exists(), "nobody has played");
}

/// Two engines grade the same moves: the real second one, npm's Stockfish 8, where it is installed.
#[test]
fn a_second_engines_grades_stand_beside_the_firsts() {
    if !stockfish() {
        return;
    }
    let folder = folder("second");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    done(
        &folder,
        &["suite", "games", "games.pgn", "--middle", "4", "--out", "suite.jsonl"],
    );
    let play = [
        "play",
        "--suite",
        "suite.jsonl",
        "--player",
        "played",
        "--player",
        "random",
        "--out",
        "run.jsonl",
    ];
    done(&folder, &play);
    let first = [
        "grade",
        "run.jsonl",
        "--engine",
        STOCKFISH,
        "--nodes",
        "3000",
        "--baseline",
        "--out",
        "one.jsonl",
    ];
    done(&folder, &first);
    let npm = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules/stockfish-8/src/stockfish.js");
    let (other, name, nodes) = match npm.exists() {
        true => (npm.to_str().unwrap(), "Stockfish.js 8", "3,000"),
        false => {
            eprintln!("without Stockfish 8: the first engine with other nodes is the second");
            (STOCKFISH, "Stockfish", "6,000")
        }
    };
    let limit = nodes.replace(',', "");
    done(
        &folder,
        &[
            "grade",
            "run.jsonl",
            "--engine",
            other,
            "--nodes",
            &limit,
            "--out",
            "two.jsonl",
        ],
    );
    let read = |name: &str| Grades::read(&fs::read_to_string(folder.join(name)).unwrap()).unwrap();
    let (one, two) = (read("one.jsonl"), read("two.jsonl"));
    assert!(two.header.engine.starts_with(name), "{}", two.header.engine);
    assert_eq!(one.by_move().len(), two.by_move().len());
    let report = done(
        &folder,
        &["report", "run.jsonl", "--grades", "one.jsonl", "--grades", "two.jsonl"],
    );
    assert!(
        report.contains(&format!("{} against {}", one.words(), two.words())),
        "{report}"
    );
    assert!(two.words().contains(nodes) && report.contains("Kappa of classes"));
    assert!(
        report.contains("Against the moves that were played in the games"),
        "{report}"
    );
}

/// Reasons from the model's words to the table: half of them are right, half claim men that nobody has.
#[test]
fn reasons_are_checked_with_the_engines_lines_at_hand() {
    if !stockfish() {
        return;
    }
    let folder = folder("reasons");
    let all = mates(&folder);
    let model = Scripted::saying(|number, user| {
        assert!(user.contains("FEN: "));
        let fen = user.lines().find_map(|line| line.strip_prefix("FEN: ")).unwrap();
        let read = read_fen(fen).unwrap();
        let mate = San::from_move(&read.position, mates_in_one(&read.position)[0]);
        Saying::Text(match number % 3 {
            0 => format!("Move: {mate}\nWhy: {mate} is checkmate."),
            1 => format!("Move: {mate}\nWhy: White is five queens ahead."),
            _ => format!("Move: {mate}"),
        })
    });
    let spec = format!("scripted=openai,{},scripted", model.base);
    let play = [
        "play",
        "--suite",
        "suite.jsonl",
        "--model",
        &spec,
        "--prompt",
        "fen+why",
        "--concurrency",
        "1",
    ];
    done(&folder, &[&play[..], &["--out", "run.jsonl"]].concat());
    let run = read(&folder, "run.jsonl");
    let given = run.answers().filter(|row| row.explanation.is_some()).count();
    assert_eq!(given, all * 2 / 3);
    done(
        &folder,
        &[
            "grade",
            "run.jsonl",
            "--engine",
            STOCKFISH,
            "--nodes",
            "500",
            "--out",
            "grades.jsonl",
        ],
    );
    let grades = Grades::read(&fs::read_to_string(folder.join("grades.jsonl")).unwrap()).unwrap();
    for reason in grades.reasons().values() {
        let (right, wrong) = (reason.tally.supported > 0, reason.tally.contradicted > 0);
        assert_eq!(
            (right, wrong),
            match reason.text.contains("checkmate") {
                true => (true, false),
                false => (false, true),
            },
            "{reason:?}"
        );
        assert_eq!(wrong, !reason.wrong.is_empty());
    }
    assert_eq!(grades.reasons().len(), given);
    let report = done(
        &folder,
        &[
            "report",
            "run.jsonl",
            "--grades",
            "grades.jsonl",
            "--format",
            "markdown",
        ],
    );
    let line = report
        .lines()
        .find(|line| line.starts_with("| scripted (fen+why) | 10 |"))
        .unwrap_or_else(|| panic!("{report}"));
    // Ten reasons: half of them with nothing contradicted; five moves without a reason.
    let cells: Vec<String> = line
        .split('|')
        .map(|cell| cell.replace('*', "").trim().to_owned())
        .collect();
    assert_eq!(cells[6..8], ["0.50", "5"], "{line}");
}

/// Reasons whose claims a model declares: one answer is a wrong claim, one cannot be read.
#[test]
fn reasons_are_checked_by_what_is_declared_of_them() {
    if !stockfish() {
        return;
    }
    let folder = folder("declared");
    mates(&folder);
    let model = Scripted::saying(|number, user| {
        if let Some((_, text)) = user.split_once("<text>") {
            let denied = r#"[{"words": "quiet", "predicate": "gives_check", "denied": true}]"#;
            return Saying::Text(
                if text.contains("quiet") {
                    denied
                } else {
                    "I'd rather not."
                }
                .to_owned(),
            );
        }
        let fen = user.lines().find_map(|line| line.strip_prefix("FEN: ")).unwrap();
        let read = read_fen(fen).unwrap();
        let mate = San::from_move(&read.position, mates_in_one(&read.position)[0]);
        let why = if number % 2 == 0 { "A quiet one." } else { "The end." };
        Saying::Text(format!("Move: {mate}\nWhy: {why}"))
    });
    let spec = format!("scripted=openai,{},scripted", model.base);
    let play = [
        "play",
        "--suite",
        "suite.jsonl",
        "--model",
        &spec,
        "--prompt",
        "fen+why",
    ];
    done(
        &folder,
        &[&play[..], &["--concurrency", "1", "--out", "run.jsonl"]].concat(),
    );
    let asked = model.asked();
    let grade = [
        "grade",
        "run.jsonl",
        "--engine",
        STOCKFISH,
        "--nodes",
        "500",
        "--out",
        "grades.jsonl",
    ];
    let read = || fs::read_to_string(folder.join("grades.jsonl")).unwrap();
    done(&folder, &grade);
    let before = read();
    assert!(!before.contains("declaration"));
    assert_eq!(Grades::read(&before).unwrap().text(), before);
    let with = [&grade[..], &["--declarer", &spec]].concat();
    done(&folder, &with);
    assert!(read().starts_with(&before), "what is there is kept");
    let grades = Grades::read(&read()).unwrap();
    let reasons = grades.reasons();
    assert_eq!(model.asked(), asked + reasons.len());
    let unread = reasons.values().filter(|reason| !reason.text.contains("quiet")).count();
    for reason in reasons.values() {
        let kept = reason.declaration.as_ref().unwrap();
        let is_read = reason.text.contains("quiet");
        assert_eq!(kept.claims(&reason.text).is_some(), is_read, "{kept:?}");
        assert_eq!(
            (reason.tally.contradicted, reason.wrong.len()),
            (usize::from(is_read), usize::from(is_read))
        );
    }
    done(&folder, &with);
    assert_eq!(model.asked(), asked + reasons.len(), "nothing is asked twice");
    let report = done(&folder, &["report", "run.jsonl", "--grades", "grades.jsonl"]);
    let by = format!("in {} of {} reasons.", reasons.len() - unread, reasons.len());
    assert!(
        report.contains("Claims are declared by scripted (scripted at") && report.contains(&by),
        "{report}"
    );
    assert!(
        report.contains(&format!("{unread} answers of a declarer could not be read.")),
        "{report}"
    );
}

#[test]
fn a_server_that_is_too_slow_or_declines_is_told_apart() {
    let folder = folder("slow");
    let all = mates(&folder);
    let model = Scripted::saying(|_, user| {
        // By the rook's file: the first three positions never come in time, the next three are declined.
        let fen = user.lines().find_map(|line| line.strip_prefix("FEN: ")).unwrap();
        match fen {
            fen if fen.contains("/R7/") => Saying::Slow(Duration::from_secs(3), "Ra8#".to_owned()),
            fen if fen.contains("/1R6/") => Saying::Declined("I can't help with that."),
            fen if fen.contains("/2R5/") => Saying::Text("I'm sorry, but I can't help with chess moves.".to_owned()),
            _ => Saying::Text(said(user, 1.0)),
        }
    });
    let spec = format!("scripted=openai,{},scripted", model.base);
    let play = [
        "play",
        "--suite",
        "suite.jsonl",
        "--model",
        &spec,
        "--timeout",
        "1",
        "--concurrency",
        "4",
    ];
    done(&folder, &[&play[..], &["--out", "run.jsonl"]].concat());
    let run = read(&folder, "run.jsonl");
    assert_eq!((run.progress().answered, run.progress().failed), (all - 3, 3));
    let found = kinds(run.answers().chain(run.errors()).filter_map(|row| row.fault.as_ref()));
    assert_eq!(
        found,
        BTreeMap::from([(FaultKind::TimeOut, 3), (FaultKind::Refusal, 6)])
    );
    // Errors are no answers; who declines has answered.
    let report = done(&folder, &["report", "run.jsonl", "--format", "markdown"]);
    assert!(report.contains("| scripted (fen) | 12 | 3 | 0.500 |"), "{report}");
}

/// The shipped network plays: its policy a legal move, its value the mate that ends the game.
#[test]
fn the_networks_heads_play() {
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("public/networks/kibitz-64x6.pb.gz");
    let folder = folder("network");
    let all = mates(&folder);
    let few = all / 5;
    let play = [
        "play",
        "--suite",
        "suite.jsonl",
        "--net",
        net.to_str().unwrap(),
        "--shard",
        "0/5",
    ];
    done(
        &folder,
        &[
            &play[..],
            &["--player", "policy", "--player", "value", "--out", "run.jsonl"],
        ]
        .concat(),
    );
    let run = read(&folder, "run.jsonl");
    assert_eq!(run.answers().count(), 2 * few);
    assert!(run.answers().all(Row::is_legal));
    let solved = run
        .answers()
        .filter(|row| row.task.player == "value" && row.solved == Some(true));
    assert_eq!(solved.count(), few, "what mates needs no evaluation");
    let hash = |name: &str| match &run.player(name).unwrap().kind {
        PlayerKind::Network { hash, .. } => hash.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!((hash("policy").len(), hash("policy")), (64, hash("value")));
    let without = lab(
        &folder,
        &[
            "play",
            "--suite",
            "suite.jsonl",
            "--player",
            "policy",
            "--out",
            "no.jsonl",
        ],
    );
    assert!(String::from_utf8_lossy(&without.stderr).contains("--net"));
}

/// A hundred mates in one and a model far too small for them: nearly every answer is illegal, the kinds add up, and the report
/// says what that means.
#[test]
fn a_real_model_meets_a_hundred_mates() {
    let Some(model) = LocalModel::start(2048) else { return };
    let folder = folder("real");
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("public/suites/mates-in-one.jsonl");
    let suite = suite.to_str().unwrap();
    let spec = format!("small=openai,{},{}", model.base, model.model);
    let play = [
        "play",
        "--suite",
        suite,
        "--model",
        &spec,
        "--max-tokens",
        "16",
        "--concurrency",
        "1",
    ];
    done(&folder, &[&play[..], &["--out", "run.jsonl"]].concat());
    let run = read(&folder, "run.jsonl");
    let progress = run.progress();
    assert_eq!((progress.all, progress.answered + progress.failed), (100, 100));
    let legal = run.answers().filter(|row| row.is_legal()).count();
    let solved = run.answers().filter(|row| row.solved == Some(true)).count();
    let found = kinds(run.answers().chain(run.errors()).filter_map(|row| row.fault.as_ref()));
    assert_eq!(legal + found.values().sum::<usize>(), 100, "{found:?}");
    assert!(
        run.answers()
            .all(|row| row.replies.len() == 1 && row.is_legal() == row.fault.is_none())
    );
    eprintln!("{legal} of 100 answers are legal moves, {solved} mate: {found:?}");
    let report = done(&folder, &["report", "run.jsonl"]);
    let plain = format!("small (fen): {legal} of {} answers", progress.answered);
    assert!(
        legal * 5 < progress.answered,
        "no model of this size knows the rules: {legal}"
    );
    // Under the scores, the faults and Table 7.
    assert_eq!(report.matches(&plain).count(), 3, "{report}");
    assert!(report.contains("nothing about its moves"), "{report}");
}

/// The worked run of docs/players.md, step by step, with few nodes and a scripted model.
#[test]
fn the_worked_run_of_the_docs() {
    if !stockfish() {
        return;
    }
    let folder = folder("worked");
    let step = |line: &str, more: &[&str]| {
        let words: Vec<&str> = line.split_whitespace().collect();
        done(&folder, &[&words[..], more].concat())
    };
    let model = Scripted::saying(|_, user| {
        let fen = user.lines().find_map(|line| line.strip_prefix("FEN: ")).unwrap();
        let read = read_fen(fen).unwrap();
        let mv = match mates_in_one(&read.position).first() {
            Some(mate) => *mate,
            None => read.position.legal_moves()[0],
        };
        let san = San::from_move(&read.position, mv);
        Saying::Text(format!("Move: {san}\nWhy: It gives check."))
    });
    let spec = format!("local=openai,{},scripted", model.base);
    let engine = ["--engine", STOCKFISH];
    // Levels, suite, answers.
    step(
        "games --skill 5 --skill 20 --games 2 --nodes 200 --seed 1 --out games.pgn",
        &engine,
    );
    step(
        "suite games games.pgn --middle 1 --seed 1 --nodes 500 --out suite.jsonl",
        &engine,
    );
    let players = [
        "--player", "played", "--player", "random", "--player", "skill 5", "--player", "skill 10", "--player",
        "skill 20",
    ];
    let play = "play --suite suite.jsonl --prompt fen --prompt fen+expert --prompt fen+why --nodes 200 --out run.jsonl";
    let first = step(
        play,
        &[
            &engine[..],
            &players,
            &["--model", &spec, "--prices", "1,4", "--dry-run"],
        ]
        .concat(),
    );
    assert!(first.contains("cost ") && !folder.join("run.jsonl").exists(), "{first}");
    step(play, &[&engine[..], &players, &["--model", &spec]].concat());
    // Graded twice, reported. Levels play by chance, and calibrated ratings need losses that fall with the level, as those
    // of twelve positions do not always: `grading::report::known_strength` has them.
    step("grade run.jsonl --nodes 1000 --out grades.jsonl", &engine);
    step("grade run.jsonl --nodes 2000 --out second.jsonl", &engine);
    let report = step("report run.jsonl --grades grades.jsonl --grades second.jsonl", &[]);
    for caption in [
        "Scores: 5 for a loss",
        "Answers by class",
        "by kind",
        "By part of the game",
        "Scores with the parts of the game counted alike",
        "ELO sensitivity",
        "Two by two",
        "1,000 nodes against Stockfish",
        "Reasons for moves",
        "Time and tokens of a move",
    ] {
        assert!(report.contains(caption), "{caption}: {report}");
    }
    // Whole games: the plan's table, and whether the top level is worse.
    step("suite games games.pgn --all --out whole.jsonl", &[]);
    step("play --suite whole.jsonl --player played --out whole-run.jsonl", &[]);
    step("grade whole-run.jsonl --nodes 300 --out whole-grades.jsonl", &engine);
    let report = step("report whole-run.jsonl --grades whole-grades.jsonl", &[]);
    assert!(
        report.contains("skill_20 (the plan)") && report.contains("Is skill 20 worse"),
        "{report}"
    );
    // Table 7 by shards.
    let mates = Path::new(env!("CARGO_MANIFEST_DIR")).join("public/suites/mates-in-one.jsonl");
    let mates = mates.to_str().unwrap();
    for part in ["0", "1"] {
        let shard = [format!("{part}/2"), format!("part-{part}.jsonl")];
        let own = [
            "--suite", mates, "--model", &spec, "--shard", &shard[0], "--out", &shard[1],
        ];
        step("play --table-7", &own);
    }
    step("merge part-0.jsonl part-1.jsonl --out mates-run.jsonl", &[]);
    let report = step("report mates-run.jsonl --format markdown", &[]);
    assert!(report.contains("| local (here) | 100 | 1.000 |"), "{report}");
    // What people vouch for.
    let epd = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id \"STS(v1.0) Undermine.001\"; c0 \"f5=100, Bf2=46\";\n";
    fs::write(folder.join("sts.epd"), epd).unwrap();
    step("suite epd sts.epd --out sts.jsonl", &[]);
    step(
        "play --suite sts.jsonl --player solution --player first --out sts-run.jsonl",
        &[],
    );
    step("grade sts-run.jsonl --nodes 2000 --out sts-grades.jsonl", &engine);
    let report = step("report sts-run.jsonl --grades sts-grades.jsonl", &[]);
    assert!(
        report.contains("Moves that people vouch for") && report.contains("Points of 100"),
        "{report}"
    );
}
