//! Deeds: which moves a clause may mean in a position, and whether one of them is the capture that it tells of.

use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::{
    clause::{Clause, Mode, denies},
    men::{self, the},
    scene::{Point, View},
};
use crate::chess::{Man, motifs::threat::passed_turn};
use crate::commentary::claims::{
    grammar::{Arg, Det, Head, Np, Thing, phrase},
    truth::Truth,
};

/// The position in which `side` is to move: the view's own, or with the turn passed.
#[must_use]
pub fn to_move(view: &View, side: Color) -> Option<Chess> {
    if view.pos.turn() == side {
        return Some(view.pos.clone());
    }
    passed_turn(&view.pos)
}

/// The moves a deed may be: in a statement the one that led to the view, in a possibility all that its side could play.
pub enum Deeds {
    /// One that was played.
    Done(Chess, Move),
    /// Those that could be played next.
    Open(Vec<(Chess, Move)>),
    /// Nothing can be said.
    None,
}

/// Which moves a clause about `side` may mean in a view.
pub fn deeds(clause: &Clause<'_>, view: &View, side: Option<Color>) -> Deeds {
    let open = |side: Color| match to_move(view, side) {
        Some(pos) => Deeds::Open(pos.legal_moves().into_iter().map(|m| (pos.clone(), m)).collect()),
        // The other side is in check: what could be taken then is another time's matter.
        None => Deeds::None,
    };
    match clause.mode {
        Mode::Can | Mode::Threat => {
            let side = side.unwrap_or(view.pos.turn());
            // "could have taken": before the move.
            if clause.frame.verb.perfect && clause.frame.verb.modal.is_some() && view.point == Point::After {
                return to_move(&clause.world.before(), side).map_or(Deeds::None, |pos| {
                    Deeds::Open(pos.legal_moves().into_iter().map(|m| (pos.clone(), m)).collect())
                });
            }
            open(side)
        }
        _ => match &view.deed {
            Some((before, m)) if side.is_none_or(|side| side == before.turn()) => Deeds::Done(before.clone(), *m),
            _ => side.map_or(Deeds::None, open),
        },
    }
}

/// Yes or no of a deed: done, or possible.
pub fn judge(clause: &Clause<'_>, view: &View, side: Option<Color>, fits: impl Fn(&Chess, Move) -> Truth) -> Truth {
    match deeds(clause, view, side) {
        Deeds::Done(before, m) => {
            let truth = fits(&before, m).negated(clause.negated);
            // "After Bf8 he takes": his next move, where the words don't tell who he is.
            let next = truth.fails() && side.is_none() && !clause.frame.context.runs.is_empty();
            if next && !clause.negated && view.pos.legal_moves().iter().any(|&m| fits(&view.pos, m).holds()) {
                return Truth::unknown("It can come next.");
            }
            truth
        }
        Deeds::Open(all) => {
            let possible = clause.mode == Mode::Can || clause.mode == Mode::Threat;
            let any = all.iter().map(|(pos, m)| fits(pos, *m)).find(Truth::holds);
            match any {
                Some(t) if possible => t.negated(clause.negated),
                Some(_) => Truth::unknown("It can happen, but it is no part of the move."),
                None => Truth::no("No legal move does that.").negated(clause.negated),
            }
        }
        Deeds::None => Truth::unknown("No move of that side is spoken of."),
    }
}

/// The man a move takes.
#[must_use]
pub fn taken(before: &Chess, m: Move) -> Option<Man> {
    View {
        pos: before.clone(),
        deed: Some((before.clone(), m)),
        point: Point::Line,
        trail: Vec::new(),
    }
    .taken()
}

fn wrong_of(before: &Chess, m: Move, victim: Man) -> String {
    format!("{} takes {}.", shakmaty::san::San::from_move(before, m), the(victim))
}

/// Does the move take what is said, with what is said, where it is said?
#[allow(clippy::too_many_arguments)] // The parts of one sentence.
pub fn takes(
    clause: &Clause<'_>,
    before: &Chess,
    m: Move,
    actor: &[Arg],
    by: &[Arg],
    objects: &[Arg],
    on: &[Square],
    passive: bool,
) -> Truth {
    let mover = before.turn();
    let from = m.from().and_then(|from| Man::at(before.board(), from));
    let san = shakmaty::san::San::from_move(before, m).to_string();
    let nothing = objects
        .iter()
        .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Nothing) || denies(np)));
    let Some(victim) = taken(before, m) else {
        return Truth::of(
            nothing && !passive,
            || format!("{san} captures nothing."),
            || format!("{san} captures nothing."),
        );
    };
    // Whether the man that "no knight" speaks of is the one that falls.
    let is_victim = |np: &Np| {
        let one = Np {
            det: Det::Definite,
            ..np.clone()
        };
        men::fits(&one, victim, Some(mover), clause.world.mover())
    };
    // "No knight is captured": is one? The clause's denial does the rest.
    if nothing && passive {
        let fits = objects
            .iter()
            .filter_map(Arg::np)
            .any(|np| !np.is_men() || is_victim(np));
        return Truth::of(fits, || wrong_of(before, m, victim), || wrong_of(before, m, victim));
    }
    if nothing {
        let one = objects
            .iter()
            .filter_map(Arg::np)
            .any(|np| np.is_men() && !is_victim(np));
        return Truth::of(
            one,
            || format!("{san} takes {}.", the(victim)),
            || format!("{san} takes {}.", the(victim)),
        );
    }
    let wrong = || format!("{san} takes {}.", the(victim));
    for square in on {
        if *square != m.to() && *square != victim.square {
            return Truth::no(wrong());
        }
    }
    let object_fits = |arg: &Arg| match arg {
        Arg::Np(np, _) => match np.head {
            Head::Square { .. } => np.squares.contains(&m.to()),
            Head::It | Head::He | Head::They | Head::Thing(Thing::Someone | Thing::Material) => true,
            _ => {
                // A pawn is no piece, but a man.
                let man = np.head == Head::Piece
                    && clause.frame.has_word("man")
                    && men::colors(np.owner, Some(mover), clause.world.mover()).contains(&victim.color);
                man || np.count.is_none_or(|n| n <= 1) && men::fits(np, victim, Some(mover), clause.world.mover())
                    || (m.is_en_passant() && np.squares.contains(&m.to()) && np.head == Head::Role(Role::Pawn))
            }
        },
        Arg::Any(all) => all.iter().any(|a| {
            matches!(a, Arg::Np(np, _) if men::fits(np, victim, Some(mover), clause.world.mover()))
                || matches!(a, Arg::Played)
                || matches!(a, Arg::Move(..))
        }),
        Arg::Played | Arg::Move(..) => true,
    };
    // "takes a piece or a pawn": either.
    let either = clause.frame.post.iter().any(|p| p.item == phrase::Item::Or);
    let fit = if either {
        objects.iter().any(object_fits)
    } else {
        objects.iter().all(object_fits)
    };
    if !objects.is_empty() && !fit {
        return Truth::no(wrong());
    }
    // "with the pawn or the bishop": one of them.
    for group in [by, actor] {
        let named: Vec<&Np> = group.iter().filter_map(Arg::np).filter(|np| np.is_men()).collect();
        let Some(man) = from.filter(|_| !named.is_empty()) else {
            continue;
        };
        let moved = Man { square: m.to(), ..man };
        // "takes with the bishop on d3": where it stood or where it stands.
        let reader = clause.world.mover();
        let one = named.iter().any(|np| {
            men::colors(np.owner, Some(mover), reader).contains(&man.color)
                && (men::fits(np, man, Some(mover), reader) || men::fits(np, moved, Some(mover), reader))
        });
        if !one {
            return Truth::no(format!("{san} takes with {}.", the(man)));
        }
    }
    if clause.frame.has_word("passant") && !m.is_en_passant() {
        return Truth::no(format!("{san} is no capture en passant."));
    }
    Truth::yes(wrong())
}
