//! Pins, forks, skewers, discovered attacks, batteries, trapped pieces, threats of mate.

use shakmaty::{Move, Position, Role, san::SanPlus};

use super::{
    contact::{Contact, contact},
    finding::{Absent, Degree, Finding, any_of, the, the_up, unnamed},
    scene::Scene,
};
use crate::chess::{
    Man, exchange,
    motifs::{
        discovered::discovered,
        fork::fork,
        line::{aligned, pins, skewers},
        mate::mates_in_one,
        trapped::trapped,
    },
    names::color_name,
};
use crate::commentary::claims::{
    statement::{Designation, Predicate, Statement},
    truth::Truth,
};

pub(super) fn judge(statement: &Statement, scene: &Scene<'_>) -> Finding {
    match statement.predicate {
        Predicate::Pins => pinned(statement, scene),
        Predicate::Forks => forks(statement, scene),
        Predicate::Skewers => skewered(statement, scene),
        Predicate::Uncovers => uncovers(statement, scene),
        Predicate::Battery => battery(statement, scene),
        Predicate::Trapped => is_trapped(statement, scene),
        _ => threatens_mate(statement, scene),
    }
}

pub(super) fn fits(designation: Option<Designation>, man: Man) -> bool {
    designation.is_none_or(|designation| designation.fits(man))
}

/// The men that a statement of a line names must be there, whatever stands between them.
fn present(statement: &Statement, scene: &Scene<'_>) -> Result<(), Absent> {
    let named = statement
        .subject
        .iter()
        .chain(&statement.objects)
        .chain(&statement.behind);
    for designation in named.filter(|designation| !designation.is_side()) {
        scene.men(designation)?;
    }
    Ok(())
}

fn pinned(statement: &Statement, scene: &Scene<'_>) -> Finding {
    present(statement, scene)?;
    let board = scene.board();
    // "is pinned", with the pinned man for the subject, where nothing else is named.
    let (by, front) = match (statement.subject, statement.object()) {
        (Some(subject), None) => (None, Some(subject)),
        (subject, object) => (subject, object),
    };
    let real = pins(board);
    let found = aligned(board)
        .filter(|(slider, man, back)| {
            fits(by, *slider) && fits(front, *man) && fits(statement.behind, *back) && man.role != Role::King
        })
        .map(|(slider, man, back)| {
            let pin = real.iter().any(|pin| pin.by == slider && pin.pinned == man);
            let reason = format!("{} stands between {} and {}.", the_up(man), the(slider), the(back));
            // A man before one that is dearer, or not much cheaper: some call that a pin.
            (Degree::or_open(pin, back.value() >= man.value()), reason)
        });
    let found: Vec<_> = found.collect();
    Ok(if found.is_empty() {
        let of = |preposition: &str, man: Option<Designation>| {
            man.map_or_else(String::new, |man| format!(" {preposition} the {}", man.in_words()))
        };
        let front = front.map_or_else(
            || "Nothing is".to_owned(),
            |front| format!("The {} is not", front.in_words()),
        );
        Truth::no(format!("{front} pinned{}{}.", of("by", by), of("to", statement.behind)))
    } else {
        any_of(found)
    })
}

fn forks(statement: &Statement, scene: &Scene<'_>) -> Finding {
    present(statement, scene)?;
    let board = scene.board();
    let mut subject = statement.subject.unwrap_or_default();
    subject.color = subject.color.or(statement.side);
    if subject.color.is_none() {
        let victim = statement.objects.iter().find_map(|object| object.color);
        subject.color = victim.map(|color| color.other());
    }
    let men = scene.men(&subject)?;
    Ok(any_of(men.into_iter().map(|man| {
        let seen: Vec<Man> = Man::all(
            board,
            board.attacks_from(man.square) & board.by_color(man.color.other()),
        );
        let all = statement
            .objects
            .iter()
            .all(|object| seen.iter().any(|target| object.fits(*target)));
        // "forks two pawns": as many as are said.
        let several = statement.objects.len() > 1 || seen.len() > 1;
        let worth = |target: &&Man| {
            target.role == Role::King
                || exchange::gain_by(board, man, target.square).is_some_and(|gain| gain > 0)
                || target.role != Role::Pawn
        };
        let targets = seen.iter().filter(worth).count();
        let named = statement.objects.len() > 1 && all;
        let real = fork(board, man, None).is_some();
        let what: Vec<String> = seen.iter().map(|target| the(*target)).collect();
        let reason = if what.is_empty() {
            format!("{} attacks nothing.", the_up(man))
        } else {
            format!("{} attacks {}.", the_up(man), what.join(", "))
        };
        (
            Degree::or_open(all && (real || named || targets > 1), all && several),
            reason,
        )
    })))
}

fn skewered(statement: &Statement, scene: &Scene<'_>) -> Finding {
    present(statement, scene)?;
    let board = scene.board();
    let real: Vec<_> = [shakmaty::Color::White, shakmaty::Color::Black]
        .into_iter()
        .flat_map(|color| skewers(board, color))
        .collect();
    // The man behind may be named as a second object.
    let back_named = statement.behind.or_else(|| statement.objects.get(1).copied());
    let found: Vec<_> = aligned(board)
        .filter(|(by, front, back)| {
            fits(statement.subject, *by) && fits(statement.object(), *front) && fits(back_named, *back)
        })
        .map(|(by, front, back)| {
            let holds = real.iter().any(|skewer| skewer.by == by && skewer.front == front);
            let reason = format!("{} sees {} and behind it {}.", the_up(by), the(front), the(back));
            (Degree::or_open(holds, front.value() >= back.value()), reason)
        })
        .collect();
    Ok(if found.is_empty() {
        let named = [statement.object(), back_named].into_iter().flatten();
        let named: Vec<String> = named.map(|man| format!("the {}", man.in_words())).collect();
        let by = statement.subject.map_or_else(
            || "Nothing skewers".to_owned(),
            |by| format!("The {} does not skewer", by.in_words()),
        );
        let what = if named.is_empty() {
            "anything".to_owned()
        } else {
            named.join(" and ")
        };
        Truth::no(format!("{by} {what}."))
    } else {
        any_of(found)
    })
}

/// A slider that did not move bears on more than before.
fn uncovers(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let (before, m, after) = scene.deed();
    let (old, new) = (before.board(), after.board());
    let mover = before.turn();
    let from = m.from();
    // A line of the other side's may be opened, too, where its man is named.
    let sides = if statement.subject.is_some() {
        new.occupied()
    } else {
        new.by_color(mover)
    };
    let stayed = Man::all(new, new.sliders() & sides)
        .into_iter()
        .filter(|man| Some(man.square) != from && old.piece_at(man.square) == new.piece_at(man.square))
        .filter(|man| fits(statement.subject, *man));
    let motifs = discovered(old, new, m);
    let mut found = Vec::new();
    for by in stayed {
        let fresh = new.attacks_from(by.square) & !old.attacks_from(by.square);
        if statement.objects.is_empty() && statement.squares.is_empty() && fresh.any() {
            let motif = motifs.iter().any(|motif| motif.by == by);
            found.push((
                Degree::or_open(motif || statement.subject.is_some(), true),
                format!("The move opens a line of {}.", the(by)),
            ));
        }
        for target in Man::all(new, fresh & new.by_color(by.color.other())) {
            if statement.objects.iter().any(|object| object.fits(target)) {
                found.push((Degree::Yes, format!("{} now attacks {}.", the_up(by), the(target))));
            }
        }
        if statement.squares.iter().any(|square| fresh.contains(*square)) {
            found.push((Degree::Yes, format!("{} now bears on it.", the_up(by))));
        }
    }
    Ok(if found.is_empty() {
        Truth::no("The move opens no such line.")
    } else {
        any_of(found)
    })
}

fn battery(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let both: Vec<Designation> = statement
        .subject
        .into_iter()
        .chain(statement.objects.iter().copied())
        .collect();
    let [first, second, ..] = both[..] else {
        return unnamed("two pieces");
    };
    let board = scene.board();
    let (ones, others) = (scene.men(&first)?, scene.men(&second)?);
    let sliders = |man: &Man| matches!(man.role, Role::Bishop | Role::Rook | Role::Queen);
    let pairs = ones.iter().flat_map(|a| others.iter().map(move |b| (*a, *b)));
    let found = pairs
        .filter(|(a, b)| a != b && a.color == b.color && sliders(a) && sliders(b))
        .filter(|(a, b)| {
            statement
                .file
                .is_none_or(|file| [a, b].iter().all(|man| man.square.file() == file))
        })
        .map(|(a, b)| {
            let along =
                contact(board, a, b.square) == Contact::Direct && contact(board, b, a.square) == Contact::Direct;
            let verb = if along { "stand" } else { "do not stand" };
            (
                Degree::of(along),
                format!("{} and {} {verb} on one line with nothing between.", the_up(a), the(b)),
            )
        });
    let found: Vec<_> = found.collect();
    Ok(if found.is_empty() {
        Truth::no("They make no battery.")
    } else {
        any_of(found)
    })
}

fn is_trapped(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(subject) = statement.subject.or_else(|| statement.object()) else {
        return unnamed("a piece");
    };
    let men = scene.men(&subject)?;
    Ok(any_of(men.into_iter().map(|man| {
        let Some(pos) = scene.turned_to(man.color) else {
            return (Degree::Open, "The other side is in check.".to_owned());
        };
        if trapped(&pos).iter().any(|hanging| hanging.target == man) {
            return (Degree::Yes, format!("{} is lost wherever it goes.", the_up(man)));
        }
        let out = pos
            .legal_moves()
            .into_iter()
            .filter(|m| m.from() == Some(man.square))
            .find(|m| exchange::gain(pos.board(), *m) >= 0);
        match out {
            Some(m) if man.role != Role::King => (Degree::No, format!("{} can go to {}.", the_up(man), m.to())),
            _ => (Degree::Open, format!("{} has no safe square.", the_up(man))),
        }
    })))
}

fn threatens_mate(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let side = statement.of_side().unwrap_or_else(|| scene.mover());
    let Some(pos) = scene.turned_to(side) else {
        return Ok(Truth::unknown("The other side is in check."));
    };
    let mates = mates_in_one(&pos);
    let fits = |m: &Move| {
        let man = m.from().and_then(|from| Man::at(pos.board(), from));
        let by = statement.subject.filter(|subject| !subject.is_side());
        by.is_none_or(|by| man.is_some_and(|man| by.fits(man)))
            && (statement.squares.is_empty() || statement.squares.contains(&m.to()))
    };
    let san = |m: &Move| SanPlus::from_move(pos.clone(), *m).to_string();
    Ok(match (mates.iter().find(|m| fits(m)), mates.first()) {
        (Some(m), _) => Truth::yes(format!("{} would mate with {}.", color_name(side), san(m))),
        // A mate in more moves is a threat of mate, too.
        (None, _) if statement.number.is_some_and(|number| number > 1) => Truth::unknown("It takes more than a move."),
        (None, Some(m)) => Truth::no(format!("{} would mate with {}, not so.", color_name(side), san(m))),
        (None, None) => Truth::no(format!("{} has no mate in one.", color_name(side))),
    })
}
