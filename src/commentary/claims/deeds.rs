//! Claims about what a move is: a capture, a check, mate, stalemate, castling, a promotion.

use shakmaty::{CastlingSide, Chess, Color, Move, Position, Role, Square};

use super::{
    ClaimKind,
    clause::{Clause, Draft, Mode, denies},
    frame::{Arg, Context, Frame},
    lexicon::{Act, Prep, Thing, Trait},
    men::{self, the, the_up},
    phrase::{Det, Head, Item, Modal, Np},
    scene::{Point, View, World},
    truth::{self, Truth},
};
use crate::{
    chess::{
        Man,
        motifs::{mate, threat::passed_turn},
        names::{color_name, role_name},
    },
    commentary::{FactKind, fact::Detail},
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
        Act::Be if clause.frame.words.iter().any(|w| w == "castling") => castling_possible(clause, found),
        Act::Turn => becomes(clause, found),
        Act::Promote => promote(clause, found),
        Act::Be if frame_becomes(clause.frame) => becomes(clause, found),
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
        None => Deeds::Open(Vec::new()),
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
fn judge(clause: &Clause<'_>, view: &View, side: Option<Color>, fits: impl Fn(&Chess, Move) -> Truth) -> Truth {
    match deeds(clause, view, side) {
        Deeds::Done(before, m) => fits(&before, m).negated(clause.negated),
        Deeds::Open(all) => {
            let possible = clause.mode == Mode::Can || clause.mode == Mode::Threat;
            let any = all
                .iter()
                .map(|(pos, m)| (fits(pos, *m), pos, m))
                .find(|(t, ..)| t.holds());
            match any {
                Some((t, pos, m)) if possible => {
                    let _ = (pos, m);
                    t.negated(clause.negated)
                }
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
    let truth = clause.ask_deed(|view| {
        judge(clause, view, side, |before, m| {
            // What takes back takes where the last move took.
            if retakes
                && *before == view.pos
                && view.taken().is_some()
                && view.deed.as_ref().is_some_and(|(_, last)| last.to() != m.to())
            {
                return Truth::no("It does not take back.");
            }
            takes(clause, before, m, &actor, &by, &objects, &on, passive)
        })
    });
    let truth = if passive && clause.mode == Mode::Fact && clause.is_plain() && !clause.is_past() && !frame.verb.perfect
    {
        // "is taken by the rook" may tell of what comes.
        truth
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

fn wrong_of(before: &Chess, m: Move, victim: Man) -> String {
    format!("{} takes {}.", shakmaty::san::San::from_move(before, m), the(victim))
}

/// Does the move take what is said, with what is said, where it is said?
#[allow(clippy::too_many_arguments)] // The parts of one sentence.
fn takes(
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
    if nothing && passive {
        return Truth::yes(wrong_of(before, m, victim));
    }
    if nothing {
        let one = objects.iter().filter_map(Arg::np).any(|np| {
            np.is_men()
                && !men::fits(
                    &Np {
                        det: Det::Definite,
                        ..np.clone()
                    },
                    victim,
                    Some(mover),
                    clause.world.mover(),
                )
        });
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
                np.count.is_none_or(|n| n <= 1) && men::fits(np, victim, Some(mover), clause.world.mover())
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
    if !objects.is_empty() && !objects.iter().all(object_fits) {
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

// ---- Check and mate ----

fn checks(clause: &Clause<'_>, found: &mut Vec<Draft>) {
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

fn resting(clause: &Clause<'_>, truth: Truth, kind: FactKind) -> Truth {
    if clause.frame.context.is_plain() {
        let facts = clause.world.facts(kind, |_| true);
        return truth.resting_on(&facts);
    }
    truth
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Any,
    Double,
    Discovered,
}

/// The move, or the man that is the subject, gives check.
fn gives_check(clause: &Clause<'_>, view: &View, kind: Kind) -> Truth {
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
            return Truth::no(format!("{san} gives check with one man only.")).negated(clause.negated);
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
fn in_check(clause: &Clause<'_>, subject: &[Arg], view: &View) -> Truth {
    let side = clause.color_of(subject);
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

fn mates(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let truth = if frame.verb.passive {
        clause.ask(|view| {
            let side = clause.color_of(&frame.subject);
            let mated = view.pos.is_checkmate() && side.is_none_or(|s| s == view.pos.turn());
            Truth::of(
                mated,
                || "It is checkmate.".to_owned(),
                || "It is not checkmate.".to_owned(),
            )
            .negated(clause.negated)
        })
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
fn mate_truth(clause: &Clause<'_>, moves: Option<u32>) -> Truth {
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
        let with = frame.behind(&[Prep::With]);
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

fn threatens_mate(clause: &Clause<'_>, view: &View, side: Option<Color>) -> Truth {
    let side = side.unwrap_or(view.mover());
    let pos = to_move(view, side);
    let mating = pos.as_ref().and_then(mate::mate_in_one);
    match (mating, pos) {
        (Some(m), Some(pos)) => Truth::yes(format!("{} would be mate.", shakmaty::san::SanPlus::from_move(pos, m))),
        _ if view.pos.is_checkmate() => Truth::yes("It is checkmate."),
        _ => match known_mate(clause, None) {
            yes @ Truth::Yes(..) => yes,
            _ if view.pos.is_check() => Truth::unknown("Black or White is in check; what comes then isn't told."),
            _ => Truth::no(format!("{} has no mate in one to threaten.", color_name(side))),
        },
    }
    .negated(clause.negated)
}

/// A forced mate, denied or not.
fn forced_mate(clause: &Clause<'_>, moves: Option<u32>) -> Truth {
    known_mate(clause, moves).negated(clause.negated)
}

/// A forced mate, by the engine's lines or the board's facts.
fn known_mate(clause: &Clause<'_>, moves: Option<u32>) -> Truth {
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
    let side = whom.or_else(|| clause.actor().filter(|_| !moved));
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

fn stalemate(view: &View) -> Truth {
    Truth::of(
        view.pos.is_stalemate(),
        || "The side to move has no legal move and is not in check.".to_owned(),
        || "It is not stalemate.".to_owned(),
    )
}

// ---- Castling ----

fn wing_of(frame: &Frame) -> Option<CastlingSide> {
    for part in frame.post.iter().chain(&frame.pre) {
        match &part.item {
            Item::Np(np) => match np.head {
                Head::Thing(Thing::Kingside) => return Some(CastlingSide::KingSide),
                Head::Thing(Thing::Queenside) => return Some(CastlingSide::QueenSide),
                _ => match np.kingside {
                    Some(true) => return Some(CastlingSide::KingSide),
                    Some(false) => return Some(CastlingSide::QueenSide),
                    None => {}
                },
            },
            Item::Word(word) if matches!(word.as_str(), "short" | "kingside") => return Some(CastlingSide::KingSide),
            Item::Word(word) if matches!(word.as_str(), "long" | "queenside") => return Some(CastlingSide::QueenSide),
            _ => {}
        }
    }
    None
}

fn castle(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let wing = wing_of(frame);
    let side = clause.actor();
    let truth = clause.ask_deed(|view| {
        if frame.verb.perfect
            && !frame.has_word("just")
            && frame.verb.modal.is_none()
            && !frame.subject.iter().any(|a| matches!(a, Arg::Played | Arg::Move(..)))
        {
            let both = frame
                .subject
                .iter()
                .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Side && np.owner.is_none()));
            if both {
                let each = [Color::White, Color::Black].map(|c| has_castled(view, c, wing).negated(clause.negated));
                return truth::all(each);
            }
            return has_castled(view, side.unwrap_or(clause.world.mover()), wing).negated(clause.negated);
        }
        if frame.verb.passive {
            return has_castled(view, side.unwrap_or(clause.world.mover()), wing).negated(clause.negated);
        }
        if clause.mode == Mode::Can {
            return can_castle(clause, view, side.unwrap_or(view.pos.turn()), wing);
        }
        let done = judge(clause, view, side, |pos, m| {
            let _ = pos;
            let castles = m.castling_side().is_some_and(|s| wing.is_none_or(|w| w == s));
            Truth::of(
                castles,
                || "The move castles.".to_owned(),
                || match m.castling_side() {
                    Some(_) => "The move castles to the other side.".to_owned(),
                    None => "The move does not castle.".to_owned(),
                },
            )
        });
        // "White castled early": the past is not on the board.
        if done.fails() && clause.is_past() && !clause.negated {
            return has_castled(view, side.unwrap_or(clause.world.mover()), wing);
        }
        done
    });
    let state = frame.verb.perfect && frame.verb.modal.is_none();
    let kind = if state {
        ClaimKind::KingSafety
    } else {
        ClaimKind::Castling
    };
    found.push(clause.draft(kind, resting(clause, truth, FactKind::Castling)));
}

/// Where the king stands tells whether it may have castled.
fn has_castled(view: &View, side: Color, wing: Option<CastlingSide>) -> Truth {
    if let Some((before, m)) = &view.deed
        && before.turn() == side
        && let Some(done) = m.castling_side()
    {
        return Truth::of(
            wing.is_none_or(|w| w == done),
            || format!("{} castles with this move.", color_name(side)),
            || format!("{} castles to the other side.", color_name(side)),
        );
    }
    let board = view.board();
    let Some(king) = board.king_of(side) else {
        return Truth::unknown("");
    };
    let name = color_name(side);
    if view.pos.castles().has_color(side) {
        return Truth::no(format!("{name} still has the right to castle."));
    }
    if king.rank() == side.backrank() {
        let file = king.file();
        let short = file >= shakmaty::File::G;
        let long = file <= shakmaty::File::C;
        if short || long {
            let which = if short {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            return Truth::of(
                wing.is_none_or(|w| w == which),
                || format!("{name}'s king stands on {king}, as after castling."),
                || format!("{name}'s king stands on {king}, on the other wing."),
            );
        }
        if file == shakmaty::File::E {
            return Truth::no(format!("{name}'s king stands on {king}; it has not castled."));
        }
    }
    Truth::unknown(format!(
        "{name}'s king stands on {king}; whether it castled before is not on the board."
    ))
}

/// "can castle" now, or still has the right to.
fn can_castle(clause: &Clause<'_>, view: &View, side: Color, wing: Option<CastlingSide>) -> Truth {
    let name = color_name(side);
    let legal = to_move(view, side).is_some_and(|pos| {
        pos.legal_moves()
            .iter()
            .any(|m| m.castling_side().is_some_and(|s| wing.is_none_or(|w| w == s)))
    });
    let right = [CastlingSide::KingSide, CastlingSide::QueenSide]
        .into_iter()
        .any(|s| wing.is_none_or(|w| w == s) && view.pos.castles().has(side, s));
    let yes = || format!("{name} has the right to castle.");
    let no = || format!("{name} can't castle.");
    if clause.negated {
        let more = clause
            .frame
            .words
            .windows(2)
            .any(|w| w[0] == "any" && matches!(w[1].as_str(), "more" | "longer"));
        let may = if clause.frame.verb.no_longer || more {
            right
        } else {
            legal
        };
        return Truth::of(!may, no, || format!("{name} can castle."));
    }
    let has = |words: &[&str]| words.iter().any(|w| clause.frame.has_word(w));
    if legal || right && has(&["still", "later", "eventually", "yet"]) {
        Truth::yes(yes())
    } else if right && !has(&["now", "immediately", "next", "once"]) {
        Truth::unknown(format!("{name} has the right to castle, but can't at once."))
    } else {
        Truth::no(no())
    }
}

// ---- Promotion ----

fn promote(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let roles: Vec<Role> = frame
        .behind(&[Prep::To, Prep::Into, Prep::As])
        .iter()
        .filter_map(Arg::np)
        .filter_map(|np| match np.head {
            Head::Role(role) if role != Role::Pawn => Some(role),
            _ => None,
        })
        .collect();
    let squares: Vec<Square> = frame
        .behind(&[Prep::On, Prep::At, Prep::To])
        .iter()
        .filter_map(Arg::np)
        .filter(|np| matches!(np.head, Head::Square { .. }))
        .flat_map(|np| np.squares.clone())
        .collect();
    let side = named_side(clause, &frame.subject).or_else(|| named_side(clause, &frame.objects()));
    let truth = clause.ask_deed(|view| judge(clause, view, side, |pos, m| promotes(pos, m, &roles, &squares)));
    // That a pawn will promote one day is a plan.
    let later = ["later", "soon", "eventually", "one", "someday", "ever"]
        .iter()
        .any(|w| frame.has_word(w));
    let truth = if clause.mode == Mode::Can && later {
        truth.lenient("It may promote later.")
    } else {
        truth
    };
    found.push(clause.draft(ClaimKind::Promotion, resting(clause, truth, FactKind::Promotion)));
}

/// The colour that the words name; the pawn that promoted is on the board no more.
fn named_side(clause: &Clause<'_>, args: &[Arg]) -> Option<Color> {
    args.iter().find_map(|a| match a {
        Arg::Np(np, _) => np.owner.and_then(|o| super::frame::side_of(o, clause.world.mover())),
        Arg::Played => Some(clause.world.mover()),
        _ => None,
    })
}

/// "the pawn becomes a queen".
fn frame_becomes(frame: &Frame) -> bool {
    frame.verb.word.starts_with("becom") || frame.verb.word == "became"
}

/// "Castling is no longer possible for Black".
fn castling_possible(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let Some(legal) = frame.traits().iter().find_map(|(t, _)| match t {
        Trait::Legal => Some(true),
        Trait::Illegal => Some(false),
        _ => None,
    }) else {
        return;
    };
    let side = frame
        .behind(&[Prep::For, Prep::To])
        .iter()
        .find_map(|a| a.side(clause.world.mover()));
    let wing = wing_of(frame);
    let truth = clause.ask(|view| {
        let side = side.unwrap_or(view.pos.turn());
        let can = can_castle(clause, view, side, wing);
        if clause.negated || legal {
            can
        } else {
            can.negated(true)
        }
    });
    found.push(clause.draft(ClaimKind::Castling, truth));
}

/// "gets a new queen", "makes a queen".
fn new_queen(frame: &Frame) -> bool {
    let role = |a: &Arg| matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Role(Role::Queen | Role::Rook | Role::Bishop | Role::Knight)) && np.squares.is_empty() && np.det == Det::Indefinite);
    let made = frame.verb.act == Act::Make && (frame.verb.word.starts_with("mak") || frame.verb.word == "made");
    frame.objects().iter().any(role) && (made || frame.has_word("new"))
}

fn becomes(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let pawn = frame
        .subject
        .iter()
        .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::Pawn)));
    let into = frame.behind(&[Prep::Into]);
    let turns = frame.verb.act == Act::Turn;
    let pawn = pawn
        || turns
            && frame
                .objects()
                .iter()
                .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::Pawn)));
    let roles: Vec<Role> = if turns { into } else { frame.objects() }
        .iter()
        .filter_map(Arg::np)
        .flat_map(|np| match np.head {
            Head::Role(role) if role != Role::Pawn => vec![role],
            Head::Piece if turns => vec![Role::Queen, Role::Rook, Role::Bishop, Role::Knight],
            _ => Vec::new(),
        })
        .collect();
    if !(pawn || new_queen(frame)) || roles.is_empty() {
        return;
    }
    let side = named_side(clause, &frame.subject);
    let truth = clause.ask_deed(|view| judge(clause, view, side, |pos, m| promotes(pos, m, &roles, &[])));
    found.push(clause.draft(ClaimKind::Promotion, resting(clause, truth, FactKind::Promotion)));
}

fn promotes(pos: &Chess, m: Move, roles: &[Role], squares: &[Square]) -> Truth {
    let san = shakmaty::san::San::from_move(pos, m).to_string();
    match m.promotion() {
        None => Truth::no(format!("{san} is no promotion.")),
        Some(into) => {
            let fits = (roles.is_empty() || roles.contains(&into)) && (squares.is_empty() || squares.contains(&m.to()));
            Truth::of(
                fits,
                || format!("{san} promotes to a {}.", role_name(into)),
                || format!("{san} promotes to a {}.", role_name(into)),
            )
        }
    }
}

// ---- Nouns: "gives check", "is mate", "with a capture", "has no castling rights" ----

fn nouns(clause: &Clause<'_>, found: &mut Vec<Draft>) {
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
                if np.of_role == Some(Role::Pawn) && false {
                    continue;
                }
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
                    let side = clause.actor();
                    let truth = clause.ask(|view| {
                        let mated = view.pos.is_checkmate() && side.is_none_or(|s| s == view.pos.turn());
                        Truth::of(
                            mated,
                            || "It is checkmate.".to_owned(),
                            || "It is not checkmate.".to_owned(),
                        )
                        .negated(clause.negated)
                    });
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
                    let threat = frame.verb.act == Act::Threaten || clause.mode == Mode::Threat;
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
            Thing::Stalemate => {
                if light || with || frame.verbless {
                    let truth = clause.ask(|view| flip(stalemate(view).negated(clause.negated)));
                    found.push(clause.draft_at(
                        ClaimKind::Stalemate,
                        span,
                        resting(clause, truth, FactKind::Stalemate),
                    ));
                }
            }
            Thing::Capture => {
                if (light || frame.verbless)
                    && !with
                    && !matches!(before, Some(Item::Prep(_)))
                    && !matches!(clause.mode, Mode::Can)
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
            }
            Thing::CastlingRight => castling_right(clause, inverse, span, found),
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
            Thing::Promotion if (light || with) && clause.mode == Mode::Fact => {
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
            Thing::Move if np.has(Trait::Legal) || legal_word(np, frame) => {
                // "has no legal moves".
                if denies(np) && matches!(frame.verb.act, Act::Have | Act::Leave) {
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
            }
            _ => {}
        }
    }
    for (t, span) in frame.traits() {
        let span = frame.span.start..span.end;
        match t {
            Trait::Checkmated => {
                let truth = clause.ask(|view| {
                    let side = clause.actor();
                    let mated = view.pos.is_checkmate() && side.is_none_or(|s| s == view.pos.turn());
                    Truth::of(
                        mated,
                        || "It is checkmate.".to_owned(),
                        || "It is not checkmate.".to_owned(),
                    )
                    .negated(clause.negated)
                });
                found.push(clause.draft_at(ClaimKind::Mate, span, truth));
            }
            Trait::Stalemated => {
                let truth = clause.ask(|view| stalemate(view).negated(clause.negated));
                found.push(clause.draft_at(ClaimKind::Stalemate, span, truth));
            }
            _ => {}
        }
    }
    let _ = the_up;
}

fn legal_word(np: &Np, frame: &Frame) -> bool {
    np.det == Det::No && matches!(frame.verb.act, Act::Have | Act::Leave) && np.head == Head::Thing(Thing::Move)
}

/// "in 3", "in three" behind "mate".
fn mate_in(rest: &[super::phrase::Part]) -> Option<u32> {
    match rest {
        [a, b, ..] if matches!(a.item, Item::Prep(Prep::In)) => match &b.item {
            Item::Word(word) => super::lexicon::number(word),
            Item::Np(np) => np.count,
            _ => None,
        },
        _ => None,
    }
}

/// "allows mate": the reply that mates, or a forced one.
fn allowed_mate(clause: &Clause<'_>) -> Truth {
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
        None if clause.world.sheet.evaluation().is_some() => Truth::no("The engine sees no mate."),
        None => Truth::unknown("Without an engine a forced mate can't be checked."),
    }
}

fn castling_right(clause: &Clause<'_>, inverse: bool, span: std::ops::Range<usize>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let side = clause.side();
    let (before, after) = (
        clause.world.before(),
        clause.views.first().cloned().unwrap_or_else(|| clause.world.after()),
    );
    let has = |view: &View| view.pos.castles().has_color(side);
    let name = color_name(side);
    let truth = match frame.verb.act {
        Act::Lose => Truth::of(
            has(&before)
                && CastlingSide::ALL
                    .into_iter()
                    .any(|s| before.pos.castles().has(side, s) && !after.pos.castles().has(side, s)),
            || format!("{name} loses a right to castle."),
            || format!("{name} loses no right to castle."),
        ),
        Act::Have | Act::Continue => Truth::of(
            has(&after),
            || format!("{name} may castle."),
            || format!("{name} may not castle any more."),
        ),
        _ => return,
    };
    // "has lost the right": it need not be this move that cost it.
    let truth = if frame.verb.act == Act::Lose && frame.verb.perfect {
        Truth::of(
            !has(&after),
            || format!("{name} may not castle any more."),
            || format!("{name} may still castle."),
        )
    } else {
        truth
    };
    found.push(clause.draft_at(
        ClaimKind::Castling,
        span,
        truth.negated(inverse).negated(clause.negated),
    ));
}

/// The positions after the deeds that a context supposes: "if Black takes the knight".
pub fn after_deeds(world: &World<'_>, context: &Context) -> Vec<View> {
    let mut views = vec![world.after()];
    for frame in &context.deeds {
        let plain = Frame {
            context: Context::default(),
            opener: None,
            ..frame.clone()
        };
        let clause = Clause::new(world, &plain);
        let mut next = Vec::new();
        for view in &views {
            let side = clause.actor().unwrap_or(view.pos.turn());
            let Some(pos) = to_move(view, side) else { continue };
            for m in pos.legal_moves() {
                if next.len() >= 40 {
                    break;
                }
                if fits_deed(&clause, &pos, m) {
                    next.push(View::after(&pos, m));
                }
            }
        }
        if next.is_empty() {
            return Vec::new();
        }
        views = next;
    }
    views
}

fn fits_deed(clause: &Clause<'_>, pos: &Chess, m: Move) -> bool {
    let frame = clause.frame;
    match frame.verb.act {
        Act::Capture | Act::Recapture => {
            let on: Vec<Square> = frame
                .behind(&[Prep::On])
                .iter()
                .filter_map(Arg::np)
                .flat_map(|np| np.squares.clone())
                .collect();
            if frame.verb.passive {
                takes(
                    clause,
                    pos,
                    m,
                    &[],
                    &frame.behind(&[Prep::By]),
                    &frame.subject,
                    &on,
                    false,
                )
                .holds()
            } else {
                let with = frame.behind(&[Prep::With]);
                let with: Vec<Arg> = with
                    .into_iter()
                    .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
                    .collect();
                takes(clause, pos, m, &frame.subject, &with, &frame.objects(), &on, false).holds()
            }
        }
        Act::Castle => m.castling_side().is_some_and(|s| wing_of(frame).is_none_or(|w| w == s)),
        Act::Promote => m.promotion().is_some(),
        Act::Move | Act::Retreat | Act::Develop => {
            let goals: Vec<Square> = frame
                .behind(&[Prep::To, Prep::On])
                .iter()
                .filter_map(Arg::np)
                .flat_map(|np| np.squares.clone())
                .collect();
            let man = m.from().and_then(|f| Man::at(pos.board(), f));
            let named = frame
                .subject
                .iter()
                .chain(&frame.objects())
                .filter_map(Arg::np)
                .filter(|np| np.is_men())
                .all(|np| {
                    man.is_some_and(|man| {
                        men::fits(
                            &Np {
                                squares: Vec::new(),
                                ..np.clone()
                            },
                            man,
                            None,
                            clause.world.mover(),
                        )
                    })
                });
            named && (goals.is_empty() || goals.contains(&m.to()))
        }
        _ => false,
    }
}

/// "can", "could" and the like on a plain possibility.
#[must_use]
pub fn is_possibility(frame: &Frame) -> bool {
    matches!(frame.verb.modal, Some(Modal::Can | Modal::Could))
}

/// The first of several truths that holds, for readers of this module.
#[must_use]
pub fn either(a: Truth, b: Truth) -> Truth {
    truth::any([a, b])
}
