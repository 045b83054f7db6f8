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
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use kibitz::{
    chess::{motifs::mate::mates_in_one, read_fen},
    grading::{fault::FaultKind, grade_file::Grades, run_file::Run, suite::file::Suite},
    random::{Rng, hash},
};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Position, san::San};

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
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (count, broken) = (Arc::clone(&count), broken.clone());
                std::thread::spawn(move || answer(stream.unwrap(), &count, share, &broken));
            }
        });
        Self { base, asked }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn answer(stream: TcpStream, count: &AtomicUsize, share: f64, broken: &std::ops::Range<usize>) {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 {
            return;
        }
        if let Some(found) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = found.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let number = count.fetch_add(1, Ordering::SeqCst);
    let question: Value = serde_json::from_slice(&body).unwrap();
    let (status, reply) = if broken.contains(&number) {
        (
            400,
            json!({"error": {"message": "not today", "type": "invalid_request_error"}}),
        )
    } else {
        let text = said(question["messages"][1]["content"].as_str().unwrap(), share);
        (
            200,
            json!({
                "model": "scripted-2026",
                "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 4},
            }),
        )
    };
    let reply = reply.to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        reply.len()
    );
    reader.into_inner().write_all((head + &reply).as_bytes()).unwrap();
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
        let of = |row: &&kibitz::grading::play::Row| row.task.prompt.is_some_and(|kind| kind.to_string() == prompt);
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
    if !Path::new("/usr/games/stockfish").exists() {
        eprintln!("skipped: there is no /usr/games/stockfish");
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
    let losses = |name: &str| {
        let of = |row: &&kibitz::grading::play::Row| row.task.player == name;
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
    // A grandmaster's game, or nearly, against moves of chance.
    assert!(losses("played") < losses("skill 3") && losses("skill 3") < losses("random"));
}
