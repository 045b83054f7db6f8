//! A clause on the board: its positions, its mode, and what all kinds of claims ask of it.

use std::ops::Range;

use shakmaty::{Color, Role};

use super::{
    men::{self, Men},
    scene::{View, World},
};
use crate::commentary::claims::{
    ClaimKind,
    draft::Draft,
    grammar::{Act, Arg, Det, Frame, Head, Item, Modal, Np, Opener, Owner, Prep, phrase},
    truth::{self, Truth},
};

/// In which way a clause speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It is, or was, so.
    Fact,
    /// It can be done.
    Can,
    /// It is threatened.
    Threat,
    /// It is wished, expected or supposed: nothing on the board can make it wrong.
    Wish,
    /// It is kept from happening.
    Kept,
}

/// A clause with the positions it may speak of.
pub struct Clause<'a> {
    /// The sheet and its positions.
    pub world: &'a World<'a>,
    /// The words.
    pub frame: &'a Frame,
    /// The positions; empty where its moves can't be played.
    pub views: Vec<View>,
    /// In which way it speaks.
    pub mode: Mode,
    /// Denied, all things considered.
    pub negated: bool,
    /// It is only supposed: what is not so is not wrong.
    pub vague: bool,
}

impl<'a> Clause<'a> {
    /// A clause that speaks of these positions; finds out how. `vague` where they are only supposed.
    pub fn at(world: &'a World<'a>, frame: &'a Frame, mut views: Vec<View>, mut vague: bool) -> Self {
        let mut mode = mode(frame);
        // "would have forked", "could give check with Qe1": the move that is named leads there.
        let names = matches!(frame.subject.as_slice(), [Arg::Move(word, _)] if !world.is_played(word));
        if names && matches!(frame.verb.modal, Some(Modal::Would | Modal::Will)) && frame.governor.is_none() {
            mode = Mode::Fact;
        }
        if let Some(run) = with_moves(frame)
            && !names
            && !matches!(frame.verb.act, Act::Play | Act::Reply | Act::Continue | Act::Blunder)
        {
            let mut runs = frame.context.runs.clone();
            runs.push(run);
            let played = matches!(runs.as_slice(), [one] if matches!(one.as_slice(), [word] if world.is_played(word)));
            if !played {
                views = world.follow(&runs).views;
                if !views.is_empty() && matches!(mode, Mode::Can | Mode::Wish) && frame.governor.is_none() {
                    mode = Mode::Fact;
                }
            }
        }
        let mut negated = frame.negated;
        // "has not stopped attacking": it attacks.
        negated ^= frame.governor == Some(Act::Fail);
        negated ^= frame.governor_negated && frame.governor.is_some();
        // "declined to take it with Qxc4": the move that wasn't played would have done it.
        let waived = frame.governor == Some(Act::Fail) || frame.governor == Some(Act::Play) && frame.verb.negated;
        if waived && with_moves(frame).is_some_and(|run| !run.iter().all(|word| world.is_played(word))) {
            negated = false;
            mode = Mode::Fact;
        }
        let subordinate = matches!(frame.opener, Some(Opener::After | Opener::When)) && !frame.verb.finite;
        if subordinate || matches!(frame.opener, Some(Opener::If | Opener::Unless | Opener::Before)) {
            vague = true;
        }
        Self {
            world,
            frame,
            views,
            mode,
            negated,
            vague,
        }
    }

    /// Who acts, where the subject is a side or men of one colour.
    pub fn actor(&self) -> Option<Color> {
        self.color_of(&self.frame.subject)
    }

    /// The colour that arguments have, where they have one.
    pub fn color_of(&self, args: &[Arg]) -> Option<Color> {
        let mover = self.world.mover();
        if args.is_empty() {
            return None;
        }
        let of = |arg: &Arg| -> Option<Color> {
            match arg {
                Arg::Played => Some(mover),
                Arg::Move(..) => self.views.first().map(View::mover),
                Arg::Np(np, _) => match np.head {
                    Head::Side | Head::Speaker => arg.side(mover),
                    _ if np.is_men() => match np.owner {
                        Some(Owner::Side(color)) => Some(color),
                        Some(Owner::Speaker) => Some(mover),
                        Some(Owner::Enemy) => Some(mover.other()),
                        // The pawn that promoted is on the board no more.
                        None if np.head == Head::Role(Role::Pawn) && promoted(self.views.first()) => Some(mover),
                        _ => {
                            let view = self.views.first()?;
                            let men = men::of_np(np, view, None, self.world);
                            let first = men.men.first()?.color;
                            men.men.iter().all(|m| m.color == first).then_some(first)
                        }
                    },
                    _ => None,
                },
                Arg::Any(all) => {
                    let mut colors = all.iter().filter_map(|a| self.color_of(std::slice::from_ref(a)));
                    let first = colors.next()?;
                    colors.all(|c| c == first).then_some(first)
                }
            }
        };
        args.iter().find_map(of)
    }

    /// The side that acts: the subject's, or the mover.
    pub fn side(&self) -> Color {
        self.actor().unwrap_or(self.world.mover())
    }

    /// The men of an argument in a view; for a side all of its men.
    pub fn men(&self, arg: &Arg, view: &View) -> Men {
        match arg {
            Arg::Np(np, _) if !matches!(np.head, Head::Side | Head::Speaker | Head::Thing(_)) => {
                men::of_np(np, view, self.actor(), self.world)
            }
            other => men::actors(std::slice::from_ref(other), view, self.world),
        }
    }

    /// The subject's men.
    pub fn actors(&self, view: &View) -> Men {
        men::actors(&self.frame.subject, view, self.world)
    }

    /// A claim on the whole clause. What can't be wrong in this mode is left open.
    pub fn draft(&self, kind: ClaimKind, truth: Truth) -> Draft {
        self.draft_at(kind, self.frame.span.clone(), truth)
    }

    /// A claim on a part of it.
    pub fn draft_at(&self, kind: ClaimKind, span: Range<usize>, truth: Truth) -> Draft {
        let truth = match self.mode {
            Mode::Wish | Mode::Kept => truth.lenient("It is wished or supposed, not said to be so."),
            _ if self.vague => truth.lenient("It is supposed, and the board does not say what comes of it."),
            _ => truth,
        };
        Draft { kind, span, truth }
    }

    /// Asks each position; one reading that holds is enough.
    pub fn ask(&self, question: impl Fn(&View) -> Truth) -> Truth {
        let past = self.is_past();
        if self.views.is_empty() {
            return Truth::unknown("The moves that lead there can't be played.");
        }
        let mut answers: Vec<Truth> = self.views.iter().map(&question).collect();
        let named = matches!(self.frame.subject.as_slice(), [Arg::Move(word, _)] if !self.world.is_played(word));
        if past && !named && self.frame.context.is_plain() {
            let before = question(&self.world.before());
            // "was hanging": before the move; the move itself may be described in the past tense, too.
            answers.insert(0, before);
        }
        truth::any(answers)
    }

    /// Asks of deeds: a past tense tells of the move itself.
    pub fn ask_deed(&self, question: impl Fn(&View) -> Truth) -> Truth {
        if self.views.is_empty() {
            return Truth::unknown("The moves that lead there can't be played.");
        }
        truth::any(self.views.iter().map(question))
    }

    /// True for a past tense.
    pub fn is_past(&self) -> bool {
        self.frame.verb.past || self.frame.has_word("before") || self.frame.has_word("previously")
    }

    /// Yes or no of a relation between men, with the words' "both", "a", "no" and the clause's denial.
    pub fn relate(
        &self,
        actors: &Men,
        targets: &Men,
        holds: impl Fn(crate::chess::Man, crate::chess::Man) -> bool,
        say: impl Fn(Option<(crate::chess::Man, crate::chess::Man)>, bool) -> String,
    ) -> Truth {
        let negated = self.negated;
        if !actors.applies || !targets.applies {
            return Truth::unknown("The words name no pieces.");
        }
        if actors.men.is_empty() {
            return if actors.some && negated && actors.missing.is_empty() {
                Truth::yes(say(None, false))
            } else if actors.some && negated {
                Truth::yes(actors.missing.clone())
            } else {
                Truth::no(actors.missing.clone())
            };
        }
        if targets.men.is_empty() {
            return if targets.some && negated {
                Truth::yes(targets.missing.clone())
            } else {
                Truth::no(targets.missing.clone())
            };
        }
        let pair = |wanted: bool| {
            actors
                .men
                .iter()
                .flat_map(|&a| targets.men.iter().map(move |&t| (a, t)))
                .find(|&(a, t)| holds(a, t) == wanted)
        };
        let each = actors.all || targets.all;
        let (held, failed) = (pair(true), pair(false));
        if each {
            let all_actors = !actors.all || actors.men.iter().all(|&a| targets.men.iter().any(|&t| holds(a, t)));
            let all_targets = !targets.all || targets.men.iter().all(|&t| actors.men.iter().any(|&a| holds(a, t)));
            let yes = all_actors && all_targets && held.is_some();
            return Truth::of(yes != negated, || say(held, true), || say(failed.or(held), yes));
        }
        // "Nothing protects the queen": which, the words don't say; one that nobody protects is enough.
        if negated && actors.some && !targets.some && targets.men.len() > 1 {
            let free = |&&t: &&crate::chess::Man| !actors.men.iter().any(|&a| holds(a, t));
            if let Some(&free) = targets.men.iter().find(free) {
                return Truth::yes(say(Some((actors.men[0], free)), false));
            }
        }
        // Of the men of a move none must do what it is denied to do.
        if actors.some || targets.some || actors.of_move {
            return match held {
                Some(pair) => Truth::yes(say(Some(pair), true)).negated(negated),
                None => Truth::no(say(failed, false)).negated(negated),
            };
        }
        match (held, failed, negated) {
            (Some(pair), _, false) => Truth::yes(say(Some(pair), true)),
            (None, failed, false) => Truth::no(say(failed, false)),
            (_, Some(pair), true) => Truth::yes(say(Some(pair), false)),
            (held, None, true) => Truth::no(say(held, true)),
        }
    }
}

fn promoted(view: Option<&View>) -> bool {
    view.and_then(|view| view.deed.as_ref())
        .is_some_and(|(_, m)| m.is_promotion())
}

/// The moves behind "with" or "by": "gives check with Qe1".
fn with_moves(frame: &Frame) -> Option<Vec<phrase::MoveWord>> {
    let mut parts = frame
        .post
        .iter()
        .skip_while(|p| !matches!(p.item, Item::Prep(Prep::With | Prep::By)));
    parts.next()?;
    let run: Vec<phrase::MoveWord> = parts
        .map_while(|p| match &p.item {
            Item::Move(word) => Some(word.clone()),
            _ => None,
        })
        .collect();
    (!run.is_empty()).then_some(run)
}

/// In which way a clause speaks.
fn mode(frame: &Frame) -> Mode {
    let by_governor = match frame.governor {
        Some(Act::Threaten) => Some(Mode::Threat),
        Some(Act::Plan | Act::Offer | Act::Consider | Act::Miss | Act::Lack | Act::Prefer) => Some(Mode::Wish),
        Some(Act::Allow | Act::Leave) => Some(Mode::Can),
        Some(Act::Prevent | Act::Block) => Some(Mode::Kept),
        // "The idea is to double the rooks".
        Some(Act::Be) => Some(Mode::Wish),
        Some(Act::Force) => Some(Mode::Wish),
        _ => None,
    };
    if let Some(mode) = by_governor {
        return mode;
    }
    let lined = !frame.context.runs.is_empty();
    let of_modal = |modal: Modal| match modal {
        Modal::Can | Modal::Could => Mode::Can,
        Modal::Would | Modal::Will if lined => Mode::Fact,
        Modal::Will if matches!(frame.verb.act, Act::Win | Act::Lose) => Mode::Fact,
        Modal::Would | Modal::Will | Modal::Should | Modal::Must => Mode::Wish,
    };
    match (frame.verb.modal, frame.governor_modal) {
        (Some(modal), _) => of_modal(modal),
        (None, Some(modal)) if frame.verb.infinitive => of_modal(modal),
        _ => Mode::Fact,
    }
}

/// True for a phrase with "no" before it.
#[must_use]
pub fn denies(np: &Np) -> bool {
    np.det == Det::No
}
