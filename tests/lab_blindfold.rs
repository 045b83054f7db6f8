//! `lab blindfold` from games to tables: scripted players, and a server of the test that knows a little chess. Run with
//! `--features lab`.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]
#![cfg(feature = "lab")]

use std::{
    fs,
    io::Write,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
};

use kibitz::{
    blindfold::{probe::ProbeTask, probe_set::ProbeSet, run_file::BlindRun, token_file::read_tokens},
    chess::{
        game::{Game, NodeId},
        pgn_writer::write_pgn,
    },
    random::Rng,
};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Position};

use crate::{http_request, local_model::LocalModel};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("blindfold-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What the command prints, tables first; and whether it was content.
pub fn lab(folder: &Path, args: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_lab"))
        .arg("blindfold")
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

pub fn done(folder: &Path, args: &[&str]) -> String {
    let (content, text) = lab(folder, args);
    assert!(content, "{args:?}: {text}");
    text
}

/// Games of random moves, one of them twice and one too short.
fn games(folder: &Path, count: u64) {
    let mut pgn = String::new();
    for seed in 0..count {
        let mut rng = Rng::new(seed);
        let mut game = Game::new(Chess::default(), CastlingMode::Standard);
        let (mut position, mut at) = (Chess::default(), NodeId::ROOT);
        for _ in 0..if seed == 1 { 6 } else { 110 } {
            let moves = position.legal_moves();
            let Some(mv) = moves.get(rng.below(moves.len())) else {
                break;
            };
            at = game.play(at, *mv).unwrap();
            position.play_unchecked(*mv);
        }
        let text = write_pgn(&game);
        pgn += &text;
        if seed == 0 {
            pgn += &text;
        }
    }
    fs::write(folder.join("games.pgn"), pgn).unwrap();
}

/// Data and probes, as the docs have it.
pub fn prepared(name: &str) -> PathBuf {
    let folder = folder(name);
    games(&folder, 90);
    let sizes = ["--sizes", "5,10,20,5,5,50"];
    let said = done(
        &folder,
        &[&["data", "games.pgn", "--seed", "3", "--out", "data"], &sizes[..]].concat(),
    );
    assert!(said.contains("1 repeat another, 1 are too short"), "{said}");
    let probes = [
        "probes",
        "--games",
        "data/probe.tokens",
        "--train",
        "data/train-l.tokens",
        "--prefixes",
        "short",
        "--count",
        "12",
        "--out",
        "probes.jsonl",
    ];
    let said = done(&folder, &probes);
    assert!(
        said.contains("12 probes: 12 End-Actual, 12 End-Other, 12 Start-Actual, 12 Start-Other"),
        "{said}"
    );
    folder
}

#[test]
fn games_become_tokens_and_questions() {
    let folder = prepared("data");
    let read = |name: &str| read_tokens(&fs::read(folder.join(format!("data/{name}.tokens"))).unwrap()).unwrap();
    let [s, m, l] = ["train-s", "train-m", "train-l"].map(|name| read(name).games);
    assert_eq!([s.len(), m.len(), l.len()], [5, 10, 20]);
    assert!(m.starts_with(&s) && l.starts_with(&m));
    let first = fs::read(folder.join("data/dev.tokens")).unwrap();
    done(
        &folder,
        &[
            "data",
            "games.pgn",
            "--seed",
            "3",
            "--out",
            "again",
            "--sizes",
            "5,10,20,5,5,50",
        ],
    );
    assert_eq!(
        fs::read(folder.join("again/dev.tokens")).unwrap(),
        first,
        "the seed decides"
    );
    let (content, said) = lab(
        &folder,
        &["data", "games.pgn", "--out", "x", "--sizes", "5,10,200,5,5,5"],
    );
    assert!(!content && said.contains("and there are 89"), "{said}");
    let (content, said) = lab(&folder, &["data", "games.pgn", "--out", "x", "--sizes", "5,4,20,5,5,5"]);
    assert!(!content && said.contains("lies within"), "{said}");
    fs::write(folder.join("cut.tokens"), &first[..first.len() - 1]).unwrap();
    let (content, said) = lab(&folder, &["probes", "--games", "cut.tokens", "--out", "x"]);
    assert!(!content && said.contains("the header promises"), "{said}");
}

#[test]
fn scripted_players_run_in_shards_and_have_the_scores_that_are_known() {
    let folder = prepared("scripted");
    let eval = |more: &[&str]| {
        let players = ["--player", "uniform", "--player", "oracle", "--player", "random-legal"];
        done(
            &folder,
            &[&["eval", "--probes", "probes.jsonl"], &players[..], more].concat(),
        )
    };
    eval(&["--out", "whole.jsonl"]);
    for part in ["0/2", "1/2"] {
        eval(&["--shard", part, "--out", &format!("part-{}.jsonl", &part[..1])]);
    }
    done(
        &folder,
        &["merge", "part-0.jsonl", "part-1.jsonl", "--out", "merged.jsonl"],
    );
    let json = |run: &str| done(&folder, &["report", run, "--format", "csv"]);
    assert_eq!(json("whole.jsonl"), json("merged.jsonl"), "shards make the same tables");
    let report = done(&folder, &["report", "whole.jsonl", "--format", "markdown"]);
    assert!(
        report.contains("| oracle | 12 | 100.0 | 100.0 to 100.0 | 100.0 |"),
        "{report}"
    );
    assert!(report.contains("| UCI, Train-L (paper) | 1000 | 97.7 |"), "{report}");
    // A run that was cut off goes on; what is there is kept.
    let text = fs::read_to_string(folder.join("whole.jsonl")).unwrap();
    let cut: String = text.lines().take(60).map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("cut.jsonl"), cut + "{\"line\":\"ro").unwrap();
    let said = eval(&["--out", "cut.jsonl"]);
    assert!(said.contains("97 of 144 answers are to be given"), "{said}");
    assert_eq!(json("cut.jsonl"), json("whole.jsonl"));
    let (content, said) = lab(
        &folder,
        &[
            "eval",
            "--probes",
            "probes.jsonl",
            "--player",
            "oracle",
            "--out",
            "cut.jsonl",
        ],
    );
    assert!(!content && said.contains("the players differ"), "{said}");
}

/// A server of the test, which answers with a status and a body.
fn server(set: &ProbeSet, answer: fn(&Value, &ProbeSet) -> (u16, Value)) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    let set = set.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Some((mut stream, body)) = http_request::body_of(stream.unwrap()) else {
                continue;
            };
            let (status, reply) = answer(&serde_json::from_slice(&body).unwrap(), &set);
            let reply = reply.to_string();
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                reply.len()
            );
            stream.write_all((head + &reply).as_bytes()).unwrap();
        }
    });
    base
}

/// A model that names a legal square, talks, or fails, by the number of the question.
fn chat(question: &Value, set: &ProbeSet) -> (u16, Value) {
    let user = question["messages"][1]["content"].as_str().unwrap();
    let probe = set
        .probes
        .iter()
        .find(|probe| user.contains(&format!("\n{}\n", probe.line().prefix)))
        .unwrap();
    let place: usize = probe.id()[1..].parse().unwrap();
    if place == 1 {
        return (
            400,
            json!({"error": {"message": "not today", "type": "invalid_request_error"}}),
        );
    }
    // Of a start the question names the type; the real move is always one of the legal ones here.
    let start = probe.line().starting_square;
    let text = match (place, user.contains(&format!("the piece on {start}"))) {
        (2, _) => "I cannot see the board.".to_owned(),
        (_, true) => format!("From {start} it goes to **{}**.", probe.line().ending_square.unwrap()),
        (_, false) => "a1".to_owned(),
    };
    let choice = json!({"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}});
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 4});
    (
        200,
        json!({"model": "scripted-2026", "choices": [choice], "usage": usage}),
    )
}

/// What goes on with texts and lists 20 tokens at most: the game's own move with 0.54, in two tokens, and with 0.2 the king.
fn going_on(question: &Value, set: &ProbeSet) -> (u16, Value) {
    if question["logprobs"].as_u64().unwrap() > 20 {
        let message = "Requested sample logprobs of 200, which is greater than max allowed: 20";
        return (400, json!({"object": "error", "message": message, "code": 400}));
    }
    let text = question["prompt"].as_str().unwrap();
    let asked = set.probes.iter().find_map(|probe| {
        let line = probe.line();
        let rest = text.split_once(&format!("\n{} ", line.prefix))?.1;
        Some((rest.to_owned(), line.ending_square.unwrap()))
    });
    let (rest, end) = asked.unwrap_or(("f1".to_owned(), "b5".to_owned()));
    let listed = match rest.len() {
        2 => json!({(&end[..1]): (0.6_f64).ln(), "K": (0.2_f64).ln(), " ": (0.1_f64).ln()}),
        _ => {
            assert!(rest.ends_with(&end[..1]), "{rest}");
            json!({(&end[1..]): (0.9_f64).ln(), "\n": (0.05_f64).ln()})
        }
    };
    let choice = json!({"index": 0, "text": "", "logprobs": {"top_logprobs": [listed]}});
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 1});
    (
        200,
        json!({"model": "scripted-2026", "choices": [choice], "usage": usage}),
    )
}

/// What goes on with texts and says nothing of other tokens.
fn without_probabilities(_: &Value, _: &ProbeSet) -> (u16, Value) {
    (
        200,
        json!({"choices": [{"index": 0, "text": "b", "finish_reason": "length", "logprobs": null}]}),
    )
}

#[test]
fn a_model_is_scored_by_what_it_finds_likely() {
    let folder = prepared("scored");
    let set = ProbeSet::read(&fs::read_to_string(folder.join("probes.jsonl")).unwrap()).unwrap();
    let spec = |answer| format!("scripted=openai,{},scripted", server(&set, answer));
    let args = |spec: &str, moves: &str, out: &str| -> Vec<String> {
        [
            "eval",
            "--probes",
            "probes.jsonl",
            "--scored",
            spec,
            "--moves",
            moves,
            "--out",
            out,
        ]
        .map(str::to_owned)
        .to_vec()
    };
    let strs =
        |args: Vec<String>| -> (bool, String) { lab(&folder, &args.iter().map(String::as_str).collect::<Vec<_>>()) };
    let (content, said) = strs(args(&spec(going_on), "uci", "run.jsonl"));
    // Two tasks, of which each question takes two requests; those that were refused are not counted.
    assert!(
        content && said.contains("24 of 24 answers in run.jsonl, 0 failed"),
        "{said}"
    );
    assert!(said.contains("4800 tokens in prompts, 48 in replies"), "{said}");
    let run = BlindRun::read(&fs::read_to_string(folder.join("run.jsonl")).unwrap()).unwrap();
    for row in run.answers() {
        assert!(row.ranked && (row.heard.unwrap() - 0.74).abs() < 1e-9, "{row:?}");
        let end = &run.by_id()[row.task.probe.as_str()].line().ending_square.unwrap();
        assert_eq!(&row.tokens[0], end);
        assert!(row.tokens.len() == 1 || row.tokens[1..] == ["K"], "{row:?}");
    }
    assert!(run.header.prompt_texts.contains_key("uci, scored, end"));
    let report = done(&folder, &["report", "run.jsonl", "--format", "markdown"]);
    assert!(
        report.contains("| scripted | scored, uci | 24 | 0 | 0 | 0.740 |"),
        "{report}"
    );
    assert!(report.contains("| scripted | 12 | 100.0 |"), "{report}");

    let (content, said) = strs(args(&spec(without_probabilities), "uci", "none.jsonl"));
    assert!(!content && !folder.join("none.jsonl").exists(), "{said}");
    assert!(
        said.contains("The server returns no log-probabilities with this model. Ask it instead of scoring it."),
        "{said}"
    );
    let (content, said) = strs(args(&spec(going_on), "pgn", "pgn.jsonl"));
    assert!(
        !content && said.contains("a model is scored with --moves uci or types"),
        "{said}"
    );
}

/// A real model, far too small to play chess, is asked and scored: that every answer comes, and how much of the probability is
/// heard. Four instances, or a hundred of the long set with `KIBITZ_TORTURE=all`.
#[test]
fn a_real_model_is_asked_and_scored() {
    let Some(model) = LocalModel::start(4096) else { return };
    let folder = folder("real");
    let all = std::env::var("KIBITZ_TORTURE").is_ok_and(|word| word == "all");
    let (set, first) = if all { ("long", "25") } else { ("short", "1") };
    let probes = format!("{}/public/blindfold/{set}.jsonl", env!("CARGO_MANIFEST_DIR"));
    for (way, name) in [("--model", "asked"), ("--scored", "scored")] {
        let spec = format!("{name}=openai,{},{}", model.base, model.model);
        let out = format!("{name}.jsonl");
        done(
            &folder,
            &[
                "eval",
                "--probes",
                &probes,
                "--first",
                first,
                way,
                &spec,
                "--moves",
                "types",
                "--concurrency",
                "1",
                "--timeout",
                "600",
                "--out",
                &out,
            ],
        );
        let run = BlindRun::read(&fs::read_to_string(folder.join(&out)).unwrap()).unwrap();
        assert_eq!(run.answers().count(), if all { 100 } else { 4 });
        for row in run.answers() {
            assert_eq!(row.ranked, name == "scored", "{row:?}");
            assert!(row.heard.is_none_or(|heard| heard > 0.0 && heard <= 1.0), "{row:?}");
        }
    }
    let report = done(
        &folder,
        &["report", "asked.jsonl", "scored.jsonl", "--format", "markdown"],
    );
    eprintln!("{report}");
    for mode in ["| asked | asked, types |", "| scored | scored, types |"] {
        assert!(report.contains(mode), "{report}");
    }
}

#[test]
fn a_model_is_asked_and_what_names_no_square_is_counted() {
    let folder = prepared("asked");
    let set = ProbeSet::read(&fs::read_to_string(folder.join("probes.jsonl")).unwrap()).unwrap();
    let spec = format!("scripted=openai,{},scripted", server(&set, chat));
    let args = [
        "eval",
        "--probes",
        "probes.jsonl",
        "--model",
        &spec,
        "--player",
        "oracle",
        "--prices",
        "1,2",
    ];
    let task = ["--task", "end-actual", "--out", "run.jsonl"];
    let said = done(&folder, &[&args[..], &task].concat());
    assert!(said.contains("23 of 24 answers in run.jsonl, 1 failed"), "{said}");
    assert!(
        said.contains("1100 tokens in prompts, 44 in replies; cost 0.0012"),
        "{said}"
    );
    let run = BlindRun::read(&fs::read_to_string(folder.join("run.jsonl")).unwrap()).unwrap();
    assert!(!run.text().contains("Authorization"));
    let row = run
        .answers()
        .find(|row| row.task.player == "scripted" && row.task.probe == "p3")
        .unwrap();
    assert_eq!((row.task.task, row.tokens.len()), (ProbeTask::EndActual, 1));
    let report = done(&folder, &["report", "run.jsonl", "--format", "markdown"]);
    assert!(report.contains("| scripted | asked, uci | 11 | 1 | 1 |"), "{report}");
    // Ten of eleven answers are the game's own move; R-precision is not defined.
    assert!(report.contains("| scripted | 11 | 90.9 |"), "{report}");
    assert!(
        report.contains("| scripted | End-Actual | 11 | 1 | 0 | 0 | 0 | 1 | 0 |"),
        "{report}"
    );
}
