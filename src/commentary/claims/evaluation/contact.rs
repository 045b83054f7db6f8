//! Attack and defence: who bears on whom, who hangs, what is threatened.

use shakmaty::{Board, Chess, Color, EnPassantMode, Move, Position, Role, Square, attacks};

use super::{
    finding::{Degree, Finding, any_of, compares, the, the_up, unnamed},
    scene::Scene,
};
use crate::chess::{
    Man,
    attacks::{attackers, pin_line, slides},
    exchange,
    material::value,
    motifs::threat::hanging,
    names::color_name,
};
use crate::commentary::claims::{
    statement::{Designation, Predicate, Qualifier, Statement},
    truth::{self, Truth},
};

pub(super) fn judge(statement: &Statement, scene: &Scene<'_>) -> Finding {
    match statement.predicate {
        Predicate::Attacks => bears(statement, scene, true),
        Predicate::Defends => bears(statement, scene, false),
        Predicate::Undefended => undefended(statement, scene),
        Predicate::Hanging => hangs(statement, scene),
        _ => threatens(statement, scene),
    }
}

/// How a man bears on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contact {
    /// It could take there.
    Direct,
    /// It could, were a man of its own on the way gone that bears on the square along the same line.
    Through,
    /// It does not.
    None,
}

/// How `man` bears on `square`; pins are left aside.
pub(super) fn contact(board: &Board, man: Man, square: Square) -> Contact {
    if man.square == square {
        return Contact::None;
    }
    if board.attacks_from(man.square).contains(square) {
        return Contact::Direct;
    }
    let aligned = slides(man.role, man.square, square.into()).contains(square);
    let between = attacks::between(man.square, square) & board.occupied();
    let helper = between
        .single_square()
        .and_then(|on| Man::at(board, on))
        .is_some_and(|helper| helper.color == man.color && board.attacks_from(helper.square).contains(square));
    if aligned && helper {
        Contact::Through
    } else {
        Contact::None
    }
}

/// The subject bears on every object, or on every square.
fn bears(statement: &Statement, scene: &Scene<'_>, attack: bool) -> Finding {
    let board = scene.board();
    let verb = if attack { "attack" } else { "protect" };
    let mut subject = statement.subject.unwrap_or_default();
    subject.color = subject.color.or(statement.side);
    if subject.color.is_none() && subject.square.is_none() {
        // "is attacked": by the other side; "is protected": by its own.
        let color = statement.objects.iter().find_map(|object| object.color);
        subject.color = color.map(|color| if attack { color.other() } else { color });
    }
    let men = scene.men(&subject)?;
    // "covered twice": how many of the men do.
    let said = statement.number.filter(|number| *number > 0 && men.len() > 1);
    let counted = |square: Square, said: i32| by_so_many(board, &men, square, said, statement.qualifier);
    let bearing = |square: Square| match said {
        Some(said) => any_of([counted(square, said)]),
        None => any_of(men.iter().map(|man| on_square(board, *man, square, verb))),
    };
    let mut parts: Vec<Truth> = Vec::new();
    for object in &statement.objects {
        let targets: Vec<Man> = if object.role.is_none() && object.color.is_none() {
            // A square alone, with a man on it or none.
            match object.square {
                Some(square) => {
                    parts.push(bearing(square));
                    continue;
                }
                None => return unnamed("what it bears on"),
            }
        } else {
            scene.men(object)?
        };
        if let Some(said) = said {
            let others = targets.into_iter().filter(|target| {
                let color = men.first().map_or(target.color, |man| man.color);
                (color != target.color) == attack
            });
            parts.push(any_of(others.map(|target| counted(target.square, said))));
            continue;
        }
        let pairs = men
            .iter()
            .flat_map(|by| targets.iter().map(move |target| (*by, *target)));
        let sided = pairs.filter(|(by, target)| (by.color != target.color) == attack && by != target);
        let found = sided.map(|(by, target)| {
            let (degree, reason) = on_square(board, by, target.square, verb);
            (degree, reason.replace(&target.square.to_string(), &the(target)))
        });
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            let which = if attack { "the other" } else { "its own" };
            parts.push(Truth::no(format!("{} is not of {which} side.", capital(object))));
        } else {
            parts.push(any_of(found));
        }
    }
    for square in &statement.squares {
        // The square of a man that is named, too, is said already.
        if statement.objects.iter().any(|object| object.square == Some(*square)) {
            continue;
        }
        parts.push(bearing(*square));
    }
    if parts.is_empty() {
        return unnamed("what it bears on");
    }
    if statement.only {
        parts.extend(nobody_else(statement, scene, &men, attack));
    }
    Ok(truth::all(parts))
}

/// That no other man of the same side bears on the objects and squares.
fn nobody_else(statement: &Statement, scene: &Scene<'_>, men: &[Man], attack: bool) -> Vec<Truth> {
    let board = scene.board();
    let Some(color) = men.first().map(|man| man.color) else {
        return Vec::new();
    };
    let own = |object: &Designation| {
        let mut targets = object.men(board).into_iter();
        targets
            .find(|target| (target.color != color) == attack)
            .map(|target| target.square)
    };
    let squares = statement
        .objects
        .iter()
        .filter_map(own)
        .chain(statement.squares.iter().copied());
    squares
        .map(|square| {
            let others = attackers(board, square, color).without(square);
            let other = Man::all(board, others).into_iter().find(|man| !men.contains(man));
            match other {
                Some(man) => Truth::no(format!("{} does, too.", the_up(man))),
                None => Truth::yes("Nothing else does."),
            }
        })
        .collect()
}

/// How many of the men bear on a square: pinned ones, and those that stand behind one of their own, may be counted or not.
fn by_so_many(board: &Board, men: &[Man], square: Square, said: i32, how: Option<Qualifier>) -> (Degree, String) {
    let (mut free, mut direct, mut all) = (0, 0, 0);
    for man in men {
        let contact = contact(board, *man, square);
        let pinned = pin_line(board, man.square).is_some_and(|line| !line.contains(square));
        free += i32::from(contact == Contact::Direct && !pinned);
        direct += i32::from(contact == Contact::Direct);
        all += i32::from(contact != Contact::None);
    }
    let fits = |count: i32| compares(count, said, how, 0) == Degree::Yes;
    let reason = format!("{direct} of them bear on {square}.");
    (Degree::or_open(fits(direct), (free..=all).any(fits)), reason)
}

fn capital(designation: &Designation) -> String {
    let words = designation.in_words();
    format!("The {words}")
}

fn on_square(board: &Board, man: Man, square: Square, verb: &str) -> (Degree, String) {
    match contact(board, man, square) {
        Contact::Direct => {
            let pinned = pin_line(board, man.square).is_some_and(|line| !line.contains(square));
            let but = if pinned { ", though it is pinned" } else { "" };
            (Degree::Yes, format!("{} {verb}s {square}{but}.", the_up(man)))
        }
        Contact::Through => (
            Degree::Open,
            format!("{} {verb}s {square} only through one of its own.", the_up(man)),
        ),
        Contact::None => (Degree::No, format!("{} does not {verb} {square}.", the_up(man))),
    }
}

fn undefended(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(subject) = statement.subject.or_else(|| statement.object()) else {
        return unnamed("a man");
    };
    let board = scene.board();
    let men = scene.men(&subject)?;
    Ok(any_of(men.into_iter().map(|man| {
        let own = attackers(board, man.square, man.color).without(man.square);
        if let Some(by) = own.into_iter().find_map(|square| Man::at(board, square)) {
            let free = |square: Square| pin_line(board, square).is_none_or(|line| line.contains(man.square));
            let reason = format!("{} protects it.", the_up(by));
            return (Degree::or_open(false, !own.into_iter().any(free)), reason);
        }
        (Degree::Yes, format!("Nothing protects {}.", the(man)))
    })))
}

fn hangs(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(subject) = statement.subject.or_else(|| statement.object()) else {
        return unnamed("a man");
    };
    let men = scene.men(&subject)?;
    Ok(any_of(men.into_iter().map(|man| hanging_here(scene, man))))
}

/// Whether a man can be won where it stands.
pub(super) fn hanging_here(scene: &Scene<'_>, man: Man) -> (Degree, String) {
    let board = scene.board();
    let found = hanging(&scene.pos, man.color)
        .into_iter()
        .find(|hanging| hanging.target == man);
    if let Some(found) = found {
        return (
            Degree::Yes,
            format!("{} can be taken by {} with gain.", the_up(man), the(found.by)),
        );
    }
    let takers = attackers(board, man.square, man.color.other());
    if takers.is_empty() {
        return (Degree::No, format!("Nothing attacks {}.", the(man)));
    }
    let guarded = attackers(board, man.square, man.color).without(man.square).any();
    let reason = if guarded {
        format!("{} is protected, and taking it gains nothing.", the_up(man))
    } else {
        format!("{} is attacked and unprotected.", the_up(man))
    };
    (Degree::or_open(!guarded, false), reason)
}

/// Would it win material to take the object, were it that side's turn?
fn threatens(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(object) = statement.object() else {
        return unnamed("what is threatened");
    };
    let targets = scene.men(&object)?;
    let by = match statement.subject.filter(|subject| !subject.is_side()) {
        Some(subject) => Some(scene.men(&subject)?),
        None => None,
    };
    let color: Option<Color> = statement.of_side();
    let en_passant = scene.pos.ep_square(EnPassantMode::Legal);
    let board = scene.board();
    let judged = targets
        .into_iter()
        .filter(|target| color.is_none_or(|color| color != target.color));
    Ok(any_of(judged.map(|target| {
        let gain = match &by {
            Some(by) => by
                .iter()
                .filter_map(|by| exchange::gain_by(board, *by, target.square))
                .max(),
            None => exchange::best_capture(board, target.color.other(), target.square, en_passant).map(|e| e.gain),
        };
        // A man that is pinned threatens nothing off its line.
        let held = by.as_ref().is_some_and(|by| {
            let lawful = |pos: Chess| {
                let takes = |m: &Move| m.to() == target.square && by.iter().any(|by| m.from() == Some(by.square));
                pos.legal_moves().iter().any(takes)
            };
            let bears = by
                .iter()
                .any(|by| contact(board, *by, target.square) == Contact::Direct);
            bears && scene.turned_to(target.color.other()).is_some_and(|pos| !lawful(pos))
        });
        let attacked = match &by {
            // A king takes nothing that is guarded.
            Some(by) => by.iter().any(|by| {
                contact(board, *by, target.square) != Contact::None && (by.role != Role::King || gain.is_some())
            }),
            None => attackers(board, target.square, target.color.other()).any(),
        };
        let reason = match gain {
            Some(gain) => format!("Taking {} gains {gain}.", the(target)),
            None => format!("{} can't take {}.", color_name(target.color.other()), the(target)),
        };
        // A threat is often no more than an attack, but not where the taking loses a piece.
        let costly = gain.is_some_and(|gain| gain <= -value(Role::Knight));
        (
            Degree::or_open(gain.is_some_and(|gain| gain > 0) && !held, attacked && !costly && !held),
            reason,
        )
    })))
}
