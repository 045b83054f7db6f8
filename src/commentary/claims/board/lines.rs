//! Moves that prose names, each replayed where the words say that it is played: in reply, in place of the move, next, or
//! behind the moves that were named before it.

use std::ops::Range;

use shakmaty::{Color, Position};

use super::{
    clause::{Clause, Mode},
    scene::{Readings, View, World},
};
use crate::chess::{motifs::threat::passed_turn, names::color_name};
use crate::commentary::claims::{
    ClaimKind,
    draft::Draft,
    grammar::{
        Act, Arg, Frame, Head, Item, MoveWord, Prep, Trait,
        runs::{Link, NamedRun},
    },
    truth::Truth,
};

/// What a sentence's runs have come to.
#[derive(Debug, Default)]
pub struct PlayedLine {
    /// The moves that are played on the board, in the order of the runs.
    played: Vec<Vec<MoveWord>>,
    /// A run spoke of another point of the game, and what follows it does: "if 18...Rhg8 had been played, 19...Rae8".
    elsewhere: bool,
}

/// A run on the board, behind the line that the sentence has so far.
pub fn legality(clause: &Clause<'_>, named: &NamedRun, line: &mut PlayedLine, found: &mut Vec<Draft>) {
    let PlayedLine {
        played: line,
        elsewhere,
    } = line;
    let world = clause.world;
    let NamedRun {
        words: run, span, link, ..
    } = named;
    let side = subject_side(clause, run).or(named.side);
    if let [one] = run.as_slice()
        && world.is_played(one)
        && (line.is_empty() || *link == Link::Free && now(world, run, None).views.is_empty())
        && side.is_none_or(|side| side == world.mover())
    {
        // "Rxd8+ was mate, whereas Bxd8 allows Rxd6": what follows goes on from the move itself.
        *line = vec![run.clone()];
        return;
    }
    if *link == Link::Beside {
        line.pop();
    }
    let mut with_line = line.clone();
    with_line.push(run.clone());
    // A move with the line's next number, or one that answers, must follow it.
    let chained = !line.is_empty() && (*link == Link::Follows || follows_number(line, run));
    let only_played = matches!(line.as_slice(), [one] if matches!(one.as_slice(), [word] if world.is_played(word)));
    let readings = if chained {
        world.follow_strictly(&with_line)
    } else if named.possible == Some(false) && !named.present && line.is_empty() {
        // "wasn't a legal option": in place of the move.
        world.follow_from(&[world.before()], run)
    } else if let (Some(_), true, true) = (named.possible, named.present, line.is_empty() || only_played) {
        now(world, run, side)
    } else {
        world.follow(&with_line)
    };
    // "After Nf3 White threatens Bb5": the same side moves again.
    let again = || {
        let behind = world.follow_strictly(line).views;
        let starts: Vec<View> = behind
            .iter()
            .filter_map(|v| passed_turn(&v.pos))
            .map(View::alone)
            .collect();
        !world.follow_from(&starts, run).views.is_empty()
            && starts.iter().any(|v| side.is_none_or(|s| s == v.pos.turn()))
    };
    let text: Vec<&str> = run.iter().map(|w| w.text.as_str()).collect();
    let text = text.join(" ");
    let truth = match readings.views.first() {
        Some(_) => Truth::yes(format!("{text} can be played.")),
        None => match readings.error {
            Some(_) if chained && again() => Truth::unknown("It may be played a move later."),
            Some(error) if !error.is_empty() => Truth::no(error),
            _ => Truth::unknown("Too many moves are named to follow them all."),
        },
    };
    let truth = match (side, truth) {
        // "Black can reply Nf6": a move of Black's.
        (Some(side), Truth::Yes(..)) if run.len() == 1 && !chained => {
            let fits = world
                .follow(std::slice::from_ref(run))
                .views
                .iter()
                .any(|v| v.mover() == side)
                || readings.views.iter().any(|v| v.mover() == side);
            let name = color_name(side);
            Truth::of(
                fits,
                || format!("{text} can be played."),
                || format!("{text} is no legal move of {name}'s."),
            )
        }
        (_, truth) => truth,
    };
    let denied = clause.negated && clause.mode == Mode::Can && !named.supposed && mentions(clause.frame, span)
        || named.possible == Some(false);
    let truth = truth.negated(denied);
    let past = clause.frame.verb.perfect && clause.frame.verb.past || earlier(clause, run);
    // A plan may need moves in between.
    let planned = run.len() == 1
        && !chained
        && named.possible.is_none()
        && (clause.mode == Mode::Wish || clause.vague || plan_words(clause.frame));
    *elsewhere |= past;
    let truth = if *elsewhere || planned {
        truth.lenient("It speaks of another point of the game.")
    } else if (named.prevented || excluded(clause)) && !denied {
        truth.lenient("The words deny it or don't say it can be played.")
    } else {
        truth
    };
    // What is only threatened has not been played when the next move comes.
    let threatened = clause.mode == Mode::Threat || clause.frame.verb.act == Act::Threaten;
    let former = line.clone();
    if !readings.views.is_empty() && !threatened {
        // A move beside the line begins another.
        let goes_on = chained || line.is_empty() || !world.follow_strictly(&with_line).views.is_empty();
        *line = if goes_on { with_line } else { vec![run.clone()] };
    }
    let asserted = !*elsewhere && !planned && !threatened && !named.threatened;
    // It may be a move of a line whose beginning is not given, or one that is threatened there.
    let along = || {
        let mut starts = world.engine_starts();
        let behind = world.follow(&former).views;
        starts.extend(behind.iter().filter_map(|v| passed_turn(&v.pos)).map(View::alone));
        world.follow_from(&starts, run).views
    };
    if let Some(draft) = marks(run, span, &readings.views).filter(|_| asserted) {
        let along = along();
        if along.is_empty() || marks(run, span, &along).is_some() {
            found.push(draft);
        }
    }
    let castles = run.len() == 1 && run[0].text.starts_with(['O', '0', 'o']);
    found.push(Draft {
        kind: if castles {
            ClaimKind::Castling
        } else {
            ClaimKind::Legality
        },
        span: span.clone(),
        truth,
    });
}

/// Of a position along another move than the one played, the engine's line of that move; `Some(None)` where it gave none.
pub fn in_place<'a>(world: &World<'a>, view: &View) -> Option<Option<&'a crate::commentary::Line>> {
    let played = world.played();
    let (_, m) = view
        .trail
        .first()
        .filter(|(pos, m)| *pos == played.before && *m != played.mv)?;
    let uci = m.to_uci(played.mode);
    let mut lines = world.sheet.evaluation().into_iter().flat_map(|e| &e.before);
    Some(lines.find(|line| line.moves.first() == Some(&uci)))
}

/// "Qxf8#": the mark claims mate. One reading that has it is enough.
fn marks(run: &[MoveWord], span: &Range<usize>, views: &[View]) -> Option<Draft> {
    let mated = |word: &MoveWord| word.text.trim_end_matches(['!', '?']).ends_with('#');
    if views.is_empty() || !run.iter().any(mated) {
        return None;
    }
    // The word of a reading that does not mate.
    let wrong = |view: &View| {
        let behind = view.trail.len().checked_sub(run.len())?;
        let mut made = run.iter().zip(&view.trail[behind..]).filter(|(word, _)| mated(word));
        made.find_map(|(word, (before, m))| {
            let pos = before.clone().play(*m).ok()?;
            (!pos.is_checkmate()).then(|| word.text.clone())
        })
    };
    let text = views.iter().map(wrong).min_by_key(Option::is_some)??;
    Some(Draft {
        kind: ClaimKind::Mate,
        span: span.clone(),
        truth: Truth::no(format!("{text} is not checkmate.")),
    })
}

/// What can be played on the board as it is: the reply, or the mover's next move where the mover is said to play it.
pub fn now(world: &World<'_>, run: &[MoveWord], side: Option<Color>) -> Readings {
    let reply = world.follow_from(&[world.after()], run);
    if !reply.views.is_empty() || side != Some(world.mover()) {
        return reply;
    }
    let next = world.follow_from(&world.next_turn(), run);
    if next.views.is_empty() { reply } else { next }
}

/// The clause speaks of the run, not only beside it.
fn mentions(frame: &Frame, run: &Range<usize>) -> bool {
    let of = |span: &Range<usize>| span.start < run.end && run.start < span.end;
    frame.post.iter().any(|p| of(&p.span))
        || frame
            .subject
            .iter()
            .any(|a| matches!(a, Arg::Move(_, span) | Arg::Np(_, span) if of(span)))
}

/// The run's number is the next of the line's.
fn follows_number(line: &[Vec<MoveWord>], run: &[MoveWord]) -> bool {
    let last = line
        .last()
        .and_then(|run| run.last())
        .and_then(|word| word.number.zip(word.side));
    let next = run.first().and_then(|word| word.number.zip(word.side));
    match (last, next) {
        (Some((n, Color::White)), Some((m, Color::Black))) => n == m,
        (Some((n, Color::Black)), Some((m, Color::White))) => n + 1 == m,
        _ => false,
    }
}

/// Words that say a move can't be played make its illegality no fault.
fn excluded(clause: &Clause<'_>) -> bool {
    clause.negated
        || matches!(clause.mode, Mode::Kept)
        || clause.frame.traits().iter().any(|(t, _)| *t == Trait::Illegal)
        || matches!(clause.frame.verb.act, Act::Prevent | Act::Block)
            && !clause
                .frame
                .behind(&[Prep::With, Prep::By])
                .iter()
                .any(|a| matches!(a, Arg::Move(..)))
        || clause
            .frame
            .post
            .iter()
            .any(|p| matches!(&p.item, Item::Trait(Trait::Illegal)))
}

fn plan_words(frame: &Frame) -> bool {
    let words = [
        "idea",
        "ideas",
        "plan",
        "plans",
        "later",
        "eventually",
        "soon",
        "someday",
        "preparing",
        "dreams",
        "planning",
    ];
    words.iter().any(|w| frame.has_word(w)) || matches!(frame.verb.act, Act::Plan)
}

/// The number before a move says that it belongs to another point of the game.
fn earlier(clause: &Clause<'_>, run: &[MoveWord]) -> bool {
    let now = clause.world.played().before.fullmoves().get();
    run.first()
        .and_then(|w| w.number)
        .is_some_and(|n| now > 1 && (n < now || n > now + 12))
}

fn subject_side(clause: &Clause<'_>, run: &[MoveWord]) -> Option<Color> {
    let frame = clause.frame;
    if !matches!(frame.verb.act, Act::Play | Act::Reply | Act::Have) || frame.verb.passive {
        return None;
    }
    let named = frame
        .objects()
        .iter()
        .any(|a| matches!(a, Arg::Move(word, _) if Some(word) == run.first()))
        || frame
            .behind(&[Prep::With, Prep::By])
            .iter()
            .any(|a| matches!(a, Arg::Move(word, _) if Some(word) == run.first()));
    if !named {
        return None;
    }
    // "White answers Qxf4 with Kh3": the first move is the other side's.
    let answered = |a: &Arg| matches!(a, Arg::Move(word, _) if Some(word) == run.first());
    let with = frame.behind(&[Prep::With, Prep::By]);
    if frame.verb.act == Act::Reply
        && frame.objects().iter().any(answered)
        && with.iter().any(|a| matches!(a, Arg::Move(..)))
    {
        return None;
    }
    let named = |a: &&Arg| matches!(a, Arg::Np(np, _) if np.head == Head::Side);
    frame
        .subject
        .iter()
        .filter(named)
        .find_map(|a| a.side(clause.world.mover()))
}
