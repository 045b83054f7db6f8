//! Whole games annotated, and what is exported read back: scores are made up here, so that every verdict can be
//! provoked; `tests/lab_annotate.rs` has the real engine.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use kibitz::{
    annotation::{
        AnnotatedGame, ModelProse, SavedAnnotation, Scope, TurningPointKind, annotate,
        look::{Look, RUN},
        story::story,
        turning_points::FEWEST_POINTS,
    },
    chess::{Game, NodeId, pgn::read_pgn, pgn_writer::write_pgn},
    commentary::{Arm, AssembleError, Verdict, Voice},
    pace::{AtOnce, at_once},
    uci::{Limit, Score, Search, SearchResult, UciLine},
    view::{
        GameReport,
        game_report::file_stem,
        html_report, text_report,
        win_graph::{HEIGHT, WIDTH, WinGraph},
    },
};
use proptest::{prelude::*, test_runner::RngSeed};
use shakmaty::{Chess, Color, Position};

const LIMIT: Limit = Limit::Nodes(1000);

fn game(pgn: &str) -> Game {
    read_pgn(pgn).unwrap().games.remove(0)
}

/// A search that prefers `best` (UCI; any legal move where it is not legal) with this score, side to move's view.
fn search(at: &Chess, score: Score, best: &str) -> SearchResult {
    search_by(at, score, best, 300)
}

/// The same with a second line that is so many centipawns behind.
fn search_by(at: &Chess, score: Score, best: &str, behind: i32) -> SearchResult {
    let mut moves: Vec<String> = at
        .legal_moves()
        .iter()
        .map(|m| m.to_uci(shakmaty::CastlingMode::Standard).to_string())
        .collect();
    moves.sort();
    if let Some(place) = moves.iter().position(|mv| mv == best) {
        moves.swap(0, place);
    }
    let (first, second) = match score {
        Score::Cp(cp) => (format!("cp {cp}"), format!("cp {}", cp - behind)),
        Score::Mate(n) => (format!("mate {n}"), format!("mate {n}")),
    };
    let mut search = Search::new(moves.len().min(2));
    for (line, (mv, score)) in moves.iter().zip([first, second]).enumerate() {
        let text = format!(
            "info depth 9 multipv {} score {score} nodes 1000 time 40 pv {mv}",
            line + 1
        );
        search.on_line(&UciLine::parse(&text));
    }
    search.on_line(&UciLine::parse(&format!("bestmove {}", moves[0])));
    search.into_result()
}

/// Searches every position; `scores` are White's view, the last one repeated.
fn run(game: &Game, scores: &[Score], best: &str) -> AnnotatedGame {
    let mut annotated = AnnotatedGame::new(game, LIMIT, 1);
    while let Some(position) = annotated.next() {
        let request = annotated.request(position, 1).unwrap();
        assert_eq!(request.lines(), 2, "best and second best");
        let is_first = request.limit() == LIMIT.halved();
        let begins = !is_first || position.is_multiple_of(RUN);
        assert_eq!(request.is_afresh(), begins, "what follows in a run goes on");
        let score = scores[position.min(scores.len() - 1)];
        let score = match (request.root().turn(), score) {
            (Color::White, score) => score,
            (Color::Black, Score::Cp(cp)) => Score::Cp(-cp),
            (Color::Black, Score::Mate(n)) => Score::Mate(-n),
        };
        let result = search(request.root(), score, best);
        annotated.take(position, "Engine 1", result).unwrap();
    }
    assert!(annotated.is_done());
    annotated
}

fn indices(annotated: &AnnotatedGame) -> Vec<usize> {
    annotated.turning_points().iter().map(|point| point.index).collect()
}

fn cps<const N: usize>(scores: [i32; N]) -> [Score; N] {
    scores.map(Score::Cp)
}

const SHORT: &str = "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 *";

#[test]
fn one_search_serves_the_moves_on_both_sides_of_it() {
    let game = game(SHORT);
    let annotated = run(&game, &cps([30, 30, 20, 40, 30, 30, 90, 90, 100, -350, -400]), "e2e4");
    assert_eq!(annotated.progress(), (11, 11));
    assert_eq!((annotated.left(), annotated.share()), (Some(0.0), 1.0));
    let verdicts: Vec<_> = annotated.moves().iter().map(|mv| mv.verdict.unwrap()).collect();
    assert_eq!(verdicts[0], Verdict::Best, "1. e4 is the engine's own choice");
    assert_eq!(verdicts[5], Verdict::Inaccuracy, "3… Nd4: +0.30 to +0.90");
    assert_eq!(verdicts[8], Verdict::Blunder, "5. Nxf7: +1.00 to -3.50");
    // Scores are White's view throughout, the mover's within an evaluation.
    assert_eq!(annotated.score(6), Some(Score::Cp(90)));
    assert!(annotated.chance(9).unwrap() < 0.25);
    let evaluation = annotated.moves()[5].evaluation.as_ref().unwrap();
    assert_eq!(
        (evaluation.before[0].score, evaluation.played),
        (Score::Cp(-30), Score::Cp(-90))
    );
    assert_eq!((evaluation.before.len(), evaluation.after.len()), (2, 2));
    assert_eq!(
        annotated.chances(8).unwrap(),
        "White’s winning chance: 59 % with the best move, 19 % after this one."
    );
    let (white, black) = (annotated.tally(Color::White), annotated.tally(Color::Black));
    assert_eq!((white.judged(), black.judged()), (5, 5));
    assert_eq!((white.count(Verdict::Blunder), black.count(Verdict::Blunder)), (1, 0));
    assert!(white.accuracy.unwrap() < black.accuracy.unwrap());
    assert_eq!(indices(&annotated), [5, 8]);
}

#[test]
fn a_stopped_annotation_goes_on_to_the_same_end() {
    let game = game(SHORT);
    let scores = cps([30, 30, 20, 40, 30, 30, 90, 90, 100, -350, -400]);
    let whole = run(&game, &scores, "");
    let mut half = AnnotatedGame::new(&game, LIMIT, 2);
    assert_eq!((half.left(), half.tally(Color::White).accuracy), (None, None));
    for (position, score) in scores.iter().copied().take(5).enumerate() {
        let at = half.line().positions()[position].clone();
        let score = if at.turn().is_white() { score } else { score.negated() };
        half.take(position, "Engine 1", search(&at, score, "")).unwrap();
    }
    assert_eq!(
        (half.next(), half.left()),
        (Some(5), Some(6.0 * 40.0)),
        "nothing is in doubt so far"
    );
    assert!(half.moves()[3].verdict.is_some() && half.moves()[4].verdict.is_none());
    assert!(half.narrate(3) && !half.narrate(3), "narrated once");
    assert!(!half.narrate(4), "nothing to narrate yet");

    // The game has gone on meanwhile, by another move after the eighth half-move.
    let mut longer = self::game(&SHORT.replace("5. Nxf7 Qxg2 *", "5. Bxf7+ Kd8 6. h4 *"));
    longer.set_comment(NodeId::ROOT, "Other.");
    let mut resumed = AnnotatedGame::new(&longer, LIMIT, 2);
    resumed.take_over(&whole);
    assert_eq!(resumed.progress(), (9, 12));
    assert_eq!(resumed.moves()[7].verdict, whole.moves()[7].verdict);
    assert!(
        resumed.moves()[8].verdict.is_none(),
        "another move than in the game it was taken from"
    );
    // Other limits are other searches.
    let mut deeper = AnnotatedGame::new(&game, Limit::Nodes(2000), 2);
    deeper.take_over(&whole);
    assert_eq!(deeper.progress().0, 0);

    half.take_over(&whole);
    for (one, other) in half.moves().iter().zip(whole.moves()) {
        assert_eq!(one.evaluation, other.evaluation);
    }
    assert!(half.moves()[3].narration.is_some(), "what was narrated stays");
}

#[test]
fn what_is_kept_of_an_annotation_brings_it_back() {
    let scores = cps([30, 30, 20, 40, 30, 30, 90, 90, 100, -350, -400]);
    let game = game(SHORT);
    let mut annotated = run(&game, &scores, "");
    annotated.say_instead(3, by_model("Black develops a knight.", "a model"));
    let text = serde_json::to_string(&SavedAnnotation::of(&annotated)).unwrap();
    let kept = |text: &str| serde_json::from_str::<SavedAnnotation>(text).unwrap();
    let pieces: String = (0..)
        .map_while(|number| SavedAnnotation::piece(&annotated, number))
        .collect();
    assert_eq!(pieces, text);

    let back = at_once(kept(&text).restore(&game, &AtOnce)).unwrap();
    assert!(back.is_done() && back.is_like(&annotated));
    assert_eq!(
        (back.engine(), back.moves(), back.looked()),
        (annotated.engine(), annotated.moves(), annotated.looked())
    );
    // Of another game nothing comes back, nor of the same moves from another position.
    let longer = self::game(&SHORT.replace(" *", " 6. Nxh8 *"));
    assert!(at_once(kept(&text).restore(&longer, &AtOnce)).is_none());
    // What is not a search of its position is to be made again; the rest stays.
    let spoilt = text.replacen("\"pv\":\"", "\"pv\":\"a1a8 ", 2);
    assert_ne!(spoilt, text);
    let back = at_once(kept(&spoilt).restore(&game, &AtOnce)).unwrap();
    assert_eq!((back.next(), back.progress().0), (Some(0), annotated.progress().0 - 1));
    assert!(serde_json::from_str::<SavedAnnotation>(&text.replacen("\"pv\":\"", "\"pv\":\"?? ", 1)).is_err());
}

#[test]
fn a_game_that_ends_on_the_board_needs_no_search_of_its_end() {
    let mut mate = run(&game("1. f3 e5 2. g4 Qh4#"), &cps([0, -50, -60]), "d8h4");
    assert_eq!(mate.progress(), (4, 4));
    assert_eq!(mate.moves()[3].verdict, Some(Verdict::Best));
    assert_eq!((mate.score(4), mate.chance(4)), (Some(Score::Mate(0)), Some(0.0)));
    assert!(mate.narrate(3));
    assert!(
        mate.moves()[3]
            .comment(&mut Voice::Club.speaker())
            .unwrap()
            .contains("mate")
    );
    let white_mates = run(
        &game("[FEN \"7k/8/6K1/8/8/8/8/1R6 w - - 0 1\"]\n\n1. Rb8#"),
        &[Score::Mate(1)],
        "b1b8",
    );
    assert_eq!(
        (white_mates.score(1), white_mates.chance(1)),
        (Some(Score::Mate(0)), Some(1.0))
    );
    let stale = run(
        &game("[FEN \"7k/8/6K1/8/8/8/5Q2/8 w - - 0 1\"]\n\n1. Qf7"),
        &[Score::Mate(2)],
        "",
    );
    assert_eq!(
        (stale.chance(1), stale.moves()[0].verdict),
        (Some(0.5), Some(Verdict::Blunder))
    );
    assert!(stale.moves()[0].misses_mate());
}

#[test]
fn what_the_engine_says_of_another_position_is_refused() {
    let mut annotated = AnnotatedGame::new(&game(SHORT), LIMIT, 2);
    let other: Chess = game("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd1")
        .root()
        .clone();
    let foreign = search(&other, Score::Cp(0), "e1d1");
    assert_eq!(annotated.take(0, "E", foreign), Err(AssembleError::NothingBefore));
    assert_eq!(annotated.next(), Some(0));
}

#[test]
fn a_missed_mate_is_a_turning_point_though_it_costs_little() {
    let pgn = "[FEN \"7k/8/6K1/8/8/8/8/1R6 w - - 0 1\"]\n\n1. Rb2 Kg8 2. Rb1 Kh8 *";
    let scores = [
        Score::Mate(1),
        Score::Cp(2000),
        Score::Cp(2000),
        Score::Cp(2000),
        Score::Cp(2000),
    ];
    let annotated = run(&game(pgn), &scores, "");
    assert!(annotated.moves()[0].loss().unwrap() < 0.05);
    assert!(annotated.moves()[0].misses_mate() && !annotated.moves()[1].misses_mate());
    assert_eq!(indices(&annotated), [0]);
    assert_eq!(annotated.turning_points()[0].kind, TurningPointKind::MissedMate);
    assert!(annotated.turning_points().len() <= FEWEST_POINTS);
}

/// A model's comment of which all is left.
fn by_model(text: &str, model: &str) -> Option<ModelProse> {
    Some(ModelProse {
        text: Some(text.to_owned()),
        model: model.to_owned(),
        arm: Arm::Engine,
        left_out: 1,
    })
}

/// The comments of the main line.
fn comments(game: &Game) -> Vec<String> {
    game.main_line().iter().map(|id| game.comment(*id).to_owned()).collect()
}

#[test]
fn comments_glyphs_and_evaluations_are_written_as_lichess_does() {
    let pgn = "[Annotator \"Smith; Kibitz 0.0 (old)\"]\n\n1. e4 {[%eval 9.9] Mine [%clk 0:05:00]} e5 2. Nf3 Nc6 3. Bc4 \
               Nd4?! {Theirs.} (3... Bc5 {Fine.}) 4. Nxe5 Qg5 $4 $36 5. Nxf7 Qxg2 *";
    let game = game(pgn);
    let mut annotated = run(&game, &cps([30, 30, 20, 40, 30, 30, 100, 90, 100, -350, -5]), "e2e4");
    annotated.narrate(8);
    annotated.say_instead(5, by_model("A } brace, a [%eval 7] and\na line.", "M; [1]"));
    let written = annotate(&game, &annotated, Scope::TurningPoints, Voice::Club, "1.2.3");
    let said = comments(&written);
    assert_eq!(
        said[0], "[%eval 0.30] Mine [%clk 0:05:00]",
        "what others wrote stays, an old evaluation goes"
    );
    assert_eq!(
        said[5],
        "[%eval 1.00] Theirs. [%kibitz 0] Turns the game: from equal to clearly better for White. A ) brace, a [ %eval 7] and a line. [%kibitz end]"
    );
    assert!(said[8].starts_with("[%eval -3.50] [%kibitz 4] "), "{}", said[8]);
    assert!(said[8].ends_with(" [%kibitz end]"));
    assert_eq!(
        said[9], "[%eval -0.05] [%kibitz 4] Turns the game: from winning for Black to equal. [%kibitz end]",
        "where nobody has spoken, the reason stands alone"
    );
    let nags: Vec<&[u8]> = written.main_line().iter().map(|id| written.nags(*id)).collect();
    assert_eq!(nags[5], [6], "its author judged it already");
    assert_eq!((nags[7], nags[8], nags[9]), (&[4, 36][..], &[4][..], &[4][..]));
    assert_eq!(
        written.tag("Annotator"),
        Some("Smith; Kibitz 1.2.3 (Engine 1, 1,000 nodes a position, checked comments by M, [1])")
    );

    let text = write_pgn(&written);
    assert!(text.contains("5. Nxf7 $4 {[%eval -3.50] [%kibitz 4]"), "{text}");
    assert!(text.contains("(3... Bc5 {Fine.})"), "{text}");
    for line in text.lines() {
        let broken = line.split("[%").skip(1).find(|command| !command.contains(']'));
        assert_eq!(broken, None, "{line}");
    }
    // Once more, with other results: what was ours is replaced, the author's own stays.
    let again = read_pgn(&text).unwrap().games.remove(0);
    let even = run(&again, &cps([0]), "");
    let rewritten = annotate(&again, &even, Scope::TurningPoints, Voice::Club, "1.2.4");
    let said = comments(&rewritten);
    assert_eq!(said[0], "[%eval 0.00] Mine [%clk 0:05:00]");
    assert_eq!(said[5], "[%eval 0.00] Theirs.");
    assert_eq!(said[8], "[%eval 0.00]");
    let nags: Vec<&[u8]> = rewritten.main_line().iter().map(|id| rewritten.nags(*id)).collect();
    assert_eq!((nags[7], nags[8], nags[9]), (&[4, 36][..], &[][..], &[][..]));
    assert_eq!(
        rewritten.tag("Annotator"),
        Some("Smith; Kibitz 1.2.4 (Engine 1, 1,000 nodes a position)")
    );
}

#[test]
fn mates_are_written_as_lichess_does() {
    let pgn = "1. f3 e5 2. g4 Qh4#";
    let annotated = run(
        &game(pgn),
        &[Score::Cp(0), Score::Cp(-60), Score::Cp(-60), Score::Mate(-1)],
        "d8h4",
    );
    let written = annotate(&game(pgn), &annotated, Scope::TurningPoints, Voice::Club, "1");
    let said = comments(&written);
    assert_eq!(
        &said[..2],
        [
            "[%eval -0.60] [%kibitz 6] A step down: the game is equal before, Black is slightly better now. [%kibitz end]",
            "[%eval -0.60]"
        ]
    );
    assert_eq!(
        written.comment(NodeId::ROOT),
        "[%kibitz 0] The game began with the Barnes Opening: Fool's Mate. Neither side was more than slightly better \
         until 2. g4. It turned with 2. g4, a blunder: before it Black was slightly better, after it Black was winning \
         (a3 was better). Black mated on move 2. [%kibitz end]"
    );
    assert!(
        said[2].starts_with("[%eval #-1] [%kibitz 4] Loses the game: "),
        "{}",
        said[2]
    );
    assert_eq!(
        said[3], "[%kibitz 0] The final blow. [%kibitz end]",
        "it has no evaluation"
    );
    // The opening is named in the tags where the game names none.
    let opening = |written: &Game| written.tag("Opening").map(str::to_owned);
    assert_eq!(opening(&written).as_deref(), Some("Barnes Opening: Fool's Mate"));
    let mut game = game(pgn);
    game.tags.push(("Opening".to_owned(), "Mine".to_owned()));
    let written = annotate(&game, &annotated, Scope::TurningPoints, Voice::Club, "1");
    assert_eq!(
        (written.tag("ECO"), written.tag("Opening")),
        (Some("A00"), Some("Mine"))
    );
}

#[test]
fn the_graph_is_whites_view_from_left_to_right() {
    let game = game("1. e4 e5 2. Nf3 *");
    let annotated = run(&game, &cps([300, 0, 300, -300]), "");
    let graph = WinGraph::new(&annotated);
    assert_eq!(graph.positions, 4);
    let at: Vec<(f64, f64)> = graph
        .points
        .iter()
        .map(|p| (p.x, (p.y * 10.0).round() / 10.0))
        .collect();
    // 75.1 % of White's chance at +3.00, 24.9 % at -3.00.
    let (high, low) = (HEIGHT * 0.248_874, HEIGHT * 0.751_126);
    let near = |a: f64, b: f64| (a - b).abs() < 0.1;
    assert!(
        near(at[0].1, high) && near(at[1].1, HEIGHT / 2.0) && near(at[2].1, high) && near(at[3].1, low),
        "{at:?}"
    );
    assert_eq!((at[0].0, at[3].0), (0.0, WIDTH));
    assert_eq!(
        graph.line,
        format!("M0.0 {high:.1}L133.3 70.0L266.7 {high:.1}L400.0 {low:.1}")
    );
    assert!(
        graph.area.starts_with("M0.0 140V34.8L") && graph.area.ends_with("V140Z"),
        "{}",
        graph.area
    );
    assert_eq!((graph.points[1].dot(4.0), graph.points[1].y), (70.0, 70.0));
    assert_eq!(graph.points[3].text(), "2. Nf3, blunder: White’s winning chance 25 %");
    assert_eq!(graph.point(game.main_line()[1]).unwrap().position, 2);
    assert_eq!(
        graph.summary,
        "White’s winning chance: 75 % at the start, 25 % after 2. Nf3; highest 75 % (1… e5), lowest 25 % (2. Nf3)."
    );
    let strips: f64 = (0..4)
        .map(|position| kibitz::view::game_axis::strip(position, graph.positions).1)
        .sum();
    assert!(near(strips, WIDTH), "every place belongs to one strip: {strips}");

    // Where positions are missing the line has a gap, and the area is closed on both sides of it.
    let mut gaps = AnnotatedGame::new(&game, LIMIT, 2);
    for position in [0, 2, 3] {
        let at = gaps.line().positions()[position].clone();
        gaps.take(position, "E", search(&at, Score::Cp(0), "")).unwrap();
    }
    let graph = WinGraph::new(&gaps);
    assert_eq!(graph.line, "M0.0 70.0M266.7 70.0L400.0 70.0");
    assert_eq!(graph.area, "M0.0 140V70.0V140ZM266.7 140V70.0L400.0 70.0V140Z");
    assert_eq!(graph.ground, "M0.0 140V0H0.0V140ZM266.7 140V0H400.0V140Z");
    assert_eq!(WinGraph::new(&AnnotatedGame::new(&game, LIMIT, 2)).line, "");
}

#[test]
fn reports_hold_hostile_text_as_text() {
    let hostile = "<script>alert(1)</script> & \\\"quoted\\\" 'x' <img src=x onerror=alert(1)>";
    let pgn = format!(
        "[Event \"{hostile}\"]\n[White \"{hostile}\"]\n[Result \"0-1\"]\n\n1. f3 {{{hostile} [%clk 1:00:00]}} e5 ({{{hostile}}} 1... g5) 2. g4 Qh4# 0-1"
    );
    let game = game(&pgn);
    let mut annotated = run(
        &game,
        &[Score::Cp(0), Score::Cp(-60), Score::Cp(-60), Score::Mate(-1)],
        "d8h4",
    );
    annotated.say_instead(0, by_model("</p><script src=//evil>\u{1b}[31m", "<b>model</b>"));
    let report = GameReport::new(&game, &annotated, Scope::EveryMove, Voice::Club);
    let page = html_report(&report, "<i>1</i>");
    let body = &page[page.find("<body>").unwrap()..];
    assert!(page.contains("Written by &lt;b&gt;model") && page.contains("one wrong sentence is left out"));
    for tag in ["<script", "<img", "<b>", "<i>1"] {
        assert!(!page.contains(tag), "{tag}");
    }
    // Quotes are escaped wherever there is hostile text, so that no attribute ends early.
    let quotes = body.matches('"').count();
    assert!(quotes.is_multiple_of(2) && !body.contains("\"quoted"), "{body}");
    assert!(body.contains("&lt;script&gt;alert(1)") && body.contains("Mate (A00)"));
    assert!(!body.contains("clk"), "commands are for programs");
    assert!(page.contains("default-src 'none'"));
    assert_eq!(page.matches("<svg class=\"diagram\"").count(), report.notes.len());
    assert!(page.contains("1… g5)") && text_report(&report).contains("1… g5)"));
    let text = text_report(&report);
    assert!(text.contains("<script>alert(1)</script>") && !text.contains('\u{1b}'));
    assert!(
        text.contains("1. f3?! [<script>") && text.contains("2. g4") && text.contains("Qh4#"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 79), "{text}");
    assert!(text.contains("Move by move"));
    assert_eq!(
        file_stem(&game),
        "script-alert-1-script-quoted-x-img-src-x-onerror-alert-1"
    );
    let title = "x".repeat(400);
    let long = read_pgn(&format!("[White \"{title}\"]\n\n1. e4 *"))
        .unwrap()
        .games
        .remove(0);
    assert!(file_stem(&long).len() <= 60);
    assert_eq!(file_stem(&self::game("1. e4 *")), "game");
}

#[test]
fn a_report_counts_both_sides_and_names_the_better_move() {
    let game = game(SHORT);
    let mut annotated = run(&game, &cps([30, 30, 20, 40, 30, 30, 90, 90, 100, -350, -400]), "e2e4");
    for index in annotated.chosen(Scope::TurningPoints) {
        annotated.narrate(index);
    }
    let report = GameReport::new(&game, &annotated, Scope::TurningPoints, Voice::Club);
    assert_eq!(report.title, "A – ?");
    assert_eq!(
        report.source,
        "Engine 1, 1,000 nodes a position, all 11 positions searched, 6 closer looks"
    );
    let row = |what| report.tallies.iter().find(|row| row.what == what).unwrap();
    assert_eq!(
        (row("blunders").white.as_str(), row("blunders").black.as_str()),
        ("1", "0")
    );
    assert_eq!(row("inaccuracies").black, "1");
    let labels: Vec<String> = report.notes.iter().map(|n| format!("{}{}", n.label, n.mark)).collect();
    assert_eq!(labels, ["3… Nd4?!", "5. Nxf7??"]);
    for note in &report.notes {
        assert!(!note.prose.is_empty());
    }
    assert!(report.notes[0].better.as_ref().unwrap().starts_with("3… "));
    assert!(report.notes[1].better.as_ref().unwrap().starts_with("5. "));
    let numbers: Vec<_> = report.moves.iter().map(|mv| mv.number.as_deref()).collect();
    assert_eq!(numbers[..4], [Some("1."), None, Some("2."), None]);
}

/// Takes what `answer` says of a position, given how closely it is looked at: a score, White's view, and the best move.
fn run_by(game: &Game, behind: i32, answer: impl Fn(usize, Look) -> (i32, &'static str)) -> AnnotatedGame {
    let mut annotated = AnnotatedGame::new(game, LIMIT, 2);
    let mut looks = 0;
    while let Some(position) = annotated.next() {
        let request = annotated.request(position, 1).unwrap();
        let look = match request.limit() {
            Limit::Nodes(500) => Look::First,
            Limit::Nodes(2000) => Look::Closer,
            Limit::Nodes(4000) => Look::Closest,
            Limit::Nodes(8000) => Look::Deepest,
            other => panic!("{other:?}"),
        };
        let (score, best) = answer(position, look);
        let own = if request.root().turn().is_white() {
            score
        } else {
            -score
        };
        let result = search_by(request.root(), Score::Cp(own), best, behind);
        annotated.take(position, "Engine 1", result).unwrap();
        looks += look.cost();
        assert!(annotated.share() <= 1.0 && annotated.left().unwrap() >= 0.0);
    }
    assert!(looks <= 4 * annotated.progress().1, "twice one search of each: {looks}");
    annotated
}

#[test]
fn what_a_later_position_reveals_corrects_the_earlier_ones() {
    // Every first look says equal, and prefers what was played; only after the last move does it see that White wins.
    let game = game("1. a3 a6 2. b3 b6 3. c3 c6 4. d3 d6 *");
    let played = ["a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "h2h3"];
    let annotated = run_by(&game, 10, |position, look| match (position, look) {
        // Black's last move but one is the error, as a closer look sees; before it all was well.
        (5, Look::Closer | Look::Closest) => (0, "h7h6"),
        (6 | 7, Look::Closer | Look::Closest) | (8, _) => (400, played[position]),
        _ => (0, played[position]),
    });
    let scores: Vec<_> = (0..9).map(|position| annotated.score(position).unwrap()).collect();
    assert_eq!(scores[..6], [Score::Cp(0); 6], "{scores:?}");
    assert_eq!(scores[6..], [Score::Cp(400); 3], "{scores:?}");
    let verdicts: Vec<_> = annotated.moves().iter().map(|mv| mv.verdict.unwrap()).collect();
    assert_eq!(verdicts[5], Verdict::Blunder, "{verdicts:?}");
    assert_eq!(verdicts[7], Verdict::Best, "it is not the last move's fault");
    assert!(annotated.closer_looks().0 >= 3);
    assert_eq!(indices(&annotated), [5]);
    let paragraph = story(&game, &annotated).unwrap();
    assert!(
        paragraph.contains(
            "It turned with 3… c6, a blunder: before it the game was equal, after it White was winning (h6 was better)."
        ),
        "{paragraph}"
    );
    assert!(
        paragraph.ends_with("In the last position White is winning."),
        "{paragraph}"
    );

    // Stopped anywhere, written down and taken up again, it comes to the same end.
    let text = serde_json::to_string(&SavedAnnotation::of(&annotated)).unwrap();
    let kept: SavedAnnotation = serde_json::from_str(&text).unwrap();
    let back = at_once(kept.restore(&game, &AtOnce)).unwrap();
    assert_eq!(
        (back.moves(), back.closer_looks()),
        (annotated.moves(), annotated.closer_looks())
    );
}

#[test]
fn searches_that_go_on_disagreeing_are_made_as_close_as_can_be() {
    let game = game("1. a3 a6 2. b3 b6 3. c3 c6 4. d3 d6 5. e3 e6 6. f3 f6 7. g3 g6 8. h3 h6 *");
    let played = [
        "a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "e2e3", "e7e6", "f2f3", "f7f6", "g2g3", "g7g6",
        "h2h3", "h7h6", "a3a4",
    ];
    // However close, the search before Black's third move hopes for what the one after it denies.
    let annotated = run_by(&game, 10, |position, _| {
        (if position == 6 { 300 } else { 0 }, played[position])
    });
    let looks: Vec<Look> = annotated.looked().iter().flatten().map(|looked| looked.look).collect();
    assert!(looks[5..8].contains(&Look::Deepest), "{looks:?}");
    assert!(
        looks[..5].iter().chain(&looks[9..]).all(|look| *look == Look::First),
        "{looks:?}"
    );
}

#[test]
fn a_mate_that_is_found_is_not_looked_at_again() {
    let game = game("1. f3 e5 2. g4 a6 *");
    let mut annotated = AnnotatedGame::new(&game, LIMIT, 2);
    // White's second move allows mate, and Black passes it by.
    let answers = [
        ("f2f3", Score::Cp(0)),
        ("e7e5", Score::Cp(0)),
        ("g2g4", Score::Cp(0)),
        ("d8h4", Score::Mate(1)),
        ("a2a3", Score::Cp(0)),
    ];
    while let Some(position) = annotated.next() {
        let request = annotated.request(position, 1).unwrap();
        assert!(position != 3 || request.limit() == Limit::Nodes(500));
        let (best, score) = answers[position];
        annotated
            .take(position, "Engine 1", search_by(request.root(), score, best, 10))
            .unwrap();
    }
    assert!(annotated.closer_looks().0 > 0, "its neighbours are");
}

#[test]
fn a_calm_game_costs_no_closer_look() {
    let game = game("1. a3 a6 2. b3 b6 *");
    let played = ["a2a3", "a7a6", "b2b3", "b7b6", "h2h3"];
    let annotated = AnnotatedGame::new(&game, LIMIT, 2);
    assert_eq!((annotated.share(), annotated.closer_looks()), (0.0, (0, 0)));
    let annotated = run_by(&game, 10, |position, look| {
        assert_eq!(look, Look::First);
        (0, played[position])
    });
    assert_eq!(annotated.tally(Color::White).count(Verdict::Best), 2);
}

#[test]
fn a_sound_sacrifice_is_praised_and_the_story_names_it() {
    let pgn = "[White \"Kermeur, Sire de\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 h6 1-0";
    let game = game(pgn);
    let played = [
        "e2e4", "e7e5", "g1f3", "d7d6", "f1c4", "c8g4", "b1c3", "b8c6", "f3e5", "d6e5", "e5g4",
    ];
    let scores = [20, 20, 20, 20, 20, 20, 20, 20, 250, 250, 500];
    let annotated = run_by(&game, 80, |position, _| (scores[position], played[position]));
    let points = annotated.turning_points();
    let kinds: Vec<_> = points
        .iter()
        .map(|point| (point.index, point.kind, point.glyph()))
        .collect();
    assert_eq!(
        kinds,
        [
            (6, TurningPointKind::Strong, Some(1)),
            (7, TurningPointKind::Error, None),
            (8, TurningPointKind::Sacrifice, Some(3)),
            (9, TurningPointKind::Error, None)
        ]
    );
    let report = GameReport::new(&game, &annotated, Scope::TurningPoints, Voice::Club);
    let note = &report.notes[2];
    assert_eq!((note.mark, note.called, note.praised), ("!!", "a sacrifice", true));
    assert_eq!(
        note.reason.as_deref(),
        Some("A sacrifice that works: White is winning.")
    );
    assert_eq!(
        report.story.as_deref(),
        Some(
            "Kermeur (White) against Black began with the Philidor Defense. The game was equal until 4… g6. It turned with \
             4… g6, a blunder: before it the game was equal, after it Kermeur was winning (Nc6 was better). Kermeur’s best \
             moves were 4. Nc3 (a strong move) and 5. Nxe5 (a sacrifice). Black gave up on move 5 in a lost position (1-0)."
        )
    );
}

/// A game of legal moves, with variations and comments that are as nasty as a PGN may hold.
fn any_game() -> impl Strategy<Value = Game> {
    let step = (
        any::<prop::sample::Index>(),
        nasty(),
        prop::option::of(0..20u8),
        any::<bool>(),
    );
    (prop::collection::vec(step, 1..24), nasty()).prop_map(|(steps, name)| {
        let mut game = Game::new(Chess::default(), shakmaty::CastlingMode::Standard);
        game.tags.push(("White".to_owned(), name));
        let mut at = NodeId::ROOT;
        for (pick, comment, nag, variation) in steps {
            let moves = game.position(at).unwrap().legal_moves();
            if moves.is_empty() {
                break;
            }
            let next = game.play(at, *pick.get(&moves)).unwrap();
            game.set_comment(next, &comment);
            if let Some(nag) = nag {
                game.add_nag(next, nag);
            }
            if variation {
                let other = game.play(at, moves[0]).unwrap();
                game.set_comment(other, "Instead.");
            }
            at = next;
        }
        game
    })
}

fn nasty() -> impl Strategy<Value = String> {
    let crumb = prop_oneof![
        4 => Just(""),
        1 => Just("[%eval 0.3]"),
        1 => Just("[%clk 1:00:00]"),
        1 => Just("[%kibitz 4]"),
        1 => Just("[%kibitz end]"),
        1 => Just("[%kibitz"),
        1 => Just("[%"),
        1 => Just("} { ( ) ; $4 1-0"),
        1 => Just("<script>alert(1)</script>"),
        1 => Just("\\\" \\ é ♘"),
    ];
    let crumb = prop_oneof![8 => crumb.prop_map(str::to_owned), 1 => "[ -~]{0,12}"];
    prop::collection::vec(crumb, 0..4).prop_map(|parts| parts.join(" "))
}

/// All that a game holds, place by place: moves, glyphs and comments.
fn spelled(game: &Game) -> Vec<String> {
    let mut found = vec![game.comment(NodeId::ROOT).to_owned()];
    let mut open = vec![NodeId::ROOT];
    while let Some(id) = open.pop() {
        for child in game.children(id) {
            found.push(format!(
                "{} {:?} {:?} {:?}",
                game.label(*child).unwrap(),
                game.nags(*child),
                game.comment_before(*child),
                game.comment(*child)
            ));
            open.push(*child);
        }
    }
    found
}

fn any_score() -> impl Strategy<Value = Score> {
    prop_oneof![
        4 => (-900..900i32).prop_map(Score::Cp),
        1 => prop_oneof![-9..=-1i32, 1..=9].prop_map(Score::Mate),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(11), cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn what_is_exported_is_read_back(
        game in any_game(),
        scores in prop::collection::vec(any_score(), 1..12),
        prose in nasty(),
        every in any::<bool>(),
    ) {
        let mut annotated = run(&game, &scores, "");
        annotated.say_instead(0, by_model(&prose, "m"));
        for index in 0..annotated.moves().len() {
            annotated.narrate(index);
        }
        let scope = if every { Scope::EveryMove } else { Scope::TurningPoints };
        let written = annotate(&game, &annotated, scope, Voice::Club, "1");
        let text = write_pgn(&written);
        let file = read_pgn(&text).unwrap();
        prop_assert!(file.problems.is_empty(), "{:?}\n{}", file.problems, text);
        let read = &file.games[0];
        prop_assert_eq!(spelled(read), spelled(&written), "{}", &text);
        // Every position has its evaluation, and annotating once more changes nothing.
        for (index, id) in read.main_line().into_iter().enumerate() {
            let expected = match annotated.score(index + 1).unwrap() {
                Score::Mate(0) => None,
                Score::Mate(n) => Some(format!("[%eval #{n}]")),
                Score::Cp(cp) => Some(format!("[%eval {:.2}]", f64::from(cp) / 100.0)),
            };
            if let Some(expected) = expected {
                prop_assert!(read.comment(id).starts_with(&expected), "{} {}", expected, read.comment(id));
            }
        }
        let mut again = run(read, &scores, "");
        again.take_over(&annotated);
        for index in 0..again.moves().len() {
            again.narrate(index);
            again.say_instead(index, annotated.moves()[index].model_prose.clone());
        }
        let rewritten = annotate(read, &again, scope, Voice::Club, "1");
        prop_assert_eq!(write_pgn(&rewritten), text);
    }
}
