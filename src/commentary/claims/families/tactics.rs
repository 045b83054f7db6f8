//! Claims about pins, forks, discovered attacks, batteries and trapped pieces.

use shakmaty::Role;

use super::motifs::{aligned_pins, discovered, fork, men_like, pin, trapped_man};
use crate::chess::{Man, attacks};
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, View, denies,
        men::{the, the_up},
    },
    draft::Draft,
    grammar::{Act, Arg, Item, Prep, Thing, Trait, frame::behind},
    truth::Truth,
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
        _ => {}
    }
    batteries(clause, found);
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
}

/// "a battery on the second rank", "forms a battery with the queen".
fn batteries(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    for (at, _, np, span) in frame.things().filter(|(_, thing, ..)| *thing == Thing::Battery) {
        let before = at.checked_sub(1).and_then(|i| frame.post.get(i)).map(|p| &p.item);
        let with = matches!(before, Some(Item::Prep(Prep::With | Prep::Without)));
        let has = matches!(
            frame.verb.act,
            Act::Make | Act::Be | Act::Have | Act::Align | Act::Support | Act::Stand | Act::Continue
        );
        if !has && !with && !frame.verbless {
            continue;
        }
        let rest = &frame.post[at + 1..];
        let end = rest.last().map_or(span.end, |part| part.span.end);
        let mut men = behind(rest, &[Prep::Of, Prep::Between]);
        men.extend(frame.behind(&[Prep::With]));
        men.extend(frame.objects());
        men.extend(frame.subject.iter().cloned());
        men.retain(men_like);
        if men.is_empty() {
            men.push(Arg::Played);
        }
        let none = denies(np) || matches!(before, Some(Item::Not | Item::Prep(Prep::Without)));
        found.push(battery(clause, &men, end, none));
    }
}

fn battery(clause: &Clause<'_>, men: &[Arg], end: usize, none: bool) -> Draft {
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
    clause.draft_at(ClaimKind::Battery, clause.frame.span.start..end, truth.negated(none))
}
