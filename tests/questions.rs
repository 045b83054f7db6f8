//! Questions about a move: what is understood, what is searched, and what is said of what was found.
#![allow(clippy::unwrap_used)] // A test that can't set up its position has failed.

use kibitz::{
    chess::{Played, notation::read_move},
    commentary::{
        Evaluation, FactSheet, Sentence,
        conversation::{Turn, answered_by_facts},
        inquiry::{Finding, Inquiry, Look, Question, inquire},
        replies::{Reply, reply},
    },
    uci::{Info, Limit, Score, SearchResult},
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, fen::Fen, uci::UciMove};

const GIVEN_UP: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
/// Before 3.Bc4 with the queen on h5: mate on f7 is in the air.
const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3";

fn played(fen: &str, mv: &str) -> Played {
    let before: Chess = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    let mv = read_move(&before, CastlingMode::Standard, mv).unwrap();
    Played::new(before, mv, CastlingMode::Standard, Vec::new()).unwrap()
}

/// A search's result, from each line's score (the side to move's view) and moves.
fn search(lines: &[(Score, &str)]) -> SearchResult {
    SearchResult {
        lines: lines
            .iter()
            .zip(1..)
            .map(|((score, moves), multipv)| Info {
                depth: 20,
                multipv,
                score: *score,
                bound: false,
                wdl: None,
                nodes: 1000,
                nps: 1000,
                time: 1,
                pv: moves.split(' ').map(|uci| uci.parse::<UciMove>().unwrap()).collect(),
            })
            .collect(),
        best: None,
        nodes: 1000,
        nps: 1000,
        time: 1,
    }
}

/// The sheet of a move with its evaluation, from the searches before and after it.
fn sheet(fen: &str, mv: &str, before: &[(Score, &str)], after: &[(Score, &str)]) -> FactSheet {
    let played = played(fen, mv);
    let after = (!after.is_empty()).then(|| search(after));
    let evaluation = Evaluation::assemble(&played, "E", Limit::Nodes(1000), &search(before), after.as_ref()).unwrap();
    FactSheet::new(&played, Some(&evaluation), None)
}

/// The answer to `question` when its searches find `results`, in their order.
fn answered(sheet: &FactSheet, question: &str, results: &[SearchResult]) -> (Inquiry, Reply, String) {
    let inquiry = inquire(sheet, question);
    let mut found: Vec<Finding> = Vec::new();
    let mut looks = inquiry.looks.clone();
    for result in results {
        let look = looks.pop().unwrap_or_else(|| panic!("{question}: one search too many"));
        let request = look
            .request(1, sheet.played(), Limit::Nodes(1000))
            .expect("can be searched");
        assert!(!shakmaty::Position::is_game_over(request.root()));
        found.push(Finding {
            look,
            result: result.clone(),
        });
        if looks.is_empty() {
            looks.extend(inquiry.more(sheet.played(), &found));
        }
    }
    assert!(looks.is_empty(), "{question}: {looks:?} not searched");
    let reply = reply(sheet, &inquiry, &found, "E");
    let turn = Turn::new(question, &inquiry, Vec::new()).with(reply.clone());
    let said: Vec<Sentence> = answered_by_facts(&turn);
    let text = said.iter().map(|s| s.text.as_str()).collect::<Vec<_>>().join(" ");
    for sentence in &reply.sentences {
        assert!(!sentence.facts.is_empty(), "{} rests on nothing", sentence.text);
    }
    assert!(reply.sentences.len() <= 4, "{text}");
    println!("{question} {text}");
    (inquiry, reply, text)
}

const CP: fn(i32) -> Score = Score::Cp;

#[test]
fn questions_are_understood() {
    let table = include_str!("data/questions.tsv");
    let sheet = FactSheet::new(&played(GIVEN_UP, "Nxe5"), None, None);
    let rows: Vec<(&str, &str)> = table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split_once('\t').unwrap())
        .collect();
    assert!(rows.len() >= 60);
    let side = |color: Color| color.fold_wb("white", "black");
    let mut wrong = Vec::new();
    for (question, wanted) in rows {
        let bare = question.trim_end_matches(['?', '.', '!']);
        for question in [question.to_owned(), bare.to_owned(), format!("  {bare} ?")] {
            let inquiry = inquire(&sheet, &question);
            let titles: Vec<&str> = inquiry.lines.iter().map(|line| line.title.as_str()).collect();
            let got = match inquiry.question {
                Question::Moves => format!("moves {}", titles.join("; ")),
                Question::Fate => format!("fate {}", titles.join("; ")),
                Question::Threat { by, earlier } => {
                    format!("threat {}{}", side(by), if earlier { " earlier" } else { "" })
                }
                Question::Plan { of } => format!("plan {}", side(of)),
                Question::Others => "others".to_owned(),
                Question::Deeper => "deeper".to_owned(),
                Question::Unknown => "unknown".to_owned(),
            };
            if got != wanted {
                wrong.push(format!("{question}: {got}, not {wanted}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn kinds_are_read_whatever_the_case() {
    let sheet = FactSheet::new(&played(GIVEN_UP, "Nxe5"), None, None);
    for question in [
        "What does Black threaten?",
        "what else was there?",
        "look deeper",
        "What is White's plan?",
    ] {
        let kind = inquire(&sheet, question).question;
        assert_ne!(kind, Question::Unknown);
        for other in [question.to_uppercase(), question.to_lowercase()] {
            assert_eq!(inquire(&sheet, &other).question, kind, "{other}");
        }
    }
}

#[test]
fn a_worse_alternative_says_what_it_loses() {
    // 3.Nxe5 is the alternative here: it gives a knight for a pawn.
    let sheet = sheet(
        GIVEN_UP,
        "Bb5",
        &[(CP(40), "f1b5 a7a6 b5a4"), (CP(30), "f1c4 f8c5")],
        &[(CP(-40), "a7a6 b5a4 g8f6")],
    );
    let duel = search(&[
        (CP(42), "f1b5 a7a6 b5a4 g8f6"),
        (CP(-230), "f3e5 c6e5 d2d4 e5c6 d4d5 c6e5"),
    ]);
    let (inquiry, reply, text) = answered(&sheet, "Why not Nxe5?", &[duel]);
    assert_eq!(inquiry.titles(sheet.played()), ["3.Nxe5"]);
    assert!(
        text.starts_with("Nxe5 is much worse than Bb5: after Nxe5 Black is winning, after Bb5 the game is equal."),
        "{text}"
    );
    assert!(text.contains("After Nxe5, Black has Nxe5"), "{text}");
    assert!(!text.contains("Nxe5 wins"), "{text}");
    assert_eq!(reply.looked.len(), 1);
    assert_eq!(reply.looked[0].sheet.played().san(), "Nxe5");
}

#[test]
fn a_better_alternative_says_what_the_move_loses() {
    let sheet = sheet(
        GIVEN_UP,
        "Nxe5",
        &[(CP(40), "f1b5 a7a6 b5a4")],
        &[(CP(230), "c6e5 d2d4 e5c6 d4d5 c6e5")],
    );
    let duel = search(&[
        (CP(42), "f1b5 a7a6 b5a4 g8f6"),
        (CP(-230), "f3e5 c6e5 d2d4 e5c6 d4d5 c6e5"),
    ]);
    let (_, _, text) = answered(&sheet, "isn't bb5 better", &[duel]);
    assert!(
        text.starts_with("Bb5 is much better than Nxe5: after Bb5 the game is equal"),
        "{text}"
    );
    assert!(text.contains("After Nxe5, Black"), "{text}");
}

#[test]
fn what_is_as_good_loses_and_wins_nothing() {
    let sheet = sheet(
        GIVEN_UP,
        "Bb5",
        &[(CP(40), "f1b5 a7a6 b5c6 d7c6 f3e5")],
        &[(CP(-40), "a7a6 b5c6 d7c6 f3e5")],
    );
    // The line stops where a pawn is up for a moment.
    let duel = search(&[
        (CP(40), "f1b5 a7a6 b5c6 d7c6 f3e5"),
        (CP(38), "f1c4 g8f6 f3g5 d7d5 e4d5"),
    ]);
    let (_, _, text) = answered(&sheet, "What about Bc4?", &[duel]);
    assert!(
        text.starts_with("Bc4 is as good as Bb5: the game is equal either way."),
        "{text}"
    );
    for word in ["win", "lose", "worse", "better"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
}

#[test]
fn mates_are_compared_by_their_length() {
    let fen = "7k/8/6K1/8/8/8/8/1R6 w - - 0 1";
    let sheet = sheet(
        fen,
        "Rc1",
        &[(Score::Mate(1), "b1b8")],
        &[(Score::Mate(-1), "h8g8 c1c8")],
    );
    let duel = search(&[(Score::Mate(1), "b1b8"), (Score::Mate(2), "b1c1 h8g8 c1c8")]);
    let (_, _, text) = answered(&sheet, "why not Rb8", &[duel]);
    assert!(
        text.starts_with("Both moves win by force: Rb8# mates in 1, Rc1 in 2."),
        "{text}"
    );
}

#[test]
fn several_alternatives_are_compared_at_once() {
    let sheet = sheet(
        GIVEN_UP,
        "Nxe5",
        &[(CP(40), "f1b5 a7a6")],
        &[(CP(230), "c6e5 d2d4 e5c6")],
    );
    let duel = search(&[
        (CP(42), "f1b5 a7a6"),
        (CP(40), "f1c4 g8f6"),
        (CP(-230), "f3e5 c6e5 d2d4 e5c6"),
    ]);
    let inquiry = inquire(&sheet, "why not Bb5 or Bc4?");
    let [Look::Duel(moves)] = &inquiry.looks[..] else {
        panic!("{inquiry:?}")
    };
    assert_eq!(moves.len(), 2);
    let request = inquiry.looks[0].request(1, sheet.played(), Limit::Nodes(100)).unwrap();
    assert_eq!((request.expected_lines(), request.limit()), (3, Limit::Nodes(200)));
    let found = [Finding {
        look: inquiry.looks[0].clone(),
        result: duel,
    }];
    let reply = reply(&sheet, &inquiry, &found, "E");
    assert_eq!(reply.looked.len(), 2);
}

#[test]
fn a_threat_is_what_the_mover_does_when_the_other_passes() {
    let sheet = sheet(
        SCHOLAR,
        "Bc4",
        &[(CP(20), "f1c4 g7g6 h5f3")],
        &[(CP(-20), "g7g6 h5f3 g8f6")],
    );
    let (inquiry, reply, text) = answered(&sheet, "What is the threat?", &[search(&[(Score::Mate(1), "h5f7")])]);
    assert_eq!(inquiry.titles(sheet.played()), ["White's moves if Black passed"]);
    assert!(text.starts_with("White threatens Qxf7#"), "{text}");
    assert!(text.contains("Black's best answer is g6."), "{text}");
    assert_eq!(reply.looked[0].title, "if Black passed: 3.Qxf7#");
}

#[test]
fn a_threat_of_material_names_it() {
    // 2.Nf3 attacks the pawn on e5.
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let sheet = sheet(fen, "Nf3", &[(CP(30), "g1f3 b8c6")], &[(CP(-30), "b8c6 f1b5 a7a6")]);
    let (_, _, text) = answered(
        &sheet,
        "what does white threaten",
        &[search(&[(CP(150), "f3e5 d7d6 e5f3 g8f6 d2d3 f8e7")])],
    );
    assert!(text.starts_with("White threatens Nxe5, "), "{text}");
    assert!(text.contains("pawn"), "{text}");
}

#[test]
fn a_free_move_that_changes_little_is_no_threat() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let sheet = sheet(fen, "d3", &[(CP(10), "d2d3 g8f6")], &[(CP(0), "g8f6 g1f3 b8c6")]);
    for (free, wanted) in [
        (
            40,
            "White threatens nothing much: even after a free move the game is equal.",
        ),
        (
            80,
            "White threatens nothing much: the best use of a free move would be Nf3.",
        ),
    ] {
        let (_, _, text) = answered(&sheet, "any threats?", &[search(&[(CP(free), "g1f3 b8c6")])]);
        assert!(text.starts_with(wanted), "{text}");
    }
}

#[test]
fn the_side_to_move_does_not_wait() {
    let sheet = sheet(
        SCHOLAR,
        "Bc4",
        &[(CP(20), "f1c4 g7g6 h5f3")],
        &[(CP(-20), "g7g6 h5f3 g8f6")],
    );
    let (inquiry, _, text) = answered(
        &sheet,
        "What does Black threaten?",
        &[search(&[(CP(-20), "g7g6 h5f3")])],
    );
    assert_eq!(inquiry.looks, [Look::After]);
    assert!(
        text.starts_with("It is Black's turn, and the engine's choice is g6"),
        "{text}"
    );
    assert!(text.ends_with("After that the game is equal."), "{text}");
}

#[test]
fn what_only_improves_the_position_is_an_idea() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let sheet = sheet(fen, "d3", &[(CP(10), "d2d3 g8f6")], &[(CP(0), "g8f6 g1f3 b8c6")]);
    let (_, _, text) = answered(&sheet, "any threats?", &[search(&[(CP(120), "f1e2 b8c6")])]);
    assert!(text.starts_with("White's idea is Be2"), "{text}");
    assert!(text.contains("White is clearly better then."), "{text}");
    // A mate in thirty is a won game, no threat.
    let (_, _, text) = answered(&sheet, "any threats?", &[search(&[(Score::Mate(30), "f1e2 b8c6")])]);
    assert!(text.contains("White is winning then."), "{text}");
    assert!(!text.contains("mate"), "{text}");
}

#[test]
fn what_was_threatened_is_looked_for_before_the_move() {
    // Black answers the threat on f7; it was White's.
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let sheet = sheet(fen, "g6", &[(CP(30), "g7g6 h5f3 g8f6")], &[(CP(-30), "h5f3 g8f6 g1e2")]);
    let (inquiry, _, text) = answered(&sheet, "What was the threat?", &[search(&[(Score::Mate(1), "h5f7")])]);
    assert_eq!(inquiry.looks, [Look::Earlier]);
    assert!(text.starts_with("White threatened Qxf7#"), "{text}");
}

#[test]
fn nobody_passes_in_check_and_nothing_follows_mate() {
    let check = FactSheet::new(&played("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+"), None, None);
    let (inquiry, _, text) = answered(&check, "What is the threat?", &[]);
    assert!(inquiry.looks.is_empty());
    assert!(
        text.starts_with("Black is in check and must answer that first"),
        "{text}"
    );
    let mate = FactSheet::new(&played("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#"), None, None);
    for question in ["what is the threat?", "What will Black do next?", "White's plan?"] {
        let (_, _, text) = answered(&mate, question, &[]);
        assert_eq!(text, "Black is checkmated: the game is over.");
    }
    let in_check = FactSheet::new(&played("4k3/8/8/8/8/8/8/R3K2r w - - 0 1", "Kd2"), None, None);
    let (_, _, text) = answered(&in_check, "what was the threat?", &[]);
    assert_eq!(text, "White was in check and had to answer that.");
}

#[test]
fn a_plan_is_the_sides_own_moves_of_the_line() {
    let sheet = sheet(
        GIVEN_UP,
        "Bb5",
        &[(CP(40), "f1b5 a7a6 b5a4")],
        &[(CP(-40), "a7a6 b5a4 g8f6")],
    );
    let line = search(&[(CP(-40), "g8f6 e1g1 f6e4 f1e1 e4d6 f3e5")]);
    let (_, _, text) = answered(&sheet, "What is White's plan?", std::slice::from_ref(&line));
    assert!(
        text.starts_with("In the line that the engine expects, White plays O-O, castling kingside"),
        "{text}"
    );
    assert!(text.contains("which Bb5 has made possible"), "{text}");
    assert!(text.contains("; then Re1"), "{text}");
    assert!(
        text.ends_with("The line is 3...Nf6 4.O-O Nxe4 5.Re1 Nd6 6.Nxe5."),
        "{text}"
    );
    let (_, _, text) = answered(&sheet, "What will Black do next?", &[line]);
    assert!(
        text.starts_with("It is Black's turn, and the engine would play Nf6"),
        "{text}"
    );
    assert!(!text.contains("then O-O"), "{text}");
}

#[test]
fn a_forced_line_shows_no_plan_so_the_other_side_passes() {
    let sheet = sheet(
        GIVEN_UP,
        "Nxe5",
        &[(CP(40), "f1b5 a7a6 b5a4")],
        &[(CP(230), "c6e5 d2d4 e5c6")],
    );
    let forced = search(&[(CP(230), "c6e5 d2d4 e5c6")]);
    let free = search(&[(CP(100), "d2d4 c6e5 d4e5 d7d6 e5d6")]);
    let short = search(&[(CP(230), "c6e5")]);
    let (_, _, text) = answered(&sheet, "what is white's plan", &[short, free.clone()]);
    assert!(text.starts_with("Given a free move, White would play d4"), "{text}");
    let (_, reply, text) = answered(&sheet, "what is white's plan", &[forced, free]);
    assert!(
        text.starts_with("What comes first is forced; given a free move, White would play d4"),
        "{text}"
    );
    assert!(
        reply.looked[0].title.starts_with("if Black passed: 3.d4"),
        "{:?}",
        reply.looked[0].title
    );
}

#[test]
fn alternatives_are_those_that_do_not_lose() {
    let sheet = sheet(
        GIVEN_UP,
        "d4",
        &[(CP(40), "f1b5 a7a6 b5a4")],
        &[(CP(-30), "e5d4 f3d4 g8f6")],
    );
    let before = search(&[
        (CP(42), "f1b5 a7a6 b5a4"),
        (CP(35), "f1c4 g8f6"),
        (CP(30), "d2d4 e5d4"),
        (CP(10), "b1c3 g8f6"),
        (CP(-230), "f3e5 c6e5"),
    ]);
    let (_, reply, text) = answered(&sheet, "What else?", &[before]);
    assert!(
        text.starts_with("In place of d4, White had Bb5, Bc4 and Nc3."),
        "{text}"
    );
    assert!(!text.contains("Nxe5"), "{text}");
    assert_eq!(reply.looked.len(), 3);
    assert!(reply.sentences.iter().all(|s| s.text.ends_with('.')), "{text}");
}

#[test]
fn where_nothing_else_is_good_that_is_said() {
    let sheet = sheet(
        GIVEN_UP,
        "Bb5",
        &[(CP(240), "f1b5 a7a6"), (CP(-30), "f1c4 g8f6")],
        &[(CP(-240), "a7a6 b5a4")],
    );
    let before = search(&[(CP(240), "f1b5 a7a6"), (CP(-30), "f1c4 g8f6")]);
    let (_, _, text) = answered(&sheet, "alternatives?", &[before]);
    assert_eq!(
        text,
        "There was no other good move: after the next best, Bc4, the game is equal."
    );
    // The king in check has one square.
    let only = FactSheet::new(&played("7k/8/8/8/8/1B6/8/K6R b - - 0 1", "Kg7"), None, None);
    let (_, _, text) = answered(&only, "what else?", &[]);
    assert_eq!(text, "Black had no other legal move.");
}

#[test]
fn a_model_is_told_what_was_found() {
    let sheet = sheet(
        SCHOLAR,
        "Bc4",
        &[(CP(20), "f1c4 g7g6 h5f3")],
        &[(CP(-20), "g7g6 h5f3 g8f6")],
    );
    let (inquiry, reply, _) = answered(&sheet, "What is the threat?", &[search(&[(Score::Mate(1), "h5f7")])]);
    let turn = Turn::new("What is the threat?", &inquiry, Vec::new()).with(reply);
    let messages = kibitz::commentary::conversation::messages(
        &sheet,
        kibitz::commentary::Context::Fen,
        "Bc4 is good.",
        &[],
        &turn,
    );
    let asked = &messages.last().unwrap().content;
    assert!(
        asked.contains("found for this question: White threatens Qxf7#"),
        "{asked}"
    );
    assert!(
        asked.contains("looked at for this question: if Black passed: 3.Qxf7#"),
        "{asked}"
    );
}

#[test]
fn results_that_do_not_fit_say_nothing() {
    let sheet = sheet(SCHOLAR, "Bc4", &[(CP(20), "f1c4 g7g6")], &[(CP(-20), "g7g6 h5f3")]);
    let foreign = search(&[(CP(0), "a1a8 a8a1")]);
    let empty = SearchResult {
        lines: Vec::new(),
        ..foreign.clone()
    };
    for result in [foreign, empty] {
        for question in [
            "why not Qxf7?",
            "what is the threat?",
            "What will Black do next?",
            "what else?",
        ] {
            let inquiry = inquire(&sheet, question);
            let found: Vec<Finding> = inquiry
                .looks
                .iter()
                .map(|look| Finding {
                    look: look.clone(),
                    result: result.clone(),
                })
                .collect();
            let reply = reply(&sheet, &inquiry, &found, "E");
            assert!(reply.sentences.is_empty(), "{question}: {:?}", reply.sentences);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_question_is_too_strange(text in "\\PC{0,200}") {
        let sheet = FactSheet::new(&played(GIVEN_UP, "Nxe5"), None, None);
        let inquiry = inquire(&sheet, &text);
        prop_assert!(inquiry.lines.len() <= 3 && inquiry.notes.len() <= 3 && inquiry.looks.len() <= 1);
        for look in &inquiry.looks {
            let _ = look.request(1, sheet.played(), Limit::Nodes(1));
        }
    }

    #[test]
    fn words_in_any_order_are_borne(words in prop::collection::vec(
        prop::sample::select(vec!["what", "threat", "plan", "White", "black's", "to", "the", "was", "else", "Nxe5", "Bb5", "e5",
            "3...", "or", "and", "O-O", "castle", "on", "knight", "safe", "deeper", "’s", "☃", "not", "why", "opponent"]),
        0..60,
    )) {
        let sheet = FactSheet::new(&played(GIVEN_UP, "Nxe5"), None, None);
        let inquiry = inquire(&sheet, &words.join(" "));
        prop_assert!(inquiry.lines.len() <= 3 && inquiry.notes.len() <= 3);
    }
}
