//! What can be played.

use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square};

use super::{
    finding::{Finding, any_of, counts, the, the_up, unnamed},
    scene::Scene,
};
use crate::chess::{Man, captured, destination, names::color_name};
use crate::commentary::claims::{
    statement::{Designation, Predicate, Statement},
    truth::Truth,
};

pub(super) fn judge(statement: &Statement, scene: &Scene<'_>) -> Finding {
    match statement.predicate {
        Predicate::Playable if statement.line.moves.is_empty() => unnamed("a move"),
        Predicate::Playable => Ok(playable(statement, scene)),
        Predicate::LegalMoves => legal_moves(statement, scene),
        Predicate::CanCastle => can_castle(statement, scene),
        _ => can(statement, scene),
    }
}

/// The moves that are named can be played. That nothing else can may be said of a piece, or a square, too.
fn playable(statement: &Statement, scene: &Scene<'_>) -> Truth {
    if !statement.only || scene.deed().0.legal_moves().len() == 1 {
        return Truth::yes("The moves can be played.");
    }
    Truth::unknown("There are other legal moves.")
}

fn legal_moves(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(number) = statement.number else {
        return unnamed("a number");
    };
    let count = match statement.subject.filter(|subject| !subject.is_side()) {
        Some(subject) => {
            let men = scene.men(&subject)?;
            let Some((pos, [man])) = scene.turned_to(men[0].color).map(|pos| (pos, &men[..])) else {
                return Ok(Truth::unknown("It may mean several men, or a side in check."));
            };
            moves_of(&pos, *man).len()
        }
        None if statement.of_side().is_none_or(|side| side == scene.pos.turn()) => scene.pos.legal_moves().len(),
        None => return Ok(Truth::unknown("It is not that side's turn.")),
    };
    let degree = counts(count, number, statement.qualifier);
    Ok(any_of([(degree, format!("The legal moves are {count}."))]))
}

fn moves_of(pos: &Chess, man: Man) -> Vec<Move> {
    let moves = pos.legal_moves();
    moves.into_iter().filter(|m| m.from() == Some(man.square)).collect()
}

/// Another man than those meant that can legally take one of the targets.
fn taker_besides(pos: &Chess, men: &[Man], targets: &[Man]) -> Option<Man> {
    let takes = |m: &Move| captured(pos.board(), *m).is_some_and(|taken| targets.contains(&taken));
    let takers = pos.legal_moves().into_iter().filter(takes);
    let mut takers = takers.filter_map(|m| Man::at(pos.board(), m.from()?));
    takers.find(|taker| !men.contains(taker))
}

/// "He can take nothing but the pawn": what is against it.
fn takes_nothing_else(pos: &Chess, targets: &[Man]) -> Option<Truth> {
    let moves = pos.legal_moves();
    let mut taken = moves.iter().filter_map(|m| captured(pos.board(), *m));
    let another = taken.find(|taken| !targets.contains(taken))?;
    Some(Truth::no(format!("{} can be taken, too.", the_up(another))))
}

/// "The king can go only to h8", "only the queen can go to c6": what is against it. Of a king the first is meant.
fn goes_alone(pos: &Chess, man: Man, squares: &[Square]) -> Option<Truth> {
    let elsewhere = moves_of(pos, man)
        .into_iter()
        .find(|m| !squares.contains(&destination(*m)));
    let elsewhere = elsewhere.map(|m| format!("{} can go to {}, too.", the_up(man), destination(m)));
    if man.role == Role::King {
        return elsewhere.map(Truth::no);
    }
    let moves = pos.legal_moves();
    let another = moves
        .iter()
        .filter(|m| m.from() != Some(man.square) && squares.contains(&destination(**m)))
        .find_map(|m| Man::at(pos.board(), m.from()?));
    match (elsewhere, another) {
        (Some(_), Some(other)) => Some(Truth::no(format!("{} can go there, too.", the_up(other)))),
        (Some(reason), None) => Some(Truth::unknown(reason).lenient("It may mean that nothing else can go there.")),
        (None, _) => None,
    }
}

/// The subject can go to a square, or take an object.
fn can(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let takes = statement.predicate == Predicate::CanTake;
    let object = statement.object();
    if let Some(number) = statement.number.filter(|_| takes || !statement.squares.is_empty()) {
        return ways(statement, scene, number);
    }
    if takes && object.is_none() {
        return unnamed("where to");
    }
    let mut subject = statement.subject.unwrap_or_default();
    subject.color = subject.color.or(statement.side);
    if !takes && statement.squares.is_empty() {
        return can_move(&subject, statement.only, scene);
    }
    // The side whose man is taken is not the one that takes.
    if takes && subject.color.is_none() {
        subject.color = object.and_then(|object| object.color).map(|color| color.other());
    }
    let men = scene.men(&subject)?;
    let targets: Vec<Man> = match object.filter(|_| takes) {
        Some(object) => scene.men(&object)?,
        None => Vec::new(),
    };
    let mut decided = false;
    for &man in &men {
        let Some(pos) = scene.turned_to(man.color) else {
            continue;
        };
        decided = true;
        let found = moves_of(&pos, man).into_iter().find(|m| {
            if takes {
                captured(pos.board(), *m).is_some_and(|taken| targets.contains(&taken))
            } else {
                statement.squares.contains(&destination(*m))
            }
        });
        if found.is_some() {
            let yes = || Truth::yes(format!("The move of {} is legal.", the(man)));
            return Ok(match (statement.only, takes) {
                (false, _) => yes(),
                (true, true) if subject.is_side() => takes_nothing_else(&pos, &targets).unwrap_or_else(yes),
                (true, true) => match taker_besides(&pos, &men, &targets) {
                    Some(other) => Truth::no(format!("{} can, too.", the_up(other))),
                    None => yes(),
                },
                (true, false) => goes_alone(&pos, man, &statement.squares).unwrap_or_else(yes),
            });
        }
    }
    Ok(if decided {
        Truth::no("No such move is legal.")
    } else {
        Truth::unknown("Its side is not to move, and the other is in check.")
    })
}

/// "Two captures", "three men could go there": how many legal moves of the subject take something, or the man that is named, or
/// lead to the squares, or how many men have such moves.
fn ways(statement: &Statement, scene: &Scene<'_>, number: i32) -> Finding {
    let takes = statement.predicate == Predicate::CanTake;
    let object = statement.object().filter(|_| takes);
    let mut subject = statement.subject.unwrap_or_default();
    subject.color = subject
        .color
        .or(statement.side)
        .or_else(|| Some(object?.color?.other()));
    let men = scene.men(&subject)?;
    let targets = object.map(|object| scene.men(&object)).transpose()?;
    let Some(pos) = scene.turned_to(subject.color.unwrap_or_else(|| scene.pos.turn())) else {
        return Ok(Truth::unknown("Its side is not to move, and the other is in check."));
    };
    let meant = |m: &Move| match captured(pos.board(), *m) {
        _ if !takes => statement.squares.contains(&destination(*m)),
        Some(taken) => targets.as_ref().is_none_or(|targets| targets.contains(&taken)),
        None => false,
    };
    let mut ways: Vec<(Square, Square)> = pos
        .legal_moves()
        .into_iter()
        .filter(meant)
        .filter_map(|m| Some((m.from()?, destination(m)))) // whatever a pawn becomes there
        .filter(|(from, _)| men.iter().any(|man| man.square == *from))
        .collect();
    ways.sort_unstable();
    ways.dedup();
    let told = |count: usize| {
        let degree = counts(count, number, statement.qualifier);
        (degree, format!("Such moves: {}.", ways.len()))
    };
    let movers = ways.chunk_by(|one, other| one.0 == other.0).count();
    Ok(any_of([told(ways.len()), told(movers)]))
}

/// The subject can move at all, and, where that is said, nothing else.
fn can_move(subject: &Designation, only: bool, scene: &Scene<'_>) -> Finding {
    let men = scene.men(subject)?;
    let Some(pos) = scene.turned_to(men[0].color) else {
        return Ok(Truth::unknown("Its side is not to move, and the other is in check."));
    };
    let moves = pos.legal_moves();
    let movers = moves.iter().filter_map(|m| Man::at(pos.board(), m.from()?));
    let (own, others): (Vec<Man>, Vec<Man>) = movers.partition(|man| men.contains(man));
    Ok(match (own.first(), others.first().filter(|_| only)) {
        (None, _) => Truth::no("It has no legal move."),
        (Some(_), Some(other)) => Truth::no(format!("{} can move, too.", the_up(*other))),
        (Some(man), None) => Truth::yes(format!("{} has a legal move.", the_up(*man))),
    })
}

fn can_castle(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let color = scene.side_of(statement);
    let castles = scene.pos.castles();
    let wings: Vec<CastlingSide> = match statement.qualifier.and_then(|q| q.wing()) {
        Some(wing) => vec![wing],
        None => vec![CastlingSide::KingSide, CastlingSide::QueenSide],
    };
    if !wings.iter().any(|wing| castles.has(color, *wing)) {
        return Ok(Truth::no(format!("{} has lost that right.", color_name(color))));
    }
    Ok(Truth::yes(format!("{} still has that right.", color_name(color))))
}
