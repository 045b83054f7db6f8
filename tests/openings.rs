//! The table of opening names: whole, by position, and only where a move leads to a name.

#![allow(clippy::unwrap_used, reason = "a test that can't set up its position has failed")]

use kibitz::{
    chess::{Openings, Played, openings::OpeningsError},
    commentary::{FactKind, FactSheet, narrate},
};
use shakmaty::{CastlingMode, Chess, san::SanPlus};

/// Our own cases: moves, then code and name, and whether the last move newly leads to the name.
const CASES: &str = include_str!("data/openings.csv");

/// The game of `moves`: its last move with the positions before it.
fn played(moves: &str) -> Played {
    let mut at = Chess::default();
    let mut history = Vec::new();
    let mut last = None;
    for token in moves.split_whitespace() {
        let m = token.parse::<SanPlus>().unwrap().san.to_move(&at).unwrap();
        let played = Played::new(at.clone(), m, CastlingMode::Standard, history.clone()).unwrap();
        history.push(at);
        at = played.after.clone();
        last = Some(played);
    }
    last.unwrap()
}

#[test]
fn the_shipped_table_is_read_whole() {
    let shipped = Openings::shipped();
    assert!(shipped.len() > 3500, "{}", shipped.len());
    assert!(
        Openings::parse(include_str!(concat!(env!("OUT_DIR"), "/openings.tsv")))
            .unwrap()
            .len()
            == shipped.len()
    );
    assert_eq!(shipped.name(&Chess::default()), None);
}

#[test]
fn games_are_named_by_their_positions() {
    for (number, line) in CASES.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split('|').collect();
        let [moves, eco, name, entered] = fields[..] else {
            panic!("line {}: four fields", number + 1)
        };
        let played = played(moves);
        let (opening, new) = Openings::shipped().reached(&played).unwrap();
        assert_eq!((opening.eco.as_str(), opening.name.as_str()), (eco, name), "{moves}");
        assert_eq!(new, entered == "entered", "{moves}");
        let sheet = FactSheet::new(&played, None, None);
        let fact = sheet.of_kind(FactKind::Opening).next().unwrap();
        assert!(fact.text.contains(name), "{}", fact.text);
        let text: Vec<String> = narrate(&sheet).into_iter().map(|s| s.text).collect();
        let prose = text.join(" ");
        assert_eq!(prose.contains(name), new, "{moves}: {prose}");
    }
}

/// Without a game the position itself is asked for; what has no name is not spoken of.
#[test]
fn a_position_alone_is_enough() {
    let game = played("e4 e5 Nf3 Nc6 Bb5");
    let alone = Played::new(game.before.clone(), game.mv, game.mode, Vec::new()).unwrap();
    let (opening, new) = Openings::shipped().reached(&alone).unwrap();
    assert_eq!((opening.name.as_str(), new), ("Ruy Lopez", true));
    let nowhere = played("a4 h5 Ra3 Rh6 Rb3 Rg6 h4 a5 Rh2");
    let alone = Played::new(nowhere.before.clone(), nowhere.mv, nowhere.mode, Vec::new()).unwrap();
    assert_eq!(Openings::shipped().reached(&alone), None);
    let sheet = FactSheet::new(&alone, None, None);
    assert_eq!(sheet.of_kind(FactKind::Opening).count(), 0);
}

#[test]
fn a_table_is_refused_at_its_first_bad_line() {
    let ours = "A00\tFirst\t1. a4\nB00\tSecond\t1. e4 e5 2. a4\n";
    let table = Openings::parse(ours).unwrap();
    assert_eq!(table.len(), 2);
    assert_eq!(table.name(&played("e4 e5 a4").after).unwrap().name, "Second");
    assert_eq!(
        table.name(&played("a4 e5 e4").after).unwrap().name,
        "Second",
        "a transposition"
    );
    for (text, error) in [
        ("A00\tName", OpeningsError::Fields { line: 1 }),
        ("A00\tName\t1. a4\nA00\tName\t", OpeningsError::Fields { line: 2 }),
        (
            "A00\tName\t1. a4 e5 2. Qh5",
            OpeningsError::Move {
                line: 1,
                token: "Qh5".to_owned(),
            },
        ),
    ] {
        assert_eq!(Openings::parse(text).unwrap_err(), error);
    }
    let twice = "A00\tFirst\t1. a4 e5 2. e4\nA00\tSecond\t1. e4 e5 2. a4\n";
    assert_eq!(
        Openings::parse(twice)
            .unwrap()
            .name(&played("e4 e5 a4").after)
            .unwrap()
            .name,
        "First"
    );
}
