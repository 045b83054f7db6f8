//! Tables whose every figure was worked out by hand.

use std::collections::BTreeMap;

use shakmaty::{CastlingMode, Chess};

use super::{
    all_tables, approved, baseline, calibration, graders, groups, material::Material, reasons, scores, solved,
};
use crate::{
    commentary::revision::Tally,
    grading::{
        fault::{Fault, FaultKind},
        grade::Grade,
        grade_file::{GradeRow, Grades, Outcome, Reason},
        level::Level,
        play::Row,
        player::{Player, PlayerKind},
        prompt::PromptKind,
        run_file::Run,
        suite::{
            file::Suite,
            goal::Goal,
            position::{Part, TestPosition},
        },
        task::{Settings, Task},
    },
    long_run::tokens::Tokens,
    pace::{AtOnce, at_once},
    survey::analysis::table::{Cell, Table},
    uci::{Limit, Score},
};

/// A position of its own for each number: as many half-moves without a capture.
fn at(number: usize, goal: Goal) -> TestPosition {
    let mut at = TestPosition::new(format!("p{number}"), &Chess::default(), CastlingMode::Standard, goal);
    at.fen = at.fen.replace(" 0 1", &format!(" {number} 60"));
    at
}

/// A move that costs so many centipawns.
fn grade(uci: &str, loss: i32) -> Grade {
    Grade {
        uci: uci.to_owned(),
        san: uci.to_owned(),
        best: "e2e4".to_owned(),
        best_san: "e4".to_owned(),
        best_score: Score::Cp(50),
        score: Score::Cp(50 - loss),
        rank: if loss == 0 { 1 } else { 6 },
        only_move: false,
        depth: 10,
        best_line: Vec::new(),
        line: Vec::new(),
    }
}

fn graded(at: &TestPosition, uci: &str, loss: i32) -> GradeRow {
    GradeRow {
        fen: at.fen.clone(),
        moves: at.moves.clone(),
        outcome: Outcome::Grade(Box::new(grade(uci, loss))),
    }
}

fn grades(rows: Vec<GradeRow>) -> Grades {
    Grades {
        rows,
        ..Grades::new("Hand", Limit::Nodes(1))
    }
}

fn model(name: &str) -> Player {
    Player {
        name: name.to_owned(),
        kind: PlayerKind::Endpoint {
            provider: "openai".to_owned(),
            server: "http://127.0.0.1:1".to_owned(),
            model: "m".to_owned(),
        },
    }
}

fn builtin(name: &str, kind: PlayerKind) -> Player {
    Player {
        name: name.to_owned(),
        kind,
    }
}

/// The row of an answer: its moves, or a fault.
fn row(item: &TestPosition, player: &Player, moves: &[&str], fault: Option<FaultKind>) -> Row {
    Row {
        task: Task {
            item: item.id.clone(),
            player: player.name.clone(),
            prompt: player.kind.is_endpoint().then(PromptKind::default),
        },
        key: format!("{} {}", item.id, player.name),
        moves: moves.iter().map(|uci| (*uci).to_owned()).collect(),
        fault: fault.map(|kind| Fault::new(kind, "x")),
        solved: None,
        said: String::new(),
        replies: Vec::new(),
        objected: Vec::new(),
        explanation: None,
        model_answered: None,
        tokens: None,
        millis: 1_000,
        given_up: Vec::new(),
        copied: false,
    }
}

fn run(positions: &[TestPosition], players: &[Player], rows: Vec<Row>) -> Run {
    let suite = Suite::new("hand", String::new(), 1, positions.to_vec());
    Run {
        rows,
        ..Run::new(suite, players.to_vec(), Settings::default())
    }
}

/// The report's table whose caption begins so.
fn reported(runs: &[Run], grades: &[Grades], caption: &str) -> Option<Table> {
    let tables = at_once(all_tables(runs, grades, &AtOnce));
    tables.into_iter().find(|table| table.caption.starts_with(caption))
}

/// A cell as people are shown it, by the first cells of its row and its heading.
fn cell(table: &Table, names: &[&str], head: &str) -> String {
    let place = table.head.iter().position(|name| name == head);
    let place = place.unwrap_or_else(|| panic!("{head}: {:?}", table.head));
    let row = table.rows.iter().find(|row| {
        let named = |(cell, name): (&Cell, &&str)| matches!(cell.bare(), Cell::Text(text) if text == name);
        row.iter().zip(names).all(named)
    });
    match row.unwrap_or_else(|| panic!("{names:?}: {:?}", table.rows))[place].bare() {
        Cell::Number(value, decimals) => format!("{value:.decimals$}"),
        Cell::Count(count) => count.to_string(),
        Cell::Text(text) => text.clone(),
        Cell::None | Cell::Marked(..) => String::new(),
    }
}

/// Three legal answers (one not graded), two that are none, one time-out.
#[test]
fn illegal_answers_and_errors_are_apart() {
    let positions: Vec<_> = (0..6).map(|number| at(number, Goal::Grade)).collect();
    let player = model("m");
    let mut rows: Vec<Row> = (0..3)
        .map(|number| row(&positions[number], &player, &["a2a3"], None))
        .collect();
    rows.push(row(&positions[3], &player, &[], Some(FaultKind::NoPiece)));
    rows.push(row(&positions[4], &player, &[], Some(FaultKind::NotAMove)));
    rows.push(row(&positions[5], &player, &[], Some(FaultKind::TimeOut)));
    let runs = [run(&positions, &[player], rows)];
    // An excellent move and an inaccuracy: 5 and 3 points.
    let graders = grades(vec![
        graded(&positions[0], "a2a3", 0),
        graded(&positions[1], "a2a3", 40),
    ]);
    let table = reported(&runs, std::slice::from_ref(&graders), "Scores").unwrap();
    for (head, value) in [
        ("Answers", "5"),
        ("Errors", "1"),
        ("Legal", "0.600"),
        ("Score, legal", "4.00"),
        // (5 + 3 + 0 + 0) / 4: what is not graded is in no mean.
        ("Score, all", "2.00"),
        ("Best move", "0.250"),
        ("Not graded", "1"),
    ] {
        assert_eq!(cell(&table, &["m (fen)"], head), value, "{head}");
    }
    let table = reported(&runs, &[graders], "Answers by class").unwrap();
    for (head, value) in [
        ("Excellent", "1"),
        ("Good", "0"),
        ("Inaccuracy", "1"),
        ("Not graded", "1"),
        ("No legal move", "2"),
        ("Errors", "1"),
        ("All", "6"),
    ] {
        assert_eq!(cell(&table, &["m (fen)"], head), value, "{head}");
    }
}

#[test]
fn a_player_that_hardly_ever_answers_with_a_legal_move_is_named() {
    let positions: Vec<_> = (0..100).map(|number| at(number, Goal::Mate)).collect();
    let player = model("small");
    let answers = |legal: usize| -> [Run; 1] {
        let rows = positions.iter().enumerate().map(|(number, at)| match number < legal {
            true => row(at, &player, &["a2a3"], None),
            false => row(at, &player, &[], Some(FaultKind::NoPiece)),
        });
        [run(&positions, std::slice::from_ref(&player), rows.collect())]
    };
    let runs = answers(2);
    let data = Material::new(&runs, None);
    let said = "small (fen): 2 of 100 answers are a legal move. Its scores say that it does not know the rules, and nothing \
                about its moves.";
    for table in [
        reported(&runs, &[], "Scores").unwrap(),
        scores::faults(&data),
        solved::table_7(&data).unwrap(),
    ] {
        assert!(table.notes.iter().any(|note| note == said), "{:?}", table.notes);
    }
    let runs = answers(20);
    let data = Material::new(&runs, None);
    assert!(scores::faults(&data).notes.is_empty(), "a fifth is some");
}

#[test]
fn time_and_tokens_are_of_a_move() {
    let (one, three) = (at(0, Goal::Grade), at(1, Goal::Grade));
    let player = model("m");
    let tokens = |prompt, completion| Some(Tokens { prompt, completion });
    let rows = vec![
        Row {
            millis: 1_000,
            tokens: tokens(100, 4),
            ..row(&one, &player, &["a2a3"], None)
        },
        // A puzzle: two moves, then one that is none.
        Row {
            millis: 9_000,
            tokens: tokens(500, 8),
            ..row(&three, &player, &["a2a3", "b2b3"], Some(FaultKind::NotAMove))
        },
    ];
    let runs = [run(&[one, three], &[player], rows)];
    let table = scores::effort(&Material::new(&runs, None));
    for (head, value) in [
        ("Moves", "4"),
        ("Seconds", "2.50"),
        ("Median", "2.00"),
        ("Longest", "3.00"),
        ("Prompt tokens", "150"),
        ("Reply tokens", "3.0"),
        ("Counted", "4"),
    ] {
        assert_eq!(cell(&table, &["m (fen)"], head), value, "{head}");
    }
}

#[test]
fn graders_agree_as_scikit_learn_has_it() {
    let text = include_str!("../../../tests/data/class-kappa-expected.json");
    let all: serde_json::Value = serde_json::from_str(text).unwrap();
    for case in all["cases"].as_array().unwrap() {
        // A loss in the middle of each class.
        let rows = |name: &str| {
            let classes = case[name].as_array().unwrap().iter().enumerate();
            let row = |(number, class): (usize, &serde_json::Value)| {
                let loss = [5, 20, 50, 80, 200][class.as_u64().unwrap() as usize];
                graded(&at(number, Goal::Grade), "a2a3", loss)
            };
            grades(classes.map(row).collect())
        };
        let table = graders::agreement(&rows("first"), &rows("second")).unwrap();
        let Cell::Number(kappa, _) = table.rows[0].last().unwrap() else {
            panic!("{table:?}")
        };
        assert!((kappa - case["kappa"].as_f64().unwrap()).abs() < 1e-9, "{kappa} {case}");
    }
}

#[test]
fn two_graders_worked_by_hand() {
    let losses = [
        (0, 0),
        (5, 20),
        (20, 20),
        (40, 70),
        (80, 80),
        (150, 90),
        (300, 500),
        (10, 0),
        (60, 30),
        (100, 2_000),
    ];
    let rows = |second: bool| {
        let row = |(number, both): (usize, &(i32, i32))| {
            let mut row = graded(&at(number, Goal::Grade), "a2a3", if second { both.1 } else { both.0 });
            // They differ on the best move in the last three.
            if let (Outcome::Grade(grade), true) = (&mut row.outcome, second && number > 6) {
                grade.best = "d2d4".to_owned();
            }
            row
        };
        grades(losses.iter().enumerate().map(row).collect())
    };
    let (first, mut second) = (rows(false), rows(true));
    // What one of both has alone is not compared.
    second.rows.push(graded(&at(99, Goal::Grade), "a2a3", 7));
    let table = graders::agreement(&first, &second).unwrap();
    for (head, value) in [
        ("Moves", "10"),
        ("Same class", "0.500"),
        ("Within one class", "1.000"),
        ("Same best move", "0.700"),
        // (0 + 15 + 0 + 30 + 0 + 60 + 200 + 10 + 30 + 900) / 10, 2,000 counting 1,000.
        ("Mean difference of capped losses", "124.5"),
        // 1 − (5 / 10) / (5.9 + 6.2 − 2 · 1.9 · 2.0)
        ("Kappa of classes", "0.889"),
    ] {
        assert_eq!(cell(&table, &[], head), value, "{head}");
    }
    assert!(graders::agreement(&first, &grades(Vec::new())).is_none());
}

#[test]
fn reasons_worked_by_hand() {
    let positions: Vec<_> = (0..4).map(|number| at(number, Goal::Grade)).collect();
    let player = model("m");
    let why: PromptKind = "fen+why".parse().unwrap();
    let answer = |number: usize, reason: Option<&str>| {
        let mut row = row(&positions[number], &player, &["a2a3"], None);
        row.task.prompt = Some(why);
        row.explanation = reason.map(str::to_owned);
        row
    };
    let rows = vec![
        answer(0, Some("one")),
        answer(1, Some("two")),
        answer(2, Some("three")),
        answer(3, None),
    ];
    let mut run = run(&positions, std::slice::from_ref(&player), rows);
    run.header.settings.prompts = vec![why];
    let checked = |number: usize, text: &str, supported, contradicted| GradeRow {
        fen: positions[number].fen.clone(),
        moves: String::new(),
        outcome: Outcome::Reason(Box::new(Reason {
            uci: "a2a3".to_owned(),
            text: text.to_owned(),
            tally: Tally {
                supported,
                contradicted,
                doubtful: 0,
                not_judged: 2,
            },
            wrong: Vec::new(),
            declaration: None,
        })),
    };
    let graders = grades(vec![
        checked(0, "one", 3, 1),
        checked(1, "two", 2, 0),
        checked(2, "three", 0, 0),
        // Of other words.
        checked(3, "four", 0, 9),
    ]);
    let runs = [run];
    let data = Material::new(&runs, Some(&graders));
    let table = reasons::table(&data, &graders).unwrap();
    for (head, value) in [
        ("Reasons", "3"),
        ("Checkable claims", "2.00"),
        // (3/4 + 1) / 2: the third has nothing that can be checked.
        ("Supported", "0.88"),
        ("Contradicted", "0.12"),
        ("Nothing contradicted", "0.67"),
        ("Legal moves without a reason", "1"),
    ] {
        assert_eq!(cell(&table, &["m (fen+why)"], head), value, "{head}");
    }
}

#[test]
fn puzzles_worked_by_hand() {
    let player = model("m");
    let mut positions = Vec::new();
    let mut rows = Vec::new();
    // Three of four at 1500 to 1699 solved, none of four at 1900; the last answer of those is no legal move.
    for number in 0..8 {
        let mut puzzle = at(number, Goal::Mate);
        puzzle.rating = Some(if number < 4 { 1_500 } else { 1_900 });
        puzzle.themes = vec![
            "mateIn1".to_owned(),
            if number % 2 == 0 { "pin" } else { "fork" }.to_owned(),
        ];
        let mut answer = match number {
            7 => row(&puzzle, &player, &[], Some(FaultKind::NoPiece)),
            _ => row(&puzzle, &player, &["a2a3"], None),
        };
        answer.solved = Some(number < 3);
        rows.push(answer);
        positions.push(puzzle);
    }
    let runs = [run(&positions, std::slice::from_ref(&player), rows)];
    let data = Material::new(&runs, None);
    let table = solved::solved(&data).unwrap();
    assert_eq!(cell(&table, &["m (fen)"], "Solved"), "0.375");
    assert_eq!(cell(&table, &["m (fen)"], "Legal"), "0.875");
    let tables = ["Puzzles by rating", "Solved by theme"].map(|caption| reported(&runs, &[], caption).unwrap());
    assert_eq!(cell(&tables[0], &["m (fen)", "1400–1599"], "Solved"), "0.750");
    assert_eq!(cell(&tables[0], &["m (fen)", "1800–1999"], "Solved"), "0.000");
    assert_eq!(cell(&tables[1], &["m (fen)", "pin"], "Answers"), "4");
    assert_eq!(cell(&tables[1], &["m (fen)", "pin"], "Solved"), "0.500");
    assert_eq!(cell(&tables[1], &["m (fen)", "fork"], "Solved"), "0.250");
    // With the puzzles of 1500 alone: 1500 + 400 lg(0.75 / 0.25).
    let first = [run(&positions[..4], &[player], runs[0].rows[..4].to_vec())];
    let table = at_once(solved::puzzle_ratings(&Material::new(&first, None), &AtOnce)).unwrap();
    assert_eq!(cell(&table, &["m (fen)"], "Rating"), "1691");
    assert_eq!(cell(&table, &["m (fen)"], "Puzzles"), "4");
}

#[test]
fn points_of_the_suite_and_the_engines_losses_worked_by_hand() {
    let points = |all: &[(&str, u16)]| Goal::Points {
        points: all
            .iter()
            .map(|(uci, worth)| ((*uci).to_owned(), *worth))
            .collect::<BTreeMap<_, _>>(),
    };
    let mut positions: Vec<_> = (0..4)
        .map(|number| at(number, points(&[("e2e4", 100), ("d2d4", 60)])))
        .collect();
    for (number, at) in positions.iter_mut().enumerate() {
        at.themes = vec![if number < 3 { "Space" } else { "Pawns" }.to_owned()];
    }
    let players = [
        builtin("solution", PlayerKind::Solution),
        builtin("first", PlayerKind::First),
    ];
    let other = ["d2d4", "a2a3", "d2d4", "a2a3"];
    let mut rows = Vec::new();
    for (at, uci) in positions.iter().zip(other) {
        rows.push(row(at, &players[0], &["e2e4"], None));
        rows.push(row(at, &players[1], &[uci], None));
    }
    // The solutions lose 0, 20, 0 and 150, the others 40, 60, 20 and 100.
    let mut found = Vec::new();
    for (number, (own, others)) in [(0, 40), (20, 60), (0, 20), (150, 100)].into_iter().enumerate() {
        found.push(graded(&positions[number], "e2e4", own));
        found.push(graded(&positions[number], other[number], others));
    }
    let (runs, graders) = ([run(&positions, &players, rows)], grades(found));
    let data = Material::new(&runs, Some(&graders));
    let table = at_once(solved::points(&data, &AtOnce)).unwrap();
    assert_eq!(cell(&table, &["solution", "all"], "Points"), "100.0");
    assert_eq!(cell(&table, &["first", "Space"], "Points"), "40.0");
    assert_eq!(cell(&table, &["first", "all"], "Points"), "30.0");
    let table = approved::approved(&data).unwrap();
    assert_eq!(cell(&table, &["all"], "Excellent or good"), "0.750");
    assert_eq!(cell(&table, &["Space"], "Excellent or good"), "1.000");
    assert_eq!(cell(&table, &["all"], "The engine's best"), "0.500");
    assert_eq!(cell(&table, &["all"], "Blunders"), "0.250");
    assert_eq!(cell(&table, &["all"], "Mean capped loss"), "42.5");
    let table = approved::points_and_losses(&data).unwrap();
    for (head, value) in [
        ("Moves", "8"),
        ("Loss, 100 points", "42.5"),
        ("Loss, 1 to 99", "30.0"),
        ("Loss, none", "80.0"),
        // Of 28 pairs 8 are tied in points and 2 in losses, one in both; of the other 19 four go the same way and 15 not:
        // −11 / √(20 · 26).
        ("Kendall's tau", "-0.482"),
    ] {
        assert_eq!(cell(&table, &[], head), value, "{head}");
    }
}

#[test]
fn the_games_own_moves_are_the_baseline() {
    let mut positions: Vec<_> = (0..3).map(|number| at(number, Goal::Grade)).collect();
    for at in &mut positions {
        at.played = Some("d2d4".to_owned());
    }
    let player = builtin("first", PlayerKind::First);
    let moves = ["a2a3", "d2d4", "a2a3"];
    let rows = positions
        .iter()
        .zip(moves)
        .map(|(at, uci)| row(at, &player, &[uci], None));
    let runs = [run(&positions, std::slice::from_ref(&player), rows.collect())];
    let alone = grades(vec![graded(&positions[0], "a2a3", 90)]);
    assert!(at_once(baseline::table(&Material::new(&runs, Some(&alone)), &AtOnce)).is_none());
    let with = grades(vec![
        graded(&positions[0], "a2a3", 90),
        graded(&positions[0], "d2d4", 30),
        graded(&positions[1], "d2d4", 0),
        // The third game's move was not graded.
        graded(&positions[2], "a2a3", 500),
    ]);
    let table = at_once(baseline::table(&Material::new(&runs, Some(&with)), &AtOnce)).unwrap();
    for (head, value) in [
        ("Positions", "2"),
        ("Its loss", "45.0"),
        ("The game's loss", "15.0"),
        ("Difference", "30.0"),
        ("The same move", "0.500"),
    ] {
        assert_eq!(cell(&table, &["first"], head), value, "{head}");
    }
}

#[test]
fn groups_by_rating_and_opening_and_parts_alike_worked_by_hand() {
    let mut positions: Vec<_> = (0..8).map(|number| at(number, Goal::Grade)).collect();
    for (number, at) in positions.iter_mut().enumerate() {
        at.rating = Some(if number < 4 { 1_599 } else { 1_600 });
        at.opening = Some(
            if number < 4 {
                "C65 Ruy Lopez: Berlin Defense"
            } else {
                "C60 Ruy Lopez"
            }
            .to_owned(),
        );
        at.part = if number < 6 { Part::Early } else { Part::Late };
    }
    let player = builtin("first", PlayerKind::First);
    let rows = positions.iter().map(|at| row(at, &player, &["a2a3"], None)).collect();
    let runs = [run(&positions, std::slice::from_ref(&player), rows)];
    // Six early moves that cost nothing, two late blunders.
    let loss = |number: usize| if number < 6 { 0 } else { 200 };
    let graders = grades(
        positions
            .iter()
            .enumerate()
            .map(|(number, at)| graded(at, "a2a3", loss(number)))
            .collect(),
    );
    let data = Material::new(&runs, Some(&graders));
    let table = at_once(groups::table(&data, groups::By::Rating, &AtOnce)).unwrap();
    assert_eq!(cell(&table, &["first", "1400–1599"], "Score, all"), "5.00");
    assert_eq!(cell(&table, &["first", "1600–1799"], "Score, all"), "3.00");
    assert!(
        at_once(groups::table(&data, groups::By::Opening, &AtOnce)).is_none(),
        "one opening, with and without its variation"
    );
    let table = groups::parts_alike(&data).unwrap();
    for (head, value) in [
        ("Parts", "2"),
        ("Score, all", "4.00"),
        ("Score, parts alike", "3.00"),
        ("Capped loss, parts alike", "100.0"),
    ] {
        assert_eq!(cell(&table, &["first"], head), value, "{head}");
    }
}

/// Three players of known rating whose losses are e − 1, e² − 1 and e³ − 1 would lie on a line exactly; whole centipawns come
/// close.
#[test]
fn a_player_with_few_answers_leaves_the_others_ratings_as_they_are() {
    let positions: Vec<_> = (0..40).map(|number| at(number, Goal::Grade)).collect();
    let level = |elo| PlayerKind::Engine {
        engine: "E".to_owned(),
        level: Some(Level::Elo(elo)),
        limit: Limit::Nodes(1),
    };
    let players = [
        builtin("1000", level(1_000)),
        builtin("2000", level(2_000)),
        builtin("3000", level(3_000)),
        builtin("few", PlayerKind::Random),
    ];
    let moves = ["a2a3", "b2b3", "c2c3", "d2d3"];
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    for (number, at) in positions.iter().enumerate() {
        for (player, (uci, loss)) in players.iter().zip(moves.iter().zip([403, 54, 6, 54])) {
            if player.name != "few" || number < 5 {
                rows.push(row(at, player, &[uci], None));
                found.push(graded(at, uci, loss));
            }
        }
    }
    let (runs, graders) = ([run(&positions, &players, rows)], grades(found));
    let table = at_once(calibration::table(&Material::new(&runs, Some(&graders)), &AtOnce)).unwrap();
    for (name, n) in [("1000", "40"), ("2000", "40"), ("few", "5")] {
        assert_eq!(cell(&table, &[name], "Positions"), n, "{name}");
    }
    assert_eq!(cell(&table, &["few"], "Rating"), cell(&table, &["2000"], "Rating"));
    let rating: f64 = cell(&table, &["2000"], "Rating").parse().unwrap();
    assert!((rating - 2_000.0).abs() < 30.0, "{rating}");
    assert_eq!(cell(&table, &["few"], "Outside the scale"), "");
}
