//! Fitting probes in the network's worker, natively, on a made-up network and real positions.
#![cfg(feature = "net")]
#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use crate::net_reference::{KINDS, network};
use kibitz::concepts::{Concept, Control, ProbeSet, fit::Fitted};
use kibitz::net_worker::{
    gathering::Gathering,
    move_gathering::MoveGathering,
    protocol::{MoveRow, Reply, Request, Row, Turn},
    server::{Loaded, read},
};
use kibitz::random::Rng;
use prost::Message;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, Role, fen::Fen};

/// Positions of random games, three a game. Each label counts men, weighed differently for each concept.
fn rows(games: usize) -> Vec<Row> {
    let mut rng = Rng::new(5);
    let mut rows = Vec::new();
    for game in 0..games {
        let mut position = Chess::default();
        for ply in 0..60 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position = position.play(legal[rng.below(legal.len())]).unwrap();
            if ply % 20 == 19 && !position.is_game_over() {
                let labels = Concept::ALL.map(|concept| {
                    let men = |color: Color, role: Role| position.board().by_piece(role.of(color)).count() as f32;
                    Role::ALL
                        .into_iter()
                        .map(|role| {
                            let weight = ((concept.index() + role as usize) % 5) as f32 - 1.5;
                            weight * (men(Color::White, role) - 0.7 * men(Color::Black, role))
                        })
                        .sum::<f32>()
                });
                rows.push(Row {
                    game: game.to_string(),
                    fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
                    labels: Some(labels.to_vec()),
                });
            }
        }
    }
    rows
}

fn loaded() -> Loaded {
    Loaded::build(read(&network(KINDS[3]).encode_to_vec()).unwrap(), |_, _| {}).unwrap()
}

fn gathered(rows: &[Row]) -> Gathering {
    let mut gathering = Gathering::new(loaded());
    for row in rows {
        gathering.add(row.clone()).unwrap();
    }
    gathering
}

/// Every turn until `enough` probes are there, as they travel between worker and page.
fn fitted(gathering: &mut Gathering, before: &[Fitted], enough: usize) -> (Vec<Fitted>, Turn) {
    let json = serde_json::to_string(&Request::Fit {
        id: 1,
        fitted: before.to_vec(),
        refused: Vec::new(),
    })
    .unwrap();
    let Request::Fit { fitted, refused, .. } = serde_json::from_str(&json).unwrap() else {
        panic!("{json}")
    };
    gathering.begin(fitted, refused);
    let mut all = before.to_vec();
    let mut done = 0;
    loop {
        let turn = gathering.turn(|| true).unwrap();
        let json = serde_json::to_string(&Reply::Turned { id: 1, turn }).unwrap();
        let Reply::Turned { turn, .. } = serde_json::from_str(&json).unwrap() else {
            panic!("{json}")
        };
        assert!(
            turn.done >= done && turn.done <= turn.total,
            "{} of {}",
            turn.done,
            turn.total
        );
        done = turn.done;
        all.extend(turn.fitted.clone());
        if turn.concept.is_none() || all.len() >= enough {
            return (all, turn);
        }
    }
}

#[test]
fn gathers_fits_and_goes_on_where_it_was_stopped() {
    let rows = rows(130);
    assert!(rows.len() > 350);
    let mut gathering = gathered(&rows);
    assert_eq!(gathering.len(), rows.len());
    let (whole, last) = fitted(&mut gathering, &[], usize::MAX);
    assert_eq!((whole.len(), last.done), (21, last.total));
    let description = loaded().description().clone();
    let probes = whole.iter().map(|one| one.probe.clone()).collect();
    let set = ProbeSet::new(&description.sha256, description.filters, probes).unwrap();
    assert_eq!(ProbeSet::read(&set.write()).unwrap(), set);
    // Stopped after eight probes, in another worker: the same end, bit for bit.
    let (eight, _) = fitted(&mut gathered(&rows), &[], 8);
    assert_eq!(eight.len(), 8);
    let (resumed, _) = fitted(&mut gathered(&rows), &eight, usize::MAX);
    assert_eq!(resumed, whole);
}

#[test]
fn controls_are_gathered_and_fitted_as_the_network_is() {
    let rows = rows(130);
    let network = read(&network(KINDS[3]).encode_to_vec()).unwrap();
    let shuffled = Gathering::of_shuffled(&network).unwrap();
    let planes = Gathering::of_planes(loaded());
    for (mut gathering, control, layers) in [
        (shuffled, Control::Shuffled, network.blocks() + 1),
        (planes, Control::Planes, 1),
    ] {
        assert_eq!(
            (gathering.control(), gathering.network()),
            (Some(control), network.sha256.as_str())
        );
        let moves = rows.iter().map(|row| gathering.add(row.clone()).unwrap());
        assert_eq!(
            moves.flatten().count(),
            if control == Control::Planes { 0 } else { rows.len() }
        );
        let (fitted, _) = fitted(&mut gathering, &[], 2);
        let tried: std::collections::BTreeSet<String> =
            fitted[0].trials.iter().map(|trial| trial.layer.to_string()).collect();
        assert_eq!(tried.len(), layers, "{control:?}: {tried:?}");
    }
}

#[test]
fn probes_of_changes_are_fitted_on_the_networks_first_moves() {
    let rows = rows(130);
    let mut gathering = gathered(&[]);
    let mut moves = MoveGathering::new(loaded()).unwrap();
    let mut left_out = 0;
    for (i, row) in rows.iter().enumerate() {
        let mv = gathering.add(row.clone()).unwrap().unwrap().to_string();
        let before = row.labels.clone().unwrap();
        // What the move changes: one concept in three, by amounts of chance.
        let after = before
            .iter()
            .enumerate()
            .map(|(j, x)| x + ((i * 7 + j * 5) % 3 / 2) as f32 * ((i % 5) as f32 - 2.0));
        let row = MoveRow {
            game: row.game.clone(),
            fen: row.fen.clone(),
            mv,
            labels: [before.clone(), after.collect()],
        };
        left_out += usize::from(moves.add(&row).is_err());
        assert!(moves.add(&row).is_err(), "a move is gathered once");
    }
    assert_eq!(moves.len() + left_out, rows.len());
    let (mut done, mut turns) = (0, 0);
    let probes = loop {
        let json = serde_json::to_string(&moves.turn(9, || true).unwrap()).unwrap();
        let Reply::FittedChanges {
            id: 9,
            done: now,
            total,
            probes,
        } = serde_json::from_str(&json).unwrap()
        else {
            panic!("{json}")
        };
        assert!(now == done + 1 && now <= total, "a step a turn: {now} of {total}");
        (done, turns) = (now, turns + 1);
        if let Some(probes) = probes {
            assert_eq!((now, turns), (total, total));
            break probes.checked().unwrap();
        }
    };
    assert_eq!(probes.filters(), loaded().description().filters);
    assert!(
        probes.card().heads.iter().any(|head| head.figures.changed > 0),
        "judged on games of their own"
    );
    // It goes into the file with the others.
    let (whole, _) = fitted(&mut gathering, &[], usize::MAX);
    let description = loaded().description().clone();
    let set = ProbeSet::new(
        &description.sha256,
        description.filters,
        whole.into_iter().map(|one| one.probe).collect(),
    );
    let set = set.unwrap().with_changes(probes).unwrap();
    let read = ProbeSet::read(&set.write()).unwrap();
    assert_eq!(read.changes().unwrap().card(), set.changes().unwrap().card());
}

#[test]
fn what_cannot_be_read_is_left_out_and_a_fit_needs_a_beginning() {
    let mut gathering = Gathering::new(loaded());
    let row = |fen: &str| Row {
        game: "1".into(),
        fen: fen.into(),
        labels: None,
    };
    assert!(gathering.add(row("no position")).is_err());
    assert!(gathering.is_empty());
    let start = Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
    gathering.add(row(&start)).unwrap();
    assert_eq!(gathering.turn(|| true).unwrap_err(), "there is no fit to go on with");
    assert!(
        start
            .parse::<Fen>()
            .unwrap()
            .into_position::<Chess>(CastlingMode::Standard)
            .is_ok()
    );
    let Reply::Gathered {
        id: 7,
        network,
        positions: 1,
        ..
    } = gathering.gathered(7, Vec::new())
    else {
        panic!("one position")
    };
    assert_eq!(network, loaded().description().sha256);
    // Without labels every concept is given up, and that is no failure.
    gathering.begin(Vec::new(), Vec::new());
    let turn = gathering.turn(|| false).unwrap();
    assert_eq!((turn.refused.len(), turn.fitted.len(), turn.concept), (21, 0, None));
}
