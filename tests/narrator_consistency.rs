//! A comment does not contradict itself: over every pair of facts that its sentences rest on.
//!
//! What cannot both be said of one move is written down here by itself, pair by pair, and shares no code with the
//! narrator.
//! Judged are the positions of the labelled claims with their recorded engine lines, in several wordings each.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use crate::claim_positions::{HANDWRITTEN, LABELLED, positions, sheet};
use kibitz::{
    chess::{Man, endings::Known},
    commentary::{
        FactSheet, Standing,
        fact::{Change, Compensation, Detail, Fate, Remedy},
        narrate_board, narrate_in,
    },
};
use shakmaty::{Color, Role, Square};

/// How many wordings of each are checked.
const WORDINGS: u32 = 4;

/// A man that the comment says stands somewhere for good: where it gets to, and what is praised.
fn settles(detail: &Detail, mover: Color, to: Square) -> Option<(Square, &'static str)> {
    Some(match detail {
        Detail::Hanging {
            hanging,
            change: Change::Gone,
            fate: Fate::Moves,
            ..
        } if hanging.target.color == mover => (to, "brought to safety"),
        Detail::Hanging {
            hanging,
            change: Change::Gone,
            fate: Fate::Stays,
            ..
        } if hanging.target.color == mover => (hanging.target.square, "saved"),
        Detail::Passed {
            pawn,
            change: Change::New,
        } if pawn.color == mover => (pawn.square, "a passed pawn"),
        Detail::Outpost { man } => (man.square, "on an outpost"),
        Detail::File {
            man,
            change: Change::New,
            ..
        } => (man.square, "on a file"),
        Detail::Activity { man, before, after, .. } if man.color == mover && after > before => (man.square, "active"),
        Detail::Development { to, .. } => (*to, "developed"),
        Detail::Remedy {
            remedy: Remedy::Saves { .. },
            ..
        } => return None,
        _ => return None,
    })
}

/// The square on which the opponent's next move captures, if it is mentioned and takes there.
fn captured(detail: &Detail) -> Option<Square> {
    let (Detail::Reply { san, .. } | Detail::Punishment { san, .. }) = detail else {
        return None;
    };
    let (_, to) = san.split_once('x')?;
    to.get(..2)?.parse().ok()
}

/// Which of the sides a fact says is to win, or none for a draw; `None` where it says nothing of it.
fn result(detail: &Detail) -> Option<Option<Color>> {
    match detail {
        Detail::Mate { winner, .. } => Some(Some(*winner)),
        Detail::Checkmate { king, .. } => Some(Some(king.color.other())),
        Detail::Stalemate { .. } | Detail::Draw { .. } => Some(None),
        Detail::Verdict { side, after, .. } => match after {
            Standing::Winning => Some(Some(*side)),
            Standing::Lost => Some(Some(side.other())),
            Standing::Equal => Some(None),
            _ => None,
        },
        Detail::Sacrifice {
            man, gift: Some(gift), ..
        } => match gift.compensation {
            Compensation::Mate(_)
            | Compensation::Attack(Standing::Winning)
            | Compensation::Lasting(Standing::Winning) => Some(Some(man.color)),
            _ => None,
        },
        Detail::Ending(ending) => match ending.known()? {
            Known::Win(side) => Some(Some(side)),
            Known::Draw => Some(None),
        },
        _ => None,
    }
}

/// Why two facts cannot both be said of a move; `None` where they can.
fn contradiction(a: &Detail, b: &Detail, mover: Color, from: Square, to: Square) -> Option<String> {
    if let (Some(x), Some(y)) = (result(a), result(b))
        && x != y
    {
        return Some(format!("one says {x:?} wins, the other {y:?}"));
    }
    if let (Some((square, what)), Some(taken)) = (settles(a, mover, to), captured(b))
        && square == taken
    {
        return Some(format!("{what} on {square}, and taken there"));
    }
    match (a, b) {
        (Detail::Checkmate { .. }, Detail::Reply { .. } | Detail::Punishment { .. } | Detail::Opening { .. }) => {
            Some("mate, and the game goes on".to_owned())
        }
        (Detail::OnlyMove { .. }, Detail::Best { .. }) => Some("the only move, and a better one".to_owned()),
        (Detail::OnlyMove { .. }, Detail::Verdict { verdict, .. }) if verdict.is_bad() => {
            Some("the only move, and bad".to_owned())
        }
        (Detail::Sacrifice { man, .. }, Detail::Trade { ours, .. }) if man.square == ours.square => {
            Some(format!("the {:?} given up and exchanged", man.role))
        }
        (
            Detail::Sacrifice { man, .. },
            Detail::Hanging {
                hanging,
                change: Change::Gone,
                ..
            },
        ) if hanging.target.color == mover && *man == hanging.target => Some("given up and saved".to_owned()),
        (
            Detail::File {
                man,
                change: Change::New,
                ..
            },
            Detail::Move { .. },
        ) if man.square == to && from.file() == to.file() && man.role != Role::Pawn => {
            Some("placed on the file on which it stood".to_owned())
        }
        (Detail::Threat(threat), Detail::Capture { taken, .. } | Detail::Recapture { taken, .. })
            if threat.target == *taken =>
        {
            Some("taken, and threatened to be won".to_owned())
        }
        (Detail::Defence { target, .. }, Detail::Exposed { hanging, .. }) if *target == hanging.target => {
            Some("protected, and left to be taken".to_owned())
        }
        (Detail::Castling { .. }, Detail::CastlingLost { .. }) => Some("castles, and may not".to_owned()),
        (Detail::Retreat { man: a, .. }, Detail::Development { man: b, .. }) if a == b => {
            Some("goes back, and comes out".to_owned())
        }
        _ => None,
    }
}

#[test]
fn no_two_facts_of_a_comment_contradict_each_other() {
    let mut pairs: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in [LABELLED, HANDWRITTEN] {
        let (origin, rows) = positions(file);
        for row in &rows {
            let sheet = sheet(&origin, row, None);
            for wording in 0..WORDINGS {
                wrong.extend(judge(&sheet, wording, &mut pairs).map(|why| format!("{} {}: {why}", row.fen, row.uci)));
            }
        }
    }
    assert!(pairs.len() > 300, "pairs of kinds met: {}", pairs.len());
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the board alone says before the search, beside every sentence that comes after it.
#[test]
fn what_is_said_first_is_not_contradicted_later() {
    let mut wrong = Vec::new();
    for file in [LABELLED, HANDWRITTEN] {
        let (origin, rows) = positions(file);
        for row in &rows {
            let sheet = sheet(&origin, row, None);
            let played = sheet.played();
            let (mover, from, to) = (played.mover(), played.mv.from().unwrap(), played.mv.to());
            let board = FactSheet::new(played, None, None);
            let (first, last) = (narrate_board(&board), narrate_in(&sheet, 0));
            for a in first
                .iter()
                .flat_map(|said| &said.facts)
                .filter_map(|id| board.get(*id))
            {
                for b in last.iter().flat_map(|said| &said.facts).filter_map(|id| sheet.get(*id)) {
                    let found = contradiction(&a.detail, &b.detail, mover, from, to)
                        .or_else(|| contradiction(&b.detail, &a.detail, mover, from, to));
                    wrong.extend(found.map(|why| format!("{} {}: {why}: {first:?} {last:?}", row.fen, row.uci)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What contradicts itself in a comment, with the comment. Counts the pairs of kinds that were met.
fn judge(
    sheet: &FactSheet,
    wording: u32,
    pairs: &mut BTreeMap<(&'static str, &'static str), usize>,
) -> impl Iterator<Item = String> {
    let played = sheet.played();
    let (mover, from, to) = (played.mover(), played.mv.from().unwrap(), played.mv.to());
    let prose = narrate_in(sheet, wording);
    let mut ids: Vec<_> = prose.iter().flat_map(|sentence| sentence.facts.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    let facts: Vec<_> = ids.iter().filter_map(|id| sheet.get(*id)).collect();
    let mut wrong = Vec::new();
    for a in &facts {
        for b in &facts {
            *pairs.entry((a.kind.word(), b.kind.word())).or_default() += usize::from(a.id < b.id);
            if a.id != b.id
                && let Some(why) = contradiction(&a.detail, &b.detail, mover, from, to)
            {
                let text: Vec<&str> = prose.iter().map(|sentence| sentence.text.as_str()).collect();
                wrong.push(format!(
                    "{} and {}: {why}\n    {}",
                    a.kind.word(),
                    b.kind.word(),
                    text.join(" ")
                ));
            }
        }
    }
    wrong.into_iter()
}

/// The rules can fail: what the narrator once said is caught.
#[test]
fn what_was_said_once_is_caught() {
    let (mover, from, to) = (Color::White, Square::E4, Square::E5);
    let pawn = |square| Man {
        role: Role::Pawn,
        color: Color::White,
        square,
    };
    let reply = Detail::Reply {
        side: Color::Black,
        san: "dxe5".to_owned(),
        acts: Vec::new(),
    };
    let passed = Detail::Passed {
        pawn: pawn(Square::E5),
        change: Change::New,
    };
    assert!(
        contradiction(&passed, &reply, mover, from, to).is_some(),
        "a passed pawn that is taken"
    );
    let elsewhere = Detail::Passed {
        pawn: pawn(Square::A5),
        change: Change::New,
    };
    assert!(contradiction(&elsewhere, &reply, mover, from, to).is_none());
    let rook = Man {
        role: Role::Rook,
        color: Color::White,
        square: Square::H5,
    };
    let file = Detail::File {
        man: rook,
        open: true,
        change: Change::New,
    };
    let from_h1 = Detail::Move {
        man: Man {
            square: Square::H1,
            ..rook
        },
        to: Square::H5,
        san: "Rh5".to_owned(),
    };
    assert!(
        contradiction(&file, &from_h1, mover, Square::H1, Square::H5).is_some(),
        "a rook placed on the file on which it stood"
    );
    assert!(contradiction(&file, &from_h1, mover, Square::A5, Square::H5).is_none());
    let mate = |winner| Detail::Mate {
        winner,
        moves: 3,
        starts: None,
    };
    assert!(contradiction(&mate(Color::White), &mate(Color::Black), mover, from, to).is_some());
    assert!(contradiction(&mate(Color::White), &mate(Color::White), mover, from, to).is_none());
}
