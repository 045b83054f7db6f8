//! Clauses: who does what to whom, denied or not, at which point of which line.

use std::ops::Range;

use shakmaty::Color;

use super::{
    lexicon::{Act, Form, Opener, Prep, Thing, Trait},
    phrase::{Det, Head, Item, Modal, MoveWord, Np, Owner, Part, Verb},
};

/// One of those that a clause speaks of.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// Men, squares, sides, things.
    Np(Np, Range<usize>),
    /// A move that is named.
    Move(MoveWord, Range<usize>),
    /// The move under discussion.
    Played,
    /// One of these; which, the words don't say.
    Any(Vec<Arg>),
}

impl Arg {
    /// The noun phrase, where it is one.
    #[must_use]
    pub const fn np(&self) -> Option<&Np> {
        match self {
            Self::Np(np, _) => Some(np),
            _ => None,
        }
    }

    /// The side, where the phrase is the name of one.
    #[must_use]
    pub fn side(&self, mover: Color) -> Option<Color> {
        let np = self.np()?;
        match np.head {
            Head::Side => side_of(np.owner?, mover),
            Head::Speaker => Some(mover),
            _ => None,
        }
    }
}

/// The colour that an owner means when nothing else is known.
#[must_use]
pub const fn side_of(owner: Owner, mover: Color) -> Option<Color> {
    match owner {
        Owner::Side(color) => Some(color),
        Owner::Enemy => Some(mover.other()),
        Owner::Speaker => Some(mover),
        Owner::Theirs | Owner::Own => None,
    }
}

/// At which point a clause speaks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Context {
    /// Moves that lead there, run after run.
    pub runs: Vec<Vec<MoveWord>>,
    /// Deeds that lead there without a move's name: "if Black takes the knight".
    pub deeds: Vec<Frame>,
    /// Supposed in words that name no move.
    pub vague: bool,
    /// Before the move.
    pub before: bool,
    /// A move that a clause before was about: this one may speak of the position after it.
    pub loose: Vec<MoveWord>,
}

impl Context {
    /// True where it is the position on the board.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.runs.is_empty() && self.deeds.is_empty() && !self.vague && !self.before
    }
}

/// A clause.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its verb. [`Act::Be`] for a sentence without one.
    pub verb: Verb,
    /// Its subjects, joined by "and"; empty where there is none.
    pub subject: Vec<Arg>,
    /// What follows the verb.
    pub post: Vec<Part>,
    /// What stands before it besides the subject.
    pub pre: Vec<Part>,
    /// Denied.
    pub negated: bool,
    /// The word that opens it.
    pub opener: Option<Opener>,
    /// The verb above an infinitive or a gerund.
    pub governor: Option<Act>,
    /// The modal of the verb above it.
    pub governor_modal: Option<Modal>,
    /// The clause above is denied.
    pub governor_negated: bool,
    /// Where it speaks.
    pub context: Context,
    /// "there is".
    pub existential: bool,
    /// The objects of the verb above an infinitive.
    pub above: Vec<Arg>,
    /// Its words in lower case.
    pub words: Vec<String>,
    /// There is no verb; the subject is the move by default.
    pub verbless: bool,
    /// Bytes of the text.
    pub span: Range<usize>,
}

impl Frame {
    /// The objects: noun phrases and moves right behind the verb, joined by "and"; not those of prepositions.
    #[must_use]
    pub fn objects(&self) -> Vec<Arg> {
        let mut found = Vec::new();
        let mut joined = true;
        for part in &self.post {
            match &part.item {
                Item::Np(np) if joined => {
                    found.push(Arg::Np(np.clone(), part.span.clone()));
                    joined = false;
                }
                Item::Move(word) if joined => {
                    found.push(Arg::Move(word.clone(), part.span.clone()));
                    joined = false;
                }
                Item::And | Item::Or | Item::Comma => joined = true,
                Item::Not | Item::Word(_) | Item::Trait(_) => {}
                _ => break,
            }
        }
        found
    }

    /// The noun phrases behind a preposition, in all of the clause; of several such, all.
    #[must_use]
    pub fn behind(&self, wanted: &[Prep]) -> Vec<Arg> {
        let mut found = behind(&self.post, wanted);
        found.extend(behind(&self.pre, wanted));
        found
    }

    /// The adjectives behind the verb, up to the first noun phrase or preposition.
    #[must_use]
    pub fn traits(&self) -> Vec<(Trait, Range<usize>)> {
        let mut found = Vec::new();
        for part in &self.post {
            match &part.item {
                Item::Trait(t) => found.push((*t, part.span.clone())),
                Item::Np(_) | Item::Prep(_) | Item::Open(_) | Item::Rel | Item::Break => break,
                _ => {}
            }
        }
        found
    }

    /// True where a word of the clause's rest is this one.
    #[must_use]
    pub fn has_word(&self, wanted: &str) -> bool {
        self.words.iter().any(|word| word == wanted)
    }

    /// The things among all of its noun phrases behind the verb, with their places in `post`.
    pub fn things(&self) -> impl Iterator<Item = (usize, Thing, &Np, &Range<usize>)> {
        self.post.iter().enumerate().filter_map(|(at, part)| match &part.item {
            Item::Np(np) => np.thing().map(|thing| (at, thing, np, &part.span)),
            _ => None,
        })
    }

    /// True where the clause is no plain statement of what is.
    #[must_use]
    pub fn is_supposed(&self) -> bool {
        self.verb
            .modal
            .is_some_and(|m| matches!(m, Modal::Could | Modal::Would | Modal::Should))
            || matches!(
                self.governor,
                Some(Act::Plan | Act::Allow | Act::Prevent | Act::Offer | Act::Miss)
            )
            || self
                .governor_modal
                .is_some_and(|m| matches!(m, Modal::Could | Modal::Would | Modal::Should))
    }
}

/// The noun phrases behind one of these prepositions.
#[must_use]
pub fn behind(parts: &[Part], wanted: &[Prep]) -> Vec<Arg> {
    let mut found = Vec::new();
    let mut open = false;
    for (at, part) in parts.iter().enumerate() {
        match &part.item {
            Item::Prep(prep) => open = wanted.contains(prep),
            Item::Np(np) if open => {
                found.push(Arg::Np(np.clone(), part.span.clone()));
                let next = parts.get(at + 1).map(|p| &p.item);
                open = matches!(next, Some(Item::And | Item::Or | Item::Comma));
            }
            Item::Move(word) if open => {
                found.push(Arg::Move(word.clone(), part.span.clone()));
                open = matches!(parts.get(at + 1).map(|p| &p.item), Some(Item::And | Item::Or));
            }
            Item::And | Item::Or | Item::Comma | Item::Word(_) | Item::Trait(_) => {}
            _ => open = false,
        }
    }
    found
}

/// What earlier sentences leave for pronouns.
#[derive(Debug, Clone, Default)]
pub struct Discourse {
    /// The last clause's subject.
    pub subject: Option<Arg>,
    /// The last men mentioned.
    pub men: Option<Arg>,
    /// The last plural men mentioned.
    pub many: Option<Arg>,
    /// Where the last sentence ended up.
    pub context: Context,
}

/// The clauses of a sentence.
#[must_use]
pub fn frames(parts: &[Part], discourse: &mut Discourse) -> Vec<Frame> {
    let mut builder = Builder {
        parts,
        frames: Vec::new(),
        pre: Vec::new(),
        context: if matches!(parts.first().map(|p| &p.item), Some(Item::Open(Opener::Then))) {
            discourse.context.clone()
        } else {
            Context::default()
        },
        discourse,
    };
    for at in 0..parts.len() {
        match &parts[at].item {
            Item::Verb(verb) => builder.verb(verb.clone(), at),
            _ => builder.pre_or_post(parts[at].clone()),
        }
    }
    builder.finish()
}

struct Builder<'a> {
    parts: &'a [Part],
    frames: Vec<Frame>,
    pre: Vec<Part>,
    context: Context,
    discourse: &'a mut Discourse,
}

/// What a clause begins with.
#[derive(Default)]
struct Start {
    opener: Option<Opener>,
    runs: Vec<Vec<MoveWord>>,
    subject: Vec<Arg>,
    rest: Vec<Part>,
    negated: bool,
    there: bool,
    vague: bool,
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

impl Builder<'_> {
    fn pre_or_post(&mut self, part: Part) {
        match self.frames.last_mut() {
            Some(frame) => frame.post.push(part),
            None => self.pre.push(part),
        }
    }

    fn verb(&mut self, mut verb: Verb, at: usize) {
        let span = self.parts[at].span.clone();
        let next = self.parts.get(at + 1).map(|p| &p.item);
        let mut relative = None;
        let mut negated = verb.negated;
        let mut governor = None;
        let mut governor_modal = None;
        let mut governor_negated = false;
        let (tail, fresh) = match self.frames.last_mut() {
            None => (std::mem::take(&mut self.pre), true),
            Some(frame) => {
                let (tail, found) = tail(frame, &verb, next);
                relative = found;
                if !verb.finite || verb.infinitive {
                    governor = Some(frame.verb.act).filter(|_| verb.infinitive || verb.form == Form::Ing);
                    governor_modal = frame.verb.modal;
                    governor_negated = frame.negated;
                    // "wins a pawn, attacking the queen" hangs on nothing.
                    if verb.form == Form::Ing
                        && !matches!(
                            frame.verb.act,
                            Act::Allow
                                | Act::Prevent
                                | Act::Plan
                                | Act::Continue
                                | Act::Finish
                                | Act::Consider
                                | Act::Fail
                                | Act::Threaten
                        )
                    {
                        governor = None;
                    }
                    if verb.form == Form::Ing
                        && matches!(frame.post.last().map(|p| &p.item), Some(Item::Comma | Item::And))
                    {
                        governor = None;
                    }
                    // "the option of moving", "to put it there or to move it": what is wished goes on.
                    let of = matches!(
                        frame.post.last().map(|p| &p.item),
                        Some(Item::Prep(Prep::Of | Prep::For))
                    );
                    let joined = matches!(frame.post.last().map(|p| &p.item), Some(Item::And | Item::Or));
                    if of && verb.form == Form::Ing {
                        governor = Some(Act::Plan);
                    } else if joined && frame.governor == Some(Act::Plan) {
                        governor = Some(Act::Plan);
                    }
                    // "has no way to take": it can't.
                    if verb.infinitive
                        && matches!(frame.verb.act, Act::Have | Act::Be)
                        && let Some(Part { item: Item::Np(np), .. }) = frame.post.last()
                        && matches!(np.head, Head::Unknown | Head::Thing(Thing::Move))
                    {
                        governor = Some(Act::Allow);
                        negated |= np.det == Det::No;
                    }
                    // What a chain of infinitives hangs on: "hopes to be able to attack".
                    if verb.infinitive && frame.verb.act == Act::Continue {
                        governor = frame.governor;
                    }
                }
                (tail, false)
            }
        };
        let mut start = Self::start(tail, &verb);
        // A participle behind its noun: "the knight pinned to the king".
        if is_reduced(&verb, next, &start, relative.as_ref()) {
            verb.passive = true;
            verb.finite = false;
        }
        negated |= start.negated;
        let runs = std::mem::take(&mut start.runs);
        // "If Bc5, the bishop attacks": what is supposed has been said.
        if !runs.is_empty() && matches!(start.opener, Some(Opener::If | Opener::After | Opener::When)) {
            start.opener = None;
        }
        self.context.runs.extend(runs);
        if matches!(start.opener, Some(Opener::Before | Opener::Unless)) || start.vague {
            self.context.vague = true;
        }
        let mut subject = start.subject;
        if let Some(relative) = relative {
            subject = vec![relative];
        }
        let inherits = subject.is_empty();
        let stranger = matches!(start.rest.last().map(|p| &p.item), Some(Item::Word(word)) if !matches!(word.as_str(), "again" | "here" | "too" | "free"));
        if inherits && fresh && stranger && verb.finite && !start.there {
            subject = vec![Arg::Np(Np::of(Head::Unknown), 0..0)];
        } else if inherits {
            subject = self.inherited(&verb, fresh);
        }
        let subject: Vec<Arg> = subject.into_iter().map(|arg| self.resolve(arg)).collect();
        if let Some(Arg::Np(np, _)) = subject.first()
            && (np.det == Det::No || np.head == Head::Thing(Thing::Nothing))
            && !(matches!(verb.act, Act::Stand) && np.head == Head::Thing(Thing::Nothing))
        {
            negated = true;
        }
        // A conjoined verb keeps the auxiliary: "can attack and win", "does not attack or defend".
        if inherits
            && !fresh
            && verb.form == Form::Base
            && !verb.infinitive
            && verb.modal.is_none()
            && let Some(last) = self.frames.last()
        {
            verb.modal = last.verb.modal;
            verb.infinitive |= last.verb.infinitive;
            if governor.is_none() {
                governor = last.governor;
            }
        }
        let opener = start.opener;
        let above = self
            .frames
            .last()
            .filter(|_| governor.is_some())
            .map_or_else(Vec::new, |f| {
                let mut all = f.objects();
                if all.is_empty() || f.verb.act == Act::Be {
                    all.extend(f.subject.iter().cloned());
                }
                all
            });
        let from = start.rest.first().map_or(span.start, |p| p.span.start.min(span.start));
        let from = subject_start(&subject, &span).unwrap_or(from).min(span.start);
        self.close_last();
        self.frames.push(Frame {
            negated,
            subject,
            post: Vec::new(),
            pre: start.rest,
            opener,
            governor,
            governor_modal,
            governor_negated,
            context: self.context.clone(),
            existential: start.there,
            above,
            words: Vec::new(),
            verbless: false,
            span: from..span.end,
            verb,
        });
    }

    /// What a clause without a subject of its own speaks of.
    fn inherited(&self, verb: &Verb, fresh: bool) -> Vec<Arg> {
        if fresh {
            return Vec::new();
        }
        let Some(last) = self.frames.last() else {
            return Vec::new();
        };
        // "plays Nf3, attacking", "allows Qh4, winning": the move does it.
        let moves: Vec<Arg> = last
            .post
            .iter()
            .filter_map(|p| match &p.item {
                Item::Move(word) => Some(Arg::Move(word.clone(), p.span.clone())),
                _ => None,
            })
            .collect();
        let names = matches!(
            last.verb.act,
            Act::Play
                | Act::Reply
                | Act::Allow
                | Act::Be
                | Act::Miss
                | Act::Prefer
                | Act::Move
                | Act::Consider
                | Act::Have
                | Act::Threaten
                | Act::Lack
                | Act::Plan
        );
        if names
            && !verb.finite
            && !verb.infinitive
            && let Some(word) = moves.last()
        {
            // The deed may also be the player's.
            let mut all = vec![word.clone()];
            if !matches!(
                last.verb.act,
                Act::Be | Act::Allow | Act::Miss | Act::Prefer | Act::Have | Act::Lack
            ) {
                all.extend(
                    last.subject
                        .iter()
                        .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
                        .cloned(),
                );
            }
            return if all.len() == 1 { all } else { vec![Arg::Any(all)] };
        }
        last.subject.clone()
    }

    /// Reads what stands before a verb.
    fn start(tail: Vec<Part>, verb: &Verb) -> Start {
        let mut start = Start::default();
        let mut groups: Vec<Vec<Arg>> = Vec::new();
        let mut runs: Vec<Run> = Vec::new();
        let mut behind_prep = false;
        let mut in_prep = false;
        let mut run_open = false;
        let mut joined = false;
        for part in tail {
            let mut keep_run = false;
            match &part.item {
                Item::Open(opener) => {
                    if start.opener.is_none() || !matches!(opener, Opener::Then | Opener::But) {
                        start.opener = Some(*opener);
                    }
                    if !groups.is_empty() && matches!(opener, Opener::Then | Opener::Because) {
                        groups.clear();
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
                Item::Np(np) if in_prep => {
                    start.rest.push(part.clone());
                    in_prep = false;
                    behind_prep = false;
                    joined = false;
                    let _ = np;
                }
                Item::Np(np) => {
                    let mut np = np.clone();
                    // "On c8 the queen …": where it stands.
                    if let [
                        ..,
                        Part {
                            item: Item::Prep(Prep::On),
                            ..
                        },
                        Part {
                            item: Item::Np(place), ..
                        },
                    ] = start.rest.as_slice()
                        && matches!(place.head, Head::Square { .. })
                        && np.is_men()
                        && np.squares.is_empty()
                    {
                        np.squares.clone_from(&place.squares);
                        np.placed = true;
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
                }
                Item::Not => start.negated = true,
                Item::There => start.there = true,
                _ => start.rest.push(part.clone()),
            }
            run_open = keep_run;
        }
        Self::take_runs(&mut start, runs, &mut groups);
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

    /// Pronouns by what went before.
    fn resolve(&self, arg: Arg) -> Arg {
        let Arg::Np(np, span) = &arg else {
            return match arg {
                Arg::Any(all) => Arg::Any(all.into_iter().map(|a| self.resolve(a)).collect()),
                other => other,
            };
        };
        match np.head {
            Head::ThisMove => Arg::Played,
            Head::It => {
                let mut all = self.candidates();
                if all.is_empty() {
                    all.push(Arg::Played);
                }
                flat(all)
            }
            Head::He => {
                let side = self
                    .mentioned()
                    .into_iter()
                    .find(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Side));
                side.unwrap_or_else(|| {
                    Arg::Np(
                        Np {
                            owner: Some(Owner::Theirs),
                            ..Np::of(Head::Side)
                        },
                        span.clone(),
                    )
                })
            }
            Head::They => match self.last_many() {
                Some(many) => many,
                None => Arg::Np(np.clone(), span.clone()),
            },
            _ => arg,
        }
    }

    fn last_many(&self) -> Option<Arg> {
        let here = self
            .frames
            .iter()
            .rev()
            .flat_map(|f| f.subject.iter().cloned().chain(f.objects()));
        here.into_iter()
            .find(|a| matches!(a, Arg::Np(np, _) if np.plural && np.is_men()))
            .or_else(|| self.discourse.many.clone())
    }

    /// What "it" may be: the last clause's subject, the last man or move mentioned.
    fn candidates(&self) -> Vec<Arg> {
        let mut all = self.mentioned();
        // "It" is no side.
        all.retain(|arg| !matches!(arg, Arg::Np(np, _) if matches!(np.head, Head::Side | Head::Speaker)));
        all.truncate(5);
        all
    }

    fn mentioned(&self) -> Vec<Arg> {
        let mut all: Vec<Arg> = Vec::new();
        match self.frames.last() {
            Some(last) => {
                all.extend(last.subject.iter().cloned());
                if last.subject.is_empty() {
                    all.push(Arg::Played);
                }
                for part in last.post.iter().rev() {
                    match &part.item {
                        Item::Np(np) if np.is_men() && !np.plural => all.push(Arg::Np(np.clone(), part.span.clone())),
                        Item::Move(word) => all.push(Arg::Move(word.clone(), part.span.clone())),
                        _ => {}
                    }
                }
            }
            None => {
                for part in self.pre.iter().rev() {
                    if let Item::Np(np) = &part.item
                        && np.is_men()
                        && !np.plural
                    {
                        all.push(Arg::Np(np.clone(), part.span.clone()));
                    }
                }
                all.extend(self.discourse.subject.clone());
                all.extend(self.discourse.men.clone());
                if !all.iter().any(|a| matches!(a, Arg::Played)) {
                    all.push(Arg::Played);
                }
            }
        }
        all
    }

    /// Ends the last clause before the next begins: what it supposes holds for those behind it.
    fn close_last(&mut self) {
        let Some(last) = self.frames.last_mut() else { return };
        if let [Arg::Move(word, _)] = last.subject.as_slice() {
            self.context.loose = vec![word.clone()];
        }
        if let Some(part) = last.post.last() {
            last.span.end = last.span.end.max(part.span.end);
        }
        let trailing = |frame: &Frame| {
            let mut runs: Vec<Vec<MoveWord>> = Vec::new();
            let mut led = false;
            let mut open = false;
            for part in &frame.post {
                match &part.item {
                    Item::Open(Opener::After | Opener::If | Opener::When) => {
                        led = true;
                        open = false;
                    }
                    Item::Move(word) if led => {
                        match runs.last_mut() {
                            Some(run) if open => run.push(word.clone()),
                            _ => runs.push(vec![word.clone()]),
                        }
                        open = true;
                        continue;
                    }
                    Item::Comma | Item::Open(_) => {}
                    _ => {}
                }
                open = false;
            }
            runs
        };
        // "wins a pawn after Nxe5": the line stands behind the clause it belongs to.
        let behind = trailing(last);
        last.context.runs.extend(behind);
        let supposed = matches!(
            last.opener,
            Some(Opener::If | Opener::After | Opener::When | Opener::Unless)
        );
        if !supposed {
            return;
        }
        let moves: Vec<Vec<MoveWord>> = move_runs(&last.post);
        if !moves.is_empty()
            && matches!(
                last.verb.act,
                Act::Play
                    | Act::Reply
                    | Act::Move
                    | Act::Be
                    | Act::Capture
                    | Act::Allow
                    | Act::Continue
                    | Act::Recapture
            )
        {
            self.context.runs.extend(moves);
        } else if matches!(last.opener, Some(Opener::If | Opener::After | Opener::When))
            && matches!(
                last.verb.act,
                Act::Capture
                    | Act::Recapture
                    | Act::Castle
                    | Act::Move
                    | Act::Promote
                    | Act::Trade
                    | Act::Play
                    | Act::Develop
                    | Act::Retreat
            )
        {
            let frame = last.clone();
            self.context.deeds.push(frame);
        } else if matches!(last.opener, Some(Opener::If | Opener::Unless)) {
            self.context.vague = true;
        }
    }

    fn finish(mut self) -> Vec<Frame> {
        if self.frames.is_empty() {
            self.verbless();
        }
        self.close_last();
        if let Some(first) = self.frames.first() {
            self.discourse.subject = first.subject.first().cloned().or(Some(Arg::Played));
        }
        let mut men = None;
        let mut many = None;
        for frame in &self.frames {
            for arg in frame.subject.iter().cloned().chain(frame.objects()) {
                if let Arg::Np(np, _) = &arg
                    && np.is_men()
                {
                    if np.plural {
                        many = Some(arg.clone());
                    } else {
                        men = Some(arg.clone());
                    }
                }
            }
        }
        self.discourse.men = men;
        self.discourse.many = many;
        self.discourse.context = self.context;
        self.frames
    }

    /// A sentence without a verb: "A blunder.", "Check!", "Knight to f6."
    fn verbless(&mut self) {
        let parts = std::mem::take(&mut self.pre);
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return;
        };
        let span = first.span.start..last.span.end;
        let mut subject = Vec::new();
        let mut post = parts;
        // "Nxe5, a blunder": the move is the subject.
        if let Some(Part {
            item: Item::Move(word),
            span,
        }) = post.first()
        {
            subject.push(Arg::Move(word.clone(), span.clone()));
            post.remove(0);
            while matches!(post.first().map(|p| &p.item), Some(Item::Comma | Item::Break)) {
                post.remove(0);
            }
        }
        let negated = matches!(post.first().map(|p| &p.item), Some(Item::Not));
        self.frames.push(Frame {
            verb: Verb {
                act: Act::Be,
                form: Form::Third,
                word: String::new(),
                passive: false,
                progressive: false,
                perfect: false,
                past: false,
                infinitive: false,
                finite: true,
                negated: false,
                no_longer: false,
                modal: None,
                particle: None,
            },
            subject,
            post,
            pre: Vec::new(),
            negated,
            opener: None,
            governor: None,
            governor_modal: None,
            governor_negated: false,
            context: self.context.clone(),
            existential: false,
            above: Vec::new(),
            words: Vec::new(),
            verbless: true,
            span,
        });
    }
}

/// Runs of moves with nothing between them.
#[must_use]
pub fn move_runs(parts: &[Part]) -> Vec<Vec<MoveWord>> {
    let mut runs: Vec<Vec<MoveWord>> = Vec::new();
    let mut open = false;
    for part in parts {
        if let Item::Move(word) = &part.item {
            match runs.last_mut() {
                Some(run) if open => run.push(word.clone()),
                _ => runs.push(vec![word.clone()]),
            }
            open = true;
        } else {
            open = false;
        }
    }
    runs
}

fn flat(mut all: Vec<Arg>) -> Arg {
    let mut once: Vec<Arg> = Vec::new();
    for arg in all.drain(..) {
        let inner = match arg {
            Arg::Any(inner) => inner,
            other => vec![other],
        };
        for arg in inner {
            if !once.contains(&arg) {
                once.push(arg);
            }
        }
    }
    if once.len() == 1
        && let Some(one) = once.pop()
    {
        return one;
    }
    Arg::Any(once)
}

fn subject_start(subject: &[Arg], verb: &Range<usize>) -> Option<usize> {
    let start = |arg: &Arg| match arg {
        Arg::Np(_, span) | Arg::Move(_, span) => Some(span.start),
        _ => None,
    };
    subject.iter().filter_map(start).min().filter(|&at| at < verb.start)
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

/// Takes from the end of a clause what begins the next: its parts, and the subject where a relative pronoun gives it.
fn tail(frame: &mut Frame, verb: &Verb, next: Option<&Item>) -> (Vec<Part>, Option<Arg>) {
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
    if verb.finite
        && !verb.infinitive
        && !(matches!(verb.form, Form::Past | Form::Participle)
            && !verb.passive
            && !verb.perfect
            && matches!(next, Some(Item::Prep(_)) | None))
    {
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
            let played = frame.verb.act == Act::Play;
            frame.governor = Some(Act::Consider);
            let unknown = Arg::Np(Np::of(Head::Unknown), 0..0);
            return (Vec::new(), Some(named.filter(|_| played).unwrap_or(unknown)));
        }
        return match sep {
            Some(at) if holds(&post[at + 1..]) => {
                let mut from = at;
                // "…, and the bishop and the rook attack": both.
                let plural =
                    verb.form == Form::Base || verb.word == "are" || verb.word == "were" || verb.word == "have";
                if matches!(post[at].item, Item::And)
                    && plural
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
                let tail = post.split_off(at);
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
        Some(Item::Np(np))
            if np.is_men() || np.head == Head::It || matches!(np.head, Head::Square { .. } | Head::Side) =>
        {
            let span = post[post.len() - 1].span.clone();
            let mut all = vec![Arg::Np(np, span)];
            if verb.form == Form::Ing {
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

/// A bare participle behind its noun, "the knight pinned to the king", and not a past tense, "White captured the knight".
fn is_reduced(verb: &Verb, next: Option<&Item>, start: &Start, relative: Option<&Arg>) -> bool {
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
