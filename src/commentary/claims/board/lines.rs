//! Moves that prose names, each replayed where the words say that it is played: in reply, in place of the move, next, or
//! behind the moves that were named before it.

use std::ops::Range;

use shakmaty::{Color, Position};

use super::{
    clause::{Clause, Draft, Mode},
    scene::{Readings, View, World},
    truth::Truth,
};
use crate::{
    chess::{motifs::threat::passed_turn, names::color_name},
    commentary::claims::{
        ClaimKind,
        cues::patterns::cue::{Atom, Slot},
        grammar::{
            frame::{Arg, Frame},
            lexicon::{Act, Prep, Trait},
            phrase::{Head, Item, MoveWord, Part},
        },
    },
};

/// How a run of moves hangs on the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// It need not.
    Free,
    /// It is played behind it.
    Follows,
    /// It is another choice at the same point.
    Beside,
}

/// Moves in a row as they stand in a sentence.
#[derive(Debug, Clone)]
pub struct NamedRun {
    /// The moves.
    pub words: Vec<MoveWord>,
    /// Bytes of the text.
    pub span: Range<usize>,
    /// How it hangs on the run before.
    pub link: Link,
    /// Whether the words around it say that it can, or (`false`) that it can't be played.
    pub possible: Option<bool>,
    /// The words before it say that it is kept from being played.
    pub prevented: bool,
    /// The side that they say can.
    pub side: Option<Color>,
    /// They only suppose that it is played.
    pub supposed: bool,
    /// They speak of the position on the board, not of what could have been played or comes later.
    pub present: bool,
}

impl NamedRun {
    fn of(word: MoveWord, span: Range<usize>) -> Self {
        Self {
            words: vec![word],
            span,
            link: Link::Free,
            possible: None,
            prevented: false,
            side: None,
            supposed: false,
            present: true,
        }
    }
}

/// Words behind which a move answers the one before it.
const FOLLOWS: &[&str] = &[
    "answered",
    "met",
    "meets",
    "followed",
    "countered",
    "parried",
    "then",
    "when",
    "whereupon",
    "whereafter",
    "after",
    "reply",
    "replies",
    "replied",
    "replying",
    "respond",
    "responds",
    "responded",
    "answers",
    "comes",
    "come",
    "follows",
    "follow",
    "runs",
    "walks",
    "leads",
    "invites",
    "allows",
    "allowing",
    "permits",
    "permitting",
    "inviting",
    "lets",
    "provokes",
    "counters",
];

/// Words before a move that suppose it.
const SUPPOSES: &[&str] = &[
    "if",
    "after",
    "on",
    "upon",
    "against",
    "suppose",
    "supposing",
    "should",
    "once",
    "when",
    "following",
    "case",
    "event",
    "were",
    "assuming",
    "assume",
    "say",
    "let",
    "provided",
    "answer",
    "answers",
    "answering",
    "meet",
    "meets",
    "counter",
    "counters",
    "reply",
    "response",
    "respond",
    "responds",
    "responding",
];

/// Words that keep what stands behind a supposed move from being its answer.
const ELSEWHERE: &[&str] = &[
    "threat",
    "threatens",
    "threatening",
    "threaten",
    "idea",
    "plan",
    "plans",
    "planning",
    "later",
    "eventually",
    "soon",
    "instead",
    "than",
    "better",
    "best",
    "stronger",
    "prefer",
    "prefers",
    "preferred",
    "rather",
    "over",
    "improvement",
    "was",
];

/// Words that say that a move can be played.
const ABLE: &[&str] = &[
    "can",
    "could",
    "may",
    "might",
    "able",
    "possible",
    "legal",
    "available",
    "allowed",
    "permit",
    "permits",
    "option",
    "options",
    "playable",
    "disposal",
    "permitted",
    "legally",
    "exist",
    "exists",
];

/// Words that say that it can't.
const UNABLE: &[&str] = &[
    "impossible",
    "illegal",
    "unavailable",
    "unable",
    "forbid",
    "forbids",
    "forbidden",
    "prohibited",
];

/// How a move is only supposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Supposed {
    /// "After Bf4", "if White plays Bf4".
    Led,
    /// "White can answer Bf4 with Bc7".
    Answered,
}

/// Whether the words before a move and those behind it only suppose that it is played.
fn supposition(before: &[&Atom], behind: &[&Atom]) -> Option<Supposed> {
    let with = behind.iter().any(|a| matches!(a.word.as_str(), "with" | "by"));
    let mut words = before.iter().rev().filter(|a| !a.light).map(|a| match a.slot {
        Some(Slot::Side(_)) => "side",
        _ => a.word.as_str(),
    });
    let words: Vec<&str> = words.by_ref().take(4).collect();
    let answers = |word: &&str| {
        ["answer", "repl", "respon", "react", "counter"]
            .iter()
            .any(|stem| word.starts_with(stem))
    };
    match words.as_slice() {
        [
            "after" | "if" | "on" | "upon" | "once" | "when" | "following" | "against",
            ..,
        ] => Some(Supposed::Led),
        [
            "side" | "plays" | "played" | "play" | "chooses" | "goes" | "tries" | "move",
            rest @ ..,
        ] if rest
            .iter()
            .take(2)
            .any(|word| matches!(*word, "after" | "if" | "once" | "when")) =>
        {
            Some(Supposed::Led)
        }
        ["to", verb, ..] if answers(verb) => Some(Supposed::Answered),
        ["meet" | "meets", ..] if with => Some(Supposed::Answered),
        [verb, ..] if with && answers(verb) => Some(Supposed::Answered),
        _ => None,
    }
}

/// The runs of moves of a sentence.
pub fn runs(parts: &[Part], atoms: &[Atom]) -> Vec<NamedRun> {
    let mut runs: Vec<NamedRun> = Vec::new();
    let mut open = false;
    for (at, part) in parts.iter().enumerate() {
        if let Item::Move(word) = &part.item {
            // "d4 Qc8": a square before a move is one, too.
            let pawn = at.checked_sub(1).map(|i| &parts[i]).and_then(|p| match &p.item {
                Item::Np(np) if np.head == (Head::Square { maybe_move: true }) && np.squares.len() == 1 => {
                    Some((np.squares[0], p))
                }
                _ => None,
            });
            if let Some((square, p)) = pawn.filter(|_| !open) {
                runs.push(NamedRun::of(
                    MoveWord {
                        text: square.to_string(),
                        number: None,
                        side: None,
                        reply: false,
                    },
                    p.span.clone(),
                ));
                open = true;
            }
            match runs.last_mut() {
                Some(run) if open => {
                    run.words.push(word.clone());
                    run.span.end = part.span.end;
                }
                _ => runs.push(NamedRun::of(word.clone(), part.span.clone())),
            }
            open = true;
        } else {
            open = false;
        }
    }
    let spans: Vec<Range<usize>> = runs.iter().map(|run| run.span.clone()).collect();
    let within = |from: usize, to: usize| {
        let inside = move |a: &&Atom| a.span.start >= from && a.span.end <= to;
        atoms.iter().filter(inside).collect::<Vec<&Atom>>()
    };
    let has = |atoms: &[&Atom], words: &[&str]| atoms.iter().any(|a| words.contains(&a.word.as_str()));
    let sides = |atoms: &[&Atom]| {
        let of = |a: &&Atom| match a.slot {
            Some(Slot::Side(color)) => Some(color),
            _ => None,
        };
        atoms.iter().filter_map(of).collect::<Vec<Color>>()
    };
    let mut supposed = false;
    // What the run before is answered by, and the words before it.
    let mut last: Option<(Supposed, Vec<&Atom>)> = None;
    let mut side_before: Option<Color> = None;
    for (at, run) in runs.iter_mut().enumerate() {
        let from = at.checked_sub(1).map_or(0, |i| spans[i].end);
        let to = spans.get(at + 1).map_or(usize::MAX, |next| next.start);
        let (before, behind) = (within(from, run.span.start), within(run.span.end, to));
        // A conjunction cuts what is said of something else off.
        let cut = |a: &&Atom| {
            matches!(
                a.word.as_str(),
                ";" | "whereas" | "while" | "although" | "though" | "because" | "since" | "yet"
            )
        };
        let before: Vec<&Atom> = before
            .iter()
            .rposition(cut)
            .map_or(before.clone(), |i| before[i + 1..].to_vec());
        let behind: Vec<&Atom> = behind
            .iter()
            .position(cut)
            .map_or(behind.clone(), |i| behind[..i].to_vec());
        run.prevented = before.iter().rev().find(|a| !a.light).is_some_and(|a| {
            let stems = ["prevent", "stop", "avoid", "forestall", "thwart", "parr", "rul"];
            stems.iter().any(|stem| a.word.starts_with(stem)) || a.word == "against"
        });
        let now = supposition(&before, &behind);
        // "White can't answer Bf4 with Bc7": what is said before the first is said of the second.
        let before = match last.take() {
            Some((Supposed::Answered, words)) => words.into_iter().chain(before).collect(),
            Some((Supposed::Led, _)) if has(&before, &[","]) && before.len() == 1 => Vec::new(),
            _ => before,
        };
        run.supposed = now.is_some();
        last = now.map(|how| (how, before.clone()));
        let side = sides(&before).last().copied();
        if at > 0 {
            let choice = has(&before, &["or"])
                || !before.is_empty() && before.iter().all(|a| matches!(a.word.as_str(), "," | "and"));
            let by_turns = side.zip(side_before).is_some_and(|(one, two)| one != two);
            run.link = if has(&before, ELSEWHERE)
                || before.is_empty() && has(&behind, ELSEWHERE)
                || has(&behind, &["instead"])
            {
                Link::Free
            } else if has(&before, &["or"]) {
                Link::Beside
            } else if has(&before, FOLLOWS) || supposed && !choice || by_turns {
                Link::Follows
            } else {
                Link::Free
            };
        }
        supposed |= has(&before, SUPPOSES);
        side_before = side.or(side_before);
        let around: Vec<&Atom> = before.iter().chain(&behind).copied().collect();
        let past = ["instead", "was", "been", "previously", "rejected", "declined", "missed"];
        let said = |words: &[&str]| around.iter().any(|a| words.contains(&a.text.as_str()));
        let could =
            |w: &[&Atom]| matches!(w[0].word.as_str(), "could" | "might" | "would" | "may") && w[1].word == "have";
        run.present = !said(&past) && !around.windows(2).any(could);
        let outside = has(&around, &["against"]) && has(&around, &["rules"])
            || has(&around, &["out"]) && has(&around, &["question"]);
        let unable = has(&around, UNABLE) || outside;
        let able = has(&around, ABLE) || unable;
        let owns = before.iter().rev().find(|a| !a.light).is_some_and(|a| a.word == "have") && side.is_some();
        let quiet = !around
            .iter()
            .any(|a| matches!(a.slot, Some(Slot::Men | Slot::Square | Slot::Amount { .. })));
        if before.last().is_some_and(|a| a.word == "no") {
            run.possible = Some(false);
        } else if now.is_none() && (able || owns) && (quiet || !around.iter().any(|a| a.denies)) {
            // A denial is that of the word that follows it soon.
            let able_at = |a: &&Atom| {
                ABLE.contains(&a.word.as_str())
                    || UNABLE.contains(&a.word.as_str())
                    || matches!(a.word.as_str(), "have" | "rules")
            };
            let denials = around.iter().enumerate().filter(|(i, a)| {
                a.denies && around[i + 1..].iter().take(3).any(able_at) || a.denies && *i > 0 && able_at(&around[i - 1])
            });
            run.possible = Some((denials.count() + usize::from(unable)) % 2 == 0);
            run.side = side.or_else(|| {
                let to = behind.windows(2).find(|w| matches!(w[0].word.as_str(), "to" | "for"));
                to.and_then(|w| sides(&w[1..]).first().copied())
            });
        }
    }
    runs
}

/// What a sentence's runs have come to.
#[derive(Debug, Default)]
pub struct Line {
    /// The moves that are played on the board, in the order of the runs.
    played: Vec<Vec<MoveWord>>,
    /// A run spoke of another point of the game, and what follows it does: "if 18...Rhg8 had been played, 19...Rae8".
    elsewhere: bool,
}

/// A run on the board, behind the line that the sentence has so far.
pub fn legality(clause: &Clause<'_>, named: &NamedRun, line: &mut Line, found: &mut Vec<Draft>) {
    let Line {
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
        && line.is_empty()
        && side.is_none_or(|side| side == world.mover())
    {
        line.push(run.clone());
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
    if !readings.views.is_empty() && !threatened {
        *line = with_line;
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
