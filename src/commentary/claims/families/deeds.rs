//! Claims about what a move is: a capture, a check, mate, stalemate, castling, a promotion.

use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::{
    castling::{castle, castling_possible},
    checks::{checks, mates, stalemate, threatens_mate},
    deed_nouns::nouns,
    promotions::{becomes, frame_becomes, new_queen, pawn_is_piece, promote},
    takers,
};
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, Point, View, World, denies,
        men::{self, the},
    },
    draft::Draft,
    grammar::{
        Act, Arg, Context, Det, Form, Frame, Head, Np, Prep, Thing,
        clause_words::{for_free, wing_of},
        phrase,
    },
    truth::Truth,
};
use crate::{
    chess::{Man, motifs::threat::passed_turn},
    commentary::FactKind,
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
        // The other side is in check: what could be taken then is another time's matter.
        None => Deeds::None,
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
pub fn judge(clause: &Clause<'_>, view: &View, side: Option<Color>, fits: impl Fn(&Chess, Move) -> Truth) -> Truth {
    match deeds(clause, view, side) {
        Deeds::Done(before, m) => {
            let truth = fits(&before, m).negated(clause.negated);
            // "After Bf8 he takes": his next move, where the words don't tell who he is.
            let next = truth.fails() && side.is_none() && !clause.frame.context.runs.is_empty();
            if next && !clause.negated && view.pos.legal_moves().iter().any(|&m| fits(&view.pos, m).holds()) {
                return Truth::unknown("It can come next.");
            }
            truth
        }
        Deeds::Open(all) => {
            let possible = clause.mode == Mode::Can || clause.mode == Mode::Threat;
            let any = all.iter().map(|(pos, m)| fits(pos, *m)).find(Truth::holds);
            match any {
                Some(t) if possible => t.negated(clause.negated),
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

fn wrong_of(before: &Chess, m: Move, victim: Man) -> String {
    format!("{} takes {}.", shakmaty::san::San::from_move(before, m), the(victim))
}

/// Does the move take what is said, with what is said, where it is said?
#[allow(clippy::too_many_arguments)] // The parts of one sentence.
pub fn takes(
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
    // Whether the man that "no knight" speaks of is the one that falls.
    let is_victim = |np: &Np| {
        let one = Np {
            det: Det::Definite,
            ..np.clone()
        };
        men::fits(&one, victim, Some(mover), clause.world.mover())
    };
    // "No knight is captured": is one? The clause's denial does the rest.
    if nothing && passive {
        let fits = objects
            .iter()
            .filter_map(Arg::np)
            .any(|np| !np.is_men() || is_victim(np));
        return Truth::of(fits, || wrong_of(before, m, victim), || wrong_of(before, m, victim));
    }
    if nothing {
        let one = objects
            .iter()
            .filter_map(Arg::np)
            .any(|np| np.is_men() && !is_victim(np));
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
                // A pawn is no piece, but a man.
                let man = np.head == Head::Piece
                    && clause.frame.has_word("man")
                    && men::colors(np.owner, Some(mover), clause.world.mover()).contains(&victim.color);
                man || np.count.is_none_or(|n| n <= 1) && men::fits(np, victim, Some(mover), clause.world.mover())
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
    // "takes a piece or a pawn": either.
    let either = clause.frame.post.iter().any(|p| p.item == phrase::Item::Or);
    let fit = if either {
        objects.iter().any(object_fits)
    } else {
        objects.iter().all(object_fits)
    };
    if !objects.is_empty() && !fit {
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
