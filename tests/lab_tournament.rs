//! `lab chessbench tournament` and `standings`, with a real Stockfish. Run with `--features lab`.

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
    process::{Command, Stdio},
};

use kibitz::{
    chess::pgn::read_pgn,
    tournament::{
        fixture_game::Ending,
        run_file::{Outcome, Tournament},
    },
};
use serde_json::{Value, json};

use crate::http_request;

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

/// A language model that plays the first of its moves that is not taken, or talks: by what it is called.
fn talker() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Some((mut stream, body)) = http_request::body_of(stream.unwrap()) else {
                continue;
            };
            let question: Value = serde_json::from_slice(&body).unwrap();
            let messages = question["messages"].as_array().unwrap();
            let again = messages.len() > 2;
            let text = match (question["model"].as_str().unwrap(), again) {
                ("stubborn", _) => "Ke9",
                // Asked again it gives up; asked first it names what is hardly ever legal.
                (_, false) => "I play Qxf7#.",
                (_, true) => "I resign.",
            };
            let choice =
                json!({"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}});
            let usage = json!({"prompt_tokens": 10, "completion_tokens": 2});
            let reply = json!({"model": "talker", "choices": [choice], "usage": usage}).to_string();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                reply.len()
            );
            stream.write_all((head + &reply).as_bytes()).unwrap();
        }
    });
    base
}

#[test]
fn a_language_model_plays_and_loses_by_naming_no_move() {
    let folder = folder("chat");
    let base = talker();
    let chats = ["stubborn", "meek"].map(|model| format!("{model}=openai,{base},{model}"));
    let args = [
        "tournament",
        "--play-out",
        "--openings",
        "1",
        "--player",
        "random",
        "--chat",
        &chats[0],
        "--chat",
        &chats[1],
        "--out",
        "chat.jsonl",
    ];
    let (content, text) = lab(&folder, &args);
    assert!(content && text.contains("6 of 6 games are over, 0 failed"), "{text}");
    let tournament = read(&folder, "chat.jsonl");
    for row in tournament.games() {
        let Outcome::Played { ending, .. } = &row.outcome else {
            panic!("{row:?}");
        };
        assert_eq!(*ending, Ending::NoMove);
        // Three tries, each counted.
        let tokens = row.tokens.unwrap();
        assert_eq!((tokens.prompt, tokens.completion), (30, 6));
    }
    assert!(text.contains("180 tokens in prompts, 36 in replies"), "{text}");
    // Nobody answers there: the games fail, and are played when the same command is given again.
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let play = |chat: String| {
        let args = "tournament --play-out --openings 1 --player random --out failed.jsonl --chat";
        lab(&folder, &[args.split(' ').collect(), vec![chat.as_str()]].concat())
    };
    let (content, text) = play(format!("meek=openai,http://{nobody}/v1,meek"));
    assert!(content && text.contains("0 of 2 games are over, 2 failed"), "{text}");
    let (content, text) = play(format!("meek=openai,{base},meek"));
    assert!(content && text.contains("2 of 2 games are over, 0 failed"), "{text}");
}
