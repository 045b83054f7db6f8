//! Claims about who attacks and who protects what, and what hangs.

use super::{
    bonds::{Bond, bare_passive, exclusive, instrument, one},
    contact_nouns::nouns,
    hanging::{free_capture, hangs, traits},
};
use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, View, clause, men},
    draft::Draft,
    grammar::{Act, Arg, Frame, Head, Item, Part, Prep, Thing, clause_words::for_free},
    truth::{self, Truth},
};
use crate::{
    chess::{Man, exchange},
    commentary::{FactId, FactKind, fact::Detail},
};

/// The claims of a clause about attacks, protection and what hangs.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let bond = match frame.verb.act {
        Act::Attack => Some(Bond::Attack),
        Act::Threaten => Some(Bond::Attack),
        Act::Eye => Some(Bond::Look),
        Act::Defend | Act::Support => Some(Bond::Defend),
        Act::Control => Some(Bond::Control),
        _ => None,
    };
    if let Some(bond) = bond {
        verb(clause, bond, found);
    }
    if matches!(frame.verb.act, Act::Capture | Act::Win)
        && frame.words.iter().any(|w| w == "free" || w == "nothing")
        && for_free(frame)
    {
        free_capture(clause, found);
    }
    if matches!(frame.verb.act, Act::Hang | Act::Leave) {
        hangs(clause, found);
    }
    if matches!(
        frame.verb.act,
        Act::Be | Act::Stand | Act::Leave | Act::Continue | Act::Have
    ) {
        traits(clause, found);
    }
    nouns(clause, found);
}

pub fn verb(clause: &Clause<'_>, bond: Bond, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let kind = if bond == Bond::Defend {
        ClaimKind::Defence
    } else {
        ClaimKind::Attack
    };
    if frame.verb.passive {
        // "attacked by the queen with nothing defending it": by the queen.
        let by = [Prep::By, Prep::With, Prep::From]
            .into_iter()
            .map(|prep| frame.behind(&[prep]))
            .find(|by| !by.is_empty())
            .unwrap_or_default();
        let kept = |a: &&Arg| matches!(a, Arg::Np(np, _) if np.is_men()) || matches!(a, Arg::Move(..) | Arg::Played);
        let by = if by.is_empty() {
            frame.above.iter().filter(kept).cloned().collect()
        } else {
            by
        };
        let nothing = by
            .iter()
            .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Nothing)));
        if by.is_empty() || nothing {
            // "is (not) defended", "is attacked": by anyone.
            for target in &frame.subject {
                let counted = counted_adverb(clause);
                let truth = clause.ask(|view| bare_passive(clause, bond, target, view, counted).negated(nothing));
                found.push(clause.draft(kind, truth));
            }
            return;
        }
        for target in &frame.subject {
            for actor in by.iter().filter(|actor| *actor != target) {
                // "is guarded by no black man".
                let none = actor.np().is_some_and(clause::denies);
                let truth = clause.ask(|view| {
                    let truth = one(clause, bond, std::slice::from_ref(actor), target, view);
                    exclusive(clause, bond, &by, target, view, truth).negated(none)
                });
                found.push(clause.draft(kind, truth));
            }
        }
        return;
    }
    let mut objects = frame.objects();
    if objects.is_empty() && bond == Bond::Look {
        objects = frame.behind(&[Prep::On, Prep::At, Prep::Against, Prep::To]);
    }
    // "White controls d4 with the bishop": the bishop does.
    let with = instrument(clause);
    let first = objects.first().cloned();
    for object in objects {
        let subject = if with.is_empty() { &frame.subject } else { &with };
        if matches!(&object, Arg::Np(np, _) if matches!(np.head, Head::Thing(_) | Head::Unknown | Head::ThisMove)) {
            continue;
        }
        if matches!(object, Arg::Move(..)) {
            continue; // "threatens Nxe5" is read with the moves
        }
        // "the king and the bishop behind it": what stands behind is not hit.
        let covered = |pair: &[Part]| {
            matches!(&object, Arg::Np(_, span) if *span == pair[0].span)
                && matches!(pair[1].item, Item::Prep(Prep::Behind))
        };
        if frame.post.windows(2).any(covered) {
            continue;
        }
        // "guards e4 together with the pawn on f3": one more that does.
        let joins = matches!(&object, Arg::Np(np, _) if np.is_men())
            && first.as_ref().is_some_and(|first| *first != object)
            && beside(frame);
        let truth = clause.ask(|view| {
            // "Neither the rook nor the bishop guards it": none of those that are named.
            let plain = if clause.negated && subject.len() > 1 {
                truth::all(
                    subject
                        .iter()
                        .map(|by| one(clause, bond, std::slice::from_ref(by), &object, view)),
                )
            } else {
                one(clause, bond, subject, &object, view)
            };
            if joins
                && plain.fails()
                && let Some(first) = &first
            {
                return one(clause, bond, std::slice::from_ref(&object), first, view);
            }
            let plain = exclusive(clause, bond, subject, &object, view, plain);
            // "threatens the knight": also where taking it wins.
            if frame.verb.act == Act::Threaten && plain.fails() && !clause.negated && threatened(clause, &object, view)
            {
                return Truth::yes("The move threatens to win it.");
            }
            // "shields the king": from a line, or by protecting it.
            if frame.verb.word.starts_with("shield") {
                return plain.lenient("What shields may stand in between.");
            }
            plain
        });
        // "covers e5": a square is held, not protected.
        let square = matches!(&object, Arg::Np(np, _) if matches!(np.head, Head::Square { .. }));
        let kind = if square && frame.verb.word.starts_with("cover") {
            ClaimKind::Attack
        } else {
            kind
        };
        let span = match &object {
            Arg::Np(_, span) => frame.span.start..span.end.max(frame.span.start),
            _ => frame.span.clone(),
        };
        let facts = contact_facts(clause, bond, subject, &object);
        found.push(clause.draft_at(kind, span, truth.resting_on(&facts)));
    }
}

/// "together with", "along with", "in tandem with".
fn beside(frame: &Frame) -> bool {
    let pair = |w: &[String]| matches!(w[0].as_str(), "together" | "along" | "tandem") && w[1] == "with";
    frame.words.windows(2).any(pair)
}

/// "twice", "three times".
fn counted_adverb(clause: &Clause<'_>) -> Option<usize> {
    if clause.frame.has_word("twice") { Some(2) } else { None }
}

/// The man can be won by what the clause says threatens it: its side, or that man.
fn threatened(clause: &Clause<'_>, object: &Arg, view: &View) -> bool {
    let men = clause.men(object, view);
    let by = clause.side();
    let actors = clause.actors(view);
    men.men.iter().filter(|m| m.color != by).any(|m| {
        exchange::best_capture(view.board(), by, m.square, None)
            .is_some_and(|e| e.gain > 0 && (actors.of_move || actors.men.contains(&e.by)))
    })
}

fn contact_facts(clause: &Clause<'_>, bond: Bond, subject: &[Arg], object: &Arg) -> Vec<FactId> {
    if !clause.frame.context.is_plain() {
        return Vec::new();
    }
    let view = clause.world.after();
    let actors = men::actors(subject, &view, clause.world);
    let targets = clause.men(object, &view);
    let of = |list: &[Man], man: Man| list.contains(&man);
    let mut ids = match bond {
        Bond::Defend => clause.world.facts(FactKind::Defence, |d| match d {
            Detail::Defence { target, defenders, .. } => {
                of(&targets.men, *target) && defenders.iter().any(|d| of(&actors.men, *d))
            }
            _ => false,
        }),
        _ => clause.world.facts(FactKind::Attack, |d| match d {
            Detail::Attack { attack, .. } => of(&actors.men, attack.by) && of(&targets.men, attack.target),
            _ => false,
        }),
    };
    ids.truncate(3);
    ids
}
