//! What a move is, said with nouns: "gives check", "is mate", "has no castling rights".

use shakmaty::{Position, Role};

use super::{
    checks::{
        Kind, allowed_mate, elsewhere, gives_check, in_check, mate_in, mate_truth, mated, resting, stalemate,
        threatens_mate,
    },
    promotions::NEXT,
};
use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, Mode, View, deeds::to_move, denies, men::the},
    draft::Draft,
    grammar::{Act, Arg, Det, Frame, Head, Item, Np, Prep, Thing, Trait, frame},
    truth::Truth,
};
use crate::{chess::names::color_name, commentary::FactKind};

pub fn nouns(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    for (at, thing, np, span) in frame.things() {
        let before = at.checked_sub(1).and_then(|i| frame.post.get(i)).map(|p| &p.item);
        let without = matches!(before, Some(Item::Prep(Prep::Without)));
        let inverse = without || denies(np) || matches!(before, Some(Item::Not));
        let end = span.end;
        let span = frame.span.start..end;
        let flip = |truth: Truth| truth.negated(inverse);
        let light = matches!(
            frame.verb.act,
            Act::Make | Act::Be | Act::Have | Act::Play | Act::Move | Act::Continue | Act::Force
        );
        let with = matches!(before, Some(Item::Prep(Prep::With | Prep::Without)));
        match thing {
            Thing::Check | Thing::DoubleCheck | Thing::DiscoveredCheck => {
                let kind = match thing {
                    Thing::DoubleCheck => Kind::Double,
                    Thing::DiscoveredCheck => Kind::Discovered,
                    _ => Kind::Any,
                };
                if matches!(before, Some(Item::Prep(Prep::In | Prep::Under | Prep::Into))) {
                    // "is in check", "puts the king in check", "leaves White in check".
                    let objects: Vec<Arg> = frame.objects().into_iter().filter(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Side || np.head == Head::Role(Role::King))).collect();
                    let subject = if objects.is_empty() {
                        frame.subject.clone()
                    } else {
                        objects
                    };
                    if frame.verb.act == Act::Be
                        || frame.verb.act == Act::Stand
                        || frame.verb.act == Act::Leave
                        || frame.verb.act == Act::Continue
                    {
                        let truth = clause.ask(|view| in_check(clause, &subject, view).negated(clause.negated));
                        found.push(clause.draft_at(ClaimKind::Check, span, resting(clause, truth, FactKind::Check)));
                    } else if matches!(frame.verb.act, Act::Move | Act::Make) {
                        let truth = clause.ask(|view| gives_check(clause, view, kind));
                        found.push(clause.draft_at(ClaimKind::Check, span, resting(clause, truth, FactKind::Check)));
                    }
                    continue;
                }
                if frame.verb.act == Act::Prevent
                    || matches!(
                        before,
                        Some(Item::Prep(Prep::Of | Prep::From | Prep::Against | Prep::Out))
                    )
                {
                    // "gets out of check", "escapes check": the mover was in it.
                    if frame.verb.act == Act::Prevent
                        || frame.post.iter().any(|p| matches!(p.item, Item::Prep(Prep::Out)))
                    {
                        let was = clause.world.played().before.is_check();
                        let truth = if was {
                            Truth::yes("The king was in check before the move.")
                        } else {
                            Truth::unknown("What is prevented is not on the board.")
                        };
                        found.push(clause.draft_at(ClaimKind::Check, span, truth));
                    }
                    continue;
                }
                let discovers = matches!(frame.verb.act, Act::Discover);
                if light || with || discovers || frame.verbless {
                    let kind = if discovers && kind == Kind::Any {
                        Kind::Discovered
                    } else {
                        kind
                    };
                    let truth = clause.ask(|view| flip(gives_check(clause, view, kind)));
                    let named = if kind == Kind::Discovered {
                        ClaimKind::Discovered
                    } else {
                        ClaimKind::Check
                    };
                    found.push(clause.draft_at(named, span, resting(clause, truth, FactKind::Check)));
                } else if frame.verb.act == Act::Threaten {
                    let side = clause.side();
                    let truth = clause.ask(|view| {
                        let any = to_move(view, side).is_some_and(|pos| {
                            pos.legal_moves().into_iter().any(|m| {
                                let mut next = pos.clone();
                                next.play_unchecked(m);
                                next.is_check()
                            })
                        });
                        Truth::of(
                            any,
                            || "A check is possible next.".to_owned(),
                            || "No check is possible next.".to_owned(),
                        )
                    });
                    found.push(clause.draft_at(ClaimKind::Check, span, truth));
                }
            }
            Thing::Mate => {
                let moves = mate_in(&frame.post[at + 1..]);
                if matches!(before, Some(Item::Prep(Prep::In))) && matches!(frame.verb.act, Act::Be | Act::Stand) {
                    let truth = mated(clause, clause.actor());
                    found.push(clause.draft_at(ClaimKind::Mate, span, truth));
                    continue;
                }
                let ends = frame.verb.word.starts_with("end") && !frame.verb.negated;
                if matches!(frame.verb.act, Act::Prevent | Act::Miss | Act::Plan | Act::Block)
                    || matches!(
                        before,
                        Some(Item::Prep(Prep::Of | Prep::From | Prep::Against | Prep::For))
                    )
                {
                    continue;
                }
                if matches!(frame.verb.act, Act::Allow) {
                    let truth = allowed_mate(clause);
                    found.push(clause.draft_at(ClaimKind::Mate, span, truth.negated(clause.negated)));
                    continue;
                }
                if light || with || ends || frame.verbless || matches!(frame.verb.act, Act::Threaten | Act::Consider) {
                    let truth = flip(mate_truth(clause, moves));
                    let truth = if moves.is_some() {
                        elsewhere(clause, truth)
                    } else {
                        truth
                    };
                    // "after Kg5 Qh4+ Kg6 it is Qg8 mate": the move before the word is the one that mates.
                    let truth = match before {
                        Some(Item::Move(word)) if truth.fails() && !clause.negated => {
                            let runs: Vec<_> = frame.context.runs.iter().cloned().chain([vec![word.clone()]]).collect();
                            let mates = |view: &View| view.pos.is_checkmate();
                            if clause.world.follow(&runs).views.iter().any(mates) {
                                Truth::yes(format!("{} is checkmate.", word.text))
                            } else {
                                truth
                            }
                        }
                        _ => truth,
                    };
                    // "The threat is mate".
                    let named = frame
                        .subject
                        .iter()
                        .filter_map(Arg::np)
                        .any(|np| np.head == Head::Thing(Thing::Threat));
                    let truth = if named {
                        let side = frame
                            .subject
                            .iter()
                            .filter_map(Arg::np)
                            .find_map(|np| np.owner.and_then(|owner| frame::side_of(owner, clause.world.mover())));
                        clause.ask(|view| flip(threatens_mate(clause, view, side)))
                    } else {
                        truth
                    };
                    let threat = named || frame.verb.act == Act::Threaten || clause.mode == Mode::Threat;
                    let kind = if threat { ClaimKind::Threat } else { ClaimKind::Mate };
                    found.push(clause.draft_at(kind, span, resting(clause, truth, FactKind::Checkmate)));
                }
            }
            Thing::MateThreat if light || with || frame.verbless => {
                let side = clause.actor();
                let truth = clause.ask(|view| flip(threatens_mate(clause, view, side)));
                found.push(clause.draft_at(ClaimKind::Threat, span, resting(clause, truth, FactKind::MateThreat)));
            }
            Thing::Move if frame.has_word("mating") && frame.verb.act == Act::Be => {
                let truth = flip(mate_truth(clause, None));
                found.push(clause.draft_at(ClaimKind::Mate, span, truth));
            }
            Thing::Move if frame.has_word("capturing") && frame.verb.act == Act::Be => {
                let truth = clause.ask_deed(|view| {
                    let taken = view.taken().is_some();
                    flip(
                        Truth::of(
                            taken,
                            || "It takes something.".to_owned(),
                            || "It takes nothing.".to_owned(),
                        )
                        .negated(clause.negated),
                    )
                });
                found.push(clause.draft_at(ClaimKind::Capture, span, truth));
            }
            Thing::Stalemate if (light || with || frame.verbless) => {
                let truth = clause.ask(|view| flip(stalemate(view).negated(clause.negated)));
                found.push(clause.draft_at(ClaimKind::Stalemate, span, resting(clause, truth, FactKind::Stalemate)));
            }
            Thing::Capture
                if (light || frame.verbless)
                    && !with
                    && !matches!(before, Some(Item::Prep(_)))
                    // "has the capture Rxh1": another move's.
                    && !frame.post[at..].iter().any(|p| matches!(p.item, Item::Move(_)))
                    && !matches!(clause.mode, Mode::Can) =>
            {
                let truth = clause.ask(|view| {
                    let taken = view.taken();
                    let truth = Truth::of(
                        taken.is_some(),
                        || taken.map(|t| format!("The move takes {}.", the(t))).unwrap_or_default(),
                        || "The move takes nothing.".to_owned(),
                    );
                    flip(truth.negated(clause.negated))
                });
                found.push(clause.draft_at(ClaimKind::Capture, span, resting(clause, truth, FactKind::Capture)));
            }
            Thing::Castling if matches!(frame.verb.act, Act::Prevent | Act::Block) => {
                let who = clause.color_of(&frame.objects());
                let truth = clause.ask(|view| {
                    let side = who.unwrap_or(view.pos.turn());
                    let pos = to_move(view, side);
                    let can = pos.is_some_and(|pos| pos.legal_moves().iter().any(|m| m.is_castle()));
                    Truth::of(
                        !can,
                        || format!("{} can't castle now.", color_name(side)),
                        || format!("{} can castle.", color_name(side)),
                    )
                });
                found.push(clause.draft_at(ClaimKind::Castling, span, truth));
            }
            Thing::Promotion
                if (light || with)
                    && clause.mode == Mode::Fact
                    && (with || !matches!(before, Some(Item::Prep(_))))
                    && !NEXT.split(' ').any(|word| frame.has_word(word)) =>
            {
                let truth = clause.ask(|view| {
                    let promoted = view.deed.as_ref().and_then(|(_, m)| m.promotion());
                    flip(
                        Truth::of(
                            promoted.is_some(),
                            || "The move promotes.".to_owned(),
                            || "The move is no promotion.".to_owned(),
                        )
                        .negated(clause.negated),
                    )
                });
                found.push(clause.draft_at(ClaimKind::Promotion, span, resting(clause, truth, FactKind::Promotion)));
            }
            Thing::Move if frame.has_word("quiet") && frame.verb.act == Act::Be => {
                let truth = clause.ask_deed(|view| {
                    let quiet = view.taken().is_none() && !view.pos.is_check();
                    Truth::of(
                        quiet,
                        || "It takes nothing and gives no check.".to_owned(),
                        || "It takes something or gives check.".to_owned(),
                    )
                });
                found.push(clause.draft_at(ClaimKind::Capture, span, flip(truth.negated(clause.negated))));
            }
            Thing::Move
                if (np.has(Trait::Legal) || legal_word(np, frame))
                // "has no legal moves"; of a man that has none the others may have some.
                && denies(np)
                && matches!(frame.verb.act, Act::Have | Act::Leave)
                && !frame.subject.iter().filter_map(Arg::np).any(Np::is_men) =>
            {
                let truth = clause.ask(|view| {
                    let none = view.pos.legal_moves().is_empty();
                    Truth::of(
                        none,
                        || "There is no legal move.".to_owned(),
                        || "There are legal moves.".to_owned(),
                    )
                    .negated(clause.negated)
                });
                found.push(clause.draft_at(ClaimKind::Stalemate, span, truth));
            }
            _ => {}
        }
    }
    for (t, span) in frame.traits() {
        let span = frame.span.start..span.end;
        match t {
            Trait::Checkmated => {
                let truth = mated(clause, clause.actor());
                found.push(clause.draft_at(ClaimKind::Mate, span, truth));
            }
            Trait::Stalemated => {
                let truth = clause.ask(|view| stalemate(view).negated(clause.negated));
                found.push(clause.draft_at(ClaimKind::Stalemate, span, truth));
            }
            _ => {}
        }
    }
}

fn legal_word(np: &Np, frame: &Frame) -> bool {
    np.det == Det::No
        && matches!(frame.verb.act, Act::Have | Act::Leave)
        && np.head == Head::Thing(Thing::Move)
        && !frame.has_word("promoting")
}
