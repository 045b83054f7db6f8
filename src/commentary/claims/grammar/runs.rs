//! The moves that a sentence names, run by run, and what the words around each say of it: that it can be played, that it is
//! only supposed, how it hangs on the run before.

use std::ops::Range;

use shakmaty::Color;

use super::{
    Head, Item, MoveWord, Part,
    atom::{Atom, Slot},
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
    /// The words before it only threaten it.
    pub threatened: bool,
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
            threatened: false,
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
    // "12.b4 can't be answered by Ba3".
    let met = ["answered", "met", "countered", "refuted", "parried"];
    let met = met.iter().any(|word| behind.iter().take(6).any(|a| a.word == *word)) && with;
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
        _ if met => Some(Supposed::Led),
        ["to", verb, ..] if answers(verb) => Some(Supposed::Answered),
        ["meet" | "meets", ..] if with => Some(Supposed::Answered),
        [verb, ..] if with && answers(verb) => Some(Supposed::Answered),
        _ => None,
    }
}

/// "Against c4", "after e5": a square that is a pawn's move.
fn led_square(part: &Part, atoms: &[Atom]) -> bool {
    let Item::Np(np) = &part.item else { return false };
    let leads = ["after", "against", "if", "following"];
    let at = atoms.iter().position(|a| a.span == part.span);
    let before = at.and_then(|at| atoms[..at].iter().rev().find(|a| !a.light));
    np.head == (Head::Square { maybe_move: true })
        && np.squares.len() == 1
        && before.is_some_and(|a| leads.contains(&a.word.as_str()))
}

/// "Rc7 is legal after Bxe5": what is named last comes first.
fn put_in_order(runs: &mut [NamedRun], atoms: &[Atom]) {
    let [first, second] = runs else { return };
    let between = atoms
        .iter()
        .filter(|a| a.span.start >= first.span.end && a.span.end <= second.span.start && !a.light);
    let words: Vec<&str> = between.map(|a| a.word.as_str()).collect();
    let behind = match words.as_slice() {
        [.., "after" | "against"] => true,
        [.., noun, "to"] => matches!(*noun, "answer" | "reply" | "response" | "counter"),
        _ => false,
    };
    if behind && first.possible.is_some() {
        first.link = Link::Follows;
        second.supposed = true;
        second.possible = None;
        second.link = Link::Free;
        runs.swap(0, 1);
    }
}

/// The words around a move: those between its commas, where they deny that it can be played.
fn around<'a>(before: &[&'a Atom], behind: &[&'a Atom]) -> Vec<&'a Atom> {
    let comma = |a: &&Atom| a.word == ",";
    let from = before.iter().rposition(comma).map_or(0, |at| at + 1);
    let to = behind.iter().position(comma).unwrap_or(behind.len());
    let near: Vec<&Atom> = before[from..].iter().chain(&behind[..to]).copied().collect();
    let able = near.iter().any(|a| ABLE.contains(&a.word.as_str()));
    let unable = near.iter().any(|a| UNABLE.contains(&a.word.as_str()));
    if unable || able && near.iter().any(|a| a.denies) {
        return near;
    }
    before.iter().chain(behind).copied().collect()
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
        } else if led_square(part, atoms) {
            let Item::Np(np) = &part.item else { continue };
            runs.push(NamedRun::of(
                MoveWord {
                    text: np.squares[0].to_string(),
                    number: None,
                    side: None,
                    reply: false,
                },
                part.span.clone(),
            ));
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
            .rposition(|a| cut(a) || a.word == "but")
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
        // "when bxa5 no longer exists".
        let gone = has(&behind, &["exist", "exists"]) && behind.iter().any(|a| a.denies);
        let now = now.filter(|_| !gone);
        run.supposed = now.is_some();
        run.threatened = before.iter().any(|a| a.word.starts_with("threat"));
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
        let around = around(&before, &behind);
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
    put_in_order(&mut runs, atoms);
    runs
}
