//! The positions of `../shared/data`, where it is there: every one is read, and every move that comes with it.

#![allow(clippy::unwrap_used)]

use kibitz::{
    chess::{epd::read_epd, pgn::read_pgn, pv_san, read_fen, read_pasted},
    grading::suite::{epd::from_epd, goal::Goal, puzzles::from_csv},
};
use shakmaty::uci::UciMove;

fn shared(name: &str) -> Option<String> {
    let path = format!("{}/../shared/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("skipped: {path} is not there");
    }
    text
}

#[test]
fn every_position_of_the_strategic_test_suite_is_read() {
    let Some(text) = shared("sts-v6.epd") else { return };
    let mut moves = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let epd = read_epd(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert!(epd.read.repairs.is_empty(), "{line}: {:?}", epd.read.repairs);
        assert!(epd.operands("id").is_some(), "{line}");
        moves += epd.moves("bm").unwrap_or_else(|e| panic!("{line}: {e}")).len();
    }
    assert!(moves >= 1_000, "{moves}");
}

/// As a suite of tests: every line a position with points for moves, 100 for its best, and one of the themes.
#[test]
fn the_strategic_test_suite_makes_a_suite() {
    let Some(text) = shared("sts-v6.epd") else { return };
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut themes = std::collections::BTreeMap::<String, usize>::new();
    for (number, line) in lines.iter().enumerate() {
        let at = from_epd(line, number + 1).unwrap_or_else(|e| panic!("{line}: {e}"));
        let Goal::Points { points } = &at.goal else {
            panic!("{line}: {:?}", at.goal)
        };
        assert_eq!(points.values().max(), Some(&100), "{line}");
        assert_eq!(at.themes.len(), 1, "{line}");
        *themes.entry(at.themes[0].clone()).or_default() += 1;
        at.read().unwrap();
    }
    assert_eq!(themes.values().sum::<usize>(), lines.len());
    assert!(lines.len() >= 1_000 && themes.len() >= 10, "{themes:?}");
}

#[test]
fn the_papers_positions_take_their_moves() {
    let Some(text) = shared("ccc-positions-dev.jsonl") else {
        return;
    };
    for line in text.lines() {
        let item: serde_json::Value = serde_json::from_str(line).unwrap();
        let (fen, mv) = (item["fen"].as_str().unwrap(), item["move"].as_str().unwrap());
        let pasted = read_pasted(&format!("{fen} {mv}")).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert!(pasted.problems.is_empty(), "{fen} {mv}: {:?}", pasted.problems);
        assert!(pasted.games[0].played(pasted.at).is_some(), "{fen} {mv}");
        assert!(read_fen(fen).is_ok());
    }
}

#[test]
fn the_puzzles_are_read_and_their_lines_played() {
    let themes = [
        "backRankMate",
        "discoveredAttack",
        "fork",
        "hangingPiece",
        "mateIn1",
        "mateIn2",
        "pin",
        "sacrifice",
        "skewer",
        "trappedPiece",
    ];
    for theme in themes {
        let Some(text) = shared(&format!("lichess-themes/{theme}.csv")) else {
            return;
        };
        let (puzzles, bad) = from_csv(&text).unwrap();
        assert_eq!((puzzles.len(), bad), (text.lines().count() - 1, 0), "{theme}");
        for at in &puzzles {
            at.read().unwrap();
            assert!(
                at.rating.is_some() && at.themes.iter().any(|own| own == theme),
                "{theme}: {at:?}"
            );
            if theme == "mateIn1" {
                assert_eq!(at.goal, Goal::Mate, "{}", at.id);
            }
        }
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let read = read_fen(fields[1]).unwrap_or_else(|e| panic!("{line}: {e}"));
            assert!(read.repairs.is_empty(), "{line}: {:?}", read.repairs);
            let moves: Vec<UciMove> = fields[2].split(' ').map(|mv| mv.parse().unwrap()).collect();
            let sans = pv_san(&read.position, &moves);
            assert_eq!(sans.len(), moves.len(), "{line}");
            let text = format!("[FEN \"{}\"]\n\n{}", fields[1], sans.join(" "));
            let file = read_pgn(&text).unwrap();
            assert!(file.problems.is_empty(), "{line}: {:?}", file.problems);
            assert_eq!(file.games[0].len(), moves.len());
        }
    }
}
