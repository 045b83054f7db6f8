//! The input planes and the indices of the moves against those of Lc0's own evaluator; no network needed.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use std::collections::{BTreeMap, BTreeSet};

use crate::net_expected::{data, game, read};
use kibitz::net::{Planes, format::InputFormat, policy::index_of};
use serde::Deserialize;
use shakmaty::Position;

#[test]
fn planes_are_lc0s() {
    let (_, positions) = read("net-maia-1500-expected.jsonl");
    let mut compared = 0;
    for expected in positions {
        let (Some(theirs), Some(clock)) = (&expected.planes, expected.clock) else {
            continue;
        };
        let (history, position) = expected.game();
        let planes = Planes::new(&history, &position);
        let ours: Vec<String> = (0..112)
            .filter(|&plane| plane != 109)
            .map(|plane| planes.mask(plane))
            .map(|mask| if mask == 0 { String::new() } else { format!("{mask:x}") })
            .collect();
        let theirs: Vec<&str> = theirs.split('.').collect();
        for (plane, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            // Plane 109 is left out of both.
            let plane = if plane < 109 { plane } else { plane + 1 };
            assert_eq!(ours, theirs, "plane {plane} of {} {}", expected.fen, expected.moves);
        }
        assert_eq!(planes.clock() as f32, clock);
        compared += 1;
    }
    assert!(compared >= 50, "{compared}");
}

/// One line of tests/data/net-formats-expected.jsonl; see tests/data/prepare/lc0_formats.py.
#[derive(Deserialize)]
struct Formats {
    fen: String,
    moves: String,
    /// By the format's number: `plane:mask` of every plane that is not empty, `109:value` for the half-move clock.
    formats: BTreeMap<String, String>,
}

/// Our planes as that file has them.
fn printed(planes: &Planes) -> String {
    let values = planes.values();
    let plane = |plane: usize| match planes.mask(plane) {
        _ if plane == 109 => Some(format!("109:{}", values[109 * 64])),
        0 => None,
        mask => Some(format!("{plane}:{mask:x}")),
    };
    (0..112).filter_map(plane).collect::<Vec<_>>().join(" ")
}

#[test]
fn planes_of_every_format_are_lc0s() {
    let text = std::fs::read_to_string(data("net-formats-expected.jsonl")).unwrap();
    let (mut compared, mut passed, mut turns) = (BTreeMap::new(), 0, BTreeSet::new());
    for line in text.lines().skip(1) {
        let expected: Formats = serde_json::from_str(line).unwrap();
        let (history, position) = game(&expected.fen, &expected.moves);
        for (number, theirs) in &expected.formats {
            let format = InputFormat::ALL
                .into_iter()
                .find(|format| format.number().to_string() == *number)
                .unwrap();
            let planes = Planes::with_format(format, &history, &position);
            let what = format!("format {number} of {} {}", expected.fen, expected.moves);
            assert_eq!(printed(&planes), *theirs, "{what}");
            *compared.entry(number.clone()).or_insert(0) += 1;
            let transform = format.transform(&position);
            turns.insert((transform.files, transform.ranks, transform.diagonal));
            passed += u32::from(format.is_canonical() && planes.mask(108) != 0);
        }
    }
    eprintln!("{compared:?}, {} transforms, {passed} with en passant", turns.len());
    assert!(compared.len() == 6 && compared.values().all(|&n| n >= 20));
    // What the positions were chosen for is in them.
    assert!(turns.len() == 8 && passed >= 5, "{turns:?} {passed}");
}

#[test]
fn indices_are_lc0s() {
    let (_, positions) = read("net-maia-1500-expected.jsonl");
    let (mut castling, mut en_passant, mut promotions, mut black) = (0, 0, 0, 0);
    for expected in &positions {
        let (_, position) = expected.game();
        let us = position.turn();
        let moves = position.legal_moves();
        let ours: BTreeSet<u16> = moves.iter().map(|&mv| index_of(mv, us).unwrap()).collect();
        let theirs: BTreeSet<u16> = expected.policy.iter().map(|p| p.0).collect();
        assert_eq!(ours, theirs, "{} {}", expected.fen, expected.moves);
        castling += moves.iter().filter(|m| m.is_castle()).count();
        en_passant += moves.iter().filter(|m| m.is_en_passant()).count();
        promotions += moves.iter().filter(|m| m.is_promotion()).count();
        black += usize::from(us.is_black());
    }
    // What the positions were chosen for is in them.
    assert!(positions.len() >= 100 && castling >= 10 && en_passant >= 3 && promotions >= 40 && black >= 40);
    eprintln!(
        "{} positions ({black} Black to move), {castling} castlings, {en_passant} en passant, {promotions} promotions",
        positions.len()
    );
}
