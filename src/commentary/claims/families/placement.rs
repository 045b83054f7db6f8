//! Claims about what stands where: "a knight on f6", "e5 is empty".

use std::ops::Range;

use shakmaty::{Role, Square};

use super::{hanging, promotions::frame_becomes, structure};
use crate::chess::Man;
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, View, denies,
        men::{self, the, the_up},
    },
    draft::Draft,
    grammar::{
        Act, Arg, Det, Head, Item, Modal, Np, Owner, Prep, Thing, Trait,
        frame::{behind, side_of},
        phrase,
    },
    truth::{self, Truth},
};

/// The claims of a clause about what stands where.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    match frame.verb.act {
        // "On e8 the pawn becomes a queen": it stands there no more.
        Act::Be if frame_becomes(frame) => {}
        Act::Be | Act::Stand => stands(clause, found),
        Act::Have | Act::Lack => owns(clause, found),
        _ => {}
    }
    mentions(clause, found);
}

/// "The knight is on f6", "On f6 stands a knight", "e5 is occupied by a pawn", "e5 is empty".
fn stands(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    // "The square e5 is empty / occupied by a pawn".
    for subject in &frame.subject {
        let Arg::Np(np, _) = subject else { continue };
        if !matches!(np.head, Head::Square { .. }) {
            continue;
        }
        let empty = frame.traits().iter().any(|(t, _)| *t == Trait::Empty);
        let occupied = frame.verb.passive && frame.verb.word == "occupied";
        if !(empty || occupied) {
            continue;
        }
        let by = frame.behind(&[Prep::By]);
        for &square in &np.squares {
            let truth = clause.ask(|view| {
                let man = Man::at(view.board(), square);
                let yes = match (&by.first(), empty) {
                    (_, true) => man.is_none(),
                    (Some(Arg::Np(np, _)), false) if matches!(np.head, Head::Thing(Thing::Someone)) => man.is_some(),
                    (Some(Arg::Np(np, _)), false) if matches!(np.head, Head::Thing(Thing::Nothing)) => man.is_none(),
                    (Some(Arg::Np(np, _)), false) => man.is_some_and(|m| men::fits(np, m, None, clause.world.mover())),
                    _ => man.is_some(),
                };
                let why = match man {
                    Some(man) => format!("{} stands there.", the_up(man)),
                    None => format!("{square} is empty."),
                };
                Truth::of(yes, || why.clone(), || why.clone()).negated(clause.negated)
            });
            found.push(clause.draft(ClaimKind::Placement, truth));
        }
        return;
    }
    // "occupies e5".
    let goals: Vec<Square> = if frame.verb.word.starts_with("occup") && !frame.verb.passive {
        frame
            .objects()
            .iter()
            .filter_map(Arg::np)
            .flat_map(|np| np.squares.clone())
            .collect()
    } else if ["trained", "aimed", "fixed", "focused", "bearing", "like", "unlike"]
        .iter()
        .any(|w| frame.has_word(w))
    {
        // "is trained on f2".
        Vec::new()
    } else {
        frame
            .behind(&[Prep::On, Prep::At])
            .iter()
            .filter_map(Arg::np)
            .filter(|np| matches!(np.head, Head::Square { .. }))
            .flat_map(|np| np.squares.clone())
            .collect()
    };
    let mut subjects: Vec<Arg> = frame.subject.clone();
    // "There is a knight on f6", "On f6 stands a knight".
    if subjects.is_empty() || frame.existential {
        subjects = frame.objects();
    }
    // "There is no piece or pawn on a5": any of them, and none.
    let named: Vec<Square> = subjects
        .iter()
        .filter_map(Arg::np)
        .flat_map(|np| np.squares.clone())
        .chain(goals.iter().copied())
        .collect();
    let either = subjects.len() > 1 && frame.has_word("or") && named.len() == 1;
    if either && subjects.iter().all(|a| a.np().is_some_and(Np::is_men)) {
        let none = clause.negated || subjects.first().and_then(Arg::np).is_some_and(denies);
        let placed = subjects.iter().filter_map(Arg::np).map(|np| Np {
            squares: named.clone(),
            det: Det::Indefinite,
            ..np.clone()
        });
        let placed: Vec<Np> = placed.collect();
        let truth = clause.ask(|view| truth::any(placed.iter().map(|np| there(np, view, clause))).negated(none));
        found.push(clause.draft(ClaimKind::Placement, truth));
        return;
    }
    for subject in &subjects {
        let np = match subject {
            Arg::Np(np, _) => np.clone(),
            Arg::Any(all) if !goals.is_empty() => match all.iter().find_map(|a| a.np().filter(|np| np.is_men())) {
                Some(np) => np.clone(),
                None => continue,
            },
            _ => continue,
        };
        if !np.is_men() && np.head != Head::Thing(Thing::Nothing) {
            continue;
        }
        let of = behind(&frame.pre, &[Prep::Of]);
        if np.head == Head::Thing(Thing::Nothing)
            && let [Arg::Np(of, _)] = of.as_slice()
            && of.is_men()
            && !goals.is_empty()
        {
            // "None of White's knights is on c6".
            let placed = Np {
                squares: goals.clone(),
                ..of.clone()
            };
            let truth = clause.ask(|view| there(&placed, view, clause).negated(true));
            found.push(clause.draft(ClaimKind::Placement, truth));
        } else if np.head == Head::Thing(Thing::Nothing) && !goals.is_empty() {
            let truth = clause.ask(|view| {
                let man = goals.iter().find_map(|&sq| Man::at(view.board(), sq));
                match man {
                    Some(man) => Truth::no(format!("{} stands there.", the_up(man))),
                    None => Truth::yes("The square is empty."),
                }
            });
            found.push(clause.draft(ClaimKind::Placement, truth));
        } else if frame.existential || frame.subject.is_empty() {
            let mut np = np.clone();
            if np.squares.is_empty() {
                np.squares.clone_from(&goals);
            }
            let board = frame.things().any(|(_, t, ..)| t == Thing::Board);
            let file = np.file.is_some();
            if np.squares.is_empty() && !(board || file) || np.traits.iter().any(|t| !matches!(t, Trait::Only)) {
                continue;
            }
            // "There is no free rook on f7": there is one that can't be had for nothing.
            if denies(&np) && frame.has_word("free") {
                hanging::no_free_man(clause, &np, frame.span.clone(), found);
                continue;
            }
            let pawns_on_file = file && np.head == Head::Role(Role::Pawn);
            let truth = clause.ask(|view| {
                let truth = there(&np, view, clause);
                truth.negated(denies(&np)).negated(clause.negated && !denies(&np))
            });
            let kind = if pawns_on_file && np.owner.is_none() {
                ClaimKind::OpenFile
            } else {
                ClaimKind::Placement
            };
            found.push(clause.draft(kind, truth));
        } else if !goals.is_empty() {
            let which = Np {
                // "A man stands on a2": it may be the king.
                squares: if np.head == Head::Piece && np.squares.is_empty() {
                    goals.clone()
                } else {
                    np.squares.clone()
                },
                ..np.clone()
            };
            let arg = Arg::Np(which, frame.span.clone());
            let truth = clause.ask(|view| {
                let men = match &arg {
                    Arg::Np(np, _) => men::of_np(np, view, None, clause.world),
                    _ => return Truth::unknown(""),
                };
                if men.men.is_empty() && !men.some {
                    return if clause.negated {
                        Truth::unknown(men.missing)
                    } else {
                        Truth::no(men.missing)
                    };
                }
                let on = men.men.iter().find(|m| goals.contains(&m.square));
                match on {
                    Some(man) => Truth::yes(format!("{} is there.", the_up(*man))),
                    None => Truth::no(elsewhere(view, &goals, men.men.first().copied())),
                }
                .negated(clause.negated)
            });
            found.push(clause.draft(ClaimKind::Placement, truth));
        }
    }
}

/// "Black has a knight on f6", "White has no rook on the e-file".
fn owns(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let Some(side) = frame.subject.iter().find_map(|a| a.side(clause.world.mover())) else {
        return;
    };
    // "On b6, Black has no pawn".
    let fronted: Vec<Square> = behind(&frame.pre, &[Prep::On, Prep::At])
        .iter()
        .filter_map(Arg::np)
        .filter(|np| matches!(np.head, Head::Square { .. }))
        .flat_map(|np| np.squares.clone())
        .collect();
    for object in frame.objects() {
        let Arg::Np(np, span) = &object else { continue };
        let np = &Np {
            squares: if np.squares.is_empty() {
                fronted.clone()
            } else {
                np.squares.clone()
            },
            ..np.clone()
        };
        // Adjectives of pawns are claims of their own.
        if !np.is_men() || (np.squares.is_empty() && np.file.is_none()) || !np.traits.is_empty() {
            continue;
        }
        // "has the f2 pawn under attack", "has White's knight on c3 in a pin": a man that is there anyhow.
        let other = np
            .owner
            .is_none_or(|owner| side_of(owner, clause.world.mover()) != Some(side));
        let more = || {
            let last = frame.words.last().map_or("", String::as_str);
            clause.negated && !np.squares.iter().any(|square| square.to_string() == last)
        };
        if np.det == Det::Definite && (other || more()) {
            let truth = mentioned(clause, np);
            found.push(clause.draft_at(ClaimKind::Placement, span.clone(), truth));
            continue;
        }
        let owned = Np {
            owner: Some(np.owner.unwrap_or(Owner::Side(side))),
            ..np.clone()
        };
        let inverse = denies(np) || frame.verb.act == Act::Lack;
        let truth = clause.ask(|view| there(&owned, view, clause).negated(inverse).negated(clause.negated));
        found.push(clause.draft_at(ClaimKind::Placement, frame.span.start..span.end, truth));
    }
}

fn elsewhere(view: &View, goals: &[Square], man: Option<Man>) -> String {
    let Some(&square) = goals.first() else {
        return String::new();
    };
    let there = match Man::at(view.board(), square) {
        Some(man) => format!("{} stands there.", the_up(man)),
        None => format!("{square} is empty."),
    };
    match man {
        Some(man) => format!("It is {}; {there}", the(man)),
        None => there,
    }
}

/// The men of the phrase stand on its squares.
pub fn there(np: &Np, view: &View, clause: &Clause<'_>) -> Truth {
    let plain = Np {
        det: Det::Indefinite,
        // A king is a piece, too, where any man is meant.
        plural: np.plural || np.head == Head::Piece,
        ..np.clone()
    };
    let men = men::of_np(&plain, view, clause.actor(), clause.world);
    if np.head == Head::Thing(Thing::Nothing) {
        let man = np.squares.iter().find_map(|&sq| Man::at(view.board(), sq));
        return match man {
            Some(man) => Truth::no(format!("{} stands there.", the_up(man)))
                .negated(true)
                .negated(true),
            None => Truth::yes("The square is empty."),
        };
    }
    let each = np.plural && np.squares.len() > 1;
    let yes = if each {
        np.squares.iter().all(|sq| men.men.iter().any(|m| m.square == *sq))
    } else {
        men.men
            .iter()
            .any(|m| np.squares.is_empty() || np.squares.contains(&m.square))
    };
    if yes {
        let first = men
            .men
            .first()
            .map(|m| format!("{} stands there.", the_up(*m)))
            .unwrap_or_default();
        return Truth::yes(first);
    }
    if each {
        let lacking = np
            .squares
            .iter()
            .find(|sq| !men.men.iter().any(|m| m.square == **sq))
            .copied();
        let one = Np {
            squares: lacking.into_iter().collect(),
            plural: false,
            ..plain
        };
        return Truth::no(men::of_np(&one, view, clause.actor(), clause.world).missing);
    }
    Truth::no(men.missing)
}

/// Men that are mentioned with their squares stand there: now, before the move, or at some point of the line.
fn mentions(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let subject_parts: Vec<(Np, Range<usize>)> = frame
        .subject
        .iter()
        .filter_map(|arg| match arg {
            Arg::Np(np, span) => Some((np.clone(), span.clone())),
            _ => None,
        })
        .filter(|(_, span)| frame.span.start <= span.start && span.end <= frame.span.end)
        .collect();
    let of_parts = |parts: &[phrase::Part]| -> Vec<(Np, Range<usize>)> {
        parts
            .iter()
            .filter_map(|p| match &p.item {
                Item::Np(np) => Some((np.clone(), p.span.clone())),
                _ => None,
            })
            .collect()
    };
    let mut all = subject_parts;
    all.extend(of_parts(&frame.pre));
    all.extend(of_parts(&frame.post));
    for (np, span) in all {
        structure::presupposed(clause, &np, &span, found);
        if !np.placed || np.squares.is_empty() || !np.is_men() {
            continue;
        }
        hanging::phrase_traits(clause, &np, &span, found);
        structure::phrase_traits(clause, &np, &span, found);
        // A statement of its own, read above.
        if matches!(frame.verb.act, Act::Have | Act::Lack)
            && frame.post.iter().any(|p| p.span == span)
            && clause.actor().is_some()
            && np.traits.is_empty()
        {
            continue;
        }
        if matches!(frame.verb.act, Act::Be | Act::Stand)
            && (frame.existential || frame.subject.is_empty())
            && !frame.verbless
        {
            continue;
        }
        if denies(&np) || np.det == Det::No || (np.det == Det::Indefinite && clause.negated) {
            continue;
        }
        // "exchanges knights on e5", "recaptures with the pawn on e5": the place of the deed.
        if matches!(frame.verb.act, Act::Trade | Act::Recapture | Act::Promote) && (np.plural || np.det == Det::Bare) {
            continue;
        }
        let truth = mentioned(clause, &np);
        let truth = if matches!(
            frame.verb.act,
            Act::Move | Act::Play | Act::Develop | Act::Plan | Act::Make | Act::Retreat | Act::Win | Act::Offer
        ) && np.squares.len() == 1
        {
            goal_is_fine(clause, &np, truth)
        } else {
            truth
        };
        if presumed(clause, &np) {
            found.push(Draft {
                kind: ClaimKind::Placement,
                span,
                truth,
            });
        } else {
            found.push(clause.draft_at(ClaimKind::Placement, span, truth));
        }
    }
}

/// "should not forget the rook on e4", "wants to improve the h7-pawn": the wish takes the man for granted, which "wants to
/// put the knight on e5" does not.
fn presumed(clause: &Clause<'_>, np: &Np) -> bool {
    let frame = clause.frame;
    let firm = |modal: Option<Modal>| matches!(modal, None | Some(Modal::Must | Modal::Should));
    let wants = frame.governor == Some(Act::Plan) || firm(frame.governor_modal);
    let improves = ["improv", "activat", "rerout"]
        .iter()
        .any(|stem| frame.verb.word.starts_with(stem));
    let placing = matches!(
        frame.verb.act,
        Act::Move
            | Act::Play
            | Act::Develop
            | Act::Have
            | Act::Be
            | Act::Make
            | Act::Stand
            | Act::Win
            | Act::Plan
            | Act::Retreat
            | Act::Trade
            | Act::Offer
    );
    clause.mode == Mode::Wish
        && !clause.vague
        && frame.context.is_plain()
        && firm(frame.verb.modal)
        && wants
        && (improves || !placing)
        && np.squares.len() == 1
        && (np.det == Det::Definite || np.owner.is_some())
}

/// "puts a knight on e5" when that is what the move does, or may do.
fn goal_is_fine(clause: &Clause<'_>, np: &Np, truth: Truth) -> Truth {
    if !truth.fails() {
        return truth;
    }
    let done = clause.views.iter().any(|view| {
        view.moved()
            .is_some_and(|m| np.squares.contains(&m.square) && men::fits(np, m, None, clause.world.mover()))
    });
    if done {
        Truth::yes("The move puts it there.")
    } else {
        truth
    }
}

fn mentioned(clause: &Clause<'_>, np: &Np) -> Truth {
    let mut views: Vec<View> = clause.views.clone();
    views.push(clause.world.after());
    views.push(clause.world.before());
    let earlier: Vec<View> = clause
        .views
        .iter()
        .filter_map(|view| {
            let (before, _) = view.deed.as_ref()?;
            Some(View::alone(before.clone()))
        })
        .collect();
    views.extend(earlier);
    // "The pawn on d8 is a queen now": the pawn that has just promoted.
    let promoted = |view: &View| {
        view.deed
            .as_ref()
            .is_some_and(|(_, m)| m.is_promotion() && np.squares.contains(&m.to()))
    };
    if np.head == Head::Role(Role::Pawn) && clause.views.iter().any(promoted) {
        return Truth::unknown("It has promoted there.");
    }
    truth::any(views.iter().map(|view| {
        // The owner may be anybody's in the words: only the colour that is named counts.
        there(np, view, clause)
    }))
}
