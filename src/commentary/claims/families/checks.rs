//! Claims about check, mate and stalemate.

use shakmaty::{Color, Position, Role};

use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, View,
        deeds::{judge, to_move},
        men::{self, the},
    },
    draft::Draft,
    grammar::{Act, Arg, Head, Item, Np, Prep, lexicon, phrase},
    truth::Truth,
};
use crate::{
    chess::{Man, motifs::mate, names::color_name},
    commentary::{FactKind, fact::Detail},
};

pub fn checks(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    // "checks whether": not chess.
    let objects = frame.objects();
    let king_or_side = |a: &Arg| matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Role(Role::King) | Head::Side | Head::He | Head::It));
    if !objects.is_empty() && !objects.iter().any(king_or_side) {
        return;
    }
    let truth = if frame.verb.passive {
        clause.ask(|view| in_check(clause, &frame.subject, view).negated(clause.negated))
    } else {
        clause.ask(|view| gives_check(clause, view, Kind::Any))
    };
    found.push(clause.draft(ClaimKind::Check, resting(clause, truth, FactKind::Check)));
}

pub fn resting(clause: &Clause<'_>, truth: Truth, kind: FactKind) -> Truth {
    if clause.frame.context.is_plain() {
        let facts = clause.world.facts(kind, |_| true);
        return truth.resting_on(&facts);
    }
    truth
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Any,
    Double,
    Discovered,
}

/// The move, or the man that is the subject, gives check.
pub fn gives_check(clause: &Clause<'_>, view: &View, kind: Kind) -> Truth {
    let side = clause.actor();
    let possible = matches!(clause.mode, Mode::Can | Mode::Threat);
    if possible || view.deed.is_none() || side.is_some_and(|s| s != view.mover()) {
        return judge(clause, view, side, |pos, m| {
            let mut next = pos.clone();
            next.play_unchecked(m);
            let subject_fits = clause.frame.subject.iter().all(|a| match a {
                Arg::Np(np, _) if np.is_men() => m
                    .from()
                    .and_then(|f| Man::at(pos.board(), f))
                    .is_some_and(|man| men::fits(np, man, side, clause.world.mover())),
                _ => true,
            });
            Truth::of(
                next.is_check() && subject_fits,
                || format!("{} would give check.", shakmaty::san::San::from_move(pos, m)),
                || "No move gives check.".to_owned(),
            )
        });
    }
    let checkers = Man::all(view.board(), view.pos.checkers());
    let san = view.san().unwrap_or_default();
    if checkers.is_empty() {
        return Truth::no(format!("{san} gives no check.")).negated(clause.negated);
    }
    let yes = format!("{san} gives check.");
    match kind {
        Kind::Double if checkers.len() < 2 => {
            return Truth::no(format!("{san} gives check with one piece only.")).negated(clause.negated);
        }
        Kind::Discovered if checkers.iter().all(|c| Some(*c) == view.moved()) => {
            return Truth::no(format!("{san} gives check by itself; nothing is uncovered.")).negated(clause.negated);
        }
        _ => {}
    }
    let men_subject: Vec<&Np> = clause
        .frame
        .subject
        .iter()
        .filter_map(Arg::np)
        .filter(|np| np.is_men())
        .collect();
    if let Some(np) = men_subject.first() {
        let meant = men::of_np(np, view, None, clause.world);
        let fits = checkers.iter().any(|c| meant.men.contains(c))
            || view.moved_from().is_some_and(|m| {
                men::fits(np, m, None, clause.world.mover()) && checkers.iter().any(|c| Some(*c) == view.moved())
            });
        return Truth::of(
            fits,
            || yes.clone(),
            || format!("Check is given by {}.", the(checkers[0])),
        )
        .negated(clause.negated);
    }
    Truth::yes(yes).negated(clause.negated)
}

/// The side or king is in check.
pub fn in_check(clause: &Clause<'_>, subject: &[Arg], view: &View) -> Truth {
    let standing = || {
        let squares = subject.iter().filter_map(Arg::np).flat_map(|np| &np.squares);
        squares.filter_map(|square| view.board().color_at(*square)).next()
    };
    let side = clause.color_of(subject).or_else(standing);
    let checked = view.pos.is_check().then(|| view.pos.turn());
    match (side, checked) {
        (None, Some(c)) => Truth::yes(format!("{} is in check.", color_name(c))),
        (None, None) => Truth::no("Nobody is in check."),
        (Some(side), checked) => Truth::of(
            checked == Some(side),
            || format!("{}'s king is in check.", color_name(side)),
            || format!("{}'s king is not in check.", color_name(side)),
        ),
    }
}

/// The side, or either, has been mated.
pub fn mated(clause: &Clause<'_>, side: Option<Color>) -> Truth {
    clause.ask(|view| {
        let mated = view.pos.is_checkmate() && side.is_none_or(|s| s == view.pos.turn());
        Truth::of(
            mated,
            || "It is checkmate.".to_owned(),
            || "It is not checkmate.".to_owned(),
        )
        .negated(clause.negated)
    })
}

pub fn mates(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let truth = if frame.verb.passive {
        mated(clause, clause.color_of(&frame.subject))
    } else {
        mate_truth(clause, mate_in(&frame.post))
    };
    let kind = if clause.mode == Mode::Threat {
        ClaimKind::Threat
    } else {
        ClaimKind::Mate
    };
    // "will mate in 3": a claim of the engine's lines.
    if mate_in(&frame.post).is_some() && clause.mode == Mode::Wish && frame.governor.is_none() && !clause.vague {
        found.push(Draft {
            kind,
            span: frame.span.clone(),
            truth: resting(clause, truth, FactKind::Mate),
        });
        return;
    }
    found.push(clause.draft(kind, resting(clause, truth, FactKind::Checkmate)));
}

/// "mates", "is mate", "threatens mate", "mate in 3".
pub fn mate_truth(clause: &Clause<'_>, moves: Option<u32>) -> Truth {
    let frame = clause.frame;
    if let Some(n) = moves {
        return forced_mate(clause, Some(n));
    }
    if ["forced", "force", "forces", "inevitable", "unavoidable", "unstoppable"]
        .iter()
        .any(|w| frame.has_word(w))
    {
        let now = clause.ask(|view| {
            if view.pos.is_checkmate() {
                Truth::yes("It is checkmate.")
            } else {
                Truth::unknown("")
            }
        });
        return if now.holds() { now } else { forced_mate(clause, None) };
    }
    let side = clause.actor();
    if matches!(clause.mode, Mode::Threat) || frame.verb.act == Act::Threaten {
        return clause.ask(|view| threatens_mate(clause, view, side));
    }
    clause.ask(|view| {
        if matches!(clause.mode, Mode::Can) {
            return judge(clause, view, side, |pos, m| {
                let mut next = pos.clone();
                next.play_unchecked(m);
                Truth::of(
                    next.is_checkmate(),
                    || format!("{} is mate.", shakmaty::san::San::from_move(pos, m)),
                    || "No move mates.".to_owned(),
                )
            });
        }
        let by = side.unwrap_or(view.pos.turn().other());
        // "mates with the queen"; "Qg7 is mate, with the pawn supporting her" says who stands by.
        let with = if matches!(frame.subject.as_slice(), [Arg::Move(..)]) {
            Vec::new()
        } else {
            frame.behind(&[Prep::With])
        };
        let named: Vec<&Np> = frame
            .subject
            .iter()
            .chain(&with)
            .filter_map(Arg::np)
            .filter(|np| np.is_men())
            .collect();
        let given = named.iter().all(|np| {
            let men = men::of_np(np, view, None, clause.world);
            view.pos
                .checkers()
                .into_iter()
                .any(|c| men.men.iter().any(|m| m.square == c))
        });
        let mated = view.pos.is_checkmate() && by != view.pos.turn() && given;
        let san = view.san().unwrap_or_default();
        Truth::of(
            mated,
            || format!("{san} is checkmate."),
            || format!("{san} is not checkmate."),
        )
        .negated(clause.negated)
    })
}

pub fn threatens_mate(clause: &Clause<'_>, view: &View, side: Option<Color>) -> Truth {
    let side = side.unwrap_or(view.mover());
    let pos = to_move(view, side);
    let mating = pos.as_ref().and_then(mate::mate_in_one);
    match (mating, pos) {
        (Some(m), Some(pos)) => Truth::yes(format!("{} would be mate.", shakmaty::san::SanPlus::from_move(pos, m))),
        _ if view.pos.is_checkmate() => Truth::yes("It is checkmate."),
        // A mate in more moves is a threat or none, as one likes.
        _ => match known_mate(clause, None, winner(clause)) {
            Truth::Yes(..) if clause.negated => return Truth::unknown("A longer mate is forced."),
            yes @ Truth::Yes(..) => yes,
            _ if view.pos.is_check() => Truth::unknown("Black or White is in check; what comes then is not said."),
            _ => Truth::no(format!("{} has no mate in one to threaten.", color_name(side))),
        },
    }
    .negated(clause.negated)
}

/// A forced mate, denied or not.
fn forced_mate(clause: &Clause<'_>, moves: Option<u32>) -> Truth {
    let truth = known_mate(clause, moves, winner(clause)).negated(clause.negated);
    elsewhere(clause, truth)
}

/// What the engine has said is of the position before the move and after it: of another move or a line it proves nothing wrong.
pub fn elsewhere(clause: &Clause<'_>, truth: Truth) -> Truth {
    let other = |a: &Arg| matches!(a, Arg::Move(word, _) if !clause.world.is_played(word));
    if clause.frame.subject.iter().any(other) || !clause.frame.context.runs.is_empty() {
        truth.lenient("The engine has not judged that line.")
    } else {
        truth
    }
}

/// The side that a clause says mates.
fn winner(clause: &Clause<'_>) -> Option<Color> {
    let whom = clause
        .frame
        .behind(&[Prep::For])
        .iter()
        .find_map(|a| a.side(clause.world.mover()));
    let moved = clause
        .frame
        .subject
        .iter()
        .all(|a| matches!(a, Arg::Played | Arg::Any(_)));
    whom.or_else(|| clause.actor().filter(|_| !moved))
}

/// A forced mate for a side, or for either, by the engine's lines or the board's facts.
pub fn known_mate(clause: &Clause<'_>, moves: Option<u32>, side: Option<Color>) -> Truth {
    let known: Vec<(Color, u32, crate::commentary::FactId)> = clause
        .world
        .sheet
        .facts()
        .iter()
        .filter_map(|f| match &f.detail {
            Detail::Mate { winner, moves, .. } => Some((*winner, *moves, f.id)),
            Detail::Punishment {
                side, mate: Some(n), ..
            }
            | Detail::Best {
                side, mate: Some(n), ..
            } => Some((*side, *n, f.id)),
            _ => None,
        })
        .collect();
    let fits = |&(winner, n, id): &(Color, u32, crate::commentary::FactId)| {
        // The count may start with the move itself or after it.
        (side.is_none_or(|s| s == winner) && moves.is_none_or(|m| m == n || m + 1 == n)).then_some(id)
    };
    if let Some(id) = known.iter().find_map(fits) {
        return Truth::Yes("The mate is forced.".to_owned(), vec![id]);
    }
    if moves == Some(1) {
        let view = clause.views.first().cloned().unwrap_or_else(|| clause.world.after());
        let one = [Color::White, Color::Black]
            .into_iter()
            .filter(|c| side.is_none_or(|s| s == *c))
            .any(|c| {
                to_move(&view, c).is_some_and(|pos| mate::mate_in_one(&pos).is_some())
                    || to_move(&clause.world.before(), c).is_some_and(|pos| mate::mate_in_one(&pos).is_some())
            });
        if one {
            return Truth::yes("There is a mate in one.");
        }
        return Truth::no("There is no mate in one.");
    }
    if clause.world.sheet.evaluation().is_some() {
        return Truth::no("The engine sees no such mate.");
    }
    Truth::unknown("Without an engine a forced mate can't be checked.")
}

pub fn stalemate(view: &View) -> Truth {
    Truth::of(
        view.pos.is_stalemate(),
        || "The side to move has no legal move and is not in check.".to_owned(),
        || "It is not stalemate.".to_owned(),
    )
}

/// "in 3", "in three" behind "mate".
pub fn mate_in(rest: &[phrase::Part]) -> Option<u32> {
    match rest {
        [a, b, ..] if matches!(a.item, Item::Prep(Prep::In)) => match &b.item {
            Item::Word(word) => lexicon::number(word),
            Item::Np(np) => np.count,
            _ => None,
        },
        _ => None,
    }
}

/// "allows mate": the reply that mates, or a forced one.
pub fn allowed_mate(clause: &Clause<'_>) -> Truth {
    let view = clause.world.after();
    if mate::mate_in_one(&view.pos).is_some() {
        return Truth::yes("The reply mates.");
    }
    let forced = clause.world.sheet.facts().iter().find(|f| {
        matches!(&f.detail, Detail::Mate { winner, .. } if *winner != clause.world.mover())
            || matches!(&f.detail, Detail::Punishment { mate: Some(_), .. })
    });
    match forced {
        Some(fact) => Truth::Yes("The mate is forced.".to_owned(), vec![fact.id]),
        None if clause.world.sheet.evaluation().is_some() => elsewhere(clause, Truth::no("The engine sees no mate.")),
        None => Truth::unknown("Without an engine a forced mate can't be checked."),
    }
}
