//! Claims about moves: which is played, which can be, where men go, who is to move, who is developed.

use shakmaty::{Chess, Color, Move, Position, Square};

use super::{
    development::{development, game_phase, undeveloped},
    placement::there,
};
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, deeds, denies, lines,
        men::{self, the_up},
    },
    draft::Draft,
    grammar::{
        Act, Arg, Frame, Head, Item, Part, Prep, Thing, Trait,
        clause_words::{only_it, squares_behind},
        lexicon, phrase,
    },
    truth::Truth,
};
use crate::{
    chess::{Man, names::color_name},
    commentary::FactKind,
};

/// The claims of a clause about moves.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    match frame.verb.act {
        Act::Move | Act::Retreat => movement(clause, found),
        Act::Develop => development(clause, found),
        Act::Play | Act::Reply
            if frame
                .objects()
                .iter()
                .any(|a| matches!(a, Arg::Np(np, _) if np.is_men())) =>
        {
            movement(clause, found)
        }
        _ => {}
    }
    played_names(clause, found);
    legal_squares(clause, found);
    turn(clause, found);
    undeveloped(clause, found);
    game_phase(clause, found);
}

/// "The knight moves to e5", "brings the rook to e1", "retreats the bishop".
fn movement(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let objects = frame.objects();
    let men_objects: Vec<&Arg> = objects
        .iter()
        .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
        .collect();
    let goals: Vec<Square> = squares_behind(frame, &[Prep::To, Prep::On, Prep::Into, Prep::At, Prep::Back])
        .into_iter()
        .chain(
            objects
                .iter()
                .filter_map(Arg::np)
                .filter(|np| matches!(np.head, Head::Square { .. }))
                .flat_map(|np| np.squares.clone()),
        )
        .collect();
    let from: Vec<Square> = squares_behind(frame, &[Prep::From]);
    let men: Vec<Arg> = if !men_objects.is_empty() {
        men_objects.into_iter().cloned().collect()
    } else if frame.verb.passive || frame.subject.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
        frame.subject.clone()
    } else {
        Vec::new()
    };
    let retreat = frame.verb.act == Act::Retreat;
    let placed = |np: &phrase::Np| np.det == phrase::Det::Indefinite && !np.squares.is_empty();
    let settled = frame.verb.perfect && frame.verb.modal.is_none() && men.iter().filter_map(Arg::np).any(placed);
    let plain = ["mov", "advanc", "push"].iter().any(|w| frame.verb.word.starts_with(w))
        && matches!(clause.mode, Mode::Fact)
        && frame.verb.particle.is_none()
        && objects.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men()));
    if goals.is_empty() && from.is_empty() && !retreat && !plain && !settled {
        return;
    }
    if men.is_empty() && goals.is_empty() && !retreat {
        return;
    }
    let narrated = frame.verb.perfect || frame.verb.passive || frame.verb.past;
    let narrated = narrated && frame.verb.modal.is_none() && clause.mode == Mode::Fact;
    if narrated && from.is_empty() && !retreat && arrived(clause, &men, &goals, found) {
        return;
    }
    // "moves the king to safety": no square is named.
    let side = clause.actor().or_else(|| clause.color_of(&men));
    let truth = clause.ask_deed(|view| {
        let fits = |pos: &Chess, m: Move| goes(clause, pos, m, &men, &goals, &from, retreat);
        match deeds::deeds(clause, view, side) {
            deeds::Deeds::Done(before, m) => fits(&before, m).negated(clause.negated),
            deeds::Deeds::Open(all) => {
                let any = all.iter().map(|(pos, m)| fits(pos, *m)).find(Truth::holds);
                let possible = matches!(clause.mode, Mode::Can | Mode::Threat);
                match any {
                    Some(t) if possible => t.negated(clause.negated),
                    Some(_) => Truth::unknown("It can be played, but it is no part of the move."),
                    None if possible && !clause.negated => Truth::no("No legal move does that."),
                    None => Truth::no("No legal move does that.").negated(clause.negated),
                }
            }
            deeds::Deeds::None => Truth::unknown("No move of that side is spoken of."),
        }
    });
    let ids = if frame.context.is_plain() {
        clause.world.facts(FactKind::Move, |_| true)
    } else {
        Vec::new()
    };
    let kind = if matches!(clause.mode, Mode::Can) {
        ClaimKind::Legality
    } else {
        ClaimKind::Movement
    };
    // "can come to d5": not at once.
    let at_once = ["mov", "go", "play", "jump", "hop", "step", "captur"]
        .iter()
        .any(|w| frame.verb.word.starts_with(w))
        || ["immediately", "once", "next", "now", "straightaway"]
            .iter()
            .any(|w| frame.has_word(w))
        || frame.has_word("right") && frame.has_word("away")
        || frame.has_word("one") && frame.has_word("move");
    let later = ["later", "soon", "eventually", "via", "then", "someday"]
        .iter()
        .any(|w| frame.has_word(w));
    let truth = if clause.mode == Mode::Can && (!at_once || later) && !clause.negated {
        truth.lenient("It may get there later.")
    } else {
        truth
    };
    found.push(clause.draft(kind, truth.resting_on(&ids)));
}

/// "The knight has reached c4", "has not put a rook on c8": what has come to a square stands there, whichever move took it there.
fn arrived(clause: &Clause<'_>, men: &[Arg], goals: &[Square], found: &mut Vec<Draft>) -> bool {
    let [Arg::Np(np, _)] = men else { return false };
    // "has put a knight on e5": the phrase has its square.
    let squares = if np.squares.is_empty() { goals } else { &np.squares };
    let plain = clause.views.iter().any(|view| view.deed.is_none())
        || clause.frame.post.iter().all(|p| !matches!(p.item, Item::Move(_)));
    if !np.is_men() || squares.is_empty() || np.plural || !plain || clause.frame.has_word("just") {
        return false;
    }
    if !np.squares.is_empty() && np.det != phrase::Det::Indefinite {
        return false;
    }
    let np = phrase::Np {
        squares: squares.to_vec(),
        owner: np.owner.or(clause.actor().map(phrase::Owner::Side)),
        ..np.clone()
    };
    let none = denies(&np) && !clause.negated;
    let truth = clause.ask_deed(|view| there(&np, view, clause).negated(none).negated(clause.negated));
    // "was put on e5", "put a knight on e5": what is not there may tell of a move still.
    if !clause.frame.verb.perfect && truth.fails() != clause.negated {
        return false;
    }
    found.push(clause.draft(ClaimKind::Movement, truth));
    true
}

/// Does the move take one of the men to one of the squares?
pub fn goes(
    clause: &Clause<'_>,
    pos: &Chess,
    m: Move,
    men: &[Arg],
    goals: &[Square],
    from: &[Square],
    retreat: bool,
) -> Truth {
    let Some(man) = m.from().and_then(|f| Man::at(pos.board(), f)) else {
        return Truth::no("");
    };
    let to = crate::chess::destination(m);
    let moved = Man { square: to, ..man };
    let why = format!("{} goes to {to}.", the_up(man));
    let mut pairs = vec![(man, moved)];
    if let Move::Castle { rook, .. } = m
        && let Some(r) = Man::at(pos.board(), rook)
    {
        let file = if rook > man.square {
            shakmaty::File::F
        } else {
            shakmaty::File::D
        };
        pairs.push((
            r,
            Man {
                square: Square::from_coords(file, rook.rank()),
                ..r
            },
        ));
    }
    let mover = clause.world.mover();
    let hit = pairs.iter().any(|(was, is)| {
        let named = men.iter().all(|arg| match arg {
            Arg::Np(np, _) if np.is_men() => {
                men::fits(np, *was, Some(pos.turn()), mover) || men::fits(np, *is, Some(pos.turn()), mover)
            }
            Arg::Any(all) => all.iter().any(|a| match a {
                Arg::Np(np, _) if np.is_men() => {
                    men::fits(np, *was, Some(pos.turn()), mover) || men::fits(np, *is, Some(pos.turn()), mover)
                }
                _ => true,
            }),
            _ => true,
        });
        let goal = goals.is_empty() || goals.contains(&is.square);
        let origin = from.is_empty() || from.contains(&was.square);
        let back = !retreat || !goals.is_empty() || {
            let rank = |s: Square| was.color.relative_rank(s.rank());
            rank(is.square) <= rank(was.square)
        };
        named && goal && origin && back
    });
    Truth::of(hit, || why.clone(), || why.clone())
}

/// "White plays Nf3": it must be the move, unless a line leads there.
fn played_names(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let world = clause.world;
    if frame.verb.act != Act::Play
        || clause.mode != Mode::Fact
        || clause.negated
        || !frame.context.is_plain()
        || frame.opener.is_some()
        || frame.verb.infinitive
        || frame.governor.is_some()
        || frame.verb.form == lexicon::Form::Ing
        || clause.side() != world.mover()
        || frame.verb.passive
    {
        return;
    }
    let later = ["next", "later", "soon", "eventually", "followed"];
    if later.iter().any(|w| frame.has_word(w)) || frame.post.iter().any(|p| matches!(p.item, Item::Open(_))) {
        return;
    }
    let objects = frame.objects();
    let [Arg::Move(word, span)] = objects.as_slice() else {
        return;
    };
    if world.is_played(word) {
        let ids = world.facts(FactKind::Move, |_| true);
        found.push(clause.draft_at(
            ClaimKind::Legality,
            span.clone(),
            Truth::Yes(format!("{} is the move.", word.text), ids),
        ));
    } else if matches!(
        frame.verb.word.as_str(),
        "plays" | "played" | "play" | "chooses" | "chose" | "selects" | "selected"
    ) && word.side.is_none_or(|s| s == world.mover())
    {
        let truth = Truth::no(format!("The move played is {}.", world.played().san()));
        found.push(clause.draft_at(ClaimKind::Legality, span.clone(), truth));
    }
}

/// "g6 is not possible": a square that is a move. What is written as a move the sentence's runs speak of.
fn legal_squares(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    if frame.verb.act != Act::Be {
        return;
    }
    for subject in &frame.subject {
        let Arg::Move(word, span) = subject else { continue };
        if word.number.is_some() || word.text.len() > 2 {
            continue;
        }
        let said = frame.post.iter().find_map(|part| {
            let traits: Vec<Trait> = match &part.item {
                Item::Trait(t) => vec![*t],
                Item::Np(np) if matches!(np.head, Head::Thing(Thing::Move | Thing::Reply)) => np.traits.clone(),
                _ => return None,
            };
            let legal = traits.into_iter().find_map(|t| match t {
                Trait::Legal => Some(true),
                Trait::Illegal => Some(false),
                _ => None,
            })?;
            Some((legal, part.span.end))
        });
        // "is available to the knight": a square after all.
        let to = frame.behind(&[Prep::To, Prep::For]);
        let men = to.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men()));
        let Some((legal, end)) = said.filter(|_| !men) else {
            continue;
        };
        let side = to.iter().find_map(|a| a.side(clause.world.mover()));
        let readings = if frame.context.runs.is_empty() {
            lines::now(clause.world, std::slice::from_ref(word), side)
        } else {
            let runs = frame.context.runs.iter().cloned().chain([vec![word.clone()]]);
            clause.world.follow_strictly(&runs.collect::<Vec<_>>())
        };
        let ok = readings.views.iter().any(|v| side.is_none_or(|s| v.mover() == s));
        let why = readings
            .error
            .unwrap_or_else(|| format!("{} can be played.", word.text));
        let truth = Truth::of(ok == legal, || why.clone(), || why.clone()).negated(clause.negated);
        found.push(clause.draft_at(ClaimKind::Legality, span.start..end, truth));
    }
}

/// "Black to move", "It is Black's turn", "It is White's move".
fn turn(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mover = clause.world.mover();
    let said: Option<Color> = if frame.verb.infinitive
        && matches!(frame.verb.word.as_str(), "move" | "play")
        && frame.objects().is_empty()
        && frame
            .post
            .iter()
            .all(|p| !matches!(p.item, Item::Prep(_) | Item::Np(_) | Item::Move(_)))
        && !matches!(
            frame.governor,
            Some(
                Act::Plan
                    | Act::Force
                    | Act::Allow
                    | Act::Prevent
                    | Act::Have
                    | Act::Lack
                    | Act::Make
                    | Act::Continue
                    | Act::Fail
            )
        ) {
        frame.subject.iter().find_map(|a| a.side(mover)).or_else(|| {
            // "It is Black to move".
            match frame.pre.last().map(|p| &p.item) {
                Some(Item::Np(np)) => Arg::Np(np.clone(), 0..0).side(mover),
                _ => None,
            }
        })
    } else if frame.verb.act == Act::Be || frame.verb.act == Act::Have {
        frame.post.iter().find_map(|p| match &p.item {
            Item::Np(np)
                if np.head == Head::Thing(Thing::Turn)
                    || (np.head == Head::Thing(Thing::Move)
                        && matches!(np.owner, Some(phrase::Owner::Side(_)))
                        && np.traits.is_empty()
                        && only_it(frame)
                        && !followed_by_move(frame, p)) =>
            {
                let colors = men::colors(np.owner, None, mover);
                match (np.owner.is_some(), colors.as_slice()) {
                    (true, [one]) => Some(*one),
                    _ => None,
                }
            }
            // "The move is White's".
            Item::Np(np)
                if np.head == Head::Unknown
                    && matches!(frame.subject.as_slice(), [Arg::Played])
                    && frame.verb.act == Act::Be =>
            {
                match np.owner {
                    Some(phrase::Owner::Side(color)) => Some(color),
                    _ => None,
                }
            }
            // "has the move", "is on the move".
            Item::Np(np)
                if np.head == Head::ThisMove
                    && clause.actor().is_some()
                    && (frame.verb.act == Act::Have
                        || frame
                            .words
                            .windows(3)
                            .any(|w| w[0] == "on" && w[1] == "the" && w[2] == "move")) =>
            {
                clause.actor()
            }
            _ => None,
        })
    } else if frame.verb.act == Act::Move && frame.verb.word == "moves" && frame.has_word("next") {
        clause.actor()
    } else {
        None
    };
    let Some(side) = said else { return };
    let truth = clause.ask(|view| {
        let turn = view.pos.turn();
        let why = format!("It is {}'s turn.", color_name(turn));
        Truth::of(turn == side, || why.clone(), || why.clone()).negated(clause.negated)
    });
    let span = frame.span.start
        ..frame
            .post
            .last()
            .map_or(frame.span.end, |p| p.span.end)
            .max(frame.span.end);
    found.push(Draft {
        kind: ClaimKind::Turn,
        span,
        truth,
    });
}

fn followed_by_move(frame: &Frame, part: &Part) -> bool {
    frame
        .post
        .iter()
        .skip_while(|p| *p != part)
        .skip(1)
        .any(|p| matches!(p.item, Item::Move(_)))
}
