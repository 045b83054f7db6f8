//! Players of known strength: they come out in order, with the slope that they were made with.

use shakmaty::{CastlingMode, Position};

use super::{
    all_tables, calibration,
    games::{self, games as games_of},
    groups,
    material::Material,
    pairs,
    resampling::LEVEL,
    scores,
};
use crate::{
    grading::{
        grade::CAP,
        grade_file::{GradeRow, Grades, Outcome},
        level::Level,
        play::Row,
        player::{Player, PlayerKind},
        review::Review,
        run_file::Run,
        suite::{
            file::Suite,
            goal::Goal,
            position::{Part, TestPosition},
        },
        task::{Settings, Task},
        toy_engine::{positions, search},
    },
    pace::{AtOnce, at_once},
    random::{Rng, seeded_hash},
    stats::slope::slope,
    survey::analysis::table::{Cell, Table},
    uci::Limit,
};

const POSITIONS: usize = 240;
/// How often each player makes the best move; else any.
const SHARES: [(u16, f64); 5] = [(1000, 0.0), (1500, 0.25), (2000, 0.5), (2500, 0.75), (3000, 1.0)];

fn row(item: &str, player: &str, uci: &str) -> Row {
    Row {
        task: Task {
            item: item.to_owned(),
            player: player.to_owned(),
            prompt: None,
        },
        key: format!("{item} {player}"),
        moves: vec![uci.to_owned()],
        fault: None,
        solved: None,
        said: String::new(),
        replies: Vec::new(),
        objected: Vec::new(),
        explanation: None,
        model_answered: None,
        tokens: None,
        millis: 10,
        given_up: Vec::new(),
        copied: false,
    }
}

/// The best and a random move of every position, graded by the toy engine.
fn material() -> (Vec<TestPosition>, Vec<(String, String)>, Grades) {
    let mut grades = Grades::new("Toy", Limit::Nodes(1));
    let (mut all, mut moves) = (Vec::new(), Vec::new());
    let mut rng = Rng::new(3);
    for (number, position) in positions(POSITIONS, 5).into_iter().enumerate() {
        let mut at = TestPosition::new(format!("p{number}"), &position, CastlingMode::Standard, Goal::Grade);
        at.part = if number % 2 == 0 { Part::Early } else { Part::Late };
        let reached = at.read().unwrap();
        let legal = reached.position.legal_moves();
        let any = legal[rng.below(legal.len())];
        let mut review = Review::new(
            Vec::new(),
            reached.position.clone(),
            reached.mode,
            Limit::Nodes(1),
            legal.iter().copied(),
        );
        let root = search(&review.next(1).unwrap());
        let best = root.lines[0].pv[0];
        review.take(root).unwrap();
        let best = best.to_move(&reached.position).unwrap();
        let mut review = Review::new(
            Vec::new(),
            reached.position.clone(),
            reached.mode,
            Limit::Nodes(1),
            [best, any],
        );
        while let Some(request) = review.next(1) {
            review.take(search(&request)).unwrap();
        }
        for grade in review.grades() {
            grades.rows.push(GradeRow {
                fen: at.fen.clone(),
                moves: String::new(),
                outcome: Outcome::Grade(Box::new(grade)),
            });
        }
        let uci = |mv: shakmaty::Move| mv.to_uci(reached.mode).to_string();
        moves.push((uci(best), uci(any)));
        all.push(at);
    }
    (all, moves, grades)
}

fn number(cell: &Cell) -> f64 {
    match cell.bare() {
        Cell::Number(value, _) => *value,
        Cell::Count(count) => *count as f64,
        other => panic!("{other:?}"),
    }
}

fn column(table: &Table, name: &str) -> Vec<f64> {
    let place = table.head.iter().position(|head| head == name).unwrap();
    table.rows.iter().map(|row| number(&row[place])).collect()
}

/// A run of players that make the best move in their share of the positions; the last one's rating is not known.
fn run(positions: &[TestPosition], moves: &[(String, String)]) -> Run {
    let player = |name: String, kind| Player { name, kind };
    let mut players: Vec<Player> = SHARES
        .iter()
        .map(|(elo, _)| {
            let level = Level::Elo(*elo);
            player(
                level.to_string(),
                PlayerKind::Engine {
                    engine: "Toy".to_owned(),
                    level: Some(level),
                    limit: Limit::Nodes(1),
                },
            )
        })
        .collect();
    players.push(player("unknown".to_owned(), PlayerKind::Random));
    let suite = Suite::new("toy", String::new(), 1, positions.to_vec());
    let mut run = Run::new(suite, players, Settings::default());
    let shares: Vec<f64> = SHARES.iter().map(|(_, share)| *share).chain([0.5]).collect();
    for (at, (best, any)) in positions.iter().zip(moves) {
        for (player, share) in run.header.players.clone().iter().zip(&shares) {
            // The unknown player draws for itself, so that it is not the one of 2000 again.
            let seed = u64::from(player.name == "unknown");
            let drawn = Rng::new(seeded_hash(seed, &at.id)).unit();
            let mv = if drawn < *share { best } else { any };
            run.rows.push(row(&at.id, &player.name, mv));
        }
    }
    run
}

#[test]
fn players_come_out_in_the_order_of_their_strength_and_with_its_slope() {
    let (positions, moves, grades) = material();
    let runs = [run(&positions, &moves)];
    assert_eq!(runs[0].progress().answered, POSITIONS * 6);
    let data = Material::new(&runs, Some(&grades));
    let table = at_once(scores::losses(&data, &AtOnce));
    let capped = column(&table, &format!("Capped at {CAP}"));
    assert!(capped[..5].is_sorted_by(|a, b| a > b), "{capped:?}");
    assert_eq!(capped[4], 0.0, "only best moves");
    // Every share of best moves more takes that share of the random player's loss away.
    let shares: Vec<f64> = SHARES.iter().map(|(_, share)| *share).collect();
    let found = slope(&shares, &capped[..5], LEVEL).unwrap();
    assert!(
        (found.slope + capped[0]).abs() < 0.15 * capped[0],
        "{found:?} {capped:?}"
    );
    let scored = at_once(scores::scores(&data, &AtOnce));
    let points = column(&scored, "Score, all");
    assert!(points[..5].is_sorted() && points[4] == 5.0, "{points:?}");
    // The unknown player makes half of the best moves: about 2000.
    let calibrated = at_once(calibration::table(&data, &AtOnce)).unwrap();
    let ratings = column(&calibrated, "Rating");
    assert!(ratings[..5].is_sorted(), "{ratings:?}");
    assert!(ratings[1] < ratings[5] && ratings[5] < ratings[3], "{ratings:?}");
    let compared = at_once(pairs::table(&data, &AtOnce)).unwrap();
    assert_eq!(compared.rows.len(), 30, "15 pairs, score and loss");
    assert!(number(&compared.rows[0][4]) < 0.0, "1000 scores less than 1500");
    let parts = at_once(groups::table(&data, groups::By::Part, &AtOnce)).unwrap();
    assert_eq!(parts.rows.len(), 12);
    assert!(
        groups::sensitivity(&data).is_none(),
        "no levels are known of the positions"
    );
    // Everything together has no figure that is not one.
    for table in at_once(all_tables(&runs, std::slice::from_ref(&grades), &AtOnce)) {
        let text = table.to_json().to_string();
        assert!(
            !text.contains("NaN") && table.rows.iter().all(|row| row.len() == table.head.len()),
            "{text}"
        );
    }
}

#[test]
fn levels_of_games_show_in_their_losses() {
    let (mut positions, moves, grades) = material();
    // Games of 12 moves, four for each level, whose players make the best move as often as the level says.
    for (number, at) in positions.iter_mut().enumerate() {
        let game = number / 12;
        let (elo, share) = SHARES[game % SHARES.len()];
        at.game = Some(format!("g{game}"));
        at.level = Some(Level::Elo(elo));
        let drawn = Rng::new(seeded_hash(9, &at.id)).unit();
        let (best, any) = &moves[number];
        at.played = Some(if drawn < share { best } else { any }.clone());
    }
    let suite = Suite::new("games", String::new(), 1, positions.clone());
    let player = Player {
        name: "played".to_owned(),
        kind: PlayerKind::Played,
    };
    let mut run = Run::new(suite, vec![player], Settings::default());
    for at in &positions {
        run.rows.push(row(&at.id, "played", at.played.as_deref().unwrap()));
    }
    let runs = [run];
    let data = Material::new(&runs, Some(&grades));
    assert_eq!(games_of(&data.contestants[0]).len(), 20);
    let by_game = games::by_game(&data);
    assert_eq!(by_game[0].rows.len(), 25, "20 games and the plan's five");
    let tables = at_once(games::levels(&data, &AtOnce));
    let capped = column(&tables[0], "Capped");
    assert!(capped[0] > capped[2] && capped[2] > capped[4], "{capped:?}");
    let note = &tables[0].notes[1];
    assert!(
        note.starts_with("Slope of the capped loss for 100 points of rating more: -"),
        "{note}"
    );
    // The top level is better than the lowest, whatever else.
    let last = tables[1].rows.last().unwrap();
    assert_eq!(last[7], Cell::Text("better".to_owned()), "{last:?}");
    let sensitive = groups::sensitivity(&data).unwrap();
    assert!(number(&sensitive.rows[0][1]) > 0.0);
}
