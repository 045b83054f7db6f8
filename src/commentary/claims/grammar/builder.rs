//! From the parts of a sentence to its clauses.

use std::ops::Range;

use super::{
    antecedent::Antecedents,
    clause_start::{is_reduced, participle_aside, relative_object, start, tail},
    frame::{Arg, Context, Discourse, Frame, flat, kept_from, move_runs},
    lexicon::{Act, Form, Opener, Prep, Thing},
    phrase::{Det, Head, Item, MoveWord, Np, Part, Verb},
    whereabouts::{gone_to, reached},
};

/// The clauses of a sentence.
#[must_use]
pub fn frames(parts: &[Part], discourse: &mut Discourse) -> Vec<Frame> {
    let mut builder = Builder {
        parts,
        frames: Vec::new(),
        pre: Vec::new(),
        context: if matches!(parts.first().map(|p| &p.item), Some(Item::Open(Opener::Then))) {
            // A line that was described without its moves: "Black will trade on a3. Then the bishop drops back".
            let untold = discourse.context.runs.is_empty() && discourse.subject.is_some();
            Context {
                vague: untold || discourse.context.vague,
                ..discourse.context.clone()
            }
        } else {
            Context::default()
        },
        discourse,
        opening: Vec::new(),
    };
    for (at, part) in parts.iter().enumerate() {
        match &part.item {
            Item::Verb(verb) => builder.verb(verb.clone(), at),
            _ => builder.pre_or_post(part.clone()),
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
    /// What stands before the first verb.
    opening: Vec<Part>,
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
        let object = relative_object(&self.parts[..at]).filter(|_| !matches!(next, Some(Item::Np(_) | Item::Move(_))));
        let mut relative = None;
        let mut negated = verb.negated;
        let mut governor = None;
        let mut governor_modal = None;
        let mut governor_negated = false;
        let mut aside = false;
        let (tail, fresh) = match self.frames.last_mut() {
            None => {
                self.opening.clone_from(&self.pre);
                // "Ng1, with the threat to take it".
                if verb.infinitive && self.pre.last().is_some_and(is_threat) {
                    governor = Some(Act::Plan);
                }
                (std::mem::take(&mut self.pre), true)
            }
            Some(frame) => {
                let (tail, found) = match participle_aside(frame, &verb, next) {
                    Some(of) => {
                        aside = true;
                        (Vec::new(), Some(of))
                    }
                    None => tail(frame, &verb, next),
                };
                relative = found;
                // "takes a pawn that is protected": what is taken stood there before.
                verb.past |= relative.is_some() && matches!(frame.verb.act, Act::Capture | Act::Recapture);
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
                        && !(verb.act == Act::Hang && frame.verb.act == Act::Leave)
                    {
                        governor = None;
                    }
                    if verb.form == Form::Ing
                        && matches!(frame.post.last().map(|p| &p.item), Some(Item::Comma | Item::And))
                    {
                        governor = None;
                    }
                    // "has stopped protecting": it does so no more.
                    if governor == Some(Act::Prevent)
                        && verb.form == Form::Ing
                        && frame.post.is_empty()
                        && frame.verb.word.starts_with("stop")
                    {
                        governor = Some(Act::Fail);
                    }
                    // "does not stop the queen from attacking": what is stopped is done no more.
                    if verb.form == Form::Ing
                        && matches!(
                            verb.act,
                            Act::Attack | Act::Eye | Act::Defend | Act::Support | Act::Control
                        )
                        && let Some(kept) = kept_from(frame)
                    {
                        governor = Some(Act::Fail);
                        relative = Some(kept);
                    }
                    // "the option of moving", "to put it there or to move it": what is wished goes on.
                    let of = matches!(
                        frame.post.last().map(|p| &p.item),
                        Some(Item::Prep(Prep::Of | Prep::For))
                    );
                    let joined = matches!(frame.post.last().map(|p| &p.item), Some(Item::And | Item::Or));
                    let gerund = verb.form == Form::Ing || verb.passive && !verb.finite;
                    if of && gerund || joined && frame.governor == Some(Act::Plan) {
                        governor = Some(Act::Plan);
                    }
                    // "goes from being better to being worse": it was so.
                    let from = matches!(frame.post.last().map(|p| &p.item), Some(Item::Prep(Prep::From)));
                    verb.past |= from && verb.form == Form::Ing && frame.verb.act != Act::Prevent;
                    // "can't win it by taking": nothing is taken.
                    let by = matches!(frame.post.last().map(|p| &p.item), Some(Item::Prep(Prep::By)));
                    if by && verb.form == Form::Ing && frame.negated {
                        governor = Some(Act::Plan);
                    }
                    if verb.infinitive && frame.post.last().is_some_and(is_threat) {
                        governor = Some(Act::Plan);
                    }
                    // "has no way to take": it can't.
                    if verb.infinitive
                        && matches!(frame.verb.act, Act::Have | Act::Be | Act::Make)
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
        // "moves away, so the pawn is free, and guards the rook": of the king or of the pawn.
        let resumes = matches!(tail.as_slice(), [Part { item: Item::And, .. }])
            && self.frames.last().is_some_and(|last| {
                matches!(last.post.last().map(|p| &p.item), Some(Item::Comma))
                    && matches!(last.opener, Some(Opener::Because | Opener::While | Opener::When))
            });
        let mut start = start(tail, &verb);
        // A participle behind its noun: "the knight pinned to the king".
        let reduced = aside || is_reduced(&verb, next, &start, relative.as_ref());
        if reduced {
            verb.passive = true;
            verb.finite = false;
            verb.past = false;
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
        // "should have been e6, where it attacks", "worry about f3, when the knight is attacked".
        let led = start.opener == Some(Opener::When) || start.rest.iter().any(|p| p.item == Item::Word("where".into()));
        let before = match self.frames.last() {
            Some(last) if !fresh => last.post.last(),
            _ => start
                .rest
                .iter()
                .rfind(|p| matches!(p.item, Item::Np(_) | Item::Move(_))),
        };
        if led && let Some((place, run)) = before.map(reached) {
            self.context.place = place.or(self.context.place);
            if !run.is_empty() {
                self.context.loose = run;
            }
        }
        self.context.place = start.from.or(self.context.place);
        if inherits && fresh && stranger && verb.finite && !start.there {
            subject = vec![Arg::Np(Np::of(Head::Unknown), 0..0)];
        } else if inherits {
            subject = self.inherited(&verb, fresh);
            if resumes && let Some(main) = self.frames.iter().rev().find(|f| f.opener.is_none()) {
                subject.splice(..0, main.subject.iter().cloned());
                subject = vec![flat(subject)];
            }
        }
        let antecedents = Antecedents {
            frames: &self.frames,
            pre: &self.pre,
            opening: &self.opening,
            discourse: self.discourse,
        };
        let subject: Vec<Arg> = subject.into_iter().map(|arg| antecedents.resolve(arg)).collect();
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
        // "The one active piece was the knight on g5, hitting f7".
        if verb.form == Form::Ing && !verb.finite && !fresh && governor.is_none() {
            verb.past |= self.frames.last().is_some_and(|f| f.verb.act == Act::Be && f.verb.past);
        }
        let opener = start.opener;
        // "keeps the queen protected", "has the knight covered": the subject of that does it.
        let kept = self
            .frames
            .last()
            .filter(|f| reduced && matches!(f.verb.act, Act::Have | Act::Continue | Act::Make))
            // A move keeps it so by what it leaves alone, too.
            .filter(|f| {
                !f.subject
                    .iter()
                    .any(|a| matches!(a, Arg::Move(..) | Arg::Played | Arg::Any(_)))
            })
            .map(|f| f.subject.clone());
        let above = self.frames.last().filter(|_| governor.is_some()).map_or_else(
            || kept.unwrap_or_default(),
            |f| {
                let mut all = f.objects();
                if all.is_empty() || f.verb.act == Act::Be {
                    all.extend(f.subject.iter().cloned());
                }
                all
            },
        );
        // "a bishop on c2, which the rook protects": what it protects stands before the clause.
        let bond = matches!(
            verb.act,
            Act::Attack | Act::Eye | Act::Defend | Act::Support | Act::Control
        );
        let object = object.filter(|_| bond && !verb.passive && verb.finite && !subject.is_empty());
        let from = start.rest.first().map_or(span.start, |p| p.span.start.min(span.start));
        let from = subject_start(&subject, &span).unwrap_or(from).min(span.start);
        self.close_last();
        self.frames.push(Frame {
            negated,
            subject,
            post: object.into_iter().collect(),
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
        // "Bc2, tucking the bishop away, or Nf3, developing a piece": the move that is named last.
        if verb.form == Form::Ing
            && !verb.finite
            && let [
                ..,
                Part {
                    item: Item::Move(_), ..
                },
                Part { item: Item::Comma, .. },
            ] = last.post.as_slice()
            && let Some(word) = moves.last()
        {
            return vec![word.clone()];
        }
        // "plays Qc7 to guard the pawn": the move does.
        let bond = matches!(
            verb.act,
            Act::Attack | Act::Eye | Act::Defend | Act::Support | Act::Control
        );
        if bond
            && verb.infinitive
            && matches!(last.verb.act, Act::Play | Act::Reply)
            && let [word] = moves.as_slice()
        {
            return vec![word.clone()];
        }
        last.subject.clone()
    }

    /// Ends the last clause before the next begins: what it supposes holds for those behind it.
    fn close_last(&mut self) {
        let Some(last) = self.frames.last_mut() else { return };
        if let [Arg::Move(word, _)] = last.subject.as_slice() {
            self.context.loose = vec![word.clone()];
        } else if matches!(
            last.verb.act,
            Act::Play | Act::Reply | Act::Continue | Act::Capture | Act::Recapture
        ) && !last.negated
            && let Some(run) = move_runs(&last.post).pop()
        {
            // "Black replies Nxe4 and wins a pawn".
            self.context.loose = run;
        }
        let tells = matches!(last.verb.act, Act::Capture | Act::Recapture)
            && last.verb.finite
            && !(last.verb.passive || last.negated || last.verb.past)
            && last.opener.is_none_or(|opener| opener == Opener::Then)
            && move_runs(&last.post).is_empty();
        if tells {
            let plain = Frame {
                context: Context::default(),
                ..last.clone()
            };
            self.context.captures.push(plain);
        }
        self.context.place = gone_to(last).or(self.context.place);
        if let Some(part) = last.post.last() {
            last.span.end = last.span.end.max(part.span.end);
        }
        let trailing = |frame: &Frame| {
            let mut runs: Vec<Vec<MoveWord>> = Vec::new();
            let mut led = false;
            let mut open = false;
            for part in &frame.post {
                match &part.item {
                    Item::Open(Opener::After | Opener::If | Opener::When) => led = true,
                    Item::Move(word) if led => {
                        match runs.last_mut() {
                            Some(run) if open => run.push(word.clone()),
                            _ => runs.push(vec![word.clone()]),
                        }
                        open = true;
                        continue;
                    }
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
            verb: Verb::bare(Act::Be, Form::Third, true),
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

/// "the threat", of which an infinitive says what it is.
fn is_threat(part: &Part) -> bool {
    matches!(&part.item, Item::Np(np) if np.head == Head::Thing(Thing::Threat))
}

fn subject_start(subject: &[Arg], verb: &Range<usize>) -> Option<usize> {
    let start = |arg: &Arg| match arg {
        Arg::Np(_, span) | Arg::Move(_, span) => Some(span.start),
        _ => None,
    };
    subject.iter().filter_map(start).min().filter(|&at| at < verb.start)
}
