//! Where a clause begins: its subject, the moves that lead to it, and what it takes from the clause before.

use std::ops::Range;

use shakmaty::{Rank, Role, Square};

use super::{
    frame::{Arg, Frame, flat},
    lexicon::{Act, Form, Opener, Prep, Thing},
    phrase::{self, Head, Item, MoveWord, Np, Part, Verb},
};

/// What a clause begins with.
#[derive(Default)]
pub struct Start {
    pub opener: Option<Opener>,
    pub runs: Vec<Vec<MoveWord>>,
    pub subject: Vec<Arg>,
    pub rest: Vec<Part>,
    pub negated: bool,
    pub there: bool,
    pub vague: bool,
    /// Where the subject stands, or has got to: "from c7 she attacks".
    pub from: Option<Square>,
}

/// No pawn stands there: "on e8 the pawn becomes a queen".
fn on_last_rank(place: &Np) -> bool {
    place
        .squares
        .iter()
        .any(|s| matches!(s.rank(), Rank::First | Rank::Eighth))
}

/// Moves in a row before a verb.
struct Run {
    words: Vec<MoveWord>,
    span: Range<usize>,
    /// "after", "if" or a preposition stands before it.
    led: bool,
    /// A noun phrase that may be the subject stands behind it.
    before_noun: bool,
}

/// Reads what stands before a verb.
pub fn start(tail: Vec<Part>, verb: &Verb) -> Start {
    let mut start = Start::default();
    let mut groups: Vec<Vec<Arg>> = Vec::new();
    let mut runs: Vec<Run> = Vec::new();
    let mut behind_prep = false;
    let mut in_prep = false;
    let mut run_open = false;
    let mut joined = false;
    let mut breaks = tail.iter().filter(|p| p.item == Item::Break).count();
    let paired = breaks > 1;
    let mut aside = matches!(tail.first().map(|p| &p.item), Some(Item::Prep(Prep::As)));
    for part in tail {
        let mut keep_run = false;
        match &part.item {
            Item::Open(opener) => {
                if start.opener.is_none() || !matches!(opener, Opener::Then | Opener::But) {
                    start.opener = Some(*opener);
                }
                if !groups.is_empty() && matches!(opener, Opener::Then | Opener::Because | Opener::While | Opener::But)
                {
                    groups.clear();
                    // What is denied is what stands before "but".
                    start.negated = false;
                }
                behind_prep = !matches!(opener, Opener::Then | Opener::But | Opener::Because | Opener::While);
                in_prep = false;
                joined = false;
            }
            Item::Prep(prep) => {
                behind_prep = true;
                in_prep = true;
                joined = false;
                if *prep == Prep::Without && verb.form == Form::Ing && !verb.finite {
                    start.negated = true;
                }
                start.rest.push(part.clone());
            }
            Item::Move(word) => {
                keep_run = true;
                match runs.last_mut() {
                    Some(run) if run_open => {
                        run.words.push(word.clone());
                        run.span.end = part.span.end;
                    }
                    _ => runs.push(Run {
                        words: vec![word.clone()],
                        span: part.span.clone(),
                        led: behind_prep,
                        before_noun: false,
                    }),
                }
                in_prep = false;
            }
            Item::Np(_) if in_prep => {
                start.rest.push(part.clone());
                in_prep = false;
                behind_prep = false;
                joined = false;
            }
            Item::Np(np) => {
                let mut np = np.clone();
                // "On c8 the queen …": where it stands.
                if let [
                    ..,
                    Part {
                        item: Item::Prep(Prep::On | Prep::From),
                        ..
                    },
                    Part {
                        item: Item::Np(place), ..
                    },
                ] = start.rest.as_slice()
                    && matches!(place.head, Head::Square { .. })
                    && (np.is_men() || np.head == Head::It)
                    && np.squares.is_empty()
                    && !(np.head == Head::Role(Role::Pawn) && on_last_rank(place))
                {
                    np.squares.clone_from(&place.squares);
                    np.placed = true;
                    start.from = place.squares.first().copied();
                    // "On c3 it was guarding e4".
                    if np.head == Head::It {
                        np.head = Head::Piece;
                        np.det = phrase::Det::Definite;
                    }
                }
                if let Some(run) = runs.last_mut() {
                    run.before_noun = true;
                }
                let arg = Arg::Np(np, part.span.clone());
                match groups.last_mut() {
                    Some(group) if joined => group.push(arg),
                    _ => groups.push(vec![arg]),
                }
                joined = false;
                behind_prep = false;
            }
            Item::And | Item::Or => {
                joined = true;
                keep_run = false;
            }
            Item::Comma => {
                joined = false;
                behind_prep = false;
                in_prep = false;
                // "As any coach will tell you, …".
                if std::mem::take(&mut aside) {
                    groups.clear();
                    start.rest.clear();
                }
            }
            Item::Not => start.negated = true,
            // "Not really bad: Qa8+ hits the king".
            Item::Break => {
                start.negated = false;
                // "Nothing much changes: Black has …"; what stands between two dashes parts nothing.
                breaks -= 1;
                if breaks == 0 && !paired {
                    groups.clear();
                }
                start.rest.push(part.clone());
            }
            Item::There => start.there = true,
            _ => start.rest.push(part.clone()),
        }
        run_open = keep_run;
    }
    take_runs(&mut start, runs, &mut groups);
    let supposes =
        matches!(start.opener, Some(Opener::After | Opener::Unless)) && start.runs.is_empty() && !groups.is_empty();
    if supposes && groups.len() > 1 {
        // "After the exchange on e5, Black …".
        let first = groups.remove(0);
        let this_move = first
            .iter()
            .any(|a| matches!(a, Arg::Np(np, _) if matches!(np.head, Head::ThisMove | Head::It)));
        if !this_move {
            start.vague = true;
        }
    }
    start.subject = match groups.len() {
        0 => Vec::new(),
        1 => groups.remove(0),
        _ => {
            let plain: Vec<Arg> = groups
                .into_iter()
                .filter_map(|mut g| (g.len() == 1).then(|| g.remove(0)))
                .collect();
            vec![Arg::Any(plain)]
        }
    };
    start
}

/// Moves before the verb: those behind "after", "if", "with" lead there, and so do those that a noun phrase follows;
/// the last ones without any act themselves.
fn take_runs(start: &mut Start, runs: Vec<Run>, groups: &mut Vec<Vec<Arg>>) {
    let things = |a: &Arg| {
        matches!(a, Arg::Np(np, _) if matches!(
            np.head,
            Head::Thing(Thing::Move | Thing::Reply | Thing::Capture | Thing::Check | Thing::Choice) | Head::ThisMove | Head::Unknown
        ))
    };
    let only_things = groups.iter().flatten().all(things);
    let count = runs.len();
    for (number, mut run) in runs.into_iter().enumerate() {
        if number + 1 < count || (!groups.is_empty() && !only_things && (run.led || run.before_noun)) {
            start.runs.push(run.words);
            continue;
        }
        // The run itself acts: its last move is the subject.
        if let Some(word) = run.words.pop() {
            let subject = Arg::Move(word, run.span);
            if groups.is_empty() || only_things {
                groups.clear();
                groups.push(vec![subject]);
            } else {
                // "The knight, Nf3, attacks": one or the other.
                let mut all: Vec<Arg> = groups.drain(..).flatten().collect();
                all.push(subject);
                groups.push(vec![Arg::Any(all)]);
            }
        }
        if !run.words.is_empty() {
            start.runs.push(run.words);
        }
    }
}

const SEPARATORS: fn(&Item) -> bool = |item| {
    matches!(
        item,
        Item::Comma | Item::Break | Item::Open(_) | Item::And | Item::Or | Item::Rel
    )
};

/// The last noun phrase or move.
fn nearest(parts: &[Part]) -> Option<Arg> {
    parts.iter().rev().find_map(|part| match &part.item {
        Item::Np(np) => Some(Arg::Np(np.clone(), part.span.clone())),
        Item::Move(word) => Some(Arg::Move(word.clone(), part.span.clone())),
        _ => None,
    })
}

/// "…, as neither rook nor bishop guards it": both begin the clause, with their denial; "neither" itself is `Not`.
fn neither(post: &[Part], or: usize) -> Option<usize> {
    let not = or.checked_sub(2)?;
    let both = matches!(post[or].item, Item::Or) && matches!(post[or - 1].item, Item::Np(_));
    let denied = both && matches!(post[not].item, Item::Not);
    let opens = |i: usize| SEPARATORS(&post[i].item);
    denied.then(|| not.checked_sub(1).filter(|&i| opens(i)).unwrap_or(not))
}

/// Takes from the end of a clause what begins the next: its parts, and the subject where a relative pronoun gives it.
pub fn tail(frame: &mut Frame, verb: &Verb, next: Option<&Item>) -> (Vec<Part>, Option<Arg>) {
    let post = &mut frame.post;
    let antecedent = |post: &[Part], frame_subject: &[Arg], at: usize| -> Option<Arg> {
        let comma = matches!(post.get(at.wrapping_sub(1)).map(|p| &p.item), Some(Item::Comma));
        let mut all = Vec::new();
        for part in post[..at].iter().rev() {
            match &part.item {
                Item::Np(np) => {
                    all.push(Arg::Np(np.clone(), part.span.clone()));
                    break;
                }
                Item::Move(word) => {
                    all.push(Arg::Move(word.clone(), part.span.clone()));
                    break;
                }
                _ => {}
            }
        }
        if comma || all.is_empty() {
            all.extend(frame_subject.iter().cloned());
            if frame_subject.is_empty() {
                all.push(Arg::Played);
            }
        }
        (!all.is_empty()).then(|| flat(all))
    };
    if let Some(Part { item: Item::Rel, .. }) = post.last() {
        let at = post.len() - 1;
        let state = verb.passive || matches!(verb.act, Act::Be | Act::Stand);
        let found = match nearest(&post[..at]) {
            // A move does what is said of it; a state is that of the man or square named last.
            Some(Arg::Move(word, span)) => Some(Arg::Move(word, span)),
            Some(Arg::Np(np, span))
                if matches!(np.head, Head::Square { maybe_move: true })
                    || state && (np.is_men() || matches!(np.head, Head::Square { .. })) =>
            {
                Some(Arg::Np(np, span))
            }
            _ => antecedent(post, &frame.subject, at),
        };
        post.pop();
        return (Vec::new(), found);
    }
    let bare = matches!(verb.form, Form::Past | Form::Participle) && !verb.passive && !verb.perfect;
    let reduced = bare && matches!(next, Some(Item::Prep(_)) | None);
    if verb.finite && !verb.infinitive && !reduced {
        let sep = post.iter().rposition(|p| SEPARATORS(&p.item));
        let holds = |parts: &[Part]| {
            parts
                .iter()
                .any(|p| matches!(p.item, Item::Np(_) | Item::Move(_) | Item::There))
        };
        // "Castling kingside is possible", "Taking back loses": all of the first clause is the subject.
        if sep.is_none()
            && !frame.verb.finite
            && frame.verb.form == Form::Ing
            && frame.subject.is_empty()
            && frame.governor.is_none()
        {
            // "Playing Nf3 is a mistake": the move is.
            let named = post.iter().rev().find_map(|p| match &p.item {
                Item::Move(word) => Some(Arg::Move(word.clone(), p.span.clone())),
                _ => None,
            });
            let played = matches!(frame.verb.act, Act::Play | Act::Reply | Act::Continue);
            frame.governor = Some(Act::Consider);
            let unknown = Arg::Np(Np::of(Head::Unknown), 0..0);
            return (Vec::new(), Some(named.filter(|_| played).unwrap_or(unknown)));
        }
        return match sep {
            Some(at) if holds(&post[at + 1..]) => {
                let mut from = neither(post, at).unwrap_or(at);
                // "…, and the bishop and the rook attack": both; "where the king or rook takes it".
                let plural =
                    verb.form == Form::Base || verb.word == "are" || verb.word == "were" || verb.word == "have";
                if (matches!(post[at].item, Item::And) && plural || matches!(post[at].item, Item::Or))
                    && at >= 2
                    && matches!(post[at - 1].item, Item::Np(_))
                    && SEPARATORS(&post[at - 2].item)
                {
                    from = at - 2;
                }
                // An opener before the separator belongs to the next clause: "because after Nf3 …, Black …".
                let mut first = from;
                for i in (0..from).rev() {
                    match &post[i].item {
                        Item::Open(Opener::If | Opener::After | Opener::When | Opener::Before | Opener::Unless) => {
                            first = i;
                            break;
                        }
                        Item::Move(_) | Item::Comma | Item::Prep(_) => {}
                        _ => break,
                    }
                }
                let tail = post.split_off(first);
                (tail, None)
            }
            Some(at) => {
                let closes = at + 1 == post.len() && matches!(post[at].item, Item::Comma);
                let apart = (1..at)
                    .rev()
                    .find(|&i| closes && matches!((&post[i - 1].item, &post[i].item), (Item::Comma, Item::And)));
                // "…, and two more pieces, the knight and the bishop, are": what is named twice begins the clause.
                let tail = post.split_off(apart.filter(|&i| holds(&post[i + 1..at])).unwrap_or(at));
                (tail, None)
            }
            None => match post.last().map(|p| &p.item) {
                // "Taking back with the pawn attacks": all of that is the subject.
                Some(Item::Np(_))
                    if post.len() > 1 && matches!(post[post.len() - 2].item, Item::Prep(_)) && !frame.verb.finite =>
                {
                    frame.governor = Some(Act::Consider);
                    (Vec::new(), Some(Arg::Np(Np::of(Head::Unknown), 0..0)))
                }
                Some(Item::Np(_) | Item::Move(_)) => {
                    let tail = post.split_off(post.len() - 1);
                    (tail, None)
                }
                _ => (Vec::new(), None),
            },
        };
    }
    if verb.infinitive {
        // "allows Black to win", "for White to attack".
        let gives = matches!(
            frame.verb.act,
            Act::Allow | Act::Force | Act::Prevent | Act::Plan | Act::Leave
        );
        let for_np = post.len() >= 2 && matches!(post[post.len() - 2].item, Item::Prep(Prep::For));
        let turn = matches!(verb.word.as_str(), "move" | "play")
            && frame.verb.act == Act::Be
            && matches!(post.last().map(|p| &p.item), Some(Item::Np(np)) if np.head == Head::Side);
        if (gives || for_np || turn)
            && let Some(Part {
                item: Item::Np(np),
                span,
            }) = post.last()
        {
            return (Vec::new(), Some(Arg::Np(np.clone(), span.clone())));
        }
        return (Vec::new(), None);
    }
    // Gerunds and participles.
    match post.last().map(|p| p.item.clone()) {
        // "is one of the men defending it": the subject is.
        Some(Item::Np(np))
            if np.head == Head::Piece
                && np.squares.is_empty()
                && frame.verb.act == Act::Be
                && !frame.existential
                && !frame.subject.is_empty() =>
        {
            (Vec::new(), None)
        }
        Some(Item::Np(np))
            if np.is_men()
                || np.head == Head::It
                || matches!(
                    np.head,
                    Head::Square { .. } | Head::Side | Head::Thing(Thing::Nothing | Thing::Someone)
                ) =>
        {
            let span = post[post.len() - 1].span.clone();
            // "has nothing attacking it": nothing does.
            let nothing = matches!(np.head, Head::Thing(_)) || np.det == phrase::Det::No || frame.existential;
            let mut all = vec![Arg::Np(np, span)];
            if verb.form == Form::Ing && !nothing {
                all.extend(frame.subject.iter().cloned());
                if frame.subject.is_empty() {
                    all.push(Arg::Played);
                }
            }
            (Vec::new(), Some(flat(all)))
        }
        Some(Item::Prep(Prep::Without) | Item::Not) => {
            let at = post.len() - 1;
            (post.split_off(at), None)
        }
        _ => (Vec::new(), None),
    }
}

/// "Black's position, already lost, becomes": a participle between commas, and what it is said of.
pub fn participle_aside(frame: &mut Frame, verb: &Verb, next: Option<&Item>) -> Option<Arg> {
    let bare = matches!(verb.form, Form::Past | Form::Participle) && !verb.passive && !verb.perfect;
    let found = match frame.post.as_slice() {
        [
            ..,
            np,
            Part { item: Item::Comma, .. },
            Part {
                item: Item::Word(word), ..
            },
        ] if matches!(word.as_str(), "already" | "now" | "once" | "still" | "long") => np,
        [.., np, Part { item: Item::Comma, .. }] => np,
        _ => return None,
    };
    let Item::Np(np) = &found.item else { return None };
    let of = Arg::Np(np.clone(), found.span.clone());
    (bare && verb.modal.is_none() && matches!(next, Some(Item::Comma))).then_some(of)
}

/// "the bishop, which the rook": what the verb behind it is done to.
pub fn relative_object(parts: &[Part]) -> Option<Part> {
    let [before @ .., rel, subject] = parts else {
        return None;
    };
    let named = matches!(&subject.item, Item::Np(np) if np.is_men() || np.head == Head::Side);
    if !named || rel.item != Item::Rel {
        return None;
    }
    let before = match before {
        [before @ .., comma] if comma.item == Item::Comma => before,
        all => all,
    };
    let last = before.last()?;
    let meant = matches!(&last.item, Item::Np(np) if np.is_men() || matches!(np.head, Head::Square { .. }));
    meant.then(|| last.clone())
}

/// A bare participle behind its noun, "the knight pinned to the king", and not a past tense, "White captured the knight".
pub fn is_reduced(verb: &Verb, next: Option<&Item>, start: &Start, relative: Option<&Arg>) -> bool {
    let bare =
        matches!(verb.form, Form::Past | Form::Participle) && !verb.passive && !verb.perfect && verb.modal.is_none();
    if !bare {
        return false;
    }
    if verb.form == Form::Participle {
        return true;
    }
    let intransitive = matches!(
        verb.act,
        Act::Castle
            | Act::Retreat
            | Act::Move
            | Act::Promote
            | Act::Stand
            | Act::Reply
            | Act::Win
            | Act::Check
            | Act::Have
            | Act::Play
            | Act::Lose
            | Act::Lead
            | Act::Recapture
    );
    let object = matches!(next, Some(Item::Np(_) | Item::Move(_)));
    let by_phrase = matches!(next, Some(Item::Prep(Prep::By | Prep::To | Prep::Against)));
    let side = start
        .subject
        .iter()
        .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Side));
    !object
        && (!intransitive || matches!(next, Some(Item::Prep(Prep::By))))
        && (by_phrase || !side)
        && (relative.is_some() || !start.subject.is_empty() || by_phrase)
}
