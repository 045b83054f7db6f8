//! Claims read by their catchwords where the grammar finds none or binds them to the wrong men: "the pin on c6 comes from the bishop on b5",
//! "she is on the wrong end of a skewer". A catchword, the men, moves and sides beside it and the denials that reach it make
//! the claim; it is judged only where the men that are named can stand in no such motif, or do.

use std::ops::Range;

use shakmaty::{Position, Role};

use super::{
    constellation, occurrence,
    passage::{Passage, places},
};
use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, Mode, View},
    draft::Draft,
    grammar::{Act, Arg, Form, Frame, Head, Item, Modal, Opener, Part, Prep, lexicon},
    text::{Tok, Token},
    truth::{self, Truth},
};

/// What is done about something that is there: "has to deal with the pin" says that there is one.
const REACTIONS: &str = "deal live cope reckon answer parry meet met respond react reply suffer endure face escape contend \
                         attend address handle tackle get put accept tolerate bear step care worry answered parried dealt handled addressed";

/// Words beside a catchword that make it a plan, a fear, a name, or something that ends.
const NOT_SAID: &str = "block blocks blocking blocked plan plans planning idea ideas wants hopes hoping threat threats threatens threatening threatened \
                        prevents prevent preventing avoids avoid avoiding prepares preparing trick tricks danger \
                        potential possible possibly break breaks breaking broke broken resolve resolves resolving undo undoes lift lifts \
                        lifting relieve relieves relieving allow allows allowing allowed";

/// What is uncovered is read as a discovered attack.
const UNCOVERS: &str = "discover discovers discovering discovered uncover uncovers uncovering uncovered unmasks unveils \
                        unveiling unmasking reveals revealing unleashes unleashing";

/// The kind that the word at `at` speaks of.
fn kind_of(passage: &Passage, at: usize) -> Option<ClaimKind> {
    let word = |i: usize| passage.words.get(i).map_or("", |(word, _)| word.as_str());
    let starts = |stems: &[&str]| stems.iter().any(|stem| word(at).starts_with(stem));
    let last = at.checked_sub(1).map_or("", word);
    Some(match word(at) {
        "pinning" if matches!(word(at + 1), "piece" | "man" | "bishop" | "rook" | "queen") => return None,
        "pin" | "pins" | "pinned" | "pinning" | "pinner" => ClaimKind::Pin,
        "fork" | "forks" | "forked" | "forking" => ClaimKind::Fork,
        "both"
            if passage.men.len() > 2
                && passage.has_any("attack attacks attacking attacked hit hits hitting fire targets targeting") =>
        {
            ClaimKind::Fork
        }
        "crown" | "crowns" | "crowned" | "crowning" => ClaimKind::Promotion,
        "turns" | "turned" | "turning" if word(at + 1) == "into" && passage.names_piece() => ClaimKind::Promotion,
        "born" | "birth" if passage.names_piece() => ClaimKind::Promotion,
        _ if starts(&["transform", "convert", "replac", "exchang", "swap", "trad", "cash"])
            && passage.first_man() == Some(Role::Pawn)
            && passage.has_any("for into by with")
            && passage.names_piece() =>
        {
            ClaimKind::Promotion
        }
        "double"
            if matches!(
                word(at + 1),
                "threat" | "hit" | "attack" | "attacks" | "attacked" | "attacking"
            ) =>
        {
            ClaimKind::Fork
        }
        "unchecked" => ClaimKind::Check,
        "check" | "checks" | "checked" | "checking"
            if !passage.has_any(UNCOVERS)
                && !matches!(last, "discovered" | "double")
                && !matches!(word(at + 1), "whether" | "if" | "that" | "mate") =>
        {
            ClaimKind::Check
        }
        "mate" | "mates" | "mated" | "mating" | "checkmate" | "checkmates" | "checkmated" | "checkmating" => {
            ClaimKind::Mate
        }
        "battery" | "batteries" => ClaimKind::Battery,
        "appears" | "emerges" | "appeared" => ClaimKind::Promotion,
        "invest" | "invests" | "invested" | "investing" if !passage.has_any("move moves time tempo tempi") => {
            ClaimKind::Sacrifice
        }
        "offer" if lexicon::role(last).is_some() => ClaimKind::Sacrifice,
        "opens" | "opening" | "opened" | "clears" | "clearing" | "cleared" | "vacates"
            if passage.men.len() > 1
                && matches!(word(at + 1), "the" | "a")
                && matches!(word(at + 2), "line" | "diagonal" | "file" | "way" | "path" | "rank") =>
        {
            ClaimKind::Discovered
        }
        "altar" => ClaimKind::Sacrifice,
        "queening" => ClaimKind::Promotion,
        "queen" | "rook" | "bishop" | "knight" if last == "new" => ClaimKind::Promotion,
        "sac" | "sacs" | "saccing" | "sacced" => ClaimKind::Sacrifice,
        _ if starts(&["skewer"]) => ClaimKind::Skewer,
        _ if starts(&["stalemat"]) => ClaimKind::Stalemate,
        _ if starts(&["promot", "underpromot"]) => ClaimKind::Promotion,
        _ if starts(&["sacrific"]) => ClaimKind::Sacrifice,
        _ if starts(&["discover", "uncover", "unmask", "unveil", "unleash", "reveal"]) => ClaimKind::Discovered,
        _ => return None,
    })
}

/// What is discovered, if no check is.
/// Verbs that end a pin.
const FREEING: &str = "free frees freeing freed release releases releasing released relieve relieves relieving extract extracts extracting \
    liberate liberates liberating escape escapes escaping step steps stepping slip slips slipping move moves moving unpin unpins";
const LINES: &str = "check checks attack attacks attacking attacked line lines hit hits hitting discovery opens clears way \
                     path diagonal file";

/// A sentence with its clauses.
pub struct Sentence<'s> {
    /// Its words.
    pub tokens: &'s [Token],
    /// Their parts.
    pub parts: &'s [Part],
    /// Its clauses.
    pub frames: &'s [Frame],
    /// Where their words stand.
    pub places: Vec<Range<usize>>,
}

impl<'s> Sentence<'s> {
    /// Of these clauses.
    #[must_use]
    pub fn new(tokens: &'s [Token], parts: &'s [Part], frames: &'s [Frame]) -> Self {
        Self {
            tokens,
            parts,
            frames,
            places: places(frames, tokens),
        }
    }

    /// Adds what the cues of the clause of this number say to what the grammar found, which begins at `first`.
    pub fn claims(&self, clause: &Clause<'_>, number: usize, found: &mut Vec<Draft>, first: usize) {
        let own = self.own(clause, number);
        let start = self.places[number].start;
        let mut done: Vec<ClaimKind> = Vec::new();
        for at in 0..own.words.len() {
            // The clause that it hangs on has had its turn.
            if own.words[at].1.start < start {
                continue;
            }
            let Some(kind) = kind_of(&own, at) else { continue };
            if done.contains(&kind) {
                continue;
            }
            // "can't get out of the pin": it is in one.
            let stuck = presupposed(clause, &own, at);
            // "gets the bishop out of the pin": it is in one no more.
            let out = at >= 3
                && ["out", "of", "the"]
                    .iter()
                    .zip(&own.words[at - 3..at])
                    .all(|(a, (b, _))| a == b);
            // "frees the pawn from the pin".
            let from = at >= 2 && own.words[at - 2].0 == "from" && own.has_any(FREEING);
            let out = out || from;
            let state = matches!(clause.frame.verb.act, Act::Be | Act::Stand | Act::Continue);
            if kind == ClaimKind::Pin && out && !stuck && !state {
                continue;
            }
            let Some(denied) = own.denied(at).or(stuck.then_some(false)) else {
                continue;
            };
            let denied = denied && !stuck;
            let grown = self.grown(&own, kind, clause, number);
            let truth = judge(clause, kind, &own, at, &grown, denied);
            // "A skewer!" may be of what the next sentence says.
            let alone = clause.frame.verbless && grown.men.is_empty() && grown.runs.is_empty() && own.words.len() < 5;
            let state = matches!(kind, ClaimKind::Check | ClaimKind::Mate | ClaimKind::Stalemate);
            let looks = state && (own.has_row(&["looks", "like"]) || own.has_row(&["seems", "to"]));
            if alone && !state || looks || truth == occurrence::unsaid() {
                for draft in found[first..].iter_mut().filter(|d| d.kind == kind) {
                    draft.truth = draft.truth.clone().lenient("It is not said to be so.");
                }
                continue;
            }
            if truth.holds() || truth.fails() {
                done.push(kind);
                combine(kind, truth, grown.span.clone(), found, first);
            }
        }
    }

    fn passage(&self, from: usize, to: usize, clause: &Clause<'_>) -> Passage {
        let place = self.places[from].start..self.places[to].end;
        Passage::new(self.tokens, self.parts, place, clause.world.mover())
    }

    /// The clause's own words, with those of the verb that it hangs on: "fails to pin", "leaves the knight pinned".
    fn own(&self, clause: &Clause<'_>, number: usize) -> Passage {
        let frame = &self.frames[number];
        let governs = number
            .checked_sub(1)
            .and_then(|at| self.frames.get(at))
            .is_some_and(|above| {
                let leaves = above.existential
                    || above.post.is_empty()
                    || matches!(
                        above.verb.act,
                        Act::Leave | Act::Have | Act::Make | Act::Continue | Act::Move | Act::Other
                    );
                let nothing = above.existential && frame.verb.form == Form::Ing;
                // "one step away from promoting".
                let nothing = nothing || matches!(above.post.last().map(|p| &p.item), Some(Item::Prep(_)));
                frame.verb.infinitive || frame.governor.is_some() || nothing || leaves && frame.verb.passive
            });
        // "has no pawn that can promote".
        let first = self.parts.iter().find(|p| p.span.start >= self.places[number].start);
        // "is not what pins it".
        let what = number.checked_sub(1).and_then(|at| self.frames[at].post.last());
        let what = what.is_some_and(|p| matches!(&p.item, Item::Word(word) if word == "what"));
        let relative = what || number > 0 && first.is_some_and(|p| p.item == Item::Rel);
        let hangs = relative || !frame.verb.finite && !frame.verbless && governs;
        // "gives check by playing Rd8".
        let by = self.frames.get(number + 1).is_some_and(|next| {
            let gerund = next.verb.form == Form::Ing && !next.verb.finite;
            let end = self.frames[number].post.last().map(|p| &p.item);
            // "has no check to answer".
            let answers = next.verb.infinitive && matches!(next.verb.act, Act::Reply | Act::Undergo | Act::Prevent);
            gerund && matches!(end, Some(Item::Prep(Prep::By | Prep::With)))
                || answers && matches!(end, Some(Item::Np(np)) if np.thing().is_some())
        });
        let mut own = self.passage(number - usize::from(hangs), number + usize::from(by), clause);
        // "The rook is active, and there is a pin on the pawn": the rook is no part of it.
        if !frame.existential {
            own.join_subject(&frame.subject, clause.world.mover());
        }
        own
    }

    /// The passage with the clause that it belongs to, or the one that explains it, where too few men are in its own.
    fn grown(&self, own: &Passage, kind: ClaimKind, clause: &Clause<'_>, number: usize) -> Passage {
        let needed = match kind {
            ClaimKind::Fork | ClaimKind::Battery | ClaimKind::Skewer => 2,
            ClaimKind::Pin => 1 + usize::from(own.pronoun),
            _ => 0,
        };
        // "There is the fork Nc7, hitting the king and the rook".
        let hitting = self.frames.get(number + 1).is_some_and(|next| {
            next.verb.form == Form::Ing && !next.verb.finite && matches!(next.verb.act, Act::Attack | Act::Eye)
        });
        if own.men.len() < needed && hitting && kind == ClaimKind::Fork {
            return self.passage(number, number + 1, clause);
        }
        if own.men.len() >= needed && kind != ClaimKind::Discovered || !own.runs.is_empty() {
            return own.clone();
        }
        let frame = &self.frames[number];
        let loose = !frame.verb.finite && !frame.verbless;
        let bare_discovery = kind == ClaimKind::Discovered && !own.has_any(LINES);
        if bare_discovery && number > 0 {
            return self.passage(number - 1, number, clause);
        }
        let pronoun = own.pronoun && (kind == ClaimKind::Pin || own.men.len() + 1 >= needed);
        if (loose || pronoun) && number > 0 {
            let with_last = self.passage(number - 1, number, clause);
            // "protecting the rook and uncovering an attack by the queen on the knight": the rook is no part of it.
            let whole = kind == ClaimKind::Discovered && own.men.len() > 1 && with_last.runs.is_empty();
            return if whole { own.clone() } else { with_last };
        }
        let next = self.places.get(number + 1);
        // "Forking both with Nc7 was possible", "a fork made by the knight": all of that is one clause to us.
        let made = self
            .frames
            .get(number + 1)
            .is_some_and(|next| next.verb.passive && !next.verb.finite);
        if (loose || made) && next.is_some() {
            return self.passage(number, number + 1, clause);
        }
        let explained = next.is_some_and(|next| {
            let from = own.words.last().map_or(next.start, |(_, span)| span.start);
            let near = self
                .tokens
                .iter()
                .filter(|t| t.span.start >= from && t.span.start < next.end);
            near.take(3).any(|t| matches!(t.tok, Tok::Sign(':')))
        });
        if explained && own.men.is_empty() {
            return self.passage(number, number + 1, clause);
        }
        own.clone()
    }
}

/// True where the clause says that something is so, not that it may come.
fn asserted(clause: &Clause<'_>, passage: &Passage) -> bool {
    if clause.vague || matches!(clause.mode, Mode::Threat | Mode::Kept) {
        return false;
    }
    if matches!(clause.frame.opener, Some(Opener::If | Opener::Unless | Opener::Before)) || passage.has_any(NOT_SAID) {
        return false;
    }
    let must = matches!(clause.frame.verb.modal, Some(Modal::Must))
        || matches!(clause.frame.governor_modal, Some(Modal::Must))
        || passage.has(&["needs", "must", "has", "have", "forced", "forces", "forcing", "the"]);
    // "could have played Rd8 with check": the move leads there.
    let led = !passage.runs.iter().flatten().all(|word| clause.world.is_played(word));
    clause.mode == Mode::Fact || led || must && passage.has_any(REACTIONS)
}

/// "Must take care of the check", "can't get out of the pin", "would like to free the knight from the pin": there is one.
fn presupposed(clause: &Clause<'_>, passage: &Passage, at: usize) -> bool {
    let word = |back: usize| {
        at.checked_sub(back)
            .and_then(|i| passage.words.get(i))
            .map_or("", |(word, _)| word.as_str())
    };
    let definite = matches!(word(1), "the" | "this" | "that");
    let way_out = matches!(
        word(2),
        "from" | "of" | "off" | "escape" | "under" | "with" | "against" | "to"
    ) && passage
        .has_any("out free escape shake rid live cope deal care defend find unpin release extract wriggle");
    definite && way_out && (clause.mode != Mode::Fact || clause.negated)
}

fn judge(clause: &Clause<'_>, kind: ClaimKind, own: &Passage, at: usize, grown: &Passage, denied: bool) -> Truth {
    let open = || Truth::unknown("");
    let Some(views) = views(clause, grown) else {
        return open();
    };
    let cue = occurrence::OccurrenceCue {
        clause,
        passage: own,
        at,
        denied,
        views: &views,
    };
    let asserted = |passage| asserted(clause, passage) || presupposed(clause, own, at);
    match kind {
        ClaimKind::Check if asserted(own) => return occurrence::check(&cue),
        ClaimKind::Mate => return occurrence::mate(&cue, asserted(own)),
        ClaimKind::Stalemate => return occurrence::stalemate(&cue, asserted(own)),
        ClaimKind::Promotion => return occurrence::promotion(&cue, asserted(own)),
        ClaimKind::Sacrifice if asserted(own) => return occurrence::sacrifice(&cue),
        ClaimKind::Check | ClaimKind::Sacrifice => return open(),
        _ => {}
    }
    // "Both the knight and the rook attack the queen".
    let both = own.words[at].0 == "both" && clause.frame.subject.len() > 1 && !clause.frame.verb.passive;
    // "is attacked by both the pawn and the bishop".
    let by_both = own.has_row(&["by", "both"]) && clause.frame.verb.passive && kind == ClaimKind::Fork;
    if both || by_both {
        return open();
    }
    if !(asserted(grown) || clause.mode == Mode::Can && denied) {
        return open();
    }
    let moved = |a: &Arg| matches!(a, Arg::Played | Arg::Move(..));
    let by_move = !grown.runs.is_empty()
        || grown.men.is_empty()
            && !(clause.frame.verb.passive || matches!(clause.frame.verb.form, Form::Past | Form::Participle))
            && (clause.frame.subject.iter().any(moved) || clause.frame.subject.is_empty() && !clause.frame.existential);
    if kind == ClaimKind::Discovered {
        // "steps out of the check and uncovers the rook".
        let leaves = grown.has_row(&["out", "of", "the", "check"]) || grown.has_row(&["out", "of", "check"]);
        if grown.has(&["check", "checks"]) && !leaves {
            return occurrence::discovered_check(&cue);
        }
        if !grown.has_any(LINES) {
            return open();
        }
    }
    // "The bishop forks the king and the queen", "they are forked by the bishop": it does.
    let agents = match clause.frame.verb.act {
        Act::Fork | Act::Skewer | Act::Pin if clause.frame.verb.passive => clause.frame.behind(&[Prep::By]),
        Act::Fork | Act::Skewer | Act::Pin if !clause.frame.objects().is_empty() => clause.frame.subject.clone(),
        _ => Vec::new(),
    };
    let doer = match agents.as_slice() {
        // "by an enemy piece": of whoever it is that is pinned.
        [Arg::Np(np, _)] if np.is_men() && !(np.head == Head::Piece && np.squares.is_empty()) => Some(np),
        _ => None,
    };
    // "The bishop gives a pin": whom, is left open.
    let actor = clause
        .frame
        .subject
        .iter()
        .any(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
        && matches!(
            clause.frame.verb.act,
            Act::Make | Act::Pin | Act::Play | Act::Move | Act::Have
        );
    let read = |view: &View| {
        constellation::truth(
            constellation::look(kind, grown, view, clause.world, by_move, doer, (actor, denied)),
            denied,
        )
    };
    let mut answers: Vec<Truth> = views.iter().map(read).collect();
    if clause.is_past() && clause.frame.context.is_plain() && !by_move {
        answers.push(read(&clause.world.before()));
    }
    truth::any(answers)
}

/// The positions that a passage speaks of; `None` where its moves lead nowhere.
fn views(clause: &Clause<'_>, passage: &Passage) -> Option<Vec<View>> {
    let mut views = if !clause.frame.context.is_plain() || passage.runs.is_empty() {
        clause.views.clone()
    } else if passage.runs.iter().flatten().all(|word| clause.world.is_played(word)) {
        vec![clause.world.after()]
    } else {
        clause.world.follow(&passage.runs).views
    };
    // "When the bishop moves, the rook attacks": the move that was made may be meant.
    if !clause.frame.context.deeds.is_empty() {
        views.push(clause.world.after());
    }
    // "After Nf3 Black can take it, although White has Bg5+": there, too.
    if !clause.frame.context.is_plain() && !passage.runs.is_empty() {
        let mut runs = clause.frame.context.runs.clone();
        runs.extend(passage.runs.iter().cloned());
        views.extend(clause.world.follow(&runs).views);
        views.extend(clause.world.follow(&passage.runs).views);
    }
    if passage.runs.is_empty() {
        return (!views.is_empty()).then_some(views);
    }
    let sign = |c: char| passage.runs.iter().flatten().any(|word| word.text.contains(c));
    let past = clause.frame.verb.past || clause.frame.verb.perfect;
    let before = &clause.world.played().before;
    // "Qh7# would …", "Nc7 was …": the check sign and the tense tell which move is meant.
    let meant = |view: &View| {
        (!sign('#') || view.pos.is_checkmate())
            && (!sign('+') || view.pos.is_check())
            && (!past || view.trail.first().is_some_and(|(from, _)| from == before))
    };
    let fitting: Vec<View> = views.iter().filter(|view| meant(view)).cloned().collect();
    let views = if fitting.is_empty() { views } else { fitting };
    (!views.is_empty()).then_some(views)
}

/// One verdict of the grammar's and the cue's. Where the grammar says no and the cue finds men that fit, the words were
/// bound to the wrong men. Where both say no, the grammar's reason stays: it names the men.
fn combine(kind: ClaimKind, truth: Truth, span: Range<usize>, found: &mut Vec<Draft>, first: usize) {
    let same = |d: &Draft| d.kind == kind;
    if truth.fails() && found[first..].iter().any(|d| same(d) && d.truth.fails()) {
        return;
    }
    let mut number = 0;
    found.retain(|d| {
        number += 1;
        number <= first || !same(d)
    });
    found.push(Draft { kind, span, truth });
}
