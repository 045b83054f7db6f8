//! The built `lab annotate` on a short game with the real engine. Run with `--features lab`; skips, saying so, where
//! Stockfish is not installed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(feature = "lab")]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use kibitz::chess::{Game, NodeId, pgn::read_pgn};

const NODES: &str = "20000";

/// Legal's mate, with a name and comments that a hostile PGN may hold.
const GAME: &str = "[Event \"<script>alert(1)</script>\"]
[White \"Kermur \\\"<b>Legal</b>\\\" de\"]
[Black \"Saint Brie & Co\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 d6 {Solid. [%clk 0:04:58]} 3. Bc4 Bg4 (3... Be7 {was safer}) 4. Nc3 g6 {<img src=x onerror=alert(2)>}
5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
";

fn installed() -> bool {
    let found = Path::new("/usr/games/stockfish").exists()
        || std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|dir| dir.join("stockfish").exists());
    if !found {
        eprintln!("skipped: needs stockfish");
    }
    found
}

/// A file of its own for each test.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn lab(path: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab"))
        .arg("annotate")
        .arg(path)
        .args(if options.contains(&"--nodes") {
            &[][..]
        } else {
            &["--nodes", NODES]
        })
        .args(options)
        .output()
        .unwrap()
}

fn said(output: &Output) -> &str {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::str::from_utf8(&output.stdout).unwrap()
}

fn sans(game: &Game) -> Vec<String> {
    game.main_line().iter().map(|id| game.san(*id).unwrap()).collect()
}

#[test]
fn a_game_comes_back_with_comments_glyphs_and_evaluations() {
    if !installed() {
        return;
    }
    let path = file("annotate-pgn.pgn", GAME);
    let output = lab(&path, &[]);
    let text = said(&output);
    assert!(String::from_utf8_lossy(&output.stderr).contains("game 1 of 1: 13 of 13 positions"));
    let read = read_pgn(text).unwrap();
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    let (game, given) = (&read.games[0], &read_pgn(GAME).unwrap().games[0]);
    assert_eq!(sans(game), sans(given));
    assert!(game.tag("Annotator").unwrap().starts_with("Kibitz "));
    assert_eq!(game.tag("White"), given.tag("White"));
    let line = game.main_line();
    for id in &line[..12] {
        assert!(game.comment(*id).starts_with("[%eval "), "{}", game.comment(*id));
    }
    assert!(
        game.comment(line[3]).contains("Solid. [%clk 0:04:58]"),
        "{}",
        game.comment(line[3])
    );
    let variation = game.next_sibling(line[5]).unwrap();
    assert_eq!(
        (game.san(variation).as_deref(), game.comment(variation)),
        (Some("Be7"), "was safer")
    );
    // 5… Bxd1 allows mate in two, and 6. Bxf7+ is on the way to it.
    assert_eq!(game.nags(line[9]), [4], "{text}");
    assert!(
        game.comment(line[9]).starts_with("[%eval #2] [%kibitz 4] "),
        "{}",
        game.comment(line[9])
    );
    assert!(
        game.comment(line[10]).starts_with("[%eval #1]"),
        "{}",
        game.comment(line[10])
    );
    assert_eq!(
        game.comment(line[12]),
        "[%kibitz 0] The final blow. Nd5# is checkmate. [%kibitz end]"
    );
    // The queen sacrifice is praised, and the story stands before the first move.
    assert!(matches!(game.nags(line[8]), [1 | 3]), "{text}");
    assert!(game.comment(line[8]).contains("sacrifice"), "{}", game.comment(line[8]));
    let story = game.comment(NodeId::ROOT);
    assert!(
        story.starts_with("[%kibitz 0] ") && story.ends_with(" [%kibitz end]"),
        "{story}"
    );
    assert!(
        story.contains("It turned with 5… Bxd1, a blunder") && story.contains("mated on move 7"),
        "{story}"
    );
    // What was annotated can be annotated again, and nothing piles up.
    let again = lab(&file("annotate-again.pgn", text), &[]);
    assert_eq!(said(&again), text);

    // Every move is commented on where that is asked.
    let every = lab(&path, &["--every-move"]);
    let every = read_pgn(said(&every)).unwrap().games.remove(0);
    for id in every.main_line() {
        assert!(every.comment(id).contains("[%kibitz end]"), "{}", every.comment(id));
    }
}

#[test]
fn reports_hold_the_game_and_nothing_that_runs() {
    if !installed() {
        return;
    }
    let path = file("annotate-html.pgn", GAME);
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("annotate.html");
    let output = lab(&path, &["--format", "html", "--out", to.to_str().unwrap()]);
    assert_eq!(said(&output), "");
    let page = std::fs::read_to_string(to).unwrap();
    assert!(page.contains("Kermur &quot;&lt;b&gt;Legal&lt;&#x2F;b&gt;&quot; de – Saint Brie &amp; Co, 1-0"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;&#x2F;script&gt;") && page.contains("&lt;img src=x"));
    assert!(
        !page.contains("<script") && !page.contains("<img") && !page.contains("<b>"),
        "{page}"
    );
    // The graph, and a diagram for each note.
    let notes = page.matches("<h3>").count();
    assert!(notes > 0);
    assert_eq!(
        (page.matches("<svg").count(), page.matches("</svg>").count()),
        (1 + notes, 1 + notes)
    );
    assert!(
        page.contains("<h3>5… Bxd1?? <span class=\"bad\">blunder</span></h3>"),
        "{page}"
    );
    let output = lab(&path, &["--format", "text"]);
    let text = said(&output);
    for part in [
        "Kermur \"<b>Legal</b>\" de – Saint Brie & Co, 1-0",
        "blunders",
        "Turning points",
        "5… Bxd1?? (a blunder)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 79), "{text}");
}

/// A game of eleven moves a side, another and one without a move: by any number of engines all come out in their order, the same.
#[test]
fn any_number_of_engines_writes_the_same() {
    if !installed() {
        return;
    }
    let long =
        "[White \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4 6. d4 b5 7. Bb3 d5 8. dxe5 Be6 9. c3 Bc5
10. Nbd2 O-O 11. Bc2 Qd7 *\n";
    let path = file(
        "annotate-threads.pgn",
        &format!("{GAME}\n{long}\n[White \"C\"]\n\n*\n\n{GAME}"),
    );
    let by = |threads: &str| said(&lab(&path, &["--nodes", "4000", "--threads", threads])).to_owned();
    let one = by("1");
    let read = read_pgn(&one).unwrap();
    let whites: Vec<_> = read.games.iter().map(|game| game.tag("White").unwrap()).collect();
    assert_eq!(whites[1..3], ["B", "C"]);
    assert!(whites[0].starts_with("Kermur") && whites[3] == whites[0]);
    for threads in ["2", "3", "9"] {
        assert_eq!(by(threads), one, "{threads} engines");
    }
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let two = file("annotate-two.pgn", &format!("{GAME}\n{GAME}"));
    let empty = file("annotate-empty.pgn", "");
    for (path, options, part) in [
        (Path::new("/nowhere/game.pgn"), &[][..], "/nowhere/game.pgn"),
        (&empty, &[], "no game"),
        (&two, &["--format", "html"], "--game"),
        (&two, &["--game", "3"], "2 games"),
        (&two, &["--game", "1", "--engine", "/nowhere/engine"], "/nowhere/engine"),
    ] {
        let output = lab(path, options);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(part), "{error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    }
}
