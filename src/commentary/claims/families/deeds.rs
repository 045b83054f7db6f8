//! Claims about what a move is: a capture, a check, mate, stalemate, castling, a promotion.

use shakmaty::{Chess, Color, Move, Role, Square};

use super::{
    castling::castle,
    checks::{checks, mates, stalemate, threatens_mate},
    deed_nouns::nouns,
    promotions::{becomes, frame_becomes, new_queen, pawn_is_piece, promote},
    takers,
};
use crate::commentary::FactKind;
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, View,
        deeds::{judge, takes},
    },
    draft::Draft,
    grammar::{Act, Arg, Form, Head, Prep, Thing, clause_words::for_free, phrase},
    truth::Truth,
};

/// The claims of a clause about what a move is.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    match clause.frame.verb.act {
        Act::Capture | Act::Recapture => capture(clause, found),
        Act::Castle if clause.frame.governor != Some(Act::Consider) => castle(clause, found),
        Act::Threaten if clause.frame.verb.passive => {
            let frame = clause.frame;
            let mate = frame
                .subject
                .iter()
                .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Mate)));
            if mate {
                let side = clause.color_of(&frame.behind(&[Prep::By]));
                let truth = clause.ask(|view| threatens_mate(clause, view, side));
                found.push(clause.draft(ClaimKind::Threat, truth));
            }
        }
        Act::Turn => becomes(clause, found),
        Act::Promote => promote(clause, found),
        Act::Be if frame_becomes(clause.frame) || pawn_is_piece(clause.frame) => becomes(clause, found),
        Act::Make | Act::Have if new_queen(clause.frame) => becomes(clause, found),
        Act::Check => checks(clause, found),
        Act::Mate => mates(clause, found),
        Act::Stalemate => {
            let truth = clause.ask(|view| stalemate(view).negated(clause.negated));
            found.push(clause.draft(ClaimKind::Stalemate, truth));
        }
        _ => {}
    }
    nouns(clause, found);
}

fn capture(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    // "to take for nothing": what hangs.
    if frame.governor == Some(Act::Leave) && frame.objects().is_empty() {
        return;
    }
    let passive = frame.verb.passive;
    let objects: Vec<Arg> = if passive {
        frame.subject.clone()
    } else {
        frame.objects()
    };
    let by: Vec<Arg> = if passive {
        frame.behind(&[Prep::By, Prep::With])
    } else {
        let with = frame.behind(&[Prep::With]);
        if with.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
            with
        } else {
            Vec::new()
        }
    };
    let actor = if passive { Vec::new() } else { frame.subject.clone() };
    let on: Vec<Square> = frame
        .behind(&[Prep::On, Prep::At])
        .iter()
        .filter_map(Arg::np)
        .filter(|np| matches!(np.head, Head::Square { .. }))
        .flat_map(|np| np.squares.clone())
        .collect();
    // "takes e6 under control", "takes the knight out of danger": no capture.
    let carries = !frame
        .behind(&[Prep::Under, Prep::Into, Prep::Out, Prep::Over, Prep::Up])
        .is_empty()
        || frame.post.iter().any(|p| {
            matches!(
                p.item,
                phrase::Item::Prep(Prep::Under | Prep::Into | Prep::Out | Prep::Over | Prep::Up)
            )
        });
    // "Take the pawn on h3, for example".
    let imperative = frame.subject.is_empty() && frame.verb.form == Form::Base && !frame.verb.infinitive;
    if imperative && (frame.has_word("example") || frame.has_word("instance")) {
        return;
    }
    // "can't be taken for free": taken it may be.
    if frame.has_word("free") && clause.negated && for_free(frame) {
        return;
    }
    // "within capturing range".
    if frame.has_word("range") || frame.has_word("distance") {
        return;
    }
    let carries = carries || frame.has_word("away");
    if !passive && carries && (frame.verb.word.starts_with("t")) {
        return;
    }
    // "takes the pawn to the last rank".
    let to_rank =
        |a: &Arg| matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Thing(Thing::Line64) | Head::Square { .. }));
    if !passive && frame.verb.word.starts_with('t') && frame.behind(&[Prep::To]).iter().any(to_rank) {
        return;
    }
    // "takes control", "takes the initiative": no capture.
    if !passive
        && objects.iter().any(|a| matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Thing(t) if !matches!(t, Thing::Nothing | Thing::Someone | Thing::Material)) || matches!(np.head, Head::Unknown | Head::File | Head::Side)))
        && frame.verb.word.starts_with("t")
    {
        return;
    }
    if !passive && objects.iter().any(|a| matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Thing(t) if !matches!(t, Thing::Nothing | Thing::Someone | Thing::Material)) || np.head == Head::Unknown)) {
        return;
    }
    let word = frame.verb.word.as_str();
    let plain_word =
        word.starts_with("captur") || word.starts_with("tak") || word == "took" || word.starts_with("recaptur");
    if !plain_word && objects.is_empty() && on.is_empty() {
        return;
    }
    if passive && !objects.iter().any(|a| {
        matches!(a, Arg::Np(np, _) if np.is_men() || matches!(np.head, Head::Thing(Thing::Nothing | Thing::Someone)))
            || matches!(a, Arg::Any(_))
    }) {
        return;
    }
    let retakes = frame.verb.act == Act::Recapture && on.is_empty();
    let side = if passive {
        clause
            .color_of(&by)
            .or_else(|| clause.color_of(&objects).map(Color::other))
    } else {
        clause.actor()
    };
    let does = |view: &View, before: &Chess, m: Move, actor: &[Arg], by: &[Arg]| {
        // What takes back takes where the last move took.
        if retakes
            && *before == view.pos
            && view.taken().is_some()
            && view.deed.as_ref().is_some_and(|(_, last)| last.to() != m.to())
        {
            return Truth::no("It does not take back.");
        }
        takes(clause, before, m, actor, by, &objects, &on, passive)
    };
    let truth = clause.ask_deed(|view| judge(clause, view, side, |before, m| does(view, before, m, &actor, &by)));
    // "can be taken by several pieces and the bishop would be attacked": the last may begin the next clause.
    let more = by.len() > 1 && truth.fails();
    let truth = if more {
        truth.lenient("The words leave open which pieces take.")
    } else {
        truth
    };
    // "and" may begin the next clause, "or" joins the men.
    let joined = !passive || frame.post.iter().any(|p| p.item == phrase::Item::Or);
    let truth = if joined || by.len() < 2 {
        takers::named(clause, &actor, &by, side, truth, does)
    } else {
        truth
    };
    // "A blunder: the king just takes the queen", "takes the queen later": what comes.
    let comes = !passive && truth.fails() && ["just", "simply", "later"].iter().any(|word| frame.has_word(word));
    let truth = if comes {
        truth.lenient("It may tell of what comes.")
    } else {
        truth
    };
    // "The pawn is removed and a queen put in its place": a promotion.
    let pawn = |a: &Arg| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::Pawn));
    let promotes = |view: &View| view.deed.as_ref().is_some_and(|(_, m)| m.is_promotion());
    let truth = if passive && objects.iter().all(pawn) && clause.views.iter().all(promotes) {
        truth.lenient("The pawn that promotes leaves the board.")
    } else {
        truth
    };
    // "takes back" needs to know what was taken before.
    let facts = clause.world.facts(FactKind::Capture, |_| true);
    let facts = if clause.frame.context.is_plain() {
        facts
    } else {
        Vec::new()
    };
    found.push(clause.draft(ClaimKind::Capture, truth.resting_on(&facts)));
}
