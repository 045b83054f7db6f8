//! Claims about attack and protection by nouns: "under attack", "launches an attack on the knight", "has two defenders".

use shakmaty::Role;

use super::{
    bonds::{Bond, bare_passive, instrument, one},
    hanging::{count_bearing, defender_noun},
};
use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, View, clause},
    draft::Draft,
    grammar::{Act, Arg, Det, Head, Item, Np, Prep, Thing, frame, phrase},
};

/// The claims of a clause by its nouns: "under attack", "has no defender", "an attack on the knight".
pub fn nouns(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let attacked_state = frame.post.windows(2).find(|pair| {
        matches!(pair[0].item, Item::Prep(Prep::Under | Prep::Other))
            && matches!(&pair[1].item, Item::Np(np) if matches!(np.head, Head::Thing(Thing::Attack | Thing::Pressure | Thing::Threat)))
    });
    if let Some(pair) = attacked_state {
        let mut by = frame.behind(&[Prep::By, Prep::From]);
        by.retain(|a| matches!(a, Arg::Np(np, _) if np.is_men()) || matches!(a, Arg::Move(..)));
        // "puts the knight under attack": the subject does it.
        let objects: Vec<Arg> = frame
            .objects()
            .into_iter()
            .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
            .collect();
        let targets = if objects.is_empty() {
            frame.subject.clone()
        } else {
            objects
        };
        if by.is_empty() && matches!(frame.verb.act, Act::Move | Act::Make) && targets != frame.subject {
            by.clone_from(&frame.subject);
        }
        for target in &targets {
            if !matches!(target, Arg::Np(np, _) if np.is_men()) && !matches!(target, Arg::Any(_)) {
                continue;
            }
            let none = matches!(&pair[1].item, Item::Np(np) if clause::denies(np));
            let truth = if by.is_empty() {
                clause.ask(|view| bare_passive(clause, Bond::Attack, target, view, None).negated(none))
            } else {
                clause.ask(|view| one(clause, Bond::Attack, &by, target, view).negated(none))
            };
            found.push(clause.draft_at(ClaimKind::Attack, frame.span.start..pair[1].span.end, truth));
        }
        return;
    }
    for (at, part) in frame.post.iter().enumerate() {
        let Item::Np(np) = &part.item else { continue };
        let rest = &frame.post[at + 1..];
        match np.head {
            // What is uncovered is another man's attack.
            Head::Thing(Thing::Attack | Thing::Pressure)
                if !matches!(frame.verb.act, Act::Prevent | Act::Block | Act::Discover) =>
            {
                // "comes without any attack on it".
                let without = matches!(
                    frame.post.get(at.wrapping_sub(1)).map(|p| &p.item),
                    Some(Item::Prep(Prep::Without))
                );
                attack_noun(clause, np, without, rest, part.span.end, found);
            }
            Head::Thing(Thing::Defender | Thing::Defence) => {
                let without = matches!(
                    frame.post.get(at.wrapping_sub(1)).map(|p| &p.item),
                    Some(Item::Prep(Prep::Without))
                );
                defender_noun(clause, np, without, rest, part.span.end, found);
            }
            Head::Thing(Thing::Attacker) if matches!(frame.verb.act, Act::Have) => {
                for subject in &frame.subject {
                    let none = clause::denies(np);
                    let wanted = np.count;
                    let truth = clause.ask(|view| count_bearing(clause, subject, view, wanted, none, false));
                    found.push(clause.draft_at(ClaimKind::Attack, frame.span.start..part.span.end, truth));
                }
            }
            _ => {}
        }
    }
}

/// It speaks of an attack that is there, whoever makes it.
fn meets(frame: &frame::Frame) -> bool {
    frame.verb.act == Act::Miss
        || ["ignor", "notic", "underestimat"]
            .iter()
            .any(|stem| frame.verb.word.starts_with(stem))
}

/// "launches an attack on the knight", "puts pressure on e5".
fn attack_noun(clause: &Clause<'_>, np: &Np, without: bool, rest: &[phrase::Part], end: usize, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let look = np.head == Head::Thing(Thing::Pressure);
    let bond = if look { Bond::Look } else { Bond::Attack };
    let targets = frame::behind(rest, &[Prep::On, Prep::Against, Prep::Of]);
    let by = frame::behind(rest, &[Prep::By, Prep::From]);
    let men_only = |a: &Arg| matches!(a, Arg::Np(np, _) if np.is_men() || matches!(np.head, Head::Square { .. }));
    let any = Arg::Np(
        Np {
            det: Det::Indefinite,
            ..Np::of(Head::Side)
        },
        0..0,
    );
    // "another move was Bf3, with an attack on": cues read that.
    let other = |p: &phrase::Part| matches!(&p.item, Item::Move(word) if !clause.world.is_played(word));
    if by.is_empty() && frame.post.iter().any(other) {
        return;
    }
    let with = instrument(clause);
    let by_nobody = by.is_empty();
    let mut actors = match (by.is_empty(), with.is_empty()) {
        (false, _) => by,
        (true, false) => with,
        (true, true) => frame.subject.clone(),
    };
    let mut targets = targets;
    // "ignores the attack on the rook": whoever makes it, the subject does not.
    if by_nobody && np.det == Det::Definite && meets(frame) {
        actors = vec![any.clone()];
    }
    // "in the line of fire of the queen": hers.
    let of = frame::behind(rest, &[Prep::Of]);
    if frame.has_word("fire") && !of.is_empty() {
        if frame.has_word("out") {
            return;
        }
        actors = of;
        targets.clone_from(&frame.subject);
    }
    let subjects = actors == frame.subject;
    // "Black must reckon with the attack": no verb of ours, and a side that isn't said to do it.
    let verbless = frame.verbless
        && frame.subject.is_empty()
        && frame
            .post
            .iter()
            .any(|p| matches!(&p.item, Item::Np(np) if np.head == Head::Side));
    if (frame.existential || verbless) && (actors.is_empty() || subjects) {
        actors = vec![any.clone()];
    }
    // "faces an attack from the pawn".
    if frame.verb.act == Act::Undergo {
        targets.clone_from(&frame.subject);
        if actors == frame.subject {
            actors = vec![any];
        }
    }
    for target in targets.iter().filter(|a| men_only(a)) {
        // "Black must reckon with the attack on his rook", "out of the line of fire of the queen": somebody else's.
        let color = clause.color_of(std::slice::from_ref(target));
        let mover = clause.views.first().map(View::mover);
        let actor = if actors.is_empty() {
            mover
        } else {
            clause.color_of(&actors)
        };
        if color.is_some() && color == actor {
            continue;
        }
        let truth = clause.ask(|view| {
            let flipped = clause::denies(np) || without;
            one(clause, bond, &actors, target, view).negated(flipped)
        });
        // A plan against a king or a wing is no attack on a man.
        let loose_words = matches!(target, Arg::Np(np, _) if np.head == Head::Role(Role::King));
        let truth = if loose_words {
            truth.lenient("An attack on a king may be a plan.")
        } else {
            truth
        };
        found.push(clause.draft_at(ClaimKind::Attack, frame.span.start..end, truth));
    }
}
