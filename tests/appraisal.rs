//! One judgement of a move: scripted searches that disagree are settled, and what stays open is said.

#![allow(clippy::unwrap_used)] // A test that can't set up its position has failed.

use kibitz::{
    chess::Played,
    commentary::{Appraisal, FactSheet, Standing, Trust, Verdict, narrate},
    uci::{Limit, Search, SearchRequest, SearchResult, UciLine},
};
use shakmaty::{CastlingMode, Chess, fen::Fen, san::SanPlus};

fn played(fen: &str, san: &str) -> Played {
    let before: Chess = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    let mv = san.parse::<SanPlus>().unwrap().san.to_move(&before).unwrap();
    Played::new(before, mv, CastlingMode::Standard, Vec::new()).unwrap()
}

/// The result of a search that printed these lines: score and principal variation.
fn result(lines: &[&str]) -> SearchResult {
    let mut search = Search::new(lines.len());
    for (number, line) in (1..).zip(lines) {
        let (score, pv) = line.split_once('|').unwrap();
        let text = format!("info depth 12 multipv {number} score {score} nodes 100 nps 1 time 1 pv {pv}");
        search.on_line(&UciLine::parse(&text));
    }
    search.on_line(&UciLine::parse("bestmove 0000"));
    search.into_result()
}

/// Answers what is asked from a script and returns the commands that were sent.
fn run(appraisal: &mut Appraisal, script: &[&[&str]]) -> Vec<String> {
    let mut asked = Vec::new();
    for lines in script {
        let request: SearchRequest = appraisal.next(1).unwrap();
        asked.push(request.go().to_string());
        appraisal.take("Test", result(lines)).unwrap();
    }
    asked
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Nxd7 looked best by five pawns' worth before the move; after it White mates.
const OPERA: &str = "4kb1r/p2B1ppp/4qn2/4p1B1/4P3/1Q6/PPP2PPP/2KR4 b k - 0 15";

#[test]
fn a_best_move_that_is_mated_is_not_the_best() {
    let mut appraisal = Appraisal::new(played(OPERA, "Nxd7"), Limit::Nodes(1000), 2);
    let before: &[&str] = &["cp -350|f6d7 b3b8", "cp -600|e6d7 d1d7"];
    let after: &[&str] = &["mate 2|b3b8 d7b8 d1d8"];
    let asked = run(&mut appraisal, &[before, after]);
    assert_eq!(asked, ["go nodes 1000", "go nodes 1000"]);
    let first_look = appraisal.evaluation().unwrap();
    assert_eq!(first_look.trust, Trust::FirstLook);
    assert_eq!(
        first_look.before[0].san[0], "Qxd7",
        "the other move comes first at once"
    );
    let duel: &[&str] = &["cp -620|e6d7 d1d7", "mate -2|f6d7 b3b8 d7b8 d1d8"];
    let asked = run(&mut appraisal, &[duel]);
    assert_eq!(
        asked,
        ["go nodes 2000 searchmoves e6d7 f6d7"],
        "both moves at one depth, with twice the nodes"
    );
    let evaluation = appraisal.evaluation().unwrap();
    let verdict = Verdict::of(appraisal.played(), evaluation);
    assert_eq!(verdict, Some(Verdict::Mistake), "mated from −6.20");
    let sheet = FactSheet::new(appraisal.played(), Some(evaluation), None);
    let text: Vec<String> = narrate(&sheet).into_iter().map(|sentence| sentence.text).collect();
    let text = text.join(" ");
    assert!(!text.contains("best move") && text.contains("mate"), "{text}");
}

#[test]
fn a_move_better_than_the_best_is_the_best() {
    let fen = "5r1k/pp4pp/8/3R4/3n3N/P6Q/1q3rPP/5RK1 w - - 0 30";
    let mut appraisal = Appraisal::new(played(fen, "Ng6+"), Limit::Nodes(1000), 2);
    let before: &[&str] = &["cp 0|d5d4 b2d4", "cp -20|h3g3 f2f1"];
    let after: &[&str] = &["cp -740|h8g8 g6e7"];
    let duel: &[&str] = &["cp 745|h4g6 h8g8 g6e7", "cp 0|d5d4 b2d4", "cp -30|h3g3 f2f1"];
    run(&mut appraisal, &[before, after]);
    run(&mut appraisal, &[duel]);
    let evaluation = appraisal.evaluation().unwrap();
    assert_eq!(Verdict::of(appraisal.played(), evaluation), Some(Verdict::Best));
    assert_eq!(
        Standing::of(evaluation.before[0].score),
        Standing::Winning,
        "never balanced, then winning"
    );
    assert!(evaluation.played <= evaluation.before[0].score);
}

#[test]
fn searches_that_differ_are_made_again_with_more_and_then_left_open() {
    let mut appraisal = Appraisal::new(played(START, "a3"), Limit::Nodes(1000), 2);
    let before: &[&str] = &["cp 30|e2e4 e7e5", "cp 25|d2d4 d7d5"];
    let bad: &[&str] = &["cp 200|d7d5 d2d4"];
    let good: &[&str] = &["cp 30|e2e4 e7e5", "cp 25|d2d4 d7d5", "cp 20|a2a3 d7d5"];
    let doubtful: &[&str] = &["cp 30|e2e4 e7e5", "cp 25|d2d4 d7d5", "cp -150|a2a3 d7d5"];
    let asked = run(&mut appraisal, &[before, bad, good, doubtful, good, doubtful, good]);
    assert_eq!(asked[2], "go nodes 2000 searchmoves a2a3 d2d4 e2e4");
    assert_eq!(asked[3], "go nodes 4000 searchmoves a2a3 d2d4 e2e4");
    assert_eq!(asked[6], "go nodes 32000 searchmoves a2a3 d2d4 e2e4");
    assert!(appraisal.is_done());
    assert_eq!(appraisal.evaluation().unwrap().trust, Trust::Open);
    assert_eq!(appraisal.evaluation().unwrap().nodes, 700);
    assert!(appraisal.deepen(), "asked for, it goes on");
    assert_eq!(appraisal.next(1).unwrap().go().to_string(), "go nodes 32000");
}

#[test]
fn a_best_move_that_the_duel_refutes_makes_room_for_others() {
    let mut appraisal = Appraisal::new(played(START, "a3"), Limit::Nodes(1000), 2);
    let before: &[&str] = &["cp 150|g1f3 e7e5", "cp 90|d2d4 d7d5"];
    let after: &[&str] = &["cp 10|d7d5 d2d4"];
    let refuted: &[&str] = &["cp 20|d2d4 d7d5", "cp -10|a2a3 d7d5", "cp -300|g1f3 e7e5"];
    let asked = run(&mut appraisal, &[before, after, refuted]);
    assert_eq!(asked[2], "go nodes 2000 searchmoves a2a3 d2d4 g1f3");
    assert_eq!(
        appraisal.next(1).unwrap().go().to_string(),
        "go nodes 2000",
        "all moves again, with twice the limit"
    );
}

#[test]
fn a_mate_seen_on_one_side_only_takes_the_whole_budget() {
    // Both moves are mated; the search of the one has not got that far, and would call the other an inaccuracy.
    let mut appraisal = Appraisal::new(played(START, "a3"), Limit::Nodes(1000), 2);
    let before: &[&str] = &["cp -729|e2e4 e7e5", "mate -6|a2a3 d7d5"];
    let after: &[&str] = &["mate 6|d7d5 d2d4"];
    let one_sided: &[&str] = &["cp -729|e2e4 e7e5", "mate -6|a2a3 d7d5"];
    let both: &[&str] = &["mate -8|e2e4 e7e5", "mate -6|a2a3 d7d5"];
    run(&mut appraisal, &[before, after]);
    run(&mut appraisal, &[one_sided; 4]);
    run(&mut appraisal, &[both]);
    assert!(appraisal.is_done());
    let verdict = Verdict::of(appraisal.played(), appraisal.evaluation().unwrap());
    assert_eq!(verdict, Some(Verdict::Best));
}

#[test]
fn searches_that_agree_are_enough() {
    let mut appraisal = Appraisal::new(played(START, "e4"), Limit::Nodes(1000), 2);
    let before: &[&str] = &["cp 30|e2e4 e7e5", "cp 25|d2d4 d7d5"];
    let after: &[&str] = &["cp -31|e7e5 g1f3"];
    let duel: &[&str] = &["cp 32|e2e4 e7e5 g1f3", "cp 24|d2d4 d7d5"];
    run(&mut appraisal, &[before, after, duel]);
    assert!(appraisal.is_done() && appraisal.next(1).is_none());
    assert_eq!(appraisal.evaluation().unwrap().trust, Trust::Settled);
}

/// Légal's queen: the expected reply leaves it alone, so what happens if it is taken is searched for itself.
#[test]
fn a_sacrifice_that_is_declined_is_tried() {
    let fen = "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5";
    let mut appraisal = Appraisal::new(played(fen, "Nxe5"), Limit::Nodes(1000), 2);
    let before: &[&str] = &["cp 250|f3e5 d6e5 d1g4", "cp 30|h2h3 g4f3"];
    let after: &[&str] = &["cp -250|d6e5 d1g4 b8c6 g4d1"];
    let duel: &[&str] = &["cp 255|f3e5 d6e5 d1g4 b8c6 g4d1", "cp 30|h2h3 g4f3"];
    run(&mut appraisal, &[before, after, duel]);
    let asked = run(&mut appraisal, &[&["mate -2|g4d1 c4f7 e8e7 c3d5"]]);
    assert_eq!(asked, ["go nodes 1000 searchmoves g4d1"]);
    assert!(appraisal.is_done());
    let sheet = FactSheet::new(appraisal.played(), appraisal.evaluation(), None);
    let text: Vec<String> = narrate(&sheet).into_iter().map(|sentence| sentence.text).collect();
    let text = text.join(" ");
    assert!(
        text.contains("If Bxd1, White mates in 2, starting with Bxf7+."),
        "{text}"
    );
}
