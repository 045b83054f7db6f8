//! The input planes and the indices of the moves against those of Lc0's own evaluator; no network needed.

mod net_expected;

use std::collections::BTreeSet;

use kibitz::net::{Planes, policy::index_of};
use net_expected::read;
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
