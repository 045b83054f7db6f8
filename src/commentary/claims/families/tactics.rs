//! Claims about pins, forks, skewers, discovered attacks, batteries and trapped pieces.

use shakmaty::{Position, Role};

use super::motifs::{aligned_pins, battery, discovered, fork, men_like, next_fork, pin, skewer, trapped_man};
use crate::chess::{Man, attacks};
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, View, denies,
        men::{self, the, the_up},
    },
    draft::Draft,
    grammar::{Act, Arg, Det, Head, Item, Np, Prep, Thing, Trait, frame::behind, phrase},
    truth::{self, Truth},
};

/// The claims of a clause about tactical motifs.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let objects = frame.objects();
    match frame.verb.act {
        Act::Pin if frame.verb.passive => {
            let to = frame.behind(&[Prep::To, Prep::Against]);
            let by = frame.behind(&[Prep::By]);
            for pinned in &frame.subject {
                pin(clause, &by, pinned, &to, frame.span.end, found);
            }
        }
        Act::Pin => {
            let to = frame.behind(&[Prep::To, Prep::Against]);
            for pinned in objects.iter().filter(|a| men_like(a)) {
                pin(clause, &frame.subject, pinned, &to, frame.span.end, found);
            }
        }
        Act::Unpin => {
            for man in objects
                .iter()
                .chain(if frame.verb.passive { &frame.subject[..] } else { &[] })
            {
                let truth = clause.ask_deed(|view| {
                    let pinned =
                        |view: &View| -> Vec<Man> { aligned_pins(view).into_iter().map(|(_, p, _)| p).collect() };
                    let Some((before, _)) = view.deed.clone() else {
                        return Truth::unknown("No move is spoken of.");
                    };
                    let (was, is) = (pinned(&View::alone(before)), pinned(view));
                    let men = clause.men(man, view);
                    // "is unpinned": a state.
                    if frame.verb.passive && !clause.is_past() && !frame.verb.perfect {
                        let free = men.men.iter().find(|m| !is.contains(m));
                        return Truth::of(
                            free.is_some(),
                            || "It is not pinned.".to_owned(),
                            || "It is pinned.".to_owned(),
                        )
                        .negated(clause.negated);
                    }
                    let freed = men
                        .men
                        .iter()
                        .find(|m| was.iter().any(|w| w.square == m.square) && !is.contains(m));
                    match freed {
                        Some(m) => Truth::yes(format!("{} is not pinned any more.", the_up(*m))),
                        None => Truth::no("No pin of it is ended."),
                    }
                    .negated(clause.negated)
                });
                found.push(clause.draft(ClaimKind::Pin, truth));
            }
        }
        // "attacks both the king and the rook": a fork in other words.
        Act::Attack | Act::Threaten
            if !frame.verb.passive
                && (frame.has_word("both") || frame.has_word("simultaneously"))
                && objects.iter().filter(|a| men_like(a)).count() > 1 =>
        {
            fork(clause, &frame.subject, &objects, frame.span.end, ClaimKind::Fork, found);
        }
        Act::Fork => {
            let (actors, targets) = if frame.verb.passive {
                (frame.behind(&[Prep::By]), frame.subject.clone())
            } else {
                (frame.subject.clone(), objects)
            };
            fork(clause, &actors, &targets, frame.span.end, ClaimKind::Fork, found);
        }
        Act::Skewer => {
            let (actors, mut targets) = if frame.verb.passive {
                (frame.behind(&[Prep::By]), frame.subject.clone())
            } else {
                (frame.subject.clone(), objects)
            };
            targets.extend(frame.behind(&[Prep::To, Prep::Against, Prep::Through, Prep::On, Prep::With]));
            skewer(clause, &actors, &targets, frame.span.end, found);
        }
        Act::Discover
            if !frame
                .things()
                .any(|(_, t, ..)| matches!(t, Thing::Check | Thing::DiscoveredCheck)) =>
        {
            let attack = frame
                .things()
                .any(|(_, t, ..)| matches!(t, Thing::Attack | Thing::Discovered | Thing::Threat | Thing::Pressure));
            let men: Vec<Arg> = objects.into_iter().filter(men_like).collect();
            let mut by = frame.behind(&[Prep::By, Prep::From, Prep::Of]);
            by.retain(men_like);
            if by.is_empty() {
                by.clone_from(&men);
            }
            let on: Vec<Arg> = frame
                .behind(&[Prep::On, Prep::Against])
                .into_iter()
                .filter(men_like)
                .collect();
            if attack || !by.is_empty() {
                discovered(clause, &by, &on, frame.span.end, found);
            }
        }
        Act::Trap if !frame.has_word("pin") => {
            let targets = if frame.verb.passive {
                frame.subject.clone()
            } else {
                objects
            };
            for target in targets.iter().filter(|a| men_like(a)) {
                trapped_man(clause, target, found);
            }
        }
        Act::Double
            if !frame.verb.passive
                || frame
                    .subject
                    .iter()
                    .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::Rook))) =>
        {
            let targets = if frame.verb.passive {
                frame.subject.clone()
            } else {
                objects
            };
            let men: Vec<Arg> = targets
                .into_iter()
                .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men() && np.head != Head::Role(Role::Pawn)))
                .collect();
            if !men.is_empty() {
                battery(clause, &men, frame.span.end, found);
            }
        }
        _ => {}
    }
    nouns(clause, found);
    for (t, _) in frame.traits() {
        match t {
            Trait::Pinned if matches!(frame.verb.act, Act::Be | Act::Stand | Act::Continue) => {
                for man in &frame.subject {
                    pin(
                        clause,
                        &frame.behind(&[Prep::By]),
                        man,
                        &frame.behind(&[Prep::To, Prep::Against]),
                        frame.span.end,
                        found,
                    );
                }
            }
            // "trapped in a pin": pinned.
            Trait::Trapped
                if matches!(frame.verb.act, Act::Be | Act::Stand | Act::Continue) && !frame.has_word("pin") =>
            {
                for man in frame.subject.iter().filter(|a| men_like(a)) {
                    trapped_man(clause, man, found);
                }
            }
            _ => {}
        }
    }
    phrase_traits(clause, found);
}

fn nouns(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    for (at, thing, np, span) in frame.things() {
        let before = at.checked_sub(1).and_then(|i| frame.post.get(i)).map(|p| &p.item);
        let without = matches!(before, Some(Item::Prep(Prep::Without)));
        let inverse = without || denies(np) || matches!(before, Some(Item::Not));
        let with = matches!(before, Some(Item::Prep(Prep::With | Prep::Without)));
        let light = matches!(
            frame.verb.act,
            Act::Make
                | Act::Be
                | Act::Have
                | Act::Play
                | Act::Threaten
                | Act::Continue
                | Act::Discover
                | Act::Win
                | Act::Move
                | Act::Consider
        );
        let rest = &frame.post[at + 1..];
        let end = rest.last().map_or(span.end, |p| p.span.end);
        let mut local: Vec<Draft> = Vec::new();
        // "sets up a fork", "prepares a pin", "allows a fork", "breaks the pin".
        let set_up = frame.verb.word.starts_with("set") || frame.verb.word.starts_with("prepar");
        if matches!(
            frame.verb.act,
            Act::Prevent | Act::Plan | Act::Miss | Act::Lack | Act::Offer | Act::Block
        ) {
            if matches!(thing, Thing::Pin) && frame.verb.act == Act::Prevent {
                broken_pin(clause, span.end, found);
            }
            continue;
        }
        match thing {
            // "gets the bishop out of the pin".
            Thing::Pin if frame.post[..at].iter().any(|p| p.item == Item::Prep(Prep::Out)) => {}
            Thing::Fork | Thing::DoubleAttack if light || with || frame.verbless || frame.verb.act == Act::Allow => {
                let targets = behind(rest, &[Prep::Of, Prep::On, Prep::Against, Prep::Between]);
                let by = behind(rest, &[Prep::By, Prep::From]);
                let actors = noun_actor(clause, np, &by);
                if frame.verb.act == Act::Allow {
                    let named: Vec<&Arg> = targets.iter().filter(|a| men_like(a)).collect();
                    let truth = allowed_fork(clause, &named);
                    found.push(clause.draft_at(ClaimKind::Fork, frame.span.start..end, truth.negated(inverse)));
                    continue;
                }
                let kind = if thing == Thing::Fork {
                    ClaimKind::Fork
                } else {
                    ClaimKind::Attack
                };
                fork(clause, &actors, &targets, end, kind, &mut local);
                for draft in &mut local {
                    draft.kind = ClaimKind::Fork;
                    if set_up || frame.verb.act == Act::Threaten {
                        if frame.verb.act == Act::Threaten && draft.truth.fails() {
                            let named: Vec<&Arg> = targets.iter().filter(|a| men_like(a)).collect();
                            draft.truth = next_fork(clause, &named);
                        } else {
                            draft.truth = draft.truth.clone().lenient("It is prepared only.");
                        }
                    }
                }
            }
            Thing::Pin
                if light
                    || with
                    || frame.verbless
                    || matches!(frame.verb.act, Act::Undergo | Act::Stand | Act::Capture) =>
            {
                let on = behind(rest, &[Prep::On, Prep::Of]);
                let against = behind(rest, &[Prep::Against]);
                // "a pin against the knight"; "a pin on the knight against the king".
                let (on, to) = if on.is_empty() {
                    (against, behind(rest, &[Prep::To]))
                } else {
                    (on, behind(rest, &[Prep::To, Prep::Against]))
                };
                let by = behind(rest, &[Prep::By, Prep::From]);
                let actors = noun_actor(clause, np, &by);
                let pinned: Vec<Arg> = on.iter().filter(|a| men_like(a)).cloned().collect();
                for target in &pinned {
                    pin(clause, &actors, target, &to, end, &mut local);
                }
                let state = matches!(
                    before,
                    Some(Item::Prep(Prep::In | Prep::Under | Prep::From | Prep::Into))
                ) || frame.verb.act == Act::Undergo;
                let held: Vec<Arg> = frame.objects().into_iter().filter(men_like).collect();
                if matches!(before, Some(Item::Prep(Prep::From))) && !held.is_empty() {
                    continue;
                }
                if state && !held.is_empty() {
                    // "holds the knight in a pin".
                    for target in &held {
                        pin(clause, &frame.subject, target, &to, end, &mut local);
                    }
                } else if state {
                    for subject in &frame.subject {
                        pin(clause, &by, subject, &to, end, &mut local);
                    }
                } else if pinned.is_empty() {
                    let truth = clause.ask(|view| {
                        let by = men::actors(&actors, view, clause.world);
                        let any = aligned_pins(view).into_iter().find(|(a, ..)| by.men.contains(a));
                        match any {
                            Some((a, p, b)) => Truth::yes(format!("{} pins {} to {}.", the_up(a), the(p), the(b))),
                            None => Truth::no("Nothing is pinned by it."),
                        }
                        .negated(clause.negated)
                    });
                    // "that pin disappears": there was one.
                    let ends = ["disappears", "vanishes", "dissolves", "lapses", "ends", "goes"];
                    let truth = match ends.iter().any(|word| frame.has_word(word)) {
                        true => truth.lenient("It is told of a pin that is no more."),
                        false => truth,
                    };
                    local.push(clause.draft_at(ClaimKind::Pin, frame.span.start..end, truth));
                }
                if set_up || frame.verb.act == Act::Threaten {
                    for draft in &mut local {
                        draft.truth = draft.truth.clone().lenient("It is prepared only.");
                    }
                }
            }
            Thing::Skewer if light || with || frame.verbless => {
                let targets = behind(rest, &[Prep::Of, Prep::On, Prep::Against, Prep::To, Prep::Between]);
                let by = behind(rest, &[Prep::By, Prep::From]);
                let actors = noun_actor(clause, np, &by);
                skewer(clause, &actors, &targets, end, &mut local);
                if set_up || frame.verb.act == Act::Threaten {
                    for draft in &mut local {
                        draft.truth = draft.truth.clone().lenient("It is prepared only.");
                    }
                }
            }
            Thing::Discovered if light || with || frame.verbless => {
                let on: Vec<Arg> = behind(rest, &[Prep::On, Prep::Against])
                    .into_iter()
                    .filter(men_like)
                    .collect();
                let by: Vec<Arg> = behind(rest, &[Prep::By, Prep::From, Prep::Of])
                    .into_iter()
                    .filter(men_like)
                    .collect();
                discovered(clause, &by, &on, end, &mut local);
                if set_up || frame.verb.act == Act::Threaten {
                    for draft in &mut local {
                        draft.truth = draft.truth.clone().lenient("It is prepared only.");
                    }
                }
            }
            Thing::Battery
                if light
                    || with
                    || frame.verbless
                    || matches!(frame.verb.act, Act::Align | Act::Support | Act::Stand) =>
            {
                let mut men = behind(rest, &[Prep::Of, Prep::Between]);
                men.extend(frame.behind(&[Prep::With]));
                men.extend(frame.objects().into_iter().filter(men_like));
                men.extend(frame.subject.iter().filter(|a| men_like(a)).cloned());
                if men.iter().all(|a| !men_like(a)) {
                    men.push(Arg::Played);
                }
                let men: Vec<Arg> = men
                    .into_iter()
                    .filter(|a| men_like(a) || matches!(a, Arg::Played))
                    .collect();
                battery_noun(clause, &men, end, &mut local);
            }
            _ => {}
        }
        for mut draft in local {
            draft.truth = draft.truth.negated(inverse);
            found.push(draft);
        }
    }
}

fn battery_noun(clause: &Clause<'_>, men: &[Arg], end: usize, found: &mut Vec<Draft>) {
    let truth = clause.ask(|view| {
        let board = view.board();
        let mut groups: Vec<Vec<Man>> = Vec::new();
        for arg in men {
            groups.push(match arg {
                Arg::Played | Arg::Move(..) => view.moved().into_iter().collect(),
                other => clause.men(other, view).men,
            });
        }
        let sees = |a: Man, b: Man| {
            a != b
                && a.color == b.color
                && attacks::slides(a.role, a.square, board.occupied()).contains(b.square)
                && attacks::slides(b.role, b.square, board.occupied()).contains(a.square)
        };
        let sliders = Man::all(board, board.sliders());
        // A man of one's own on a slider's line to the king makes a battery, too, that it fires by moving away.
        let shots = sliders.iter().find_map(|&by| {
            let seen = attacks::slides(by.role, by.square, board.occupied()) & board.by_color(by.color);
            let front = Man::all(board, seen).into_iter().find(|front| {
                attacks::behind(board, by, front.square).is_some_and(|b| b.role == Role::King && b.color != by.color)
            })?;
            let own = clause.actor().is_none_or(|side| side == by.color);
            (own && groups.iter().all(Vec::is_empty)).then_some((by, front))
        });
        let hit = sliders
            .iter()
            .flat_map(|&a| sliders.iter().map(move |&b| (a, b)))
            .find(|&(a, b)| {
                sees(a, b)
                    && groups
                        .iter()
                        .filter(|g| !g.is_empty())
                        .all(|g| g.contains(&a) || g.contains(&b))
            })
            .or(shots);
        match hit {
            Some((a, b)) => Truth::yes(format!("{} and {} stand on one line.", the_up(a), the(b))),
            None => Truth::no("They do not stand on one open line."),
        }
        .negated(clause.negated)
    });
    found.push(clause.draft_at(ClaimKind::Battery, clause.frame.span.start..end, truth));
}

/// Who forks or pins: "a knight fork", "by the knight", or the subject.
fn noun_actor(clause: &Clause<'_>, np: &Np, by: &[Arg]) -> Vec<Arg> {
    let named: Vec<Arg> = by.iter().filter(|a| men_like(a)).cloned().collect();
    if !named.is_empty() {
        return named;
    }
    // "There is a fork": anybody's.
    if clause.frame.existential {
        let any = Np {
            det: Det::Indefinite,
            ..Np::of(Head::Side)
        };
        return vec![Arg::Np(any, 0..0)];
    }
    match np.of_role {
        Some(role) if clause.frame.subject.iter().all(|a| !men_like(a)) => vec![Arg::Np(
            Np {
                det: Det::Indefinite,
                owner: clause.actor().map(phrase::Owner::Side),
                ..Np::of(Head::Role(role))
            },
            0..0,
        )],
        _ => clause.frame.subject.clone(),
    }
}

/// A reply that forks.
fn allowed_fork(clause: &Clause<'_>, named: &[&Arg]) -> Truth {
    let view = clause.world.after();
    for m in view.pos.legal_moves() {
        let after = View::after(&view.pos, m);
        let Some(man) = after.moved() else { continue };
        let hits =
            after.board().attacks_from(man.square) & after.board().by_color(man.color.other()) & !after.board().pawns();
        if hits.count() >= 2
            && named
                .iter()
                .all(|t| clause.men(t, &after).men.iter().any(|t| hits.contains(t.square)))
        {
            return Truth::yes(format!("{} would attack two.", after.san().unwrap_or_default()))
                .negated(clause.negated);
        }
    }
    Truth::no("No reply forks anything.").negated(clause.negated)
}

fn broken_pin(clause: &Clause<'_>, end: usize, found: &mut Vec<Draft>) {
    let (before, after) = (
        aligned_pins(&clause.world.before()),
        aligned_pins(&clause.world.after()),
    );
    let gone = before.iter().any(|(_, p, b)| {
        !after
            .iter()
            .any(|(_, q, c)| q.square == p.square && c.square == b.square)
    });
    let truth = if gone {
        Truth::yes("A pin that was there is gone.")
    } else if before.is_empty() {
        Truth::no("There was no pin before the move.")
    } else {
        Truth::no("The pins that were there are there still.")
    };
    let truth = truth
        .negated(clause.negated)
        .lenient("It is not clear which pin is meant.");
    found.push(clause.draft_at(ClaimKind::Pin, clause.frame.span.start..end, truth));
}

/// "the pinned knight on f6".
fn phrase_traits(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let subjects = frame.subject.iter().filter_map(|a| match a {
        Arg::Np(np, span) => Some((np.clone(), span.clone())),
        _ => None,
    });
    let others = frame.post.iter().chain(&frame.pre).filter_map(|p| match &p.item {
        Item::Np(np) => Some((np.clone(), p.span.clone())),
        _ => None,
    });
    for (np, span) in subjects.chain(others) {
        if !np.is_men() || !np.has(Trait::Pinned) {
            continue;
        }
        let mut views = clause.views.clone();
        views.push(clause.world.before());
        let arg = Arg::Np(np.clone(), span.clone());
        let truth = truth::any(views.iter().map(|view| {
            let men = clause.men(&arg, view);
            let all = aligned_pins(view);
            match men.men.iter().find(|m| all.iter().any(|(_, p, _)| p == *m)) {
                Some(m) => Truth::yes(format!("{} is pinned.", the_up(*m))),
                None => Truth::no(
                    men.men
                        .first()
                        .map_or(men.missing.clone(), |m| format!("{} is not pinned.", the_up(*m))),
                ),
            }
        }));
        found.push(clause.draft_at(ClaimKind::Pin, span, truth));
    }
}
