//! Pins, forks, discovered attacks and trapped pieces as prose means them, and men in line behind each other.

use shakmaty::{Position, Role};

use super::bonds::each_man;
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, View,
        deeds::to_move,
        men::{self, Men, the, the_up},
    },
    draft::Draft,
    grammar::Arg,
    truth::Truth,
};
use crate::{
    chess::{
        Man, attacks, exchange,
        motifs::{line::pins, trapped::trapped},
    },
    commentary::{FactId, FactKind, fact::Detail},
};

/// Slider, man in front, man behind it: pins by the rules of the facts, and any line to a king or a dearer man.
pub fn aligned_pins(view: &View) -> Vec<(Man, Man, Man)> {
    let board = view.board();
    let mut found: Vec<(Man, Man, Man)> = pins(board).into_iter().map(|p| (p.by, p.pinned, p.behind)).collect();
    for (by, front, behind) in lines(view) {
        let dearer = behind.role == Role::King || behind.value() > front.value();
        if front.role != Role::King && dearer && !found.contains(&(by, front, behind)) {
            found.push((by, front, behind));
        }
    }
    found
}

/// A slider, the first enemy man on its line, and the next man of that side behind.
pub fn lines(view: &View) -> Vec<(Man, Man, Man)> {
    let board = view.board();
    Man::all(board, board.sliders())
        .into_iter()
        .flat_map(|by| {
            let seen = attacks::slides(by.role, by.square, board.occupied()) & board.by_color(by.color.other());
            Man::all(board, seen)
                .into_iter()
                .filter_map(move |front| Some((by, front, attacks::behind(board, by, front.square)?)))
        })
        .filter(|(_, front, behind)| front.color == behind.color)
        .collect()
}

pub fn pin(clause: &Clause<'_>, by: &[Arg], pinned: &Arg, to: &[Arg], end: usize, found: &mut Vec<Draft>) {
    let to: Vec<&Arg> = to.iter().filter(|a| men_like(a)).collect();
    let truth = clause.ask(|view| {
        let targets = match pinned {
            Arg::Played | Arg::Move(..) => Men {
                men: view.moved().into_iter().collect(),
                applies: true,
                ..Men::default()
            },
            other => clause.men(other, view),
        };
        let by_men = if by.is_empty() {
            None
        } else {
            Some(men::actors(by, view, clause.world))
        };
        if by_men.as_ref().is_some_and(|m| !m.applies) {
            return Truth::unknown("The words name no pieces.");
        }
        if let Some(by) = &by_men
            && by.men.is_empty()
        {
            return Truth::no(by.missing.clone()).negated(clause.negated && by.some);
        }
        let mut all = aligned_pins(view);
        // "is no longer pinned": by a line alone nobody is.
        if clause.negated && clause.frame.has_word("longer") {
            let strict = pins(view.board());
            all.retain(|(a, p, _)| strict.iter().any(|s| s.by == *a && s.pinned == *p));
        }
        // A move's pin may be another man's: one that was no pin before.
        let old: Vec<(Man, Man)> = view.deed.as_ref().map_or_else(Vec::new, |(before, _)| {
            pins(before.board()).into_iter().map(|p| (p.pinned, p.behind)).collect()
        });
        let by_the_move = |a: &Man, p: &Man, b: &Man| {
            by_men.as_ref().is_some_and(|by| by.of_move) && a.color == view.mover() && !old.contains(&(*p, *b))
        };
        each_man(clause, &targets, |m| {
            let here: Vec<&(Man, Man, Man)> = all.iter().filter(|(_, p, _)| *p == m).collect();
            if here.is_empty() {
                return (false, format!("{} is not pinned.", the_up(m)));
            }
            let fits = here.iter().find(|(a, _, b)| {
                (by_men.as_ref().is_none_or(|by| by.men.contains(a)) || by_the_move(a, &m, b))
                    && (to.is_empty() || to.iter().any(|t| clause.men(t, view).men.contains(b)))
            });
            let (a, _, b) = fits.unwrap_or(&here[0]);
            let why = format!("{} is pinned to {} by {}.", the_up(m), the(*b), the(*a));
            (fits.is_some(), why)
        })
    });
    let ids = match clause.men(pinned, &clause.world.after()).men.as_slice() {
        [] => Vec::new(),
        men => facts(
            clause,
            FactKind::Pin,
            |d| matches!(d, Detail::Pin { pin, .. } if men.contains(&pin.pinned)),
        ),
    };
    found.push(clause.draft_at(ClaimKind::Pin, clause.frame.span.start..end, truth.resting_on(&ids)));
}

pub fn fork(clause: &Clause<'_>, actors: &[Arg], targets: &[Arg], end: usize, kind: ClaimKind, found: &mut Vec<Draft>) {
    let named: Vec<&Arg> = targets.iter().filter(|a| men_like(a)).collect();
    let truth = clause.ask(|view| {
        let mut by = men::actors(actors, view, clause.world);
        if !by.applies {
            return Truth::unknown("The words name no pieces.");
        }
        // "White forks": any man of White's; the one that moved is meant first.
        if by.men.is_empty() {
            return Truth::no(by.missing).negated(clause.negated);
        }
        if by.some
            && let Some(moved) = view.moved()
            && by.men.contains(&moved)
        {
            by.men.retain(|m| *m != moved);
            by.men.insert(0, moved);
        }
        let groups: Vec<(Men, usize)> = named
            .iter()
            .map(|t| {
                let men = clause.men(t, view);
                let n = match t {
                    Arg::Np(np, _) if np.squares.len() > 1 => np.squares.len(),
                    Arg::Np(np, _) if np.plural => np.count.unwrap_or(2) as usize,
                    _ => 1,
                };
                (men, n)
            })
            .collect();
        if let Some((men, _)) = groups.iter().find(|(men, _)| men.applies && men.men.is_empty()) {
            return Truth::no(men.missing.clone()).negated(clause.negated);
        }
        let together = kind == ClaimKind::Fork;
        let hit = |a: &Man, t: &Man| a.color != t.color && view.board().attacks_from(a.square).contains(t.square);
        let covers = |set: &[Man]| {
            groups
                .iter()
                .all(|(men, n)| men.men.iter().filter(|t| set.iter().any(|a| hit(a, t))).count() >= *n)
        };
        let wanted: usize = groups.iter().map(|(_, n)| *n).sum();
        let count = |a: &Man| {
            Man::all(
                view.board(),
                view.board().attacks_from(a.square) & view.board().by_color(a.color.other()),
            )
        };
        let worth = |a: &Man| {
            count(a)
                .iter()
                .filter(|t| {
                    t.role != Role::Pawn
                        && (t.role == Role::King
                            || t.value() >= a.value()
                            || exchange::gain_by(view.board(), *a, t.square).is_some_and(|g| g > 0))
                })
                .count()
        };
        let single = by
            .men
            .iter()
            .find(|a| covers(&[**a]) && count(a).len() >= 2.max(wanted));
        let yes = match (single, groups.is_empty()) {
            (Some(a), false) => Some(*a),
            (_, true) => by
                .men
                .iter()
                .find(|a| {
                    worth(a) >= 2
                        || count(a).len() >= 2 && count(a).iter().filter(|t| t.role != Role::Pawn).count() >= 2
                })
                .copied(),
            (None, false) if !together && covers(&by.men) => by.men.first().copied(),
            _ => None,
        };
        match yes {
            Some(a) => {
                let list: Vec<String> = count(&a).into_iter().map(the).collect();
                Truth::yes(format!("{} attacks {}.", the_up(a), list.join(", ")))
            }
            None => {
                let a = by.men[0];
                let list: Vec<String> = count(&a).into_iter().map(the).collect();
                let what = if list.is_empty() {
                    "nothing".to_owned()
                } else {
                    list.join(", ")
                };
                let truth = Truth::no(format!("{} attacks {what}.", the_up(a)));
                if groups.is_empty() && count(&a).len() >= 2 {
                    truth.lenient("Whether two pawns make a fork is a matter of taste.")
                } else {
                    truth
                }
            }
        }
        .negated(clause.negated)
    });
    let truth = match clause.mode {
        Mode::Can | Mode::Threat if truth.fails() => next_fork(clause, &named),
        _ => truth,
    };
    let ids = facts(clause, FactKind::Fork, |_| true);
    found.push(clause.draft_at(kind, clause.frame.span.start..end, truth.resting_on(&ids)));
}

/// A move of the side that would fork what is named.
fn next_fork(clause: &Clause<'_>, named: &[&Arg]) -> Truth {
    clause
        .ask(|view| {
            let side = clause.side();
            let Some(pos) = to_move(view, side) else {
                return Truth::unknown("");
            };
            for m in pos.legal_moves() {
                let after = View::after(&pos, m);
                let Some(man) = after.moved() else { continue };
                let hits = after.board().attacks_from(man.square)
                    & after.board().by_color(side.other())
                    & !after.board().pawns();
                let all = named
                    .iter()
                    .all(|t| clause.men(t, &after).men.iter().any(|t| hits.contains(t.square)));
                if hits.count() >= 2 && all {
                    return Truth::yes(format!("{} would fork.", after.san().unwrap_or_default()));
                }
            }
            Truth::no("No move forks them.")
        })
        .negated(clause.negated)
}

pub fn discovered(clause: &Clause<'_>, by: &[Arg], on: &[Arg], end: usize, found: &mut Vec<Draft>) {
    let truth = clause.ask_deed(|view| {
        let Some((before, _)) = &view.deed else {
            return Truth::unknown("No move is spoken of.");
        };
        let (old, new) = (before.board(), view.board());
        let mover = before.turn();
        let mut uncovered = uncovered(view);
        uncovered.retain(|(by, _)| by.color == mover);
        // "uncovers the rook": without a target, that its line grew is enough.
        let by_men = |a: Man| by.is_empty() || by.iter().any(|arg| clause.men(arg, view).men.contains(&a));
        let on_men = |t: Man| on.is_empty() || on.iter().any(|arg| clause.men(arg, view).men.contains(&t));
        let fits = uncovered.iter().find(|(a, t)| by_men(*a) && on_men(*t));
        let each_on = on.iter().all(|arg| {
            let men = clause.men(arg, view).men;
            uncovered.iter().any(|(a, t)| by_men(*a) && men.contains(t))
        });
        match fits {
            Some((a, t)) if each_on => Truth::yes(format!("{} now attacks {}.", the_up(*a), the(*t))),
            _ => {
                let opened = on.is_empty()
                    && !by.is_empty()
                    && Man::all(new, new.sliders() & new.by_color(mover)).into_iter().any(|s| {
                        by_men(s)
                            && Some(s) != view.moved()
                            && (new.attacks_from(s.square) & !old.attacks_from(s.square)).any()
                    });
                if opened {
                    Truth::yes("The move opens its line.")
                } else {
                    match uncovered.first() {
                        Some((a, t)) => Truth::no(format!(
                            "What the move uncovers is the attack of {} on {}.",
                            the(*a),
                            the(*t)
                        )),
                        None => Truth::no("The move uncovers no attack."),
                    }
                }
            }
        }
        .negated(clause.negated)
    });
    let ids = facts(clause, FactKind::Discovered, |_| true);
    found.push(clause.draft_at(
        ClaimKind::Discovered,
        clause.frame.span.start..end,
        truth.resting_on(&ids),
    ));
}

pub fn trapped_man(clause: &Clause<'_>, target: &Arg, found: &mut Vec<Draft>) {
    let truth = clause.ask(|view| {
        let men = match target {
            Arg::Played | Arg::Move(..) => Men::default(),
            other => clause.men(other, view),
        };
        if men.men.iter().any(|m| m.role == Role::King) || view.pos.is_check() {
            return Truth::unknown("It is not clear whether that is trapped.");
        }
        each_man(clause, &men, |m| {
            let Some(pos) = to_move(view, m.color) else {
                return (false, String::new());
            };
            if trapped(&pos).iter().any(|h| h.target == m) {
                return (true, format!("{} is attacked and has nowhere to go.", the_up(m)));
            }
            let safe = pos
                .legal_moves()
                .into_iter()
                .find(|mv| mv.from() == Some(m.square) && !mv.is_castle() && exchange::gain(pos.board(), *mv) >= 0);
            match safe {
                None => (true, format!("{} has no safe move.", the_up(m))),
                Some(mv) => (
                    false,
                    format!(
                        "{} has the safe move {}.",
                        the_up(m),
                        shakmaty::san::San::from_move(&pos, mv)
                    ),
                ),
            }
        })
    });
    let ids = facts(clause, FactKind::Trapped, |_| true);
    found.push(clause.draft(ClaimKind::Trapped, truth.resting_on(&ids)));
}

/// Sliders of either side that stood still and what they attack since the move.
pub fn uncovered(view: &View) -> Vec<(Man, Man)> {
    let Some((before, _)) = &view.deed else {
        return Vec::new();
    };
    let (old, new) = (before.board(), view.board());
    let mut found = Vec::new();
    for slider in Man::all(new, new.sliders()) {
        if Some(slider) == view.moved() || old.piece_at(slider.square) != new.piece_at(slider.square) {
            continue;
        }
        let fresh =
            new.attacks_from(slider.square) & !old.attacks_from(slider.square) & new.by_color(slider.color.other());
        found.extend(Man::all(new, fresh).into_iter().map(|t| (slider, t)));
    }
    found
}

pub fn facts(clause: &Clause<'_>, kind: FactKind, wanted: impl Fn(&Detail) -> bool) -> Vec<FactId> {
    if !clause.frame.context.is_plain() {
        return Vec::new();
    }
    clause.world.facts(kind, wanted).into_iter().take(3).collect()
}

pub fn men_like(arg: &Arg) -> bool {
    matches!(arg, Arg::Np(np, _) if np.is_men()) || matches!(arg, Arg::Any(_))
}
